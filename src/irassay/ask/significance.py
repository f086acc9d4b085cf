"""Is the difference significant: bootstrap tests of all pairs of systems (sakai2007bootstrap, Figs 2-9).

The achieved significance level is the share of samples whose statistic is at least the observed one, under H0. It is
per comparison, not corrected for how many there are.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.engine import paired as kernels
from irassay.engine.chunks import State, accumulate
from irassay.engine.draws import pack
from irassay.errors import InputError

Array = NDArray[np.float64]
FIRST = 128  # samples from which the bar for the rest is estimated
PAIRS = 16  # that are tested together where a pair is tested on its own
Summary = Callable[[Array], Array]


@dataclass(frozen=True)
class PairTests:
    """One test for every pair of systems x < y; differences are x - y.

    `required[p, a]`: the difference that sample ranked k = ceil(B·alpha) had, which a pair must exceed (Figs 8, 9).
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    difference: Array
    statistic: Array
    count: NDArray[np.int64]
    samples: int
    alphas: tuple[float, ...]
    required: Array

    @property
    def asl(self) -> Array:
        return self.count / self.samples


def all_pairs(systems: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    first, second = np.triu_indices(systems, 1)
    return first.astype(np.int64), second.astype(np.int64)


def rank_of(alpha: float, samples: int) -> int:
    """k = ceil(B·alpha), at least 1; the product is guarded, for 100·.07 is 7.000000000000001 in doubles."""
    if not 0 < alpha < 1:
        raise InputError(f"alpha is {alpha:g}", hint="alpha lies between 0 and 1, such as 0.05")
    if samples * alpha < 1 - 1e-9:
        raise InputError(
            f"{samples} samples cannot reach alpha = {alpha:g}", hint=f"use at least {math.ceil(1 / alpha)} samples"
        )
    return max(1, math.ceil(samples * alpha - 1e-9))


def paired(
    scores: Array,
    counts: NDArray[np.int32],
    alphas: Sequence[float] = (0.05,),
    *,
    pairs: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
    jobs: int = 1,
) -> PairTests:
    """The paired test for all pairs, or some; `scores` are [systems, topics], `counts` samples of the topics."""
    systems, topics = scores.shape
    samples = len(counts)
    ranks = np.array([rank_of(alpha, samples) for alpha in alphas], dtype=np.int64)
    first, second = pairs if pairs is not None else all_pairs(systems)
    size = int(np.count_nonzero(counts))
    # every tile reads them all: as narrow as they fit
    narrow = np.int16 if topics < 2**15 else np.int32
    topic, times = np.empty(size, dtype=narrow), np.empty(size, dtype=narrow)
    start = np.empty(samples + 1, dtype=np.int64)
    pack(counts, topic, times, start)
    work = _Paired(np.ascontiguousarray(scores.T, dtype=np.float64), first, second, topic, times, start, ranks)
    tiles = range(0, len(first), kernels.LANES)
    found: State = {
        "mean": np.zeros(len(first)),
        "x0": np.zeros(len(first)),
        "count": np.zeros(len(first), dtype=np.int64),
        "required": np.zeros((len(first), len(ranks))),
    }
    accumulate("pairs tested", work, tiles, found, _put, jobs=jobs)
    n = float(topics)
    x, mean = found["x0"], found["mean"]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.sqrt((n - 1) * x / (n - x))
    t[x >= kernels.INFINITE] = np.inf
    return PairTests(
        first, second, mean, np.copysign(t, mean), found["count"], samples, tuple(alphas), found["required"]
    )


def _put(state: State, low: int, value: State) -> None:
    """A part's values, one for each pair from `low` on, in their place."""
    for name, array in value.items():
        state[name][low : low + len(array)] = array


@dataclass(eq=False)
class _Paired:
    """Tests a tile of pairs; what it derives from its fields is not sent anywhere but made again there."""

    scores: Array  # [topics, systems]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    topic: NDArray[Any]  # drawn topics, sample after sample
    times: NDArray[Any]
    start: NDArray[np.int64]
    ranks: NDArray[np.int64]
    sums: Array = field(init=False, repr=False)  # every system's sum over every sample
    _local: threading.local = field(init=False, repr=False, default_factory=threading.local)  # each thread's scratch

    def __post_init__(self) -> None:
        self.sums = np.empty((len(self.start) - 1, self.scores.shape[1]))
        kernels.sampled_sums(self.scores, self.topic, self.times, self.start, self.sums)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, f.name) for f in fields(self) if f.init)

    def __call__(self, low: int) -> State:
        samples = len(self.start) - 1
        most = int(self.ranks.max())
        # without a result the bar was too high for some pair, or too low for the room
        return self._tile(low, min(samples, 4 * most + 1024), estimate=True) or self._whole(low)

    def _whole(self, low: int) -> State:
        found = self._tile(low, len(self.start) - 1, estimate=False)
        assert found is not None  # there is room for all samples
        return found

    def _tile(self, low: int, room: int, *, estimate: bool) -> State | None:
        high = min(low + kernels.LANES, len(self.first))
        first, second = self.first[low:high], self.second[low:high]
        topics, lanes = self.scores.shape[0], kernels.LANES
        w, w2, rows, kept, spare = self._scratch(topics, lanes, room)
        mean, x0, bar = np.zeros(lanes), np.zeros(lanes), np.full(lanes, -1.0)
        hits, found = np.zeros(lanes, dtype=np.int64), np.zeros(lanes, dtype=np.int64)
        near = kernels.differences(self.scores, first, second, mean, x0, w, w2)
        samples = len(self.start) - 1
        most = int(self.ranks.max())
        begun = min(FIRST, samples) if estimate and samples > 2 * FIRST else 0

        shift, bound = mean * topics, x0 * (1.0 - kernels.TIE)

        def test(from_: int, to: int) -> None:
            kernels.test_tile(
                first, second, shift, bound, w, w2, near, self.sums, self.topic, self.times, self.start, from_, to, bar,
                room, rows[0], rows[1], rows[2], hits, found, kept[0], kept[1],
            )  # fmt: skip

        if begun:
            test(0, begun)
            wanted = min(begun, math.ceil(2.0 * most * begun / samples) + 8)
            kernels.set_bar(wanted, spare, bar[: len(first)], kept[0], kept[1], found)
        test(begun, samples)
        if (found[: len(first)] < most).any() or (found > room).any():
            return None
        out = np.empty((len(first), len(self.ranks)))
        kernels.select(kept[0], kept[1], found, self.ranks, topics, spare, out)
        return {"mean": mean[: len(first)], "x0": x0[: len(first)], "count": hits[: len(first)], "required": out}

    def _scratch(self, topics: int, lanes: int, room: int) -> tuple[Array, Array, Array, Array, Array]:
        held: tuple[Array, Array, Array, Array, Array] | None = getattr(self._local, "scratch", None)
        if held is None or len(held[4]) < room:
            held = (
                np.empty((topics, lanes)),
                np.empty((topics, lanes)),
                np.zeros((3, lanes)),
                np.empty((2, lanes, room)),
                np.empty(room),
            )
            self._local.scratch = held
        return held


