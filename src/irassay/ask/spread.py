"""How wide are scores over replicates: deviations, quantiles, differences of pairs (zobel2020corpus).

Replicates come in chunks; sums are kept per chunk of fixed size and added in order, so that nothing depends on how the
work was shared out. Deviations have n - 1, quantiles are numpy's linear ones.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from irassay.ask._counting import add_moments, difference_squares, pair_squares
from irassay.ask._quantiles import BUCKETS, select_ranks
from irassay.ask.pairs import Array, all_pairs
from irassay.ask.replicates import Replicates
from irassay.tolerance import EQUAL

QUANTILES = {"q2.5": 0.025, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q97.5": 0.975}
SORTED = 256  # values that are sorted faster than a few of them are found
FEWEST = 200  # replicates that quantiles need


@dataclass
class Moments:
    """Sums over replicates of the scores of all systems on one topic, shifted by their own scores."""

    shift: Array  # [systems]
    count: int
    sums: Array  # [systems]
    cross: Array  # [systems, systems], the lower triangle

    def add(self, scores: Array) -> None:
        """One chunk [replicates, systems], into the arrays themselves."""
        add_moments(np.ascontiguousarray(scores), self.shift, np.empty((4, len(self.shift))), self.sums, self.cross)
        self.count += len(scores)

    def without(self, scores: Array) -> Self:
        """The same less one replicate [systems]."""
        moved = scores - self.shift
        return type(self)(self.shift, self.count - 1, self.sums - moved, self.cross - np.outer(moved, moved))

    @property
    def mean(self) -> Array:
        return np.asarray(self.shift + self.sums / self.count)

    @property
    def sd(self) -> Array:
        """Of each system's scores; undefined for one replicate."""
        return _root(np.diag(self.cross) - self.sums**2 / self.count, self.count)

    @property
    def pair_mean(self) -> Array:
        """Mean difference of each pair, x before y."""
        x, y = all_pairs(len(self.shift))
        return np.asarray(self.mean[x] - self.mean[y])

    @property
    def pair_sd(self) -> Array:
        """Deviation of the difference of each pair: Var(X - Y) = Var(X) + Var(Y) - 2 Cov(X, Y)."""
        systems = len(self.shift)
        squares = np.empty(systems * (systems - 1) // 2)
        difference_squares(self.sums, self.cross, self.count, squares)
        return _root(squares, self.count)


def _root(squares: Array, count: int) -> Array:
    if count < 2:
        return np.full(squares.shape, np.nan)
    return np.asarray(np.sqrt(np.maximum(squares, 0.0) / (count - 1)))


def mean_and_sd(values: Array) -> tuple[float, float]:
    """Of any number of values, the deviation undefined for one."""
    return float(values.mean()), float(values.std(ddof=1)) if values.size > 1 else math.nan


def skewness(values: Array) -> float:
    """The third standardised moment: 0 where values are symmetric; undefined where all are equal."""
    centred = values - values.mean()
    variance = float((centred**2).mean())
    if not variance > (EQUAL * float(np.abs(values).max(initial=0.0))) ** 2:
        return math.nan
    return float((centred**3).mean() / variance**1.5)


def apart(low: Array, high: Array) -> NDArray[np.bool_]:
    """Which pairs of intervals have no point in common."""
    x, y = all_pairs(len(low))
    return np.asarray((low[x] > high[y]) | (low[y] > high[x]))


def outside_each_other(values: Array, low: Array, high: Array) -> NDArray[np.bool_]:
    """Which pairs of values lie each outside the other's interval; bounds are inside."""
    x, y = all_pairs(len(values))
    x_outside = (values[x] < low[y]) | (values[x] > high[y])
    return np.asarray(x_outside & ((values[y] < low[x]) | (values[y] > high[x])))


def deviations(scores: Array) -> Array:
    """The deviation of each system over replicates [replicates, systems], undefined for one."""
    return np.asarray(scores.std(axis=0, ddof=1)) if len(scores) > 1 else np.full(scores.shape[1], np.nan)


def score_spread(observed: Array, scores: Array) -> dict[str, Array]:
    """Of each system over replicates [replicates, systems]: mean, bias (mean less observed), sd and five quantiles."""
    mean, five = scores.mean(axis=0), row_quantiles(np.ascontiguousarray(scores.T), tuple(QUANTILES.values()))
    return {"mean": mean, "bias": mean - observed, "sd": deviations(scores), **dict(zip(QUANTILES, five, strict=True))}


@dataclass(frozen=True, eq=False)
class SystemSpread:
    """Of each system's score over replicates; nan where the kind of variation gives a number no meaning."""

    mean: Array
    sd: Array
    low: Array  # quantiles .025 and .975
    high: Array


@dataclass(frozen=True, eq=False)
class PairSpread:
    """Of each pair's difference over replicates, x before y."""

    difference: Array  # Δ observed
    bias: Array  # mean(Δ*) - Δ
    sd: Array  # of Δ* about its own mean; nan where systems do not share the draws


def system_spread(replicates: Replicates, measure: int) -> SystemSpread:
    """Means, sds on the scale of the variation, and quantiles of the systems' scores."""
    scores = replicates.means[measure]
    low, high = replicate_quantiles(replicates, scores)
    sd = deviations(scores) * replicates.sd_scale if replicates.random else np.full(len(low), np.nan)
    return SystemSpread(scores.mean(axis=0), sd, low, high)


def pair_spread(replicates: Replicates, measure: int) -> PairSpread:
    """Bias and sd, on the scale of the variation, of the differences of all pairs."""
    scores = np.require(replicates.means[measure], np.float64, ["C", "W"])
    observed, mean = replicates.observed[measure], scores.mean(axis=0)
    x, y = all_pairs(len(observed))
    bias = (mean - observed)[x] - (mean - observed)[y]
    if replicates.random and replicates.paired:
        sums, squares = np.empty((2, len(x)))
        pair_squares(scores, mean[x] - mean[y], sums, squares)
        sd = _root(squares - sums**2 / len(scores), len(scores)) * replicates.sd_scale
    else:
        sd = np.full(len(x), np.nan)
    return PairSpread(observed[x] - observed[y], bias, sd)


def replicate_quantiles(replicates: Replicates, values: Array) -> Array:
    """Quantiles .025 and .975 over the first axis [2, ...]; nan below 200 replicates, and for scenarios."""
    if replicates.kind == "scenario" or len(values) < FEWEST:
        return np.full((2, *values.shape[1:]), np.nan)
    return np.asarray(np.quantile(values, (0.025, 0.975), axis=0))


def sorted_quantiles(ascending: Array, at: tuple[float, ...]) -> Array:
    """Quantiles along the last axis of values that ascend, as np.quantile has them [quantiles, ...]."""
    return _quantiles(ascending.shape[-1] - 1, at, lambda rank: ascending[..., rank])


def row_quantiles(values: Array, at: tuple[float, ...]) -> Array:
    """Quantiles of the values of each row, as np.quantile has them [quantiles, rows]."""
    rows, n = values.shape
    wanted = sorted({rank for q in at for rank in _neighbours(q, n - 1)})
    selected, done = np.empty((rows, len(wanted))), np.zeros(rows, dtype=np.bool_)
    if n > SORTED:
        counts, slot = np.empty((2, BUCKETS), dtype=np.int64)
        select_ranks(values, np.array(wanted), np.empty(n), counts, slot, selected, done)
    if not done.all():
        ascending = np.sort(values[~done], axis=-1)
        selected[~done] = np.where(np.isnan(ascending[:, -1:]), np.nan, ascending[:, wanted])
    return _quantiles(n - 1, at, lambda rank: selected[:, wanted.index(rank)])


def _neighbours(q: float, last: int) -> tuple[int, int]:
    low = int(q * last)
    return low, min(low + 1, last)


def _quantiles(last: int, at: tuple[float, ...], ranked: Callable[[int], Array]) -> Array:
    out = []
    for q in at:
        low, high = _neighbours(q, last)
        a, b, share = ranked(low), ranked(high), q * last - low
        # numpy's own way to the value between two neighbours, from the nearer end
        out.append(a + (b - a) * share if share < 0.5 else b - (b - a) * (1.0 - share))
    return np.array(out)


def counted_quantiles(counts: NDArray[np.integer[Any]], at: tuple[float, ...]) -> Array:
    """Quantiles of integers 0, 1, ... given how often each occurs along the last axis [quantiles, ...]."""
    below = np.cumsum(counts, axis=-1)
    last = below[..., -1:] - 1

    def value(place: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.asarray((below <= place).sum(axis=-1))

    out = []
    for q in at:
        place = q * last
        low = np.floor(place).astype(np.int64)
        a, b = value(low), value(np.minimum(low + 1, last))
        out.append(a + (b - a) * (place - low)[..., 0])
    return np.array(out, dtype=np.float64)


@dataclass
class Histogram:
    """Counts of values in bins of their own for each cell, where there is no memory for the values.

    The bins of a cell lie between the ends of its first chunk, widened by its range on either side; what falls outside
    counts in the last bin there. A quantile is off by at most a bin.
    """

    low: Array  # [cells]
    width: Array
    counts: NDArray[np.int32]  # [cells, bins]

    BINS = 512

    @classmethod
    def around(cls, values: Array) -> Self:
        """Bins for the cells of a first chunk [cells, replicates]."""
        low, high = values.min(axis=1), values.max(axis=1)
        span = np.maximum(high - low, 1e-9)
        return cls(low - span, 3.0 * span / cls.BINS, np.zeros((len(values), cls.BINS), dtype=np.int32))

    def add(self, values: Array) -> None:
        place = np.clip((values - self.low[:, None]) / self.width[:, None], 0, self.BINS - 1).astype(np.int64)
        flat = place + np.arange(len(values))[:, None] * self.BINS
        self.counts += np.bincount(flat.ravel(), minlength=self.counts.size).reshape(self.counts.shape).astype(np.int32)

    def quantiles(self, at: tuple[float, ...]) -> Array:
        """[quantiles, cells], to the middle of a bin."""
        middle: Array = counted_quantiles(self.counts, at) + 0.5
        return np.asarray(self.low + middle * self.width)


def outside(moments: Moments, last: Array, interval: str, values: Array | None = None) -> tuple[int, int, int]:
    """How many pairs' last difference lies below, in and above the 95% interval of the others (Table 2).

    `normal` is mean ± 1.96 sd, `prediction` Student's for one more value, `percentile` from the values [systems,
    replicates] themselves, without the last.
    """
    others = moments.without(last)
    x, y = all_pairs(len(last))
    difference = last[x] - last[y]
    if interval == "percentile":
        assert values is not None
        low, high = np.empty(len(x)), np.empty(len(x))
        first = 0
        for i in range(len(last) - 1):
            row = np.sort(values[i] - values[i + 1 :], axis=1)
            low[first : first + len(row)], high[first : first + len(row)] = sorted_quantiles(row, (0.025, 0.975))
            first += len(row)
    else:
        n = others.count
        factor = 1.96 if interval == "normal" else float(stdtrit(n - 1, 0.975)) * math.sqrt(1.0 + 1.0 / n)
        mean, half = others.pair_mean, factor * others.pair_sd
        low, high = mean - half, mean + half
    below, above = int((difference < low - EQUAL).sum()), int((difference > high + EQUAL).sum())
    return below, len(difference) - below - above, above
