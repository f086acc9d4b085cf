"""Is the difference significant: bootstrap tests of all pairs of systems (sakai2007bootstrap, Figs 2-9).

The achieved significance level is the share of samples whose statistic is at least the observed one, under H0. It is
per comparison, not corrected for how many there are.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.engine import paired as kernels
from irassay.engine.chunks import State, accumulate
from irassay.engine.draws import packed
from irassay.engine.sharing import share_out
from irassay.errors import InputError

Array = NDArray[np.float64]
FIRST = 128  # samples from which the bar for the rest is estimated
PAIRS = 16  # that are tested together where a pair is tested on its own
Summary = Callable[[Array], Array]


@dataclass(frozen=True)
class PairTests:
    """One test for every pair of systems x < y; differences are x - y.

    `required[p, a]`: the difference that sample ranked k = ceil(B·alpha) had, which a pair must exceed (Figs 8, 9).
    `critical[p, a]`: the size of that sample's statistic.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    difference: Array
    statistic: Array
    count: NDArray[np.int64]
    samples: int
    alphas: tuple[float, ...]
    required: Array
    critical: Array

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
    ranks: Sequence[int] | None = None,
    pairs: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
    jobs: int = 1,
) -> PairTests:
    """The paired test for all pairs, or some; `scores` are [systems, topics], `counts` samples of the topics.

    `ranks` are other ranks k than those of the alphas.
    """
    systems, topics = scores.shape
    samples = len(counts)
    k = np.array(ranks or [rank_of(alpha, samples) for alpha in alphas], dtype=np.int64)
    first, second = pairs if pairs is not None else all_pairs(systems)
    work = _Paired(np.ascontiguousarray(scores.T, dtype=np.float64), first, second, counts, k)
    tiles = range(0, len(first), kernels.LANES)
    found: State = {
        "mean": np.zeros(len(first)),
        "x0": np.zeros(len(first)),
        "count": np.zeros(len(first), dtype=np.int64),
        "required": np.zeros((len(first), len(k))),
        "critical": np.zeros((len(first), len(k))),
    }
    accumulate("pairs tested", work, tiles, found, _put, jobs=jobs, card=partial(work.on_card, jobs), units=len(first))
    t = np.copysign(_size(found["x0"], topics), found["mean"])
    critical = _size(_tied(found["critical"], found["x0"][:, None]), topics)
    return PairTests(
        first, second, found["mean"], t, found["count"], samples, tuple(alphas), found["required"], critical
    )


def _size(x: Array, topics: int) -> Array:
    """|t| from x, which rises with it: t² = (n-1)·x / (n-x)."""
    n = float(topics)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.sqrt((n - 1) * x / (n - x))
    t[x >= kernels.INFINITE] = np.inf
    return np.asarray(t)


def _tied(x: Array, observed: Array) -> Array:
    """Ties with the observed one made equal to it, so that intervals and counts cannot disagree."""
    near = (x >= observed * (1.0 - kernels.TIE)) & (x <= observed * (1.0 + kernels.TIE))
    return np.where(near, observed, x)


def _put(state: State, low: int, value: State) -> None:
    """A part's values, one for each pair from `low` on, in their place."""
    for name, array in value.items():
        state[name][low : low + len(array)] = array


def _put_at(state: State, places: NDArray[np.int64], low: int, value: State) -> None:
    for name in ("count", "required", "critical"):
        state[name][places[low : low + len(value[name])]] = value[name]


@dataclass(frozen=True, eq=False)
class _Samples:
    """The topics drawn, sample after sample, and every system's sum over every sample."""

    topic: NDArray[Any]
    times: NDArray[Any]
    start: NDArray[np.int64]
    sums: Array

    @classmethod
    def of(cls, scores: Array, counts: NDArray[np.int32]) -> _Samples:
        topic, times, start = packed(counts)  # every tile reads them all
        sums = np.empty((len(counts), scores.shape[1]))
        kernels.sampled_sums(scores, topic, times, start, sums)
        return cls(topic, times, start, sums)


