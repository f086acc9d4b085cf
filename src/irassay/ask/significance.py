"""Is the difference significant: bootstrap tests of all pairs of systems (sakai2007bootstrap, Figs 2-9).

The achieved significance level is the share of samples whose statistic is at least the observed one, under H0. It is
per comparison, not corrected for how many there are.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.engine import paired as kernels
from irassay.engine.device import on_card, using
from irassay.engine.draws import packed
from irassay.engine.sharing import share_out
from irassay.errors import InputError

Array = NDArray[np.float64]
FIRST = 128  # samples from which the bar for the rest is estimated
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
    by_topic = np.ascontiguousarray(scores.T, dtype=np.float64)
    if on_card():
        return _paired_on_card(scores, counts, alphas, k.tolist(), first, second, jobs)
    topic, times, start = packed(counts)  # every tile reads them all
    sums = np.empty((samples, systems))
    kernels.sampled_sums(by_topic, topic, times, start, sums)
    work = _Paired(by_topic, first, second, sums, topic, times, start, k)
    tiles = range(0, len(first), kernels.LANES)
    share_out(work, tiles, jobs)
    t = np.copysign(_size(work.x0, topics), work.mean)
    critical = _size(_tied(work.critical, work.x0[:, None]), topics)
    return PairTests(first, second, work.mean, t, work.count, samples, tuple(alphas), work.required, critical)


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


def _paired_on_card(
    scores: Array,
    counts: NDArray[np.int32],
    alphas: Sequence[float],
    ranks: Sequence[int],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    jobs: int,
) -> PairTests:
    from irassay.engine.cuda.paired import CardPaired

    by_topic = np.ascontiguousarray(scores.T, dtype=np.float64)
    found = CardPaired(by_topic, counts, np.array(ranks, dtype=np.int64)).test(first, second)
    critical = _size(_tied(found["critical"], found["x0"][:, None]), scores.shape[1])
    left = np.flatnonzero(found["unsettled"])
    if len(left):
        # so many equal statistics, or a pilot so far off, that the processor has to look
        with using("cpu"):
            rest = paired(scores, counts, alphas, ranks=ranks, pairs=(first[left], second[left]), jobs=jobs)
        found["count"][left], found["required"][left], critical[left] = rest.count, rest.required, rest.critical
    t = np.copysign(_size(found["x0"], scores.shape[1]), found["mean"])
    return PairTests(
        first, second, found["mean"], t, found["count"], len(counts), tuple(alphas), found["required"], critical
    )


class _Paired:
    """Tests one tile of pairs after the other; each thread has its own scratch."""

    def __init__(
        self,
        scores: Array,
        first: NDArray[np.int64],
        second: NDArray[np.int64],
        sums: Array,
        topic: NDArray[Any],
        times: NDArray[Any],
        start: NDArray[np.int64],
        ranks: NDArray[np.int64],
    ) -> None:
        self.scores, self.first, self.second, self.sums = scores, first, second, sums
        self.topic, self.times, self.start, self.ranks = topic, times, start, ranks
        pairs = len(first)
        self.mean, self.x0 = np.zeros(pairs), np.zeros(pairs)
        self.count = np.zeros(pairs, dtype=np.int64)
        self.required, self.critical = np.zeros((pairs, len(ranks))), np.zeros((pairs, len(ranks)))
        self._local = threading.local()

    def __call__(self, low: int) -> None:
        samples = len(self.start) - 1
        most = int(self.ranks.max())
        if not self._tile(low, min(samples, 4 * most + 1024), estimate=True):
            self._tile(low, samples, estimate=False)  # the bar was too high for some pair, or too low for the room

    def _tile(self, low: int, room: int, *, estimate: bool) -> bool:
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
            return False
        out, critical = np.empty((len(first), len(self.ranks))), np.empty((len(first), len(self.ranks)))
        kernels.select(kept[0], kept[1], found, self.ranks, topics, spare, critical, out)
        self.mean[low:high], self.x0[low:high] = mean[: len(first)], x0[: len(first)]
        self.count[low:high], self.required[low:high], self.critical[low:high] = hits[: len(first)], out, critical
        return True

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
    count = np.empty(len(first), dtype=np.int64)
    required = np.empty((len(first), len(ranks)))
    if on_card() and whole is None:
        parts = _sampled_means(scores, positions, forward)
        _unpaired_on_card(parts, inverse, first, second, difference, ranks, count, required)
        return PairTests(first, second, difference, difference, count, samples, tuple(alphas), required, required)
    replicate = _whole(scores, positions, whole) if whole else _means(scores, positions, forward, inverse)

    def work(pair: int) -> None:
        d = np.abs(replicate(int(first[pair]), int(second[pair])))
        bound = abs(difference[pair])
        # a tie counts, and doubles blur ties
        count[pair] = np.count_nonzero(d >= bound - 1e-10 * max(1.0, bound))
        top = np.partition(d, [samples - k for k in ranks])
        required[pair] = [top[samples - k] for k in ranks]

    share_out(work, range(len(first)), jobs)
    return PairTests(first, second, difference, difference, count, samples, tuple(alphas), required, required)


def _around_mean(values: Array, forward: Summary | None, inverse: Summary | None) -> Array:
    mean = (forward(values) if forward else values).mean(axis=-1)
    return np.asarray(inverse(mean) if inverse else mean)


def _means(
    scores: Array, positions: NDArray[np.int32], forward: Summary | None, inverse: Summary | None
) -> Callable[[int, int], Array]:
    """Replicates of a difference of transformed means: four small products serve every pair."""
    parts = _sampled_means(scores, positions, forward)

    def replicate(x: int, y: int) -> Array:
        one, two = parts[0][x] + parts[1][y], parts[2][x] + parts[3][y]
        return np.asarray(inverse(one) - inverse(two) if inverse else one - two)

    return replicate


def _sampled_means(scores: Array, positions: NDArray[np.int32], forward: Summary | None) -> list[Array]:
    """[systems, samples], so that a pair reads two rows: what X's topics, then Y's, bring to the first half of each
    sample, and to the second."""
    n = scores.shape[1]
    values = np.ascontiguousarray((forward(scores) if forward else scores).T)
    parts = []
    for half in (positions[:, :n], positions[:, n:]):
        counts = np.zeros((len(positions), 2 * n))
        np.add.at(counts, (np.arange(len(positions))[:, None], half), 1.0)
        parts += [
            np.ascontiguousarray((counts[:, :n] @ values).T) / n,
            np.ascontiguousarray((counts[:, n:] @ values).T) / n,
        ]
    return parts


def _unpaired_on_card(
    parts: list[Array],
    inverse: Summary | None,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    difference: Array,
    ranks: list[int],
    count: NDArray[np.int64],
    required: Array,
) -> None:
    from irassay.engine.cuda import cupy, free_memory
    from irassay.engine.cuda.counting import kth_largest_on_card
    from irassay.engine.cuda.images import brought

    cp = cupy()
    held = [cp.asarray(part) for part in parts]
    tile = max(1, int(0.3 * free_memory()) // (32 * parts[0].shape[1]))
    for low in range(0, len(first), tile):
        here = slice(low, low + tile)
        x, y = cp.asarray(first[here]), cp.asarray(second[here])
        one, two = held[0][x] + held[1][y], held[2][x] + held[3][y]
        d = cp.abs(inverse(one) - inverse(two) if inverse else one - two)
        bound = np.abs(difference[here])
        reached = cp.asarray(bound - 1e-10 * np.maximum(1.0, bound))
        count[here] = brought((d >= reached[:, None]).sum(axis=1))
        for r, k in enumerate(ranks):
            required[here, r] = brought(kth_largest_on_card(d, k))


def _whole(scores: Array, positions: NDArray[np.int32], whole: Summary) -> Callable[[int, int], Array]:
    n = scores.shape[1]

    def replicate(x: int, y: int) -> Array:
        both = np.concatenate([scores[x], scores[y]])
        sample = both[positions]
        return np.asarray(whole(sample[:, :n]) - whole(sample[:, n:]))

    return replicate
