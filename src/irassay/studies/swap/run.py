"""The work of `irassay swap`."""

from collections.abc import Iterator
from typing import Any

from irassay.ask.swap import swap
from irassay.errors import InputError
from irassay.progress import track
from irassay.report.text import undefined
from irassay.result import Figure, Result, Table
from irassay.settings import Execution
from irassay.studies.inputs import load_scores, refuse_unbounded
from irassay.studies.phrases import extremes, few, join, percent, rows_of, safe
from irassay.studies.swap.settings import Swap
from irassay.studies.tables import columns, records
from irassay.vary.topics import TopicPlan


def run(study: Swap, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `swap`, one row a measure, and `swap_bins`."""
    if not 0 <= study.swap_rate <= 1:
        raise InputError(f"the swap rate is {study.swap_rate:g}", hint="it is a share from 0 to 1, such as 0.05")
    if not 1e-9 < study.bin_width <= 1:
        raise InputError(f"the bin width is {study.bin_width:g}", hint="scores lie in [0, 1]: 0.01 is usual")
    if study.bins < 1:
        raise InputError(f"there are {study.bins} bins", hint="21 is usual")
    if study.disjoint and study.independent_halves:
        raise InputError("halves are disjoint or independent", hint="give one of --disjoint and --independent-halves")
    data = load_scores(study, qrels, runs, execution)
    refuse_unbounded(data.scores, "bins of differences")
    halves = study.disjoint or study.independent_halves
    held = len(data.topics) // 2 if halves else len(data.topics)
    plan = TopicPlan(
        study.seed,
        len(data.topics),
        study.resamples,
        held if study.independent_halves else None,
        replacement=not study.independent_halves,
    )
    first, second = plan.halves() if study.disjoint else (plan.counts(), plan.counts(second=True))
    rows, bins = [], []
    for scores in track("swap", data.scores.by_measure()):
        swaps = swap(
            scores.resampled(first),
            scores.resampled(second),
            bin_width=study.bin_width,
            bins=study.bins,
            rate=study.swap_rate,
            jobs=data.jobs,
        )
        rows.append(
            {
                "measure": scores.name,
                "required_difference": swaps.required_difference,
                "max_score": swaps.max_score,
                "ratio": swaps.ratio,
                "share_satisfied": swaps.share_satisfied,
            }
        )
        bins += records(
            measure=[scores.name] * study.bins,
            bin_low=swaps.bin_low,
            comparisons=swaps.comparisons,
            swaps=swaps.swaps,
            swap_rate=swaps.rates,
        )
    sets = "the halves are disjoint" if study.disjoint else "the halves are drawn independently" if halves else ""
    caption = (
        f"The difference from which on at most {percent(study.swap_rate)} of comparisons are swaps: two systems "
        f"change their order from one sample of the topics to another. Holds for {held} "
        f"topic{'s' * (held != 1)}{f': {sets}' if sets else ''}."
    )
    tables = (
        Table(
            "swap", columns(rows), caption, {"required_difference": 2, "max_score": 4, "ratio": 3, "share_satisfied": 3}
        ),
        Table(
            "swap_bins",
            columns(bins),
            "Share of comparisons that are swaps (the two systems change their order), by the size of the difference",
        ),
    )
    return Result(
        "swap",
        tables,
        data.warnings,
        {
            **data.provenance,
            "swap_rate": study.swap_rate,
            "disjoint": study.disjoint,
            "independent_halves": study.independent_halves,
            "holds_for_topics": held,
        },
        _figures(),
    )


def _figures() -> tuple[Figure, ...]:
    return (
        Figure(
            name="swap",
            kind="bars",
            table="swap",
            x="measure",
            y="share_satisfied",
            labels={"x": "measure", "y": "share of comparisons that reach the required difference"},
            caption="Share of comparisons that reach the required difference of a measure: these are rarely reversed",
            alt="Bars, one per measure",
        ),
        Figure(
            name="swap_rates",
            kind="curve",
            table="swap_bins",
            x="bin_low",
            y="swap_rate",
            series="measure",
            labels={"x": "difference", "y": "swap rate"},
            caption="How often two samples of the topics order a pair differently, by the size of its difference",
            alt="Falling curves of swap rates, one per measure",
        ),
    )


def findings(result: Result) -> list[str]:
    rows = rows_of(result["swap"])
    lowest: dict[str, float] = {}  # the lower edge of the first bin with a comparison
    for bin_ in rows_of(result["swap_bins"]):
        if bin_["comparisons"]:
            lowest.setdefault(bin_["measure"], bin_["bin_low"])
    never = [row for row in rows if undefined(row["required_difference"])]
    # no comparison lies below the required difference, so nothing says that it is required
    always = [row for row in rows if row["required_difference"] == lowest[row["measure"]]]
    reached = [row for row in rows if row not in never and row not in always]
    rate = percent(float(str(result.provenance["swap_rate"])))
    sentences = [*_required(reached, rate)] if reached else []
    if always:
        names = [f"{safe(row['measure'])} (from {row['required_difference']:.2f} on)" for row in always]
        sentences.append(
            f"No difference can be told from which on comparisons rarely swap, because at most {rate} do already among "
            f"the smallest that occurred: {few(names)}."
        )
    if never:
        sentences.append(f"For {join([safe(row['measure']) for row in never])} no difference was large enough.")
    return sentences


def _required(rows: list[dict[str, Any]], rate: str) -> Iterator[str]:
    """From which differences on the order is rarely reversed, and by which measure most comparisons reach that."""
    meaning = f"at most {rate} of comparisons change their order between two samples of these topics"
    best, worst, measures = ends = extremes(rows, lambda row: float(row["share_satisfied"]))
    of = "the most of all measures" if measures > 2 else "more than by the other measure"
    yield (
        f"From a difference of {best['required_difference']:.2f} in {safe(best['measure'])} on, {meaning}; "
        f"{percent(best['share_satisfied'])} of comparisons are that large{f', {of}' if worst else ''}."
    )
    if worst:
        yield (
            f"In {safe(worst['measure'])} it takes {worst['required_difference']:.2f}, and "
            f"{percent(worst['share_satisfied'])} are that large.{ends.table('swap')}"
        )
