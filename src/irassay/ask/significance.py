"""Is the difference significant: bootstrap tests of all pairs of systems (sakai2007bootstrap, Figs 2-9).

The achieved significance level is the share of samples whose statistic is at least the observed one, under H0. It is
per comparison, not corrected for how many there are.
"""

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.constants import LANES
from irassay.ask.pairs import Array, Pairs, all_pairs
from irassay.ask.t_statistic import absolute_t
from irassay.compute.draws import Samples, packed_samples, sums_of_samples
from irassay.compute.executor import Plan, Rows, State, execute
from irassay.compute.threads import parallel_for
from irassay.errors import InputError
from irassay.tolerance import TIE, ceiling, floor

FIRST = 128  # samples from which the bar for the rest is estimated
SHARED = 64  # samples of a part where threads share those of one tile
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


def rank_of(alpha: float, samples: int) -> int:
    """k = ceil(B·alpha), at least 1; the product is guarded, for 100·.07 is 7.000000000000001 in doubles."""
    if not 0 < alpha < 1:
        raise InputError(f"alpha is {alpha:g}", hint="alpha lies between 0 and 1, such as 0.05")
    if floor(samples * alpha) < 1:
        raise InputError(
            f"{samples} samples cannot reach alpha = {alpha:g}", hint=f"use at least {_samples_for(alpha)} samples"
        )
    return max(1, ceiling(samples * alpha))


def _samples_for(alpha: float) -> str:
    """How many samples reach alpha; in powers of ten where that is a number nobody can read, or give."""
    return f"{math.ceil(1 / alpha)}" if alpha > 1e-9 else f"1e{math.ceil(-math.log10(alpha))}"


def paired(
    scores: Array,
    counts: Samples,
    alphas: Sequence[float] = (0.05,),
    *,
    ranks: Sequence[int] | None = None,
    pairs: Pairs | None = None,
    jobs: int = 1,
) -> PairTests:
    """The paired test for all pairs, or some; `scores` are [systems, topics], `counts` samples of the topics.

    `ranks` are other ranks k than those of the alphas.
    """
    systems, topics = scores.shape
    samples = len(counts)
    k = np.array(ranks or [rank_of(alpha, samples) for alpha in alphas], dtype=np.int64)
    first, second = pairs if pairs is not None else all_pairs(systems)
    plan = _Paired(np.ascontiguousarray(scores.T, dtype=np.float64), first, second, counts, k)
    tests = execute("pairs tested", plan, Rows(plan.units), jobs=jobs)
    mean, x0 = tests["mean"], tests["x0"]
    t = np.copysign(absolute_t(x0, topics), mean)
    critical = absolute_t(_tied(tests["critical"], x0[:, None]), topics)
    return PairTests(first, second, mean, t, tests["count"], samples, tuple(alphas), tests["required"], critical)


def _tied(x: Array, observed: Array) -> Array:
    """Ties with the observed one made equal to it, so that intervals and counts cannot disagree."""
    near = (x >= observed * (1.0 - TIE)) & (x <= observed * (1.0 + TIE))
    return np.where(near, observed, x)


