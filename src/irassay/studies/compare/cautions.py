"""What a reader of a comparison must be warned of: judgments, ties and variances that a number alone does not show."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from irassay.ask.comparison import outcomes
from irassay.ask.methods import ANY_TEST, CORRECTIONS, INTERVALS
from irassay.ask.stepdown import LEAST
from irassay.ask.t_statistic import absolute_t
from irassay.ask.ties import unreachable
from irassay.errors import IrassayWarning
from irassay.scoring.scores import Array
from irassay.studies.compare import calibration
from irassay.studies.compare.settings import Compare, ComparePlan
from irassay.studies.compare.tables import Comparison
from irassay.studies.phrases import percent

JUDGED = "Judged@10"
CLEARLY = 0.1  # of the first ten documents, one on average
UNEQUAL = 4.0  # ratio of variances above which Tukey's test rejects too often

Bools = NDArray[np.bool_]


def cautions(
    one: Comparison, study: Compare, plan: ComparePlan, systems: tuple[str, ...], judged: Array | None
) -> Iterator[IrassayWarning]:
    """Warnings about one measure's comparisons."""
    if judged is not None:
        yield from _judged_less(one, systems, judged)
    if plan.test == "tukey":
        yield from _unequal_variances(one, systems)
    yield from _tied(one, study, plan, systems)
    yield from _infinite(one, systems)


def short_intervals(plan: ComparePlan, topics: int) -> Iterator[IrassayWarning]:
    """A warning where such intervals held the truth too seldom in docs/comparison.py's experiments, and others do."""
    if plan.difference_interval not in INTERVALS:
        return
    worst, best = calibration.coverage(plan.difference_interval, topics), calibration.best_interval(topics)
    if worst.share < calibration.TOO_SELDOM and best.share > worst.share + calibration.BETTER:
        message = (
            f"with {worst.topics:,} topics intervals by {INTERVALS[worst.method].label} held the true difference in as "
            f"few as {percent(worst.share)} of experiments ({worst.population}; wanted {1 - calibration.LEVEL:.0%}); "
            f"those of --interval {best.method} in {percent(best.share)} at least (docs/comparison.md)"
        )
        yield IrassayWarning("short-intervals", message)


def _judged_less(one: Comparison, systems: tuple[str, ...], judged: Array) -> Iterator[IrassayWarning]:
    """Significant differences between systems of which one has clearly fewer judged documents."""
    first, second = one.pairs
    winner = np.where(one.z.mean(axis=1) > 0, first, second)
    loser = first + second - winner
    gap = judged[loser] - judged[winner]
    for less, who, why in (
        (one.significant & (gap >= CLEARLY), winner, "wins"),
        (one.significant & (gap <= -CLEARLY), loser, "loses"),
    ):

        def message(k: int, who: NDArray[np.int64] = who, why: str = why) -> str:
            few, other = int(who[k]), int(first[k] + second[k] - who[k])
            return (
                f"{systems[few]} {why} against {systems[other]} with fewer judged documents "
                f"({JUDGED} {judged[few]:.2f} and {judged[other]:.2f}); unjudged ones count as not relevant"
            )

        yield from _worst("judged-less", one.measure, less, np.abs(gap), message)


def _unequal_variances(one: Comparison, systems: tuple[str, ...]) -> Iterator[IrassayWarning]:
    """Randomised Tukey takes all differences to vary alike: near-copies beside other systems do not."""
    variances = one.z.var(axis=1, ddof=1)
    least, most = int(variances.argmin()), int(variances.argmax())
    if variances[most] > UNEQUAL * variances[least]:
        ratio = f"{variances[most] / variances[least]:.3g} times" if variances[least] > 0 else "infinitely"
        message = (
            f"{one.measure}: the differences of {_names(one, systems, most)} vary {ratio} as much as those of "
            f"{_names(one, systems, least)}, and Tukey's test takes all to vary alike: it may reject far too often; "
            "use --test t with --correction holm or stepdown"
        )
        yield IrassayWarning("unequal-variances", message)


