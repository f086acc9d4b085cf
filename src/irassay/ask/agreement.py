r"""Do two rankings agree: rank correlations between the scores that two measures give the same systems.

Higher scores are better. One rule makes a tie everywhere: systems whose scores follow each other within 1e-10 share a
level. `tau`, `tau_ap` and `rbo` are then the mean over all ways of breaking the ties of both rankings, each ranking on
its own. For tau this is eq. 8 of sakai2007one: a tied pair counts neither way, yet stays in the denominator. So a
ranking with ties agrees less than fully even with itself: only `tau_b` takes ties out of what can be reached.

Where all systems are tied, tau and tau_AP are 0, tau_b is undefined (nan) and RBO is what chance gives.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from irassay.ask._counting import concordance
from irassay.ask._order import compare_orders
from irassay.compute.executor import Plan, Rows, State, execute
from irassay.compute.threads import parallel_for
from irassay.errors import InputError
from irassay.tolerance import EQUAL

Array = NDArray[np.float64]
Levels = NDArray[np.int32]
REPLICATES = 64  # that one thread takes at a time
COEFFICIENTS = ("tau", "tau_b", "tau_ap", "rbo")


@dataclass(frozen=True)
class Verdicts:
    """How often two measures come to the same verdict on a pair of systems (at one alpha, per comparison).

    `same` and `opposite`: both call the difference significant, in the same direction or against each other.
    """

    same: int
    opposite: int
    only_a: int
    only_b: int
    neither: int

    @property
    def pairs(self) -> int:
        return self.same + self.opposite + self.only_a + self.only_b + self.neither

    @property
    def both(self) -> int:
        """Pairs that both measures resolve."""
        return self.same + self.opposite

    @property
    def share_agreed(self) -> float:
        """Of the pairs that both measures resolve, the share with the same direction; nan where there are none."""
        return self.same / self.both if self.both else math.nan


def levels(scores: ArrayLike) -> Levels:
    """Integers in the order of the scores along the last axis, 0 for the worst; equal integers are ties.

    Scores are tied where each follows the next within 1e-10, so that ties are the same for every coefficient: a chain
    of such steps is one tie, however long.
    """
    values = np.atleast_1d(np.asarray(scores, dtype=np.float64))
    if values.shape[-1] < 2:
        raise InputError("a ranking of one system agrees with every other", hint="give at least two systems")
    if not np.isfinite(values).all():
        raise InputError("some systems have no score, so they cannot be ranked", hint="leave these systems out")
    order = np.argsort(values, axis=-1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=-1)
    steps = np.zeros(values.shape, dtype=np.int32)
    np.cumsum(ascending[..., 1:] - ascending[..., :-1] > EQUAL, axis=-1, dtype=np.int32, out=steps[..., 1:])
    ranks = np.empty(values.shape, dtype=np.int32)
    np.put_along_axis(ranks, order, steps, axis=-1)
    return ranks


def tau(a: ArrayLike, b: ArrayLike) -> float:
    r"""Kendall's rank correlation (sakai2007one, eq. 8); tied pairs count neither way.

    $$\tau = \frac{2(pos - neg)}{n(n-1)}$$
    """
    return _coefficient("tau", a, b)


def tau_b(a: ArrayLike, b: ArrayLike) -> float:
    r"""Kendall's tau_b: 1 and -1 are reached with ties too (kendall1945ties); nan where all systems are tied.

    $$\tau_b = \frac{pos - neg}{\sqrt{(N - T_a)(N - T_b)}}, \quad N = n(n-1)/2$$

    with $T$ the pairs tied in a ranking.
    """
    return _coefficient("tau_b", a, b)


def tau_ap(reference: ArrayLike, other: ArrayLike) -> float:
    r"""The AP rank correlation: errors near the top of `other` weigh more (yilmaz2008tauap).

    $$\tau_{AP} = \frac{2}{n-1}\sum_{i=2}^{n}\frac{C(i)}{i-1} - 1$$

    with $C(i)$ the systems above rank i of `other` that the reference also puts above the one at rank i. Not symmetric.
    Ties: the mean over all ways of breaking them, tau_AP,a of urbano2017ties with ties allowed in the reference too.
    There a system shares the weights of its tie's ranks, and a pair tied in either ranking adds nothing.
    """
    return _coefficient("tau_ap", reference, other)


def rbo(a: ArrayLike, b: ArrayLike, *, p: float = 0.9) -> float:
    r"""Rank-biased overlap of the two orders of systems, extrapolated (webber2010rbo), from 0 to 1.

    $$RBO = \frac{1-p}{p}\sum_{d=1}^{n}\frac{X_d}{d}p^d + \frac{X_n}{n}p^n$$

    with $X_d$ the systems that both have among their first d; $X_n = n$ here. Depth d weighs $(1-p)p^{d-1}$.
    Ties: the mean over all ways of breaking them (RBO^a of corsi2024ties): of a tie of g systems, k of which are among
    the first d, each is there by k/g.
    """
    return _coefficient("rbo", a, b, p)


def _coefficient(name: str, reference: ArrayLike, other: ArrayLike, p: float = 0.9) -> float:
    return float(coefficients(reference, np.atleast_1d(other)[None], p=p)[0, COEFFICIENTS.index(name)])


def coefficients(reference: ArrayLike, rankings: ArrayLike, *, p: float = 0.9, jobs: int = 1) -> Array:
    """`tau`, `tau_b`, `tau_ap` and `rbo` of each ranking [replicates, systems] with the reference.

    That is one for all [systems], or one for each ranking [replicates, systems]. The result is [replicates, 4], the
    same for any `jobs`.
    """
    if not 0.0 < p < 1.0:
        raise InputError(f"p of RBO is {p:g}", hint="p lies between 0 and 1, such as 0.9")
    truth, ranked = levels(reference), levels(rankings)
    if ranked.ndim != 2 or truth.shape not in (ranked.shape, ranked.shape[1:]):
        raise ValueError(f"scores of the same systems are compared, not {truth.shape} and {ranked.shape[1:]}")
    n = ranked.shape[1]
    discount = p ** np.arange(n, dtype=np.float64)
    out = np.empty((len(ranked), len(COEFFICIENTS)))

    def compare(low: int) -> None:
        here = slice(low, low + REPLICATES)
        places, shares = np.empty((2, 5, n), dtype=np.int64), np.empty((2, n))
        reference_here = truth[None] if truth.ndim == 1 else truth[here]
        compare_orders(reference_here, ranked[here], p, discount, places, shares, out[here])

    parallel_for(compare, range(0, len(ranked), REPLICATES), jobs, "comparing orders")
    return out


def z0(tau: float, n: int) -> float:
    r"""The statistic of the normal test of tau between n systems (sakai2007bootstrap, eq. 11).

    $$Z_0 = |\tau| \Big/ \sqrt{\frac{4n+10}{9n(n-1)}}$$
    """
    if n < 2:
        raise InputError("a ranking of one system agrees with every other", hint="give at least two systems")
    return abs(tau) / math.sqrt((4 * n + 10) / (9 * n * (n - 1)))


def p_value(z: float) -> float:
    """The two-sided p-value of a standard normal z: small where two rankings are hardly unrelated."""
    return math.erfc(abs(z) / math.sqrt(2.0))


def all_tau_replicates(sampled: Sequence[ArrayLike], *, jobs: int = 1) -> Array:
    """`tau` of all pairs of several measures on each replicate, i < j: [pairs, replicates].

    Each measure's scores are [replicates, systems], from the same samples of topics.
    """
    ranked = np.stack([levels(one) for one in sampled])
    plan = _Surpluses(ranked, list(combinations(range(len(ranked)), 2)))
    surplus = execute("rankings compared", plan, Rows(plan.units), jobs=jobs)["surplus"]
    return np.ascontiguousarray(surplus.T) / math.comb(ranked.shape[-1], 2)


@dataclass(frozen=True, eq=False)
class _Surpluses(Plan):
    """pos - neg of pairs of rankings on every replicate [replicates, pairs]."""

    ranked: Levels  # [rankings, replicates, systems]
    pairs: list[tuple[int, int]]
    chunk = REPLICATES

    @property
    def units(self) -> int:
        return int(self.ranked.shape[1])

    def block(self, part: range, jobs: int) -> State:
        out = np.empty((len(self.pairs), len(part)), dtype=np.int64)
        here = self.ranked[:, part.start : part.stop]
        for row, (i, j) in zip(out, self.pairs, strict=True):
            concordance(here[i], here[j], row)
        return {"surplus": out.T}


def interval(values: ArrayLike, *, level: float = 0.95) -> tuple[float, float]:
    """The percentile interval of replicates, from numpy's linear percentiles."""
    if not 0.0 < level < 1.0:
        raise InputError(f"the level of an interval is {level:g}", hint="it lies between 0 and 1, such as 0.95")
    replicates = np.asarray(values, dtype=np.float64)
    if not replicates.size:
        raise ValueError("an interval needs replicates")
    tail = round((1.0 - level) / 2.0, 12)  # .025, not .02500000000000002
    low, high = np.quantile(replicates, [tail, 1.0 - tail])
    return float(low), float(high)