@dataclass(eq=False)
class _Paired(Plan):
    """Tests tiles of pairs; what it derives from its fields is not sent anywhere but made where it is needed."""

    scores: Array  # [topics, systems]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    counts: Samples
    ranks: NDArray[np.int64]
    _samples: Any = field(init=False, repr=False, default=None)
    _lock: threading.Lock = field(init=False, repr=False, default_factory=threading.Lock)
    _local: threading.local = field(init=False, repr=False, default_factory=threading.local)  # each thread's scratch
    chunk = LANES
    gpu = True

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.scores, self.first, self.second, self.counts, self.ranks)

    def _drawn(self, low: int, high: int) -> Any:
        """Some samples as kernels take them; where there are several tiles, which all read them, made once."""
        from irassay.ask import _paired as kernels

        if self.threads_inside:
            counts = self.counts[low:high]
            return kernels.Samples(sums_of_samples(self.scores, counts), *packed_samples(counts))
        with self._lock:
            if self._samples is None:
                counts = self.counts[:]
                sums = sums_of_samples(self.scores, counts)
                self._samples = kernels.Samples(sums, *packed_samples(counts))
        sums, topic, times, start = self._samples
        return kernels.Samples(sums[low:high], topic, times, start[low : high + 1])

    @property
    def units(self) -> int:
        return len(self.first)

    @property
    def threads_inside(self) -> bool:  # type: ignore[override]
        return len(self.first) <= self.chunk  # one tile: threads share the samples

    def block(self, part: range, jobs: int) -> State:
        samples = len(self.counts)
        tests = self._tile(part, min(samples, 4 * int(self.ranks.max()) + 1024), jobs, estimate=True)
        if tests is None:  # the bar was too high for some pair, or too low for what is kept
            tests = self._tile(part, samples, jobs, estimate=False)
            assert tests is not None
        return tests

    def gpu_block(self, part: range, jobs: int) -> State:
        from irassay.ask.gpu.paired import GpuPaired

        first, second = self.first[part.start : part.stop], self.second[part.start : part.stop]
        tests: State = GpuPaired(self.scores, self.counts[:], self.ranks).test(first, second)
        left = np.flatnonzero(tests.pop("undecided"))
        # so many equal statistics, or a pilot so far off, that the CPU has to look
        rest = replace(self, first=first[left], second=second[left])

        def retest(low: int) -> None:
            pairs = left[low : low + self.chunk]
            for name, rows in rest.block(range(low, low + len(pairs)), 1).items():
                if name in ("count", "required", "critical"):
                    tests[name][pairs] = rows

        parallel_for(retest, range(0, len(left), self.chunk), jobs)
        return tests

    def _tile(self, part: range, space: int, jobs: int, *, estimate: bool) -> State | None:
        """The tests of some pairs, or None where `space` is too little, or the estimated bar is too high."""
        from irassay.ask import _paired as kernels

        first, second = self.first[part.start : part.stop], self.second[part.start : part.stop]
        topics, lanes = self.scores.shape[0], len(first)
        w, w2, x, m, spare = self._scratch(topics, lanes, space)
        mean, x0, bar = np.zeros(lanes), np.zeros(lanes), np.full(lanes, -1.0)
        near = kernels.differences(self.scores, first, second, mean, x0, w, w2)
        tile = kernels.Tile(first, second, x0 * (1.0 - TIE), mean * topics, near, w, w2)
        kept = _kept(x, m)
        samples, most = len(self.counts), int(self.ranks.max())
        begun = min(FIRST, samples) if estimate and samples > 2 * FIRST else 0

        def test(low: int, high: int, into: Any) -> None:
            kernels.test_tile(tile, self._drawn(low, high), bar, tuple(np.zeros((3, lanes))), into)

        if begun:
            test(0, begun, kept)
            wanted = min(begun, math.ceil(2.0 * most * begun / samples) + 8)
            kernels.set_bar(wanted, spare, bar, kept)
        if self.threads_inside:
            self._share(range(begun, samples, SHARED), test, kept, jobs)
        else:
            test(begun, samples, kept)
        if (kept.reached < most).any() or (kept.reached > space).any():
            return None
        out, critical = np.empty((lanes, len(self.ranks))), np.empty((lanes, len(self.ranks)))
        kernels.select(kept, self.ranks, topics, spare, critical, out)
        return {"mean": mean, "x0": x0, "count": kept.hits, "required": out, "critical": critical}

    def _share(self, parts: range, test: Callable[[int, int, Any], None], kept: Any, jobs: int) -> None:
        """Threads share the samples of a tile; what they keep is put together in the order of the samples."""
        lanes, space = kept.x.shape
        each = [_kept(*np.empty((2, lanes, min(parts.step, parts.stop - low)))) for low in parts]
        parallel_for(lambda k: test(parts[k], min(parts[k] + parts.step, parts.stop), each[k]), range(len(each)), jobs)
        for one in each:
            for j, (begin, more) in enumerate(zip(kept.reached.tolist(), one.reached.tolist(), strict=True)):
                end = max(begin, min(begin + more, space))
                kept.x[j, begin:end], kept.m[j, begin:end] = one.x[j, : end - begin], one.m[j, : end - begin]
            kept.reached[:] += one.reached
            kept.hits[:] += one.hits

    def _scratch(self, topics: int, lanes: int, space: int) -> tuple[Array, ...]:
        held: tuple[Array, ...] | None = getattr(self._local, "scratch", None)
        if held is None or held[2].shape != (lanes, space):
            shapes = ((topics, lanes), (topics, lanes), (lanes, space), (lanes, space), (space,))
            held = self._local.scratch = tuple(np.empty(shape) for shape in shapes)
        return held


def _kept(x: Array, m: Array) -> Any:
    """Space for what is kept of a tile."""
    from irassay.ask._paired import Kept

    hits, reached = np.zeros((2, len(x)), dtype=np.int64)
    return Kept(hits, reached, x, m)
