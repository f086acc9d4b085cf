"""Systems on several collections: means over collections with their errors, wins, ranks, and what decides the order.

`scores` are [systems, collections], nan where a system has none; `topics` has for each collection the scores
[systems, topics], nan in the rows of systems without.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from irassay.ask.agreement import tau_b
from irassay.ask.pairs import Array
from irassay.tolerance import EQUAL, NO_SPREAD

NEAR = 1e-4  # pairs whose variance is this much smaller than their systems' are computed from their differences
ROWS = 64  # of such pairs at a time

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairErrors:
    """Mean differences x - y over the collections that both have [systems, systems], their errors and freedom.

    `variance` is nan where it is not known, 0 where differences do not vary. `collections`: how many are common.
    """

    difference: Array
    variance: Array
    freedom: Array
    collections: Counts


def common_differences(scores: Array) -> tuple[Array, Counts]:
    """Mean differences x - y over common collections [systems, systems], and how many these are; nan where none."""
    present = ~np.isnan(scores)
    there, values = present.astype(np.float64), np.where(present, scores, 0.0)
    common = there @ there.T
    with np.errstate(invalid="ignore", divide="ignore"):
        difference = (values @ there.T - there @ values.T) / common
    return np.where(np.abs(difference) <= EQUAL, 0.0, difference), common.astype(np.int64)


def topic_errors(scores: Array, topics: Sequence[Array]) -> PairErrors:
    r"""Errors over topics of these collections: samples of topics within collections only.

    $$SE^2 = \sum_k w_k^2 s_k^2/n_k, \quad \nu = SE^4 / \sum_k \frac{(w_k^2 s_k^2/n_k)^2}{n_k - 1}$$

    s_k is the sd of a pair's per-topic differences; w = 1 / how many collections are common (welch1947generalization).
    """
    difference, collections = common_differences(scores)
    variance, squares = np.zeros((2, *difference.shape))
    for values in topics:
        part = pair_variances(values)
        np.nan_to_num(part, copy=False)  # not common
        variance += part
        squares += part * part / (values.shape[1] - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        freedom = np.where(squares > 0, variance * variance / squares, np.inf)
        return PairErrors(difference, variance / collections.astype(np.float64) ** 2, freedom, collections)


def pair_variances(values: Array) -> Array:
    """Variances of the mean differences of all pairs [systems, systems] on the same topics, nan where one is missing.

    From products of the systems' centred scores; those of near-copies from their differences, so that no digit is lost.
    """
    topics = values.shape[1]
    centred = values - values.mean(axis=1, keepdims=True)
    products = centred @ centred.T
    own = np.diagonal(products)
    both = own[:, None] + own
    sums = both - 2.0 * products
    np.fill_diagonal(sums, 0.0)
    near = np.argwhere(np.triu(sums <= NEAR * both, 1))
    for low in range(0, len(near), ROWS):
        x, y = near[low : low + ROWS].T
        d = values[x] - values[y]
        w = d - d.mean(axis=1, keepdims=True)
        exact = (w * w).sum(axis=1)
        exact[exact <= NO_SPREAD * (d * d).sum(axis=1)] = 0.0
        sums[x, y] = sums[y, x] = exact
    return np.asarray(sums / (topics * (topics - 1.0)))


def covariance(topics: Sequence[Array]) -> Array:
    """Of the means of these collections [systems, systems]: topics are sampled within each on its own."""
    total = np.zeros((len(topics[0]), len(topics[0])))
    for values in topics:
        n = values.shape[1]
        centred = values - values.mean(axis=1, keepdims=True)
        total += centred @ centred.T / (n * (n - 1.0))
    return total / len(topics) ** 2


def mean_errors(topics: Sequence[Array]) -> tuple[Array, Array]:
    """Variances [systems] of means over these collections, and their degrees of freedom; as `topic_errors`."""
    parts = np.stack([values.var(axis=1, ddof=1) / values.shape[1] for values in topics])
    sizes = np.array([[values.shape[1] - 1.0] for values in topics])
    squares = (parts * parts / sizes).sum(axis=0)
    variance = parts.sum(axis=0)
    freedom = np.divide(variance * variance, squares, out=np.full(len(squares), np.inf), where=squares > 0)
    return variance / len(topics) ** 2, freedom


def two_sided(errors: PairErrors) -> Array:
    """p-values of all pairs [systems, systems] by Student's t; differences that do not vary are 0 or certain."""
    return 2.0 * np.asarray(stats.t.sf(np.abs(t_statistics(errors.difference, errors)), errors.freedom))