def conservative_interval(estimate: float, values: ArrayLike, *, level: float = 0.95) -> tuple[float, float]:
    r"""The hull of the percentile interval [l, h] of the replicates of a tau and of its reflection at the estimate.

    $$[\min(l, 2\tau - h), \max(h, 2\tau - l)]$$ within [-1, 1]. Samples of topics agree less than all topics do, so
    the percentile interval lies too low, and tau is not smooth enough for a correction; docs/calibration.md has the
    coverage of both.
    """
    low, high = interval(values, level=level)
    return max(-1.0, min(low, 2 * estimate - high)), min(1.0, max(high, 2 * estimate - low))


def verdicts(sign_a: ArrayLike, sign_b: ArrayLike) -> Verdicts:
    """Counts over pairs of systems; -1, 0, +1: significantly worse, not significant, better, under each measure."""
    a, b = np.asarray(sign_a), np.asarray(sign_b)
    if a.shape != b.shape or not (np.isin(a, (-1, 0, 1)).all() and np.isin(b, (-1, 0, 1)).all()):
        raise ValueError("verdicts on the same pairs are compared, each -1, 0 or 1")
    return Verdicts(
        same=int(np.count_nonzero((a == b) & (a != 0))),
        opposite=int(np.count_nonzero((a == -b) & (a != 0))),
        only_a=int(np.count_nonzero((a != 0) & (b == 0))),
        only_b=int(np.count_nonzero((a == 0) & (b != 0))),
        neither=int(np.count_nonzero((a == 0) & (b == 0))),
    )
