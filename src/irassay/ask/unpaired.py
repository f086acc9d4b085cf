"""The unpaired bootstrap test of all pairs on any summary (sakai2007bootstrap, Figs 6-7).

Two samples from the pooled topics of both systems: it ignores that the topics are the same, and has far less power.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Array, Pairs, all_pairs
from irassay.ask.significance import PairTests, Summary, rank_of
from irassay.compute.executor import Plan, Rows, State, execute
from irassay.tolerance import EQUAL

PAIRS = 16  # that are tested together where a pair is tested on its own


def unpaired(
    scores: Array,
    positions: NDArray[np.int32],
    alphas: Sequence[float] = (0.05,),
    *,
    forward: Summary | None = None,
    inverse: Summary | None = None,
    whole: Summary | None = None,
    other: Array | None = None,
    one_tailed: bool = False,
    names: Sequence[str] | None = None,
    pairs: Pairs | None = None,
    jobs: int = 1,
) -> PairTests:
    """The unpaired test for all pairs, or some, on any summary: inverse(mean(forward(x))), or `whole` of the last axis.

    `positions` [samples, n + m] index the concatenation of the two systems' topics (Fig 6). `other` are the scores of
    the second system of a pair, where it answered other topics [systems, m]. The test pools both systems' topics: its
    null hypothesis is that they have one distribution, not only one summary. `one_tailed`: is the first one better?
    With `names` the lower name of a pair stands first in its pool, so that the order of systems moves no number.
    """
    samples = len(positions)
    ranks = [rank_of(alpha, samples) for alpha in alphas]
    first, second = pairs if pairs is not None else all_pairs(len(scores))
    turned = np.zeros(len(first), dtype=np.bool_)
    if names is not None and other is None:
        place = np.argsort(sorted(range(len(names)), key=names.__getitem__))
        turned = place[first] > place[second]
    other = scores if other is None else other
    observed_x, observed_y = (whole(s) if whole else _around_mean(s, forward, inverse) for s in (scores, other))
    difference = observed_x[first] - observed_y[second]
    replicate = _Whole(scores, other, positions, whole) if whole else _means(scores, other, positions, forward, inverse)
    drawn = np.where(turned, second, first), np.where(turned, first, second)
    plan = _Unpaired(*drawn, difference, samples, ranks, replicate, np.where(turned, -1.0, 1.0), one_tailed)
    tests = execute("pairs tested, unpaired", plan, Rows(plan.units), jobs=jobs)
    count, required = tests["count"], tests["required"]
    return PairTests(first, second, difference, difference, count, samples, tuple(alphas), required, required)


@dataclass(frozen=True, eq=False)
class _Unpaired(Plan):
    """Tests some pairs one after the other; `first` stands first in the pool, `difference` is `sign` times its lead."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    difference: Array
    samples: int
    ranks: list[int]
    replicate: _Means | _Whole  # a pair's differences on all samples
    sign: Array
    one_tailed: bool = False
    chunk = PAIRS

    @property
    def units(self) -> int:
        return len(self.first)

    @property
    def gpu(self) -> bool:
        return isinstance(self.replicate, _Means) and not self.one_tailed

    def block(self, part: range, jobs: int) -> State:
        samples = self.samples
        count = np.empty(len(part), dtype=np.int64)
        required = np.empty((len(part), len(self.ranks)))
        for i, pair in enumerate(part):
            d, bound = self.replicate(int(self.first[pair]), int(self.second[pair])), self.difference[pair]
            d, bound = (self.sign[pair] * d, bound) if self.one_tailed else (np.abs(d), abs(bound))
            # a tie counts, and doubles blur ties
            count[i] = np.count_nonzero(d >= bound - EQUAL * max(1.0, abs(bound)))
            top = np.partition(d, [samples - k for k in self.ranks])
            required[i] = [top[samples - k] for k in self.ranks]
        return {"count": count, "required": required}

    def gpu_block(self, part: range, jobs: int) -> State:
        from irassay.ask.gpu.counting import kth_largest_on_gpu
        from irassay.compute.gpu import cupy, free_memory, to_host

        assert isinstance(self.replicate, _Means)
        cp, inverse = cupy(), self.replicate.inverse
        count = np.empty(len(part), dtype=np.int64)
        required = np.empty((len(part), len(self.ranks)))
        held = [cp.asarray(part) for part in self.replicate.parts]
        tile = max(1, int(0.3 * free_memory()) // (32 * self.samples))
        for low in range(part.start, part.stop, tile):
            here = slice(low, min(low + tile, part.stop))
            rows = slice(low - part.start, here.stop - part.start)
            x, y = cp.asarray(self.first[here]), cp.asarray(self.second[here])
            one, two = held[0][x] + held[1][y], held[2][x] + held[3][y]
            d = cp.abs(inverse(one) - inverse(two) if inverse else one - two)
            bound = np.abs(self.difference[here])
            reached = cp.asarray(bound - EQUAL * np.maximum(1.0, bound))
            count[rows] = to_host((d >= reached[:, None]).sum(axis=1))
            for r, k in enumerate(self.ranks):
                required[rows, r] = to_host(kth_largest_on_gpu(d, k))
        return {"count": count, "required": required}


def _around_mean(values: Array, forward: Summary | None, inverse: Summary | None) -> Array:
    mean = (forward(values) if forward else values).mean(axis=1)
    return np.asarray(inverse(mean) if inverse else mean)


def _means(
    scores: Array, other: Array, positions: NDArray[np.int32], forward: Summary | None, inverse: Summary | None
) -> _Means:
    """Replicates of a difference of transformed means: four small products serve every pair."""
    n, m = scores.shape[1], other.shape[1]
    x, y = (np.ascontiguousarray((forward(s) if forward else s).T) for s in (scores, other))
    parts = []
    for half, size in ((positions[:, :n], n), (positions[:, n:], m)):
        counts = np.zeros((len(positions), n + m))
        np.add.at(counts, (np.arange(len(positions))[:, None], half), 1.0)
        # [systems, samples], so that a pair reads two rows
        parts += [
            np.ascontiguousarray((counts[:, :n] @ x).T) / size,
            np.ascontiguousarray((counts[:, n:] @ y).T) / size,
        ]
    return _Means(parts, inverse)


@dataclass(eq=False)
class _Means:
    """The products are sent, not made again: another machine's library may add in another order."""

    parts: list[Array]
    inverse: Summary | None

    def __call__(self, x: int, y: int) -> Array:
        one, two = self.parts[0][x] + self.parts[1][y], self.parts[2][x] + self.parts[3][y]
        return np.asarray(self.inverse(one) - self.inverse(two) if self.inverse else one - two)


@dataclass(eq=False)
class _Whole:
    """Replicates of a difference of summaries that need all topics at once."""

    scores: Array
    other: Array
    positions: NDArray[np.int32]
    whole: Summary

    def __call__(self, x: int, y: int) -> Array:
        n = self.scores.shape[1]
        sample = np.concatenate([self.scores[x], self.other[y]])[self.positions]
        return np.asarray(self.whole(sample[:, :n]) - self.whole(sample[:, n:]))
