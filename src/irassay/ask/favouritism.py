r"""Does a judge favour a group of systems: shifts of the group's scores against those of the others.

The shift of system s on topic t is d_st, the judge's score less the reference's. A lenient judge moves good systems
more, so the group's shift is the coefficient γ of membership g in a regression over systems,

$$d_{st} = a_t + b_t x_s + \gamma_t g_s + e_{st}$$

with x_s the reference score over all topics. It is linear in d: γ_t is a weighted sum of the shifts (`contrast`), and
its mean over topics has the interval of any mean.
"""

import math
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from irassay.ask.comparison import student
from irassay.ask.intervals import student_interval
from irassay.ask.pairs import Array
from irassay.tolerance import NO_SPREAD, TIE

Members = NDArray[np.bool_]


class Shift(NamedTuple):
    """A mean over topics with its 95% interval and p-value."""

    value: float
    low: float
    high: float
    p_value: float


def basis(reference: Array) -> Array:
    """Orthonormal columns for a constant and the reference score [systems, 1 or 2]; one where scores do not vary."""
    n = len(reference)
    constant = np.full(n, 1 / math.sqrt(n))
    centred = reference - reference.mean()
    length = math.sqrt(float(centred @ centred))
    if n < 4 or length <= NO_SPREAD * math.sqrt(float(reference @ reference)):
        return np.asarray(constant[:, None])
    return np.stack([constant, centred / length], axis=1)


def contrast(member: Members, reference: Array) -> Array:
    """Weights of systems: Σ c_s d_s is the group's mean shift less the others', at equal reference scores.

    They are nan where the reference score alone tells the group from the others.
    """
    space = basis(reference)
    group = member.astype(np.float64)
    own = group - space @ (space.T @ group)
    size = float(own @ own)
    return np.asarray(np.full(len(group), np.nan) if size <= 1e-9 * len(group) else own / size)


def unadjusted(member: Members) -> Array:
    """Weights of systems: the group's mean less the others'."""
    return np.asarray(np.where(member, 1 / member.sum(), -1 / (~member).sum()))


def group_shift(weights: Array, judge: Array, reference: Array, *, paired: bool) -> Shift:
    """The shift from scores [systems, topics]; `paired` says that both are on the same topics, else Welch's t."""
    first, second = weights @ judge, weights @ reference
    if paired:
        z = (first - second)[None]
        low, high = student_interval(z, 0.05)
        return Shift(float(z.mean()), float(low[0]), float(high[0]), float(student(z)[0]))
    test = stats.ttest_ind(first, second, equal_var=False)
    interval = test.confidence_interval(0.95)
    return Shift(float(first.mean() - second.mean()), float(interval.low), float(interval.high), float(test.pvalue))


def assignments(blocks: NDArray[np.int64], group: NDArray[np.int64], orders: NDArray[np.int64]) -> tuple[Members, bool]:
    """Which systems are in the group when its label is given to other blocks [permutations, systems]; whether all.

    `blocks` is each system's block (its team), `group` the blocks of the group, `orders` random orders of all blocks
    [permutations, blocks]. All choices of as many blocks where these are no more; else the first ones of each order.
    """
    number, size = orders.shape[1], len(group)
    if math.comb(number, size) <= len(orders):
        chosen = np.zeros((math.comb(number, size), number), dtype=np.bool_)
        for row, places in zip(chosen, combinations(range(number), size), strict=True):
            row[list(places)] = True
        return chosen[:, blocks], True
    chosen = np.zeros(orders.shape, dtype=np.bool_)
    np.put_along_axis(chosen, orders[:, :size], True, axis=1)
    return chosen[:, blocks], False


