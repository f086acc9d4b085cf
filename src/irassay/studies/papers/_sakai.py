"""What Sakai's papers on topic samples share: the top 30 runs, and the items that all of them show."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from irassay.result import Figure, Mark, Result
from irassay.studies.papers.record import Make, PaperContext, Part, Run
from irassay.studies.papers.reshape import copied, descending, figure_of, rows, select, table, triangle

TOP = 30  # runs by mean relaxed AveP: every relevant level counts, which is what AP does
ALPHA = "0.05,0.01"
POWER = ("measure", "significant", "pairs", "discriminative_power", "estimated_difference")
POWER_AND_SPREAD = ("measure", "alpha", *POWER[1:], "ed_median", "ed_p95")
DIGITS = {"discriminative_power": 3, "estimated_difference": 2, "ed_median": 2, "ed_p95": 2, "alpha": 2}
POWER_BARS = Figure(
    "power",
    "bars",
    "power",
    x="measure",
    y="discriminative_power",
    series="alpha",
    labels={"x": "measure", "y": "discriminative power", "series": "alpha"},
    caption="Per comparison, not corrected",
    alt="Bars of the share of significantly different pairs, one per measure and level",
)


def on_top_runs(study: type, measures: str | Callable[[PaperContext], str], **settings: Any) -> Run:
    """A study on samples of topics, with the paper's runs and number of samples."""

    def run(context: PaperContext) -> Result:
        text = measures if isinstance(measures, str) else measures(context)
        return context.run(study, measures=(text,), top=context.top, by="AP", resamples=context.resamples, **settings)

    return run


def data(context: PaperContext, number: str) -> Part:
    """Topics, relevant documents per topic, in all and by level, and runs used."""
    judged_counts = context.panel.judged_counts()
    means = {"R": float(judged_counts[:, 1:].sum(axis=1).mean())}
    for grade in sorted(context.panel.grades, reverse=True):
        level = context.levels.get(grade)
        means[f"grade {grade} ({level})" if level else f"grade {grade}"] = float(judged_counts[:, grade].mean())
    runs_used = min(len(context.panel.systems), context.top or TOP)
    row = {"topics": len(context.panel.topics), **means, "runs_used": runs_used}
    return Part((table(number, [row], "Relevant documents are means per topic", dict.fromkeys(means, 1)),))


def sorted_means(context: PaperContext, number: str) -> Part:
    """Mean AP of the runs used, the best first."""
    best = context.ranked("AP")[: context.top]
    label = f"mean {context.name('AP')}"
    means = [{"rank": rank, "system": name, label: mean} for rank, (name, mean) in enumerate(best, 1)]
    figure = Figure(
        number,
        "curve",
        number,
        x="rank",
        y=label,
        labels={"x": f"run, sorted by {label}", "y": label},
        marks=(Mark("y", 0.0),),  # the axis begins at 0
        caption="The flatter, the more alike the runs are",
        alt=f"A falling curve of {label} over runs",
    )
    return Part((table(number, means, digits={label: 4}),), (figure,))


def discriminative_power(run: Run, test: str) -> Make:
    """Discriminative power and estimated differences of one test."""

    def make(context: PaperContext, number: str) -> Part:
        source = run(context)["power"]
        powers = select(rows(source, {"test": test}), *POWER_AND_SPREAD)
        return Part((table(number, powers, source.caption.removeprefix("Discriminative power. "), DIGITS),))

    return make


def swaps(run: Run) -> Make:
    """The swap method, the most sensitive measure first."""
    return copied(run, "swap", change=lambda swaps: descending(swaps, "share_satisfied"))


def correlations(run: Run, bold: float) -> Make:
    """Kendall's tau between measures with its test: the paper's triangle, and every pair."""

    def make(context: PaperContext, number: str) -> Part:
        result = run(context)
        taus = rows(result["agreement"])
        order = list(dict.fromkeys(row["measure_a"] for row in taus))
        pairs = [
            {**row, "high": row["tau"] > bold}
            for row in select(taus, "measure_a", "measure_b", "systems", "tau", "z0", "p_value")
            if order.index(row["measure_a"]) < order.index(row["measure_b"])
        ]
        systems = int(pairs[0]["systems"])
        needed = 2.576 * np.sqrt((4 * systems + 10) / (9 * systems * (systems - 1)))
        note = (
            f"Over {needed:.2f} it is significant at alpha 0.01 (two-sided, {systems} runs); over {bold:g} it is bold"
        )
        all_pairs = table(
            f"{number}_pairs",
            pairs,
            f"{number}: every pair with its test; high is above {bold:g}",
            {"tau": 4, "z0": 2, "p_value": 4},
        )
        figure = replace(figure_of(result, "agreement"), name=number, table=all_pairs.name)
        return Part((triangle(number, pairs, "tau", note, bold=bold), all_pairs), (figure,))

    return make
