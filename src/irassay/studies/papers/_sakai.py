"""What Sakai's papers on topic samples share: the top 30 runs, and the steps on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from irassay.result import Figure
from irassay.studies.agreement.settings import Agreement
from irassay.studies.papers.record import Part
from irassay.studies.papers.reshape import Rows, drawn, falling, kept, redrawn, rows, table, triangle
from irassay.studies.papers.run import Workbench
from irassay.studies.power.settings import Power
from irassay.studies.swap.settings import Swap

Make = Callable[[Workbench], Part]
TOP = 30  # runs by mean relaxed AveP: every relevant level counts, which is what AP does
POWER = (
    "measure",
    "alpha",
    "significant",
    "pairs",
    "discriminative_power",
    "estimated_difference",
    "ed_median",
    "ed_p95",
)
DIGITS = {"discriminative_power": 3, "estimated_difference": 2, "ed_median": 2, "ed_p95": 2, "alpha": 2}


def top(bench: Workbench, test: str = "") -> dict[str, Any]:
    """The settings that take the paper's runs and samples, and a test."""
    chosen = {"top": bench.settings.top or TOP, "by": "AP", "resamples": bench.resamples}
    return {**chosen, test: True} if test else chosen


def data(number: str) -> Make:
    """Topics, relevant documents per topic, in all and by level, and runs used."""

    def make(bench: Workbench) -> Part:
        judged_counts = bench.panel.judged_counts()
        row: dict[str, object] = {
            "topics": len(bench.panel.topics),
            "R": float(judged_counts[:, 1:].sum(axis=1).mean()),
        }
        for grade in sorted(bench.panel.grades, reverse=True):
            level = bench.levels.get(grade)
            name = f"grade {grade} ({level})" if level else f"grade {grade}"
            row[name] = float(judged_counts[:, grade].mean())
        digits = dict.fromkeys([name for name in row if name != "topics"], 1)
        row["runs_used"] = min(len(bench.panel.systems), bench.settings.top or TOP)
        return Part((table(number, [row], "Relevant documents are means per topic", digits),))

    return make


def sorted_means(number: str) -> Make:
    """Mean AP of the runs used, the best first."""

    def make(bench: Workbench) -> Part:
        best = bench.ranked("AP")[: bench.settings.top or TOP]
        made = [{"rank": rank, "system": name, "mean_AP": mean} for rank, (name, mean) in enumerate(best, 1)]
        figure = Figure(
            number, "curve", number, x="rank", y="mean_AP",
            labels={"x": "run, sorted by mean AP", "y": "mean AP"}, caption="The flatter, the more alike the runs are",
            alt="A falling curve of mean AP over runs",
        )  # fmt: skip
        return Part((table(number, made, digits={"mean_AP": 4}),), (figure,))

    return make


ALPHA = "0.05,0.01"


def power(numbers: tuple[str, str], measures: Callable[[Workbench], str], test: str, alpha: str = ALPHA) -> Make:
    """Discriminative power and estimated differences, and bars of the former."""

    def make(bench: Workbench) -> Part:
        found = bench.run(Power, measures=(measures(bench),), alpha=alpha, **top(bench, test))
        made = kept(rows(found["power"], {"test": test}), *POWER)
        note = found["power"].caption.removeprefix("Discriminative power. ")
        figure = Figure(
            numbers[1], "bars", numbers[0], x="measure", y="discriminative_power", series="alpha",
            labels={"x": "measure", "y": "discriminative power", "series": "alpha"},
            caption="Per comparison, not corrected",
            alt="Bars of the share of significantly different pairs, one per measure and level",
        )  # fmt: skip
        return Part((table(numbers[0], made, note, DIGITS),), (figure,))

    return make


def swaps(numbers: tuple[str, str], measures: Callable[[Workbench], str]) -> Make:
    """The swap method and bars of what satisfies it."""

    def make(bench: Workbench) -> Part:
        found = bench.run(Swap, measures=(measures(bench),), **top(bench))
        source = found["swap"]
        made = table(numbers[0], falling(rows(source), "share_satisfied"), source.caption, source.digits)
        return Part((made,), (redrawn(drawn(found.figures, "swap"), numbers[1], numbers[0]),))

    return make


def correlations(number: str, measures: Callable[[Workbench], str], bold: float) -> Make:
    """Kendall's tau between measures with its test: the paper's triangle, and every pair."""

    def make(bench: Workbench) -> Part:
        found = bench.run(Agreement, measures=(measures(bench),), **top(bench))
        names = dict.fromkeys(row["measure_a"] for row in rows(found["agreement"]))
        order = {name: place for place, name in enumerate(names)}
        pairs: Rows = [
            {**row, "high": row["tau"] > bold}
            for row in kept(rows(found["agreement"]), "measure_a", "measure_b", "systems", "tau", "z0", "p_value")
            if order[row["measure_a"]] < order[row["measure_b"]]
        ]
        systems = int(pairs[0]["systems"])
        needed = 2.576 * np.sqrt((4 * systems + 10) / (9 * systems * (systems - 1)))
        note = f"Over {needed:.2f} it is significant at alpha 0.01 (two-sided, {systems} runs); "
        matrix = triangle(number, pairs, "tau", f"{note}over {bold:g} it is bold", bold=bold)
        all_pairs = table(
            f"{number}_pairs", pairs, f"{number}: every pair with its test; high is above {bold:g}",
            {"tau": 4, "z0": 2, "p_value": 4},
        )  # fmt: skip
        figure = replace(drawn(found.figures, "agreement"), name=number, table=all_pairs.name)
        return Part((matrix, all_pairs), (figure,))

    return make
