"""Yang, Zhang & Song 2018, A Study of Per-Topic Variance on System Comparison."""

from irassay.result import Mark, Result
from irassay.studies.papers.record import Item, Paper, PaperContext, Part
from irassay.studies.papers.reshape import copied
from irassay.studies.variance.settings import Variance


def _variance(context: PaperContext) -> Result:
    return context.run(
        Variance,
        measures=("AP",),
        model="bst,kde",
        samples=context.resamples,
        length="1000",  # of every simulated list
        show=context.settings.show,
        gains=None,
        top=context.top,
    )


def _summary(context: PaperContext, number: str) -> Part:
    """The paper's table, and the tables that the study's warnings refer to."""
    tables, _ = copied(_variance, "variance")(context, number)
    return Part((*tables, *(t for t in _variance(context).tables if t.name in ("short_lists", "unusable"))))


PAPER = Paper(
    "yang2018variance",
    "M. Yang, P. Zhang, D. Song. A study of per-topic variance on system comparison. SIGIR 2018.",
    "B = 10,000 (`--resamples`; ten minutes for TREC-8 on two cores), "
    "the first 1,000 of them for the rank correlation; lists of always 1000 documents, which dilutes short runs, and a "
    "warning names these. ASL and estimated difference are to the paper's letter; the caption of T1 says how to read "
    "them.",
    (
        Item(
            "F1",
            "raw against simulated AP of one run",
            "variance",
            copied(_variance, "error_bars", "error_bars", redraw={"marks": (Mark("diagonal", 0.0, "as raw"),)}),
        ),
        Item("F2", "error rate by difference", "variance", copied(_variance, "error_rate", "error_rate")),
        Item(
            "T1",
            "rank correlation, share of pairs with ASL below 0.05, and estimated difference",
            "variance",
            _summary,
        ),
    ),
    resamples=10_000,  # of error rate, rejections and difference; the rank correlation takes the first 1,000
)
