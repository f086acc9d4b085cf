r"""Where systems could rank, and which could be best: ranks and systems that familywise one-sided tests do not exclude.

A system's ranks run from 1 + the systems that tests call better to S - those they call worse (mogstad2024inference).
The best set holds the systems that no other one beats in one-sided comparisons with it (hsu1984constrained): if it is
the best, its S - 1 comparisons are true nulls, so it is left out with chance alpha at most.

Tests are of "i is not better than j" for all ordered pairs. Their critical value comes from draws with the covariance
of the means (`drawn_rank_sets`), or from Holm's and Bonferroni's corrections (`rank_sets`), which need no more than
p-values. Draws take the covariance for known: they are for many more topics than systems. Both take a rejected pair out
of the family in both directions; that the level then holds for wrong directions is measured (docs/calibration.md), not
proven.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr

from irassay.ask._rank_sets import LANES, count_ahead, normal_draws, row_maxima, weighted_draws
from irassay.ask.corrections import critical_rank, holm
from irassay.ask.pairs import Array
from irassay.compute.threads import parallel_for
from irassay.streams import MEAN_DRAWS, TASK_WEIGHTS
from irassay.tolerance import NO_SPREAD

BLOCKS = 16  # of replicates, a part of one thread
TOPICS_PER_SYSTEM = 2  # with fewer, draws know too little of the covariance

Bools = NDArray[np.bool_]
Ranks = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RankSets:
    """Ranks that hold for all systems at once, ranks that hold for one system on its own, and the best set."""

    low: Ranks
    high: Ranks
    low_one: Ranks
    high_one: Ranks
    best: Bools


def rank_sets(p: Array, alpha: float) -> RankSets:
    """By Holm's correction; `p[i, j]` are one-sided p-values of "i is not better than j"."""
    systems = len(p)
    both = 2.0 * np.minimum(p, p.T)
    upper = np.triu_indices(systems, 1)
    different = np.zeros_like(p, dtype=np.bool_)
    different[upper] = holm(both[upper]) < alpha
    better = (different | different.T) & (p < p.T)
    one_better, one_worse = np.zeros((2, *p.shape), dtype=np.bool_)
    for s in range(systems):
        others = np.arange(systems) != s
        reached = holm(both[s, others]) < alpha
        one_better[others, s] = reached & (p[others, s] < p[s, others])
        one_worse[s, others] = reached & (p[s, others] < p[others, s])
    beaten = (systems - 1) * p < alpha
    np.fill_diagonal(beaten, False)
    return _sets(better, one_better, one_worse, beaten)


def drawn_rank_sets(t: Array, freedom: Array, variance: Array, draws: Array, alpha: float, jobs: int = 1) -> RankSets:
    """By draws of the means; `t[i, j]` tests "i is not better than j" with the error of `variance[i, j]`.

    Each t becomes the normal deviate with the same p-value, so that every pair keeps its own degrees of freedom. Steps
    take rejected pairs out of the family, until no more are rejected (romano2005exact).
    """
    z, weight = normal_deviates(t, freedom), draw_weights(variance)
    largest = maxima(draws, weight, jobs)
    better = _all_at_once(z, weight, draws, largest.either, alpha, jobs)
    one_better, one_worse = _each_alone(z, weight, draws, largest.either, alpha, jobs)
    return _sets(better, one_better, one_worse, z > critical(largest.behind, alpha))


def _sets(better: Bools, one_better: Bools, one_worse: Bools, beaten: Bools) -> RankSets:
    """`x[i, j]`: i is better than j; `one_better` counts for j, `one_worse` for i."""
    systems = len(better)
    return RankSets(
        1 + better.sum(axis=0),
        systems - better.sum(axis=1),
        1 + one_better.sum(axis=0),
        systems - one_worse.sum(axis=1),
        np.asarray(~beaten.any(axis=0)),
    )


def normal_deviates(t: Array, freedom: Array) -> Array:
    """Normal numbers with the p-values of t; infinite where no double holds a p-value."""
    return np.where(t == 0.0, 0.0, np.copysign(ndtri(stdtr(freedom, -np.abs(t))), t))


def draw_weights(variance: Array) -> Array:
    """One over each pair's error; 0 where differences do not vary, or by no more than rounding leaves in draws."""
    known = variance > NO_SPREAD * variance.max(initial=0.0)
    return np.divide(1.0, np.sqrt(variance), out=np.zeros_like(variance), where=known)


def _all_at_once(z: Array, weight: Array, draws: Array, largest: Array, alpha: float, jobs: int) -> Bools:
    remaining: Bools = np.ones(z.shape, dtype=np.bool_)
    better: Bools = np.zeros(z.shape, dtype=np.bool_)
    while True:
        rejected = remaining & (z > critical(largest.max(axis=0), alpha))
        if not rejected.any():
            return better
        better |= rejected
        remaining &= ~(rejected | rejected.T)
        largest = maxima(draws, np.triu(weight * remaining), jobs).either