def t_statistics(difference: Array, errors: PairErrors) -> Array:
    """Differences over their errors; infinite where a difference does not vary, 0 where it is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        t = difference / np.sqrt(errors.variance)
    return np.where(difference == 0.0, 0.0, t)


def wins(scores: Array) -> tuple[Counts, Counts]:
    """Collections where x has the higher score, and where both have the same [systems, systems]."""
    systems, collections = scores.shape
    won, tied = np.zeros((2, systems, systems), dtype=np.int64)
    for k in range(collections):
        gap = scores[:, k, None] - scores[None, :, k]
        won += gap > EQUAL
        tied += np.abs(gap) <= EQUAL
    np.fill_diagonal(tied, 0)
    return won, tied


def collection_ranks(scores: Array) -> Array:
    """Ranks on each collection [systems, collections], 1 for the best, the mean rank for equal scores; nan stays."""
    rounded = np.round(-scores, 10)  # doubles blur ties
    return np.asarray(stats.rankdata(rounded, axis=0, nan_policy="omit"))


def borda(ranks: Array) -> Array:
    """Borda's count: systems beaten, half for a tie, over all collections."""
    return np.asarray((np.sum(~np.isnan(ranks), axis=0) - ranks).sum(axis=1))


def critical_difference(systems: int, collections: int, alpha: float) -> float:
    r"""How far apart two mean ranks must be for Nemenyi's test (demsar2006statistical).

    $$CD = q_\alpha \sqrt{S(S+1)/(6K)}$$ with q the studentised range's quantile over √2.
    """
    q = float(stats.studentized_range.isf(alpha, systems, np.inf)) / math.sqrt(2.0)
    return q * math.sqrt(systems * (systems + 1) / (6.0 * collections))


def order_without(scores: Array) -> tuple[Array, Counts]:
    """Of each collection: tau_b of the means with and without it, and who is first without it (ties: the first)."""
    total, collections = scores.mean(axis=1), scores.shape[1]
    without = (scores.sum(axis=1, keepdims=True) - scores) / (collections - 1)
    taus = np.array([tau_b(total, column) for column in without.T])
    return taus, without.argmax(axis=0)


def correlations(scores: Array) -> Array:
    """Spearman's correlation of the scores of each two collections; nan where one does not vary."""
    ranks = collection_ranks(scores)
    ranks = ranks - ranks.mean(axis=0)
    size = np.sqrt((ranks * ranks).sum(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.clip(ranks.T @ ranks / np.outer(size, size), -1.0, 1.0))


def correlation_with_others(scores: Array) -> Array:
    """Spearman's correlation of each collection's scores with the means over the other collections."""
    others = (scores.sum(axis=1, keepdims=True) - scores) / (scores.shape[1] - 1)
    return np.array([correlations(np.stack(pair, axis=1))[0, 1] for pair in zip(scores.T, others.T, strict=True)])


def fill_in(scores: Array) -> tuple[Array, Array]:
    """Missing scores replaced by the worst and by the best score that any system has on the collection."""
    missing = np.isnan(scores)
    return np.where(missing, np.nanmin(scores, axis=0), scores), np.where(missing, np.nanmax(scores, axis=0), scores)


def standardised(scores: Array) -> tuple[Array, Array]:
    """Each collection's mean over systems, and its standard deviation, 1 where systems do not vary."""
    spread = np.nanstd(scores, axis=0, ddof=1)
    return np.nanmean(scores, axis=0), np.where(spread > EQUAL, spread, 1.0)
