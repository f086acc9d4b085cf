r"""Step-down max-|t| tests of pairs: what the largest |t| of all pairs would be if no two systems differed.

Romano and Wolf's step-down (romano2005exact) on a wild bootstrap: every topic's centred differences are kept or
turned round by one random sign that all pairs share, so replicates keep how pairs hang together and how much each of
them varies. Signs leave Σw² as it is, so x = (Σ s·w)² / Σw² is the replicate's statistic, studentised: it rises with
|t*|. Sums of s·w are differences of two systems' sums: a replicate costs a few operations a pair.
"""

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.ask._stepdown import LANES, count_maxima
from irassay.ask.corrections import critical_rank
from irassay.ask.pairs import Array, Pairs
from irassay.ask.t_statistic import absolute_t, moments
from irassay.compute.threads import parallel_for
from irassay.streams import STEPDOWN_SIGNS
from irassay.tolerance import EQUAL, NO_SPREAD, TIE

LEAST = 6  # topics that must differ: with fewer there are too few patterns of signs for any p-value below .05
CHUNK = 512  # replicates of a part


@dataclass(frozen=True, eq=False)
class MaxT:
    """Corrected p-values [pairs] and the largest |t*| of each replicate [replicates].

    A pair with fewer than `LEAST` topics that differ is in no family and has no p-value; without any its p-value is 1.
    """

    p_values: Array
    largest: Array
    testable: NDArray[np.bool_]


def stepdown(scores: Array, pairs: Pairs, replicates: int, *, seed: int = 0, jobs: int = 1) -> MaxT:
    """p = (count + 1)/(B + 1): replicates in which a pair with at most this |t| has at least this |t*|, monotone."""
    systems, topics = scores.shape
    z = scores[pairs[0]] - scores[pairs[1]]
    differing = (np.abs(z) > EQUAL).sum(axis=1)
    testable = differing >= LEAST
    family = np.flatnonzero(testable)
    total, squares = z[family].sum(axis=1), (z[family] ** 2).sum(axis=1)
    x0 = np.minimum(total * total / squares, topics)
    spread = ((z[family] - z[family].mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    constant = x0 >= topics * (1 - NO_SPREAD)  # varies by rounding alone: |t| is infinite, t* is 0
    weight = np.divide(1.0, spread, out=np.zeros(len(family)), where=~constant)
    order = np.argsort(-x0, kind="stable")
    first, second = (np.ascontiguousarray(side[family][order], dtype=np.int64) for side in pairs)
    centred = np.ascontiguousarray((scores - scores.mean(axis=1, keepdims=True)).T)
    bound, weight = x0[order] * (1 - TIE), weight[order]
    largest, counts, lock = np.zeros(replicates), np.zeros(len(family), dtype=np.int64), threading.Lock()

    def part(low: int) -> None:
        hits, signs, sums = np.zeros_like(counts), np.empty((LANES, topics), dtype=np.int16), np.empty((systems, LANES))
        key = np.uint64(seed), np.uint32(STEPDOWN_SIGNS), np.int64(low)
        count_maxima(centred, first, second, weight, bound, *key, signs, sums, hits, largest[low : low + CHUNK])
        with lock:
            counts[:] += hits

    parallel_for(part, range(0, replicates, CHUNK), jobs)
    p = np.where(differing == 0, 1.0, np.nan)
    p[family[order]] = np.maximum.accumulate((counts + 1) / (replicates + 1))
    return MaxT(p, absolute_t(largest, topics), testable)


def max_t_interval(z: Array, test: MaxT, level: float) -> tuple[Array, Array]:
    """Mean ± the critical value of the largest |t*| · sd/√n; those of all testable pairs hold at once."""
    mean, sd, _ = moments(z)
    critical = np.sort(test.largest)[::-1][critical_rank(level, len(test.largest)) - 1]
    half = np.where(test.testable, np.where(sd == 0.0, 0.0, critical * sd / np.sqrt(z.shape[-1])), np.nan)
    return mean - half, mean + half