@dataclass(eq=False)
class _Paired:
    """Tests a tile of pairs; what it derives from its fields is not sent anywhere but made where it is needed."""

    scores: Array  # [topics, systems]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    counts: NDArray[np.int32]
    ranks: NDArray[np.int64]
    _samples: _Samples | None = field(init=False, repr=False, default=None)
    _lock: threading.Lock = field(init=False, repr=False, default_factory=threading.Lock)
    _local: threading.local = field(init=False, repr=False, default_factory=threading.local)  # each thread's scratch

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.scores, self.first, self.second, self.counts, self.ranks)

    @property
    def samples(self) -> _Samples:
        with self._lock:
            if self._samples is None:
                self._samples = _Samples.of(self.scores, self.counts)
            return self._samples

    def __call__(self, low: int) -> State:
        samples = len(self.counts)
        most = int(self.ranks.max())
        found = self._tile(low, min(samples, 4 * most + 1024), estimate=True)
        if found is None:  # the bar was too high for some pair, or too low for the room
            found = self._tile(low, samples, estimate=False)
            assert found is not None
        return found

    def on_card(self, jobs: int) -> State:
        """All pairs at once, by a card."""
        from irassay.engine.cuda.paired import CardPaired

        found: State = CardPaired(self.scores, self.counts, self.ranks).test(self.first, self.second)
        left = np.flatnonzero(found.pop("unsettled"))
        if len(left):
            # so many equal statistics, or a pilot so far off, that the processor has to look
            rest = replace(self, first=self.first[left], second=self.second[left])
            share_out(lambda low: _put_at(found, left, low, rest(low)), range(0, len(left), kernels.LANES), jobs)
        return found

    def _tile(self, low: int, room: int, *, estimate: bool) -> State | None:
        high = min(low + kernels.LANES, len(self.first))
        first, second = self.first[low:high], self.second[low:high]
        topics, lanes = self.scores.shape[0], kernels.LANES
        w, w2, rows, kept, spare = self._scratch(topics, lanes, room)
        mean, x0, bar = np.zeros(lanes), np.zeros(lanes), np.full(lanes, -1.0)
        hits, found = np.zeros(lanes, dtype=np.int64), np.zeros(lanes, dtype=np.int64)
        near = kernels.differences(self.scores, first, second, mean, x0, w, w2)
        drawn = self.samples
        samples = len(self.counts)
        most = int(self.ranks.max())
        begun = min(FIRST, samples) if estimate and samples > 2 * FIRST else 0

        shift, bound = mean * topics, x0 * (1.0 - kernels.TIE)

        def test(from_: int, to: int) -> None:
            kernels.test_tile(
                first, second, shift, bound, w, w2, near, drawn.sums, drawn.topic, drawn.times, drawn.start, from_, to,
                bar, room, rows[0], rows[1], rows[2], hits, found, kept[0], kept[1],
            )  # fmt: skip

        if begun:
            test(0, begun)
            wanted = min(begun, math.ceil(2.0 * most * begun / samples) + 8)
            kernels.set_bar(wanted, spare, bar[: len(first)], kept[0], kept[1], found)
        test(begun, samples)
        if (found[: len(first)] < most).any() or (found > room).any():
            return None
        out, critical = np.empty((len(first), len(self.ranks))), np.empty((len(first), len(self.ranks)))
        kernels.select(kept[0], kept[1], found, self.ranks, topics, spare, critical, out)
        mean, x0, hits = mean[: len(first)], x0[: len(first)], hits[: len(first)]
        return {"mean": mean, "x0": x0, "count": hits, "required": out, "critical": critical}

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
    card = work.on_card if whole is None else None
    accumulate(
        "pairs tested, unpaired", work, range(0, len(first), PAIRS), found, _put, jobs=jobs, card=card, units=len(first)
    )
    count, required = found["count"], found["required"]
    return PairTests(first, second, difference, difference, count, samples, tuple(alphas), required, required)


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

    def on_card(self) -> State:
        """All pairs at once, by a card."""
        from irassay.engine.cuda import cupy, free_memory
        from irassay.engine.cuda.counting import kth_largest_on_card
        from irassay.engine.cuda.images import brought

        assert isinstance(self.replicate, _Means)
        cp, inverse = cupy(), self.replicate.inverse
        count = np.empty(len(self.first), dtype=np.int64)
        required = np.empty((len(self.first), len(self.ranks)))
        held = [cp.asarray(part) for part in self.replicate.parts]
        tile = max(1, int(0.3 * free_memory()) // (32 * self.samples))
        for low in range(0, len(self.first), tile):
            here = slice(low, low + tile)
            x, y = cp.asarray(self.first[here]), cp.asarray(self.second[here])
            one, two = held[0][x] + held[1][y], held[2][x] + held[3][y]
            d = cp.abs(inverse(one) - inverse(two) if inverse else one - two)
            bound = np.abs(self.difference[here])
            reached = cp.asarray(bound - 1e-10 * np.maximum(1.0, bound))
            count[here] = brought((d >= reached[:, None]).sum(axis=1))
            for r, k in enumerate(self.ranks):
                required[here, r] = brought(kth_largest_on_card(d, k))
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