def permutation_p_values(member: Members, shifts: Array, references: Array, other: Members, *, exact: bool) -> Array:
    r"""How often a group of other blocks has as large an adjusted shift, $|g \cdot d| / \sqrt{g \cdot g}$, g adjusted.

    `shifts` and `references` are means of each system [cases, systems], such as a measure and a judge; `other` is what
    `assignments` gives. They are nan where nobody could tell: fewer than two choices.
    """
    cases, systems = shifts.shape
    if len(other) < 2:
        return np.full(cases, np.nan)
    # one product of matrices for all cases: adjusted shifts, and what the groups have in common with scores
    columns = np.zeros((systems, cases, 3))
    for case, (shift, reference) in enumerate(zip(shifts, references, strict=True)):
        space = basis(reference)
        columns[:, case, 0] = shift - space @ (space.T @ shift)
        columns[:, case, 1 : 1 + space.shape[1]] = space

    def statistics(groups: Array) -> Array:
        product = (groups @ columns.reshape(systems, cases * 3)).reshape(len(groups), cases, 3)
        left = groups.sum(axis=1)[:, None] - np.square(product[..., 1:]).sum(axis=2)
        # 0 where nothing of the group is left
        return np.asarray(np.abs(product[..., 0]) / np.sqrt(np.where(left > 1e-9 * systems, left, np.inf)))

    observed = statistics(member[None].astype(np.float64))[0]
    hits = (statistics(other.astype(np.float64)) >= observed * (1 - TIE)).sum(axis=0)
    return np.asarray(hits / len(other) if exact else (hits + 1) / (len(other) + 1))


class Relevance(NamedTuple):
    """Documents of one group against those of others: the odds of being judged relevant, and the chance."""

    documents: int
    topics: int
    odds_ratio: Shift
    chance: Shift


def mantel_haenszel(
    exposed: Members, compared: Members, relevant: Members, topic: NDArray[np.int64], grade: NDArray[np.int64]
) -> Relevance:
    r"""The odds ratio and the difference of chances, given topic and reference grade (mantel1959statistical).

    $$OR = \frac{\sum a_k d_k/n_k}{\sum b_k c_k/n_k},\quad RD = \frac{\sum (a_k n_{0k} - c_k n_{1k})/n_k}{\sum
    n_{1k}n_{0k}/n_k}$$
    with a, b relevant and other documents among the exposed, c, d among the compared, of one topic and reference grade
    k. Documents of a topic depend on each other: the error is that of sums over topics, with Student's t.
    """
    used = exposed | compared
    strata = int(grade.max(initial=0)) + 1
    topics = int(topic.max(initial=0)) + 1
    cell = topic * strata + grade
    cells = topics * strata

    def count(among: Members) -> Array:
        return np.bincount(cell[among], minlength=cells).astype(np.float64)

    a, n1, c, n0 = (count(part) for part in (exposed & relevant, exposed, compared & relevant, compared))
    n = np.maximum(n1 + n0, 1)

    def by_topic(values: Array) -> Array:
        return np.asarray((values / n).reshape(topics, strata).sum(axis=1))

    above, below = by_topic(a * (n0 - c)), by_topic((n1 - a) * c)
    difference, weight = by_topic(a * n0 - c * n1), by_topic(n1 * n0)
    informative = int((weight > 0).sum())
    nothing = Shift(math.nan, math.nan, math.nan, math.nan)
    documents = int((exposed & used).sum())
    if informative < 2:
        return Relevance(documents, informative, nothing, nothing)
    chance = float(difference.sum() / weight.sum())
    chances = _interval(chance, (difference - chance * weight) / weight.sum(), informative)
    odds = nothing
    if above.sum() > 0 and below.sum() > 0:
        log = math.log(above.sum() / below.sum())
        of_log = _interval(log, above / above.sum() - below / below.sum(), informative)
        odds = Shift(math.exp(log), math.exp(of_log.low), math.exp(of_log.high), of_log.p_value)
    return Relevance(documents, informative, odds, chances)


def _interval(value: float, influence: Array, topics: int) -> Shift:
    """From what each topic adds to the value's deviation."""
    error = math.sqrt(topics / (topics - 1) * float(influence @ influence))
    half = float(stats.t.isf(0.025, topics - 1)) * error
    p_value = float(2 * stats.t.sf(abs(value) / error, topics - 1)) if error > 0 else float(value == 0)
    return Shift(value, value - half, value + half, p_value)
