"""Two-way analysis of variance of scores, systems by topics, one score a cell: the residual holds interactions."""

from typing import NamedTuple

import numpy as np
from scipy import stats

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
        f, p = f_test(part, df, sums[2], degrees[2])
        omega = max(0.0, (part - df * error) / (total + error)) if total > 0 else np.nan
        rows.append(Source(name, df, part, part / df, f, p, omega))
    return [*rows, Source("residual", degrees[2], sums[2], error), Source("total", m * n - 1, total)]


def f_test(part: float, df: int, rest: float, df_rest: int) -> tuple[float, float]:
    """F and its p-value from sums of squares; nothing to explain: p = 1, and F is undefined where nothing is left."""
    if part == 0.0:
        return (0.0 if rest > 0 else np.nan), 1.0
    if rest == 0.0:
        return np.inf, 0.0
    f = (part / df) / (rest / df_rest)
    return f, float(stats.f.sf(f, df, df_rest))
