"""The estimated difference and swap's required difference by the number of topics, and beyond."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Array
from irassay.ask.set_size import deletion_interval, power_law
from irassay.ask.significance import paired
from irassay.ask.swap import swap
from irassay.compute.progress import track
from irassay.studies.design.settings import Design
from irassay.studies.tables import Rows
from irassay.tolerance import OUTSIDE
from irassay.vary.topics import TopicPlan

SHARES = (0.2, 0.3, 0.4)  # of the topics, in one set
BEYOND = (1, 2, 4)  # times the topics at hand
SUBSETS = 20  # of the topics, for errors
KEPT = 0.8  # of the topics in a subset, where two disjoint sets are drawn from it
FEWEST = 25  # topics, so that the smallest set has five
BINS = 101  # of 0.01: every difference between scores


def sizes_of(topics: int) -> tuple[int, ...]:
    return tuple(round(share * topics) for share in SHARES)


def rows_by_size(study: Design, measure: str, scores: Array, jobs: int) -> Rows:
    """Both differences of one measure; scores are [systems, topics]. Nothing where a set has no such difference."""
    topics = scores.shape[1]
    sizes = sizes_of(topics)
    rows = _rows(measure, "estimated difference", sizes, topics, *_estimated(study, scores, sizes, jobs))
    actual = {"value": _largest(study, scores, study.seed, jobs), "low": np.nan, "high": np.nan}
    rows.append({**_label(measure, "estimated difference", topics, "measured"), **actual})
    if scores.min() >= -OUTSIDE and scores.max() <= 1 + OUTSIDE:
        rows += _rows(measure, "swap's required difference", sizes, topics, *_required(study, scores, sizes, jobs))
    return rows


def _estimated(study: Design, scores: Array, sizes: tuple[int, ...], jobs: int) -> tuple[Array, Array, int]:
    """The largest estimated difference over pairs in random sets, each inside the next size: their mean, and each."""
    largest = np.empty((SUBSETS, len(sizes)))
    sets = [_counts(study, scores.shape[1], size) > 0 for size in sizes]
    for k in track("topic sets", range(SUBSETS)):
        for s, chosen in enumerate(sets):
            largest[k, s] = _largest(study, scores[:, chosen[k]], study.seed + k, jobs)
    return largest.mean(axis=0), largest, max(sizes)


def _largest(study: Design, scores: Array, seed: int, jobs: int) -> float:
    counts = TopicPlan(seed, scores.shape[1], study.resamples).counts()
    return float(paired(np.ascontiguousarray(scores), counts, (study.alpha,), jobs=jobs).required.max())


def _required(study: Design, scores: Array, sizes: tuple[int, ...], jobs: int) -> tuple[Array, Array, int]:
    """The required difference between disjoint sets of all topics, and of subsets of them."""
    topics = scores.shape[1]
    kept = round(KEPT * topics)
    chosen = [np.arange(topics), *(np.flatnonzero(row) for row in _counts(study, topics, kept))]
    values = np.empty((len(chosen), len(sizes)))
    for k, part in enumerate(track("topic sets", chosen)):
        for s, size in enumerate(sizes):
            plan = TopicPlan(study.seed, len(part), study.resamples, size, replacement=False)
            first, second = (counts @ scores[:, part].T / size for counts in plan.halves())
            values[k, s] = swap(first, second, bins=BINS, jobs=jobs).required_difference
    return values[0], values[1:], kept


def _counts(study: Design, topics: int, size: int) -> NDArray[np.int32]:
    return TopicPlan(study.seed, topics, SUBSETS, size, replacement=False).counts()


def _label(measure: str, what: str, topics: int, kind: str) -> dict[str, Any]:
    return {"measure": measure, "what": what, "curve": f"{measure}, {what}", "topics": topics, "kind": kind}


def _rows(
    measure: str, what: str, sizes: tuple[int, ...], topics: int, values: Array, subsets: Array, kept: int
) -> Rows:
    """Measured at the sizes, extrapolated beyond; intervals from subsets that have it at all sizes."""
    if not (values > 0).all():  # none is large enough, or any is: no power law
        return []
    subsets = subsets[(subsets > 0).all(axis=1)]
    rows: Rows = []
    beyond = tuple(topics * times for times in BEYOND)
    for kind, at, estimate, replicates in (
        ("measured", sizes, values, subsets),
        ("extrapolated", beyond, power_law(sizes, values, beyond), power_law(sizes, subsets, beyond)),
    ):
        low = high = np.full(len(at), np.nan)
        if len(subsets) > SUBSETS // 2:
            low, high = deletion_interval(estimate, replicates, kept, topics)
        for k, size in enumerate(at):
            bounds = {"value": float(estimate[k]), "low": float(low[k]), "high": float(high[k])}
            rows.append({**_label(measure, what, size, kind), **bounds})
    return rows
