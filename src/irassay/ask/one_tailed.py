"""The one-tailed paired bootstrap test of all pairs: is the first system better? (sakai2007bootstrap, Section 5.1)

The two-tailed test's samples and statistic, without absolute values: the achieved significance level is the share of
samples with t* >= t. Which system is expected to be better must be known before: here it is the one given first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Array, Pairs, all_pairs
from irassay.ask.significance import PairTests, rank_of
from irassay.ask.t_statistic import absolute_t, moments
from irassay.compute.executor import Plan, Rows, State, execute
from irassay.tolerance import NO_SPREAD, TIE

PAIRS = 16  # that are tested together


def one_tailed(
    scores: Array,
    counts: NDArray[np.int32],
    alphas: Sequence[float] = (0.05,),
    *,
    pairs: Pairs | None = None,
    jobs: int = 1,
) -> PairTests:
    """The test of all pairs, or some, H1: x is better; `scores` [systems, topics], `counts` samples of topics."""
    first, second = pairs if pairs is not None else all_pairs(len(scores))
    ranks = [rank_of(alpha, len(counts)) for alpha in alphas]
    plan = _OneTailed(scores, first, second, counts, ranks)
    tests = execute("pairs tested, one-tailed", plan, Rows(plan.units), jobs=jobs)
    return PairTests(first, second, samples=len(counts), alphas=tuple(alphas), **tests)


@dataclass(frozen=True, eq=False)
class _OneTailed(Plan):
    """Tests some pairs together."""

    scores: Array
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    counts: NDArray[np.int32]
    ranks: list[int]
    chunk = PAIRS

    @property
    def units(self) -> int:
        return len(self.first)

    def block(self, part: range, jobs: int) -> State:
        here, n = slice(part.start, part.stop), self.scores.shape[1]
        z = self.scores[self.first[here]] - self.scores[self.second[here]]
        observed = moments(z)
        w = z - observed.mean[:, None]
        w[np.abs(w) <= NO_SPREAD * np.abs(z).max(axis=1, keepdims=True)] = 0.0  # a constant difference
        # sums of products in a fixed order: a library's matrix product may depend on its threads
        total = np.einsum("pt,bt->pb", w, self.counts.astype(np.float64))
        squares = np.einsum("pt,bt->pb", w * w, self.counts.astype(np.float64))
        x = _signed(total, squares)
        x0 = _signed(z.sum(axis=1), (z * z).sum(axis=1))[:, None]
        count = (x >= x0 - TIE * np.abs(x0)).sum(axis=1)
        order = np.lexsort((-total, -x))  # the largest t* first, of equal ones the largest difference
        chosen = order[:, [rank - 1 for rank in self.ranks]]
        kth = np.take_along_axis(x, chosen, axis=1)
        critical = np.copysign(absolute_t(np.abs(kth), n), kth)
        required = np.take_along_axis(total, chosen, axis=1) / n
        tests = {"difference": observed.mean, "statistic": observed.t, "count": count.astype(np.int64)}
        return {**tests, "required": required, "critical": critical}


def _signed(total: Array, squares: Array) -> Array:
    """(Σw)²/Σw² with the sign of Σw, which rises with t; 0 where all are 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        x = np.copysign(total * total / squares, total)
    return np.where(squares == 0.0, 0.0, x)
