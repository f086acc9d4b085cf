"""The estimated difference and swap's required difference by the number of topics, and beyond."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Array
from irassay.ask.set_size import deletion_interval, power_law
from irassay.ask.significance import paired
from irassay.ask.swap import swap
from irassay.progress import track
from irassay.studies.design.settings import Design
from irassay.studies.tables import Rows
from irassay.tolerance import OUTSIDE
from irassay.vary.topics import TopicPlan

SHARES = (0.2, 0.3, 0.4)  # of the topics, in one set
BEYOND = (2, 4)  # times the topics at hand
SUBSETS = 20  # of the topics, for errors
KEPT = 0.8  # of the topics in a subset, where two disjoint sets are drawn from it
FEWEST = 25  # topics, so that the smallest set has five
BINS = 101  # of 0.01: every difference between scores
KNOWN = 10.0  # an interval whose ends are more than so many times apart says nothing


@dataclass(frozen=True, eq=False)
class Curve:
    """One difference by the number of topics, and the same in subsets of the topics, for its error."""

    what: str
    sizes: tuple[int, ...]  # measured, the largest last, then extrapolated
    measured: int  # how many of the sizes
    values: Array  # [size]
    subsets: Array  # [subset, size]
    kept: tuple[int, ...]  # topics of a subset, for each size

    def rows(self, measure: str, topics: int, largest: float) -> Rows:
        """A row for each size. No difference rises with the topics, and none is above the `largest` possible.

        What is extrapolated without an interval that says something is not known.
        """
        if not (self.values > 0).all():  # none is large enough, or any is: no power law
            return []
        subsets = self.subsets[(self.subsets > 0).all(axis=1)]
        last = self.measured - 1
        beyond = np.arange(len(self.sizes)) > last
        values = np.where(beyond, np.minimum(self.values, self.values[last]), self.values)
        low = high = np.full(len(values), np.nan)
        if len(subsets) > SUBSETS // 2:
            low, high = deletion_interval(values, subsets, self.kept, topics)
            unknown = high > KNOWN * low
            high = np.minimum(high, np.where(beyond, min(largest, high[last]), largest))
            low, high = (np.where(unknown, np.nan, bounds) for bounds in (low, high))
        values = np.where(beyond & np.isnan(low), np.nan, values)
        label: dict[str, Any] = {"measure": measure, "what": self.what, "curve": f"{measure}, {self.what}"}
        return [
            {
                **label,
                "topics": size,
                "kind": "measured" if k <= last else "extrapolated",
                "value": float(values[k]),
                "low": float(low[k]),
                "high": float(high[k]),
            }
            for k, size in enumerate(self.sizes)
        ]


def sizes_of(topics: int) -> tuple[int, ...]:
    return tuple(round(share * topics) for share in SHARES)


def rows_by_size(study: Design, measure: str, scores: Array, jobs: int) -> Rows:
    """Both differences of one measure; scores are [systems, topics]. Nothing where a set has no such difference."""
    bounded = bool(scores.min() >= -OUTSIDE and scores.max() <= 1 + OUTSIDE)
    largest = 1.0 if bounded else np.inf
    return [
        row for curve in _curves(study, scores, jobs, bounded) for row in curve.rows(measure, scores.shape[1], largest)
    ]


def _curves(study: Design, scores: Array, jobs: int, bounded: bool) -> Iterator[Curve]:
    yield _estimated(study, scores, jobs)
    if bounded:
        yield _required(study, scores, jobs)


def _estimated(study: Design, scores: Array, jobs: int) -> Curve:
    """The largest estimated difference over pairs: mean over random sets, each inside the next size, and that of all.

    A set extrapolates by the same ratio as all topics do, from its own number of topics.
    """
    topics = scores.shape[1]
    sizes = sizes_of(topics)
    of_sets = np.empty((SUBSETS, len(sizes)))
    sets = [_counts(study, topics, size) > 0 for size in sizes]
    for k in track("topic sets", range(SUBSETS)):
        for s, chosen in enumerate(sets):
            of_sets[k, s] = _largest(study, scores[:, chosen[k]], study.seed + k, jobs)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.array([*of_sets.mean(axis=0), _largest(study, scores, study.seed, jobs)])
        beyond = tuple(topics * times for times in BEYOND)
        ahead = power_law((*sizes, topics), values, beyond)
        sets_ahead = power_law(sizes, of_sets, [sizes[-1] * times for times in BEYOND])
    return Curve(
        "estimated difference",
        (*sizes, topics, *beyond),
        len(sizes) + 1,
        np.concatenate([values, ahead]),
        np.concatenate([of_sets, of_sets[:, -1:], sets_ahead], axis=1),
        (*sizes, *[sizes[-1]] * (1 + len(beyond))),
    )


def _required(study: Design, scores: Array, jobs: int) -> Curve:
    """Swap's required difference between disjoint sets of all topics, and of subsets of them."""
    topics = scores.shape[1]
    sizes, kept = sizes_of(topics), round(KEPT * topics)
    chosen = [np.arange(topics), *(np.flatnonzero(row) for row in _counts(study, topics, kept))]
    values = np.empty((len(chosen), len(sizes)))
    for k, part in enumerate(track("topic sets", chosen)):
        for s, size in enumerate(sizes):
            plan = TopicPlan(study.seed, len(part), study.resamples, size, replacement=False)
            first, second = (counts @ scores[:, part].T / size for counts in plan.halves())
            values[k, s] = swap(first, second, bins=BINS, jobs=jobs).required_difference
    beyond = (topics, *(topics * times for times in BEYOND))
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.concatenate([values, power_law(sizes, values, beyond)], axis=1)
    at = (*sizes, *beyond)
    return Curve("swap's required difference", at, len(sizes), values[0], values[1:], (kept,) * len(at))


def _largest(study: Design, scores: Array, seed: int, jobs: int) -> float:
    counts = TopicPlan(seed, scores.shape[1], study.resamples).counts()
    return float(paired(np.ascontiguousarray(scores), counts, (study.alpha,), jobs=jobs).required.max())


def _counts(study: Design, topics: int, size: int) -> NDArray[np.int32]:
    return TopicPlan(study.seed, topics, SUBSETS, size, replacement=False).counts()
