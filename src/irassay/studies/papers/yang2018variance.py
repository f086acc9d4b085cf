"""Yang, Zhang & Song 2018, A Study of Per-Topic Variance on System Comparison."""

from __future__ import annotations

from irassay.result import Mark, Result
from irassay.studies.papers.record import DEPTH, Item, Paper, Part, Step
from irassay.studies.papers.reshape import drawn, redrawn, rows, table
from irassay.studies.papers.run import Workbench
from irassay.studies.variance.settings import Variance


def _variance(bench: Workbench) -> Result:
    return bench.run(
        Variance, measures=("AP",), model="bst,kde", samples=bench.resamples, length=str(DEPTH),
        show=bench.settings.show, gains=None, top=bench.settings.top,
    )  # fmt: skip


def _copied(number: str, source: str, figure: str = "") -> Step:
    def make(bench: Workbench) -> Part:
        found = _variance(bench)
        made = table(number, rows(found[source]), found[source].caption, found[source].digits)
        marks = (Mark("diagonal", 0.0, "as raw"),) if number == "F1" else ()
        # what its warnings speak of
        also = tuple(one for one in found.tables if number == "T1" and one.name in ("short_lists", "unusable"))
        return Part(
            (made, *also), (redrawn(drawn(found.figures, figure), number, number, marks=marks),) if figure else ()
        )

    return Step((number,), "variance", make)


PAPER = Paper(
    "yang2018variance",
    "M. Yang, P. Zhang, D. Song. A study of per-topic variance on system comparison. SIGIR 2018.",
    (
        Item("F1", "raw against simulated AP of one run"),
        Item("F2", "error rate by difference"),
        Item("T1", "rank correlation, share of pairs with ASL below 0.05, and estimated difference"),
    ),
    (
        _copied("F1", "error_bars", "error_bars"),
        _copied("F2", "error_rate", "error_rate"),
        _copied("T1", "variance"),
    ),
    resamples=10_000,  # of error rate, rejections and difference; the rank correlation takes the first 1,000
)
