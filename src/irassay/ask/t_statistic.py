"""The t statistic of differences, by the one tolerance rule (`irassay.tolerance`).

All differences 0: t = 0. A constant difference varies by rounding alone: its standard deviation is 0 and t infinite.
Kernels keep x = (Σz)² / Σz² instead, which rises with |t|: t² = (n-1)·x / (n-x).
"""

import math
from typing import NamedTuple

import numpy as np

from irassay.ask.pairs import Array
from irassay.errors import InputError
from irassay.tolerance import NO_SPREAD


class Moments(NamedTuple):
    """Mean, standard deviation (n-1) and t of each row."""

    mean: Array
    sd: Array
    t: Array


def moments(z: Array) -> Moments:
    """t = mean / (sd / √n) of each row of differences [..., topics]."""
    n = z.shape[-1]
    total, squares = z.sum(axis=-1), (z * z).sum(axis=-1)
    constant = total * total >= squares * n * (1 - NO_SPREAD)
    mean = total / n
    sd = np.where(constant, 0.0, z.std(axis=-1, ddof=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(squares == 0.0, 0.0, mean * math.sqrt(n) / sd)
    return Moments(mean, sd, t)


def absolute_t(x: Array, topics: int) -> Array:
    """|t| from x; infinite where x reaches n, up to rounding."""
    n = float(topics)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.sqrt((n - 1) * x / (n - x))
    return np.where(x >= n * (1 - NO_SPREAD), np.inf, t)


def survival(t: Array | float, df: float) -> Array:
    """The chance of a larger t: `scipy.stats.t.sf`, without the half a second that importing scipy.stats takes."""
    from scipy.special import stdtr

    return np.asarray(stdtr(df, -np.asarray(t)))


def upper_quantile(level: float, df: float) -> float:
    """The t that is exceeded with a chance of `level`, above 0: `scipy.stats.t.isf`."""
    from scipy.special import stdtrit

    return -float(stdtrit(df, level))


def critical(topics: int, alpha: float) -> float:
    r"""The statistic above which the two-sided t-test rejects, $n t^2 / (n - 1 + t^2)$, $t = t_{1-\alpha/2}(n-1)$."""
    from scipy.special import stdtrit

    if not 0 < alpha < 1:
        raise InputError(f"alpha is {alpha:g}", hint="alpha lies between 0 and 1, such as 0.05")
    if topics < 2:
        raise InputError("there is one topic only", hint="a t-test needs at least two")
    t = float(stdtrit(topics - 1, 1.0 - alpha / 2.0))
    return topics * t * t / (topics - 1 + t * t)


def required_difference(z: Array, alpha: float) -> Array:
    r"""The mean that each row would need for p < alpha, its spread as it is: $t_{1-\alpha/2}(n-1)\,s/\sqrt n$."""
    from scipy.special import stdtrit

    n = z.shape[-1]
    return np.asarray(stdtrit(n - 1, 1.0 - alpha / 2.0) * moments(z).sd / math.sqrt(n))


def resampled_t(z: Array, counts: Array) -> Array:
    """t* of one pair's differences under H0 on every sample of the topics; `counts` are [samples, topics]."""
    w = z - z.mean()  # impose H0: the mean difference is zero
    w[np.abs(w) <= NO_SPREAD * np.abs(z).max()] = 0.0  # a constant difference varies by rounding alone
    first, second = counts @ w, counts @ (w * w)
    x = np.divide(first * first, second, out=np.zeros(len(counts)), where=second > 0)
    return np.asarray(np.copysign(absolute_t(x, len(z)), first))