def unpaired(
    scores: Array,
    positions: NDArray[np.int32],
    alphas: Sequence[float] = (0.05,),
    *,
    forward: Summary | None = None,
    inverse: Summary | None = None,
    whole: Summary | None = None,
    jobs: int = 1,
) -> PairTests:
    """The unpaired test for all pairs on any summary: inverse(mean(forward(x))), or `whole` of the last axis.

    `positions` [samples, 2n] index the concatenation of the two systems' topics (Fig 6).
    """
    systems = len(scores)
    samples = len(positions)
    ranks = [rank_of(alpha, samples) for alpha in alphas]
    first, second = all_pairs(systems)
    observed = whole(scores) if whole else _around_mean(scores, forward, inverse)
    difference = observed[first] - observed[second]
    replicate = _Whole(scores, positions, whole) if whole else _means(scores, positions, forward, inverse)
    work = _Unpaired(first, second, difference, samples, ranks, replicate)
    found: State = {
        "count": np.empty(len(first), dtype=np.int64),
        "required": np.empty((len(first), len(ranks))),
    }
    accumulate("pairs tested, unpaired", work, range(0, len(first), PAIRS), found, _put, jobs=jobs)
    count, required = found["count"], found["required"]
    return PairTests(first, second, difference, difference, count, samples, tuple(alphas), required)


@dataclass(eq=False)
class _Unpaired:
    """Tests some pairs one after the other."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    difference: Array
    samples: int
    ranks: list[int]
    replicate: _Means | _Whole  # a pair's differences on all samples

    def __call__(self, low: int) -> State:
        samples = self.samples
        pairs = range(low, min(low + PAIRS, len(self.first)))
        count = np.empty(len(pairs), dtype=np.int64)
        required = np.empty((len(pairs), len(self.ranks)))
        for i, pair in enumerate(pairs):
            d = np.abs(self.replicate(int(self.first[pair]), int(self.second[pair])))
            bound = abs(self.difference[pair])
            # a tie counts, and doubles blur ties
            count[i] = np.count_nonzero(d >= bound - 1e-10 * max(1.0, bound))
            top = np.partition(d, [samples - k for k in self.ranks])
            required[i] = [top[samples - k] for k in self.ranks]
        return {"count": count, "required": required}


def _around_mean(values: Array, forward: Summary | None, inverse: Summary | None) -> Array:
    mean = (forward(values) if forward else values).mean(axis=-1)
    return np.asarray(inverse(mean) if inverse else mean)


def _means(scores: Array, positions: NDArray[np.int32], forward: Summary | None, inverse: Summary | None) -> _Means:
    """Replicates of a difference of transformed means: four small products serve every pair."""
    n = scores.shape[1]
    values = np.ascontiguousarray((forward(scores) if forward else scores).T)
    parts = []
    for half in (positions[:, :n], positions[:, n:]):
        counts = np.zeros((len(positions), 2 * n))
        np.add.at(counts, (np.arange(len(positions))[:, None], half), 1.0)
        # [systems, samples], so that a pair reads two rows
        parts += [
            np.ascontiguousarray((counts[:, :n] @ values).T) / n,
            np.ascontiguousarray((counts[:, n:] @ values).T) / n,
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
    positions: NDArray[np.int32]
    whole: Summary

    def __call__(self, x: int, y: int) -> Array:
        n = self.scores.shape[1]
        sample = np.concatenate([self.scores[x], self.scores[y]])[self.positions]
        return np.asarray(self.whole(sample[:, :n]) - self.whole(sample[:, n:]))
