"""What a larger topic set would give: a power law through sets of several sizes, and its error."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from irassay.ask.pairs import Array


def power_law(sizes: ArrayLike, values: ArrayLike, at: ArrayLike) -> Array:
    r"""What positive values [..., sizes] give at other sizes [..., at], through the last size s.

    $$D(n) = D(s)\,(n/s)^{-b}$$ with b by least squares of logs around that point. A difference that only
    noise sets would have b = 1/2. The largest over pairs falls faster, because few topics make some pair look worse
    than it is.
    """
    x, y = np.log(np.asarray(sizes, dtype=np.float64)), np.log(np.asarray(values, dtype=np.float64))
    away = x - x[-1]
    slope = ((y - y[..., -1:]) * away).sum(axis=-1, keepdims=True) / (away**2).sum()
    return np.asarray(np.exp(y[..., -1:] + slope * (np.log(np.asarray(at, dtype=np.float64)) - x[-1])))


def deletion_interval(
    value: Array, subsets: Array, kept: ArrayLike, topics: int, *, level: float = 0.95
) -> tuple[Array, Array]:
    r"""Intervals of positive values [..] from subsets of the topics [subsets, ..] that keep so many of them [..].

    The delete-d jackknife (shao1989jackknife) on the scale of logs, which needs no smooth statistic:
    $$\widehat{se}^2 = \frac{k}{n-k}\operatorname{var}(\log\hat\theta_{subset})$$
    """
    share = np.asarray(kept) / (topics - np.asarray(kept))
    error = np.log(subsets).std(axis=0, ddof=1) * np.sqrt(share)
    factor = np.exp(stats.t.isf((1 - level) / 2, len(subsets) - 1) * error)
    return value / factor, value * factor
