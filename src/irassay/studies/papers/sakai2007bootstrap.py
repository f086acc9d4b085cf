"""Sakai 2007, Evaluating Information Retrieval Metrics Based on Bootstrap Hypothesis Tests."""

from __future__ import annotations

import math

from irassay.result import Mark
from irassay.studies.papers._sakai import ALPHA, correlations, data, power, sorted_means, swaps, top
from irassay.studies.papers.record import Item, Paper, Part, Step
from irassay.studies.papers.reshape import drawn, redrawn, rows, table
from irassay.studies.papers.run import Workbench
from irassay.studies.power.settings import Power
from irassay.studies.stability.settings import Stability

MEASURES = "AP Q nDCG(dcg='jk')@1000 nCG@1000 P@1000"
PAIRED = f"{MEASURES} AG(AP) AG(Q)"  # a paired test of a geometric mean is one of its logarithms
SUMMARIES = f"{MEASURES} GM(AP) GM(Q)"
HISTOGRAMS = {"F4": "AP", "F5": "P@1000"}


def _paired(bench: Workbench) -> str:
    return PAIRED


def _summaries(bench: Workbench) -> str:
    return SUMMARIES


def _histograms(bench: Workbench) -> Part:
    """The best and the median run by AP (Run 1 and Run 16 of 30), for a sensitive and for an insensitive measure."""
    pair = tuple(bench.settings.pair)
    if not pair:
        best = [name for name, _ in bench.ranked("AP")[: bench.settings.top or 30]]
        pair = (best[0], best[len(best) // 2])
    found = bench.run(Power, measures=("AP P@1000",), alpha=ALPHA, histogram=True, pair=pair, **top(bench, "paired"))
    figure = drawn(found.figures, "histogram")
    tables, figures = [], []
    for number, measure in HISTOGRAMS.items():
        one = rows(found["pair"], {"measure": measure})[0]
        asl = f"ASL {one['asl']:.3f}" if one["asl"] else f"ASL below {1 / bench.resamples:g}"
        what = f"{measure} of {pair[0]} less {pair[1]}: t(z) = {one['t']:.3f}, {asl}"
        tables.append(table(number, rows(found["histogram"], {"measure": measure}), what, {"t": 3, "asl": 3}))
        # no finite t: a gap that is the same on every topic
        marks = (Mark("x", one["t"], "t(z)"),) if math.isfinite(one["t"]) else ()
        figures.append(redrawn(figure, number, number, caption=what, marks=marks, series=None, facet=None))
    return Part(tuple(tables), tuple(figures))


def _curves(number: str, test: str) -> Step:
    def make(bench: Workbench) -> Part:
        measures = PAIRED if test == "paired" else SUMMARIES
        found = bench.run(Power, measures=(measures,), alpha=ALPHA, **top(bench, test))
        figure = drawn(found.figures, "asl_curves")
        return Part((table(number, rows(found["asl_curves"])),), (redrawn(figure, number, number),))

    return Step((number,), "power", make)


def _stability(bench: Workbench) -> Part:
    found = bench.run(Stability, measures=(SUMMARIES,), fuzziness="0.01-0.20", **top(bench))
    source = found["stability"]
    made = table("F17", rows(source), source.caption, source.digits)
    return Part((made,), (redrawn(drawn(found.figures, "stability"), "F17", "F17"),))


PAPER = Paper(
    "sakai2007bootstrap",
    "T. Sakai. Evaluating information retrieval metrics based on bootstrap hypothesis tests. IPSJ Transactions on "
    "Databases 48(SIG 9), 2007.",
    (
        Item("T1", "statistics of the data"),
        Item("F1", "distribution of mean AP over the runs used"),
        Item("F4", "histogram of t(w*) for one pair of runs, AP"),
        Item("F5", "histogram of t(w*) for one pair of runs, P@1000"),
        Item("F10", "ASL curves of the paired test"),
        Item("F11", "ASL curves of the unpaired test"),
        Item("F12", "ASL curves of the paired test, second collection", "F10"),
        Item("F13", "ASL curves of the unpaired test, second collection", "F11"),
        Item("T2", "discriminative power and estimated difference, paired test"),
        Item("T3", "discriminative power and estimated difference, unpaired test"),
        Item("F14", "discriminative power, paired test"),
        Item("F15", "discriminative power, unpaired test"),
        Item("F17", "MR-PT curves of the stability method"),
        Item("F18", "MR-PT curves of the stability method, second collection", "F17"),
        Item("T4", "swap method"),
        Item("F20", "swap method: comparisons that satisfy the required difference"),
        Item("T5", "Kendall's rank correlations between measures"),
    ),
    (
        Step(("T1",), "check", data("T1")),
        Step(("F1",), "score", sorted_means("F1")),
        Step(("F4", "F5"), "power", _histograms),
        _curves("F10", "paired"),
        _curves("F11", "unpaired"),
        Step(("T2", "F14"), "power", power(("T2", "F14"), _paired, "paired")),
        Step(("T3", "F15"), "power", power(("T3", "F15"), _summaries, "unpaired")),
        Step(("F17",), "stability", _stability),
        Step(("T4", "F20"), "swap", swaps(("T4", "F20"), _summaries)),
        Step(("T5",), "agreement", correlations("T5", _summaries, bold=0.8)),
    ),
    graded=True,
)