def _tied(one: Comparison, study: Compare, plan: ComparePlan, systems: tuple[str, ...]) -> Iterator[IrassayWarning]:
    """Pairs with the same score on so many topics that no test, or none after the correction, could reject."""
    tied = outcomes(one.z)[:, 2]
    topics = one.z.shape[1]
    differing = topics - tied
    test, correction = ANY_TEST[plan.test], CORRECTIONS[plan.correction]
    if correction.joint is not None:
        few = np.isnan(one.corrected)
        if few.any():
            reason = f"not testable, because fewer than {LEAST} topics differ"
            yield from _worst("tied-topics", one.measure, few, tied, partial(_tied_pair, one, systems, reason))
        # x = (Σz)²/Σz² is largest where the topics that differ all do so by one value, and is then their number
        out = ~few & ~one.significant & (tied > 0) & (absolute_t(differing.astype(np.float64), topics) < one.critical)
        reason = f"too few for the step-down test, whose last step wants |t| = {one.critical:.2f}, whatever they say"
    elif test.floor is not None:
        floor = test.floor(differing, topics)
        out = unreachable(one.p, floor, differing, topics, correction.adjust, study.alpha)
        after = f" corrected {correction.label}" if correction.label else ""
        reason = f"too few for {test.label}{after} to be significant at {study.alpha:g}, whatever they say"
    else:
        return

    yield from _worst("tied-topics", one.measure, out, tied, partial(_tied_pair, one, systems, reason))


def _tied_pair(one: Comparison, systems: tuple[str, ...], reason: str, k: int) -> str:
    topics, tied = one.z.shape[1], int(outcomes(one.z[k])[2])
    same = f"have the same score on {tied} of {topics} topics"
    return f"{_names(one, systems, k)} {same}; {topics - tied} differ: {reason}"


def _infinite(one: Comparison, systems: tuple[str, ...]) -> Iterator[IrassayWarning]:
    """Intervals without an end: so many topics are equal that some samples hold nothing else."""
    topics = one.z.shape[1]
    why = "samples of these alone do not vary, so the interval has no end; take --interval t"
    of_pairs, of_means = (np.isinf(low) | np.isinf(high) for low, high in (one.bounds, one.mean_bounds))
    if of_pairs.any():
        tied, alike = outcomes(one.z)[:, 2], _most_frequent(one.z)

        def pair(k: int) -> str:
            same = f"the same difference on {alike[k]} of {topics} topics ({tied[k]} tied)"
            return f"{_names(one, systems, k)} have {same}: {why}"

        yield from _worst("infinite-interval", one.measure, of_pairs, alike, pair)
    if of_means.any():
        equal = _most_frequent(one.values)

        def system(s: int) -> str:
            return f"{systems[s]} has the same score on {equal[s]} of {topics} topics: {why}"

        yield from _worst("infinite-interval", one.measure, of_means, equal, system, what="system")


def _most_frequent(rows: Array) -> NDArray[np.int64]:
    """How many topics have a row's most frequent value."""
    return np.array([np.unique(row.round(10), return_counts=True)[1].max() for row in rows])


def _worst(
    code: str, measure: str, wrong: Bools, size: NDArray[np.generic], message: Callable[[int], str], what: str = "pair"
) -> Iterator[IrassayWarning]:
    """One warning that names the worst case and counts the others."""
    if not wrong.any():
        return
    places = np.flatnonzero(wrong)
    worst = int(places[np.argmax(size[places])])
    more = len(places) - 1
    rest = f"; so it is with {more} more {what}{'s' * (more > 1)}" if more else ""
    yield IrassayWarning(code, f"{measure}: {message(worst)}{rest}")


def _names(one: Comparison, systems: tuple[str, ...], k: int) -> str:
    return f"{systems[one.pairs[0][k]]} and {systems[one.pairs[1][k]]}"
