r"""Step-down max-|t| tests of pairs: what the largest |t| of all pairs would be if no two systems differed.

Romano and Wolf's step-down (romano2005exact) on samples of the topics that all pairs share, studentised in every
sample, so replicates keep how pairs hang together, how much each of them varies and how skewed it is. Samples are of
differences under H0: those topics that differ are centred, and topics with equal scores stay equal. To centre them too
would give a pair with few topics that differ an infinite |t*| in every sample that misses these, which no other pair
could exceed.
"""

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.ask.constants import INFINITE, LANES
from irassay.ask.corrections import critical_rank
from irassay.ask.pairs import Array, Pairs
from irassay.ask.t_statistic import absolute_t, moments
from irassay.compute.draws import Samples, packed_samples
from irassay.compute.threads import parallel_for
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

    def critical(self, level: float) -> float:
        """The |t| above which the first step rejects."""
        return float(np.sort(self.largest)[::-1][critical_rank(level, len(self.largest)) - 1])


def stepdown(scores: Array, pairs: Pairs, counts: Samples, *, jobs: int = 1) -> MaxT:
    """p = (count + 1)/(B + 1): replicates in which a pair with at most this |t| has at least this |t*|, monotone.

    `scores` are [systems, topics], `counts` samples of the topics [replicates, topics].
    """
    from irassay.ask._stepdown import count_maxima

    topics = scores.shape[1]
    z = scores[pairs[0]] - scores[pairs[1]]
    differing = (np.abs(z) > EQUAL).sum(axis=1)
    testable = differing >= LEAST
    family = np.flatnonzero(testable)
    total, squares = z[family].sum(axis=1), (z[family] ** 2).sum(axis=1)
    x0 = total * total / squares
    x0[x0 >= topics * (1 - NO_SPREAD)] = INFINITE  # varies by rounding alone: |t| is infinite
    order = np.argsort(-x0, kind="stable")
    first, second = (np.ascontiguousarray(side[family][order], dtype=np.int64) for side in pairs)
    by_topic, bound = np.ascontiguousarray(scores.T, dtype=np.float64), x0[order] * (1 - TIE)
    largest, hits, lock = np.zeros(len(counts)), np.zeros(len(family), dtype=np.int64), threading.Lock()
    lanes = max(1, min(LANES, len(family)))

    def part(low: int) -> None:
        own, maxima = np.zeros_like(hits), largest[low : low + CHUNK]
        scratch = (np.empty((size, lanes)) for size in (topics, topics, 3))
        count_maxima(by_topic, first, second, bound, *packed_samples(counts[low : low + CHUNK]), *scratch, own, maxima)
        with lock:
            hits[:] += own

    parallel_for(part, range(0, len(counts), CHUNK), jobs, "step-down test")
    p = np.where(differing == 0, 1.0, np.nan)
    p[family[order]] = np.maximum.accumulate((hits + 1) / (len(counts) + 1))
    return MaxT(p, absolute_t(largest, topics), testable)


def max_t_interval(z: Array, test: MaxT, level: float) -> tuple[Array, Array]:
    """Mean ± the critical value of the largest |t*| · sd/√n; those of all testable pairs hold at once."""
    mean, sd, _ = moments(z)
    critical = test.critical(level)
    with np.errstate(invalid="ignore"):  # an infinite critical value of differences that do not vary
        half = np.where(sd == 0.0, 0.0, critical * sd / np.sqrt(z.shape[1]))
    half = np.where(test.testable, half, np.nan)
    return mean - half, mean + half
