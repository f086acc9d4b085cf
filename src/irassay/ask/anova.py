"""Analysis of variance of scores, systems by topics, one score a cell; and of topics in groups."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc

from irassay.ask.generalizability import mean_squares
from irassay.ask.pairs import Array
from irassay.tolerance import NO_SPREAD


class Source(NamedTuple):
    """One row of the table; what is not defined is NaN."""

    source: str
    df: int
    sum_of_squares: float
    mean_square: float = np.nan
    f: float = np.nan
    p_value: float = np.nan
    omega_squared: float = np.nan


def two_way(scores: Array) -> list[Source]:
    r"""Systems, topics, residual and total of scores [systems, topics].

    The share of the variance, a negative one 0: $$\omega^2 = (SS - df\,MS_e)/(SS_{total} + MS_e)$$
    """
    m, n = scores.shape
    degrees = m - 1, n - 1, (m - 1) * (n - 1)
    squares = mean_squares(scores)
    sums = [df * float(square) for df, square in zip(degrees, squares, strict=True)]
    largest = float((scores * scores).sum())
    sums = [0.0 if part <= NO_SPREAD * largest else part for part in sums]  # rounding alone is no spread
    error, total = sums[2] / degrees[2], sum(sums)
    rows = []
    for name, df, part in zip(("systems", "topics"), degrees, sums, strict=False):
        f, p = map(float, f_test(np.asarray(part), df, np.asarray(sums[2]), degrees[2]))
        omega = max(0.0, (part - df * error) / (total + error)) if total > 0 else np.nan
        rows.append(Source(name, df, part, part / df, f, p, omega))
    return [*rows, Source("residual", degrees[2], sums[2], error), Source("total", m * n - 1, total)]


def f_test(part: Array, df: int, rest: Array, df_rest: int) -> tuple[Array, Array]:
    """F and its p-value from sums of squares; nothing to explain: p = 1, and F is undefined where nothing is left."""
    with np.errstate(divide="ignore", invalid="ignore"):
        f = np.asarray((part / df) / (rest / df_rest))
    return f, np.where(part == 0.0, 1.0, fdtrc(df, df_rest, f))


class Interaction(NamedTuple):
    """F tests of whether differences depend on the group of a topic, one for each row."""

    df: int
    df_error: int
    f: Array
    p_value: Array


def pair_interactions(z: Array, group: NDArray[np.int64]) -> Interaction:
    """One-way analyses of variance of differences [pairs, topics] over the groups of the topics."""
    groups = int(group.max()) + 1
    between, within = _by_group(z, group, groups)
    degrees = groups - 1, z.shape[1] - groups
    return Interaction(*degrees, *f_test(between, degrees[0], within, degrees[1]))


def system_interaction(scores: Array, group: NDArray[np.int64]) -> Interaction:
    """Systems by groups, with topics within groups: what is left of the scores without their topics' means."""
    m, n = scores.shape
    groups = int(group.max()) + 1
    between, within = (part.sum(keepdims=True) for part in _by_group(scores - scores.mean(axis=0), group, groups))
    degrees = (m - 1) * (groups - 1), (m - 1) * (n - groups)
    return Interaction(*degrees, *f_test(between, degrees[0], within, degrees[1]))


def _by_group(rows: Array, group: NDArray[np.int64], groups: int) -> tuple[Array, Array]:
    """Sums of squares between and within groups of topics, for each row."""
    member = np.eye(groups)[group]  # [topics, groups]
    means = rows @ member / member.sum(axis=0)
    own = means - rows.mean(axis=1, keepdims=True)
    rest = rows - means[:, group]
    between, within = (own * own) @ member.sum(axis=0), (rest * rest).sum(axis=1)
    least = NO_SPREAD * (rows * rows).sum(axis=1)  # rounding alone is no spread
    return np.where(between <= least, 0.0, between), np.where(within <= least, 0.0, within)