def _each_alone(z: Array, weight: Array, draws: Array, largest: Array, alpha: float, jobs: int) -> tuple[Bools, Bools]:
    """What the comparisons of each system alone reject: others better than it, others worse."""
    remaining, better, worse = np.ones((3, *z.shape), dtype=np.bool_)
    better[:] = worse[:] = False
    while True:
        limit = critical(largest, alpha)
        above, below = remaining & (z > limit[:, None]), remaining & (z.T > limit[:, None])  # noqa: SIM300
        if not (above | below).any():
            return better, worse
        worse |= above
        better |= below.T
        remaining &= ~(above | below)
        largest = maxima(draws, weight * remaining, jobs).either


def critical(largest: Array, alpha: float) -> Array:
    """What a statistic must exceed for (count + 1)/(B + 1) < alpha; `largest` are [..., replicates]."""
    place = largest.shape[-1] - critical_rank(alpha, largest.shape[-1])
    return np.asarray(np.partition(largest, place, axis=-1)[..., place])


def simultaneous_critical(variance: Array, draws: Array, alpha: float, jobs: int = 1) -> float:
    """The critical value of the largest |z| of all pairs: intervals with it hold together."""
    return float(critical(maxima(draws, np.triu(draw_weights(variance)), jobs).either.max(axis=0), alpha))


def covariance_factor(covariance: Array) -> Array:
    """Cholesky's, also where systems depend on each other: a system that the ones before explain adds no column.

    A system moves no draw of those before it, and rounding moves draws by no more than rounding.
    """
    factor = np.zeros_like(covariance)
    for s in range(len(covariance)):
        column = covariance[s:, s] - factor[s:, :s] @ factor[s, :s]
        if column[0] > NO_SPREAD * covariance[s, s]:
            factor[s:, s] = column / np.sqrt(column[0])
    return factor


def mean_draws(factor: Array, replicates: int, *, seed: int = 0, jobs: int = 1) -> Array:
    """Normal draws of the means around 0 [blocks, systems, lanes]; at least so many replicates, in whole blocks."""
    return _drawn(normal_draws, factor, replicates, seed, MEAN_DRAWS, jobs)


def weightings(scores: Array, replicates: int, *, seed: int = 0, jobs: int = 1) -> Array:
    """Means [blocks, systems, lanes] under weights of the collections that are uniform over all weightings."""
    return _drawn(weighted_draws, np.ascontiguousarray(scores), replicates, seed, TASK_WEIGHTS, jobs)


def _drawn(kernel: object, factor: Array, replicates: int, seed: int, stream: int, jobs: int) -> Array:
    out = np.empty((-(-replicates // LANES), len(factor), LANES))

    def part(low: int) -> None:
        key = np.uint64(seed), np.uint32(stream), np.int64(low * LANES)
        kernel(factor, *key, out[low : low + BLOCKS])  # type: ignore[operator]

    parallel_for(part, range(0, len(out), BLOCKS), jobs, "resampling")
    return out


class Maxima(NamedTuple):
    """Over the other systems: how far each is ahead of one at most, and behind, over the pair's error."""

    ahead: Array  # [systems, replicates]
    behind: Array

    @property
    def either(self) -> Array:
        return np.maximum(self.ahead, self.behind)


def maxima(draws: Array, weight: Array, jobs: int = 1) -> Maxima:
    """Of each replicate; a pair of weight 0 does not count."""
    ahead, behind = np.empty((2, *draws.shape))

    def part(low: int) -> None:
        here = slice(low, low + BLOCKS)
        row_maxima(draws[here], weight, ahead[here], behind[here])

    parallel_for(part, range(0, len(draws), BLOCKS), jobs, "rank sets")
    return Maxima(by_system(ahead), -by_system(behind))


def by_system(draws: Array) -> Array:
    """[systems, replicates] from blocks of lanes."""
    blocks, systems, lanes = draws.shape
    return np.ascontiguousarray(np.swapaxes(draws, 0, 1)).reshape(systems, blocks * lanes)


def shares_ahead(draws: Array, jobs: int = 1) -> Array:
    """The share of draws in which x has the higher mean than y [systems, systems]; a tie counts half."""
    blocks, systems, lanes = draws.shape
    size = -(-blocks // max(1, jobs))
    starts = range(0, blocks, size)
    counts = np.zeros((len(starts), systems, systems), dtype=np.int64)
    parallel_for(lambda low: count_ahead(draws[low : low + size], counts[low // size]), starts, jobs)
    ahead = counts.sum(axis=0)
    ties = blocks * lanes - ahead - ahead.T
    return np.asarray((ahead + 0.5 * ties) / (blocks * lanes))
