"""Yang, Zhang & Song 2018, A Study of Per-Topic Variance on System Comparison."""

from itertools import product

from irassay.choices import RELEVANT
from irassay.errors import InputError
from irassay.result import Mark, Result
from irassay.studies.papers.record import Item, Paper, PaperContext, Part
from irassay.studies.papers.reshape import copied, rows, select, table
from irassay.studies.tables import Rows
from irassay.studies.variance.settings import Variance

LENGTHS = ("1000", "run")  # of simulated lists: the paper's, and those of the runs themselves
READING_SAMPLES = 1000  # of each reading
READINGS = (
    "The paper does not say how many relevant documents a simulated topic has, nor what it does with shorter runs than "
    "1000 documents. On TREC-8 no reading gives all three printed numbers"
)
SUMMARY = ("krcc", "share_asl_below_alpha", "estimated_difference")


def _simulated(context: PaperContext, length: str, relevant: str, samples: int) -> Result:
    return context.run(
        Variance,
        measures=("AP",),
        model="bst,kde",
        samples=samples,
        length=length,
        relevant=relevant,
        show=context.settings.show,
        gains=None,
        top=context.top,
    )


def _variance(context: PaperContext) -> Result:
    return _simulated(context, LENGTHS[0], RELEVANT[0], context.resamples)


def _reading(context: PaperContext, length: str, relevant: str) -> Result:
    """One reading of the paper, by fewer samples: six readings are compared."""
    return _simulated(context, length, relevant, min(context.resamples, READING_SAMPLES))


def _error_rates(context: PaperContext, number: str) -> Part:
    """By the number of the bin, for lists of 1000 documents and of the runs' own lengths."""
    by_length = {LENGTHS[0]: _variance(context), LENGTHS[1]: _reading(context, LENGTHS[1], RELEVANT[0])}
    bins: Rows = []
    for length, result in by_length.items():
        edges = list(dict.fromkeys(result["error_rate"]["bin_low"]))
        bins += [
            {"length": length, "model": row["model"], "bin": edges.index(row["bin_low"]) + 1, **row}
            for row in rows(result["error_rate"])
        ]
    return copied(
        _variance,
        "error_rate",
        "error_rate",
        change=lambda _: bins,
        redraw={
            "x": "bin",
            "facet": "length",
            "labels": {"x": "bin", "y": "error rate", "series": "model", "facet": "list length"},
            "caption": "Bins are 0.01 wide, the last has every difference from 0.2. Lists of the runs' own lengths: "
            f"{min(context.resamples, READING_SAMPLES)} samples",
        },
    )(context, number)


def _summary(context: PaperContext, number: str) -> Part:
    """The paper's table, the readings of it, and the tables that the study's warnings refer to."""
    tables, _ = copied(_variance, "variance")(context, number)
    readings: Rows = []
    for length, relevant in product(LENGTHS, RELEVANT):
        try:
            simulated = rows(_reading(context, length, relevant)["variance"])
        except InputError:
            continue
        readings += [
            {"model": row["model"], "length": length, "relevant": relevant, **select([row], *SUMMARY)[0]}
            for row in simulated
        ]
    readings.sort(key=lambda row: str(row["model"]))
    samples = min(context.resamples, READING_SAMPLES)
    caption = f"{number}: {READINGS}; here are the readings by {samples} samples each"
    side_by_side = table(f"{number}_readings", readings, caption, dict.fromkeys(SUMMARY, 4))
    return Part(
        (*tables, side_by_side, *(t for t in _variance(context).tables if t.name in ("short_lists", "unusable")))
    )


PAPER = Paper(
    "yang2018variance",
    "M. Yang, P. Zhang, D. Song. A study of per-topic variance on system comparison. SIGIR 2018.",
    "B = 10,000 (`--resamples`; with the readings a quarter of an hour for TREC-8 on two cores), "
    "the first 1,000 of them for the rank correlation; lists of always 1000 documents, which dilutes short runs, and a "
    "warning names these. `bst` takes every run, because it uses only the order of scores; `kde` leaves out runs whose "
    "scores are made of ranks. ASL and estimated difference are to the paper's letter; the caption of T1 says how to "
    f"read them. {READINGS}: `T1_readings` has those of the list length (`irassay variance --length`) and of the "
    "relevant documents (`--relevant`), 1,000 samples each.",
    (
        Item(
            "F1",
            "raw against simulated AP of one run",
            "variance",
            copied(_variance, "error_bars", "error_bars", redraw={"marks": (Mark("diagonal", 0.0, "as raw"),)}),
        ),
        Item("F2", "error rate by difference", "variance", _error_rates),
        Item(
            "T1",
            "rank correlation, share of pairs with ASL below 0.05, and estimated difference",
            "variance",
            _summary,
            deviates="the paper leaves open how many relevant documents a simulated topic has and what becomes of "
            "short runs; on TREC-8 no reading gives all three printed numbers (T1_readings)",
        ),
    ),
    resamples=10_000,  # of error rate, rejections and difference; the rank correlation takes the first 1,000
)
