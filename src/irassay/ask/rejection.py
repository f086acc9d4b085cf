r"""How often would a t-test reject on other replicates of the scores, and from what difference on? (yang2018variance)

Algorithm 3 counts rejections, so its "achieved significance level" is a rejection rate: large means different, though
the paper's text reads it the other way round. It is computed to the letter, with its plain meaning beside it. Algorithm
4 takes the k-th largest |t| of each pair without imposing H0 first, so its estimated difference follows the largest
difference between systems.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask import _replicated as kernels
from irassay.ask.pairs import Array, all_pairs
from irassay.ask.significance import rank_of
from irassay.ask.t_statistic import critical
from irassay.ask.verdicts import verdicts
from irassay.compute.memory import empty
from irassay.compute.threads import parallel_for
from irassay.tolerance import WHOLE


@dataclass(frozen=True, eq=False)
class PairStatistics:
    """Some replicates of all pairs x < y: a statistic monotone in |t|, |mean difference|, and rejections."""

    statistic: Array  # [pairs, replicates]
    difference: Array  # [pairs, replicates]
    rejected: NDArray[np.int64]  # [pairs]


@dataclass(frozen=True, eq=False)
class Rejection:
    """All pairs of systems x < y over all replicates."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    rate: Array  # Algorithm 3 to the letter: its "ASL"
    required: Array  # Algorithm 4's difference of each pair
    share_asl_below_alpha: float
    share_nearly_always_rejected: float  # a rate above 1 - alpha
    mean_rejection_rate: float
    estimated_difference: float  # the largest over pairs


def pair_statistics(scores: Array, alpha: float, *, jobs: int = 1) -> PairStatistics:
    """Paired t-tests of all pairs on every replicate [replicates, topics, systems]."""
    replicates, topics, systems = scores.shape
    bound = critical(topics, alpha)
    pairs = systems * (systems - 1) // 2
    statistic, difference = np.empty((2, pairs, replicates))
    rejected = np.empty(pairs, dtype=np.int64)
    plain = np.ascontiguousarray(scores, dtype=np.float64)
    every, once = np.arange(topics), np.ones(topics)

    def pairs_of(x: int) -> None:
        low = x * (2 * systems - x - 1) // 2
        rows = slice(low, low + systems - 1 - x)
        sums = np.empty((2, systems))
        kernels.pair_statistics(plain, x, bound, every, once, sums, statistic[rows], difference[rows], rejected[rows])

    parallel_for(pairs_of, range(systems - 1), jobs)
    return PairStatistics(statistic, difference, rejected)


def largest(piece: PairStatistics, systems: int, replicates: int, alpha: float, *, jobs: int = 1) -> PairStatistics:
    """What of a piece of so many replicates may be kept in the end: less to travel and to merge."""
    if piece.statistic.shape[1] <= rank_of(alpha, replicates):
        return piece
    alone = Rejections(systems, replicates, alpha)
    alone.add(piece, jobs=jobs)
    return PairStatistics(alone.state["kept"], alone.state["kept_difference"], piece.rejected)


def significant_share(scores: Array, alpha: float) -> float:
    """The share of pairs that a paired t-test calls different on the scores themselves [systems, topics]."""
    return float((verdicts(np.asarray(scores).T, alpha) != 0).mean())


class Rejections:
    """Takes the replicates in pieces, and keeps ceil(B·alpha) statistics of each pair, no more.

    `state` are the arrays of an earlier one, which had `seen` so many replicates; they are changed.
    """

    ARRAYS = ("count", "held", "kept", "kept_difference")

    def __init__(
        self, systems: int, replicates: int, alpha: float, state: dict[str, NDArray[Any]] | None = None, seen: int = 0
    ) -> None:
        self.systems, self.replicates, self.alpha, self.seen = systems, replicates, alpha, seen
        if state is None:
            pairs, k = systems * (systems - 1) // 2, rank_of(alpha, replicates)
            state = {name: np.zeros(pairs, dtype=np.int64) for name in ("count", "held")}
            state |= {name: empty((pairs, k), of="samples") for name in ("kept", "kept_difference")}
        self.state = state

    def add(self, piece: PairStatistics, *, jobs: int = 1) -> None:
        """Some more replicates; their order makes no difference."""
        self.seen += piece.statistic.shape[1]
        count, held, kept, difference = (self.state[name] for name in self.ARRAYS)
        count += piece.rejected

        def keep(low: int) -> None:
            rows = slice(low, low + 1024)
            arrays = piece.statistic, piece.difference, held, kept, difference
            kernels.keep_largest(*(array[rows] for array in arrays))

        parallel_for(keep, range(0, len(count), 1024), jobs)

    def result(self) -> Rejection:
        if self.seen != self.replicates:
            raise ValueError(f"{self.seen} replicates came, and {self.replicates} were announced")
        first, second = all_pairs(self.systems)
        count = self.state["count"]
        # of counts: 1 - .95 is not .05
        often, least = count / self.replicates, self.alpha * self.replicates - WHOLE
        required = self.state["kept_difference"][:, 0].copy()
        return Rejection(
            first,
            second,
            often,
            required,
            share_asl_below_alpha=float((count < least).mean()),
            share_nearly_always_rejected=float((self.replicates - count < least).mean()),
            mean_rejection_rate=float(often.mean()),
            estimated_difference=float(required.max()),
        )
