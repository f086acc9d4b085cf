"""What a larger topic set would give: a power law through sets of several sizes, and its error."""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from irassay.ask.pairs import Array


def power_law(sizes: ArrayLike, values: ArrayLike, at: ArrayLike) -> Array:
    r"""What positive values [..., sizes] give at other sizes [..., at]: $$D(n) = c\,n^{-b}$$ by least squares of logs.

    A difference that only noise sets would have b = 1/2. The largest over pairs falls faster, because few topics make
    some pair look worse than it is.
    """
    x, y = np.log(np.asarray(sizes, dtype=np.float64)), np.log(np.asarray(values, dtype=np.float64))
    centred = x - x.mean()
    slope = (y * centred).sum(axis=-1, keepdims=True) / (centred**2).sum()
    return np.asarray(
        np.exp(y.mean(axis=-1, keepdims=True) + slope * (np.log(np.asarray(at, dtype=np.float64)) - x.mean()))
    )


def deletion_interval(
    value: Array, subsets: Array, kept: int, topics: int, *, level: float = 0.95
) -> tuple[Array, Array]:
    r"""Intervals of positive values [..] from subsets of the topics [subsets, ..] that keep so many of them.

    The delete-d jackknife (shao1989jackknife) on the scale of logs, which needs no smooth statistic:
    $$\widehat{se}^2 = \frac{k}{n-k}\operatorname{var}(\log\hat\theta_{subset})$$
    """
    error = np.log(subsets).std(axis=0, ddof=1) * math.sqrt(kept / (topics - kept))
    factor = np.exp(stats.t.isf((1 - level) / 2, len(subsets) - 1) * error)
    return value / factor, value * factor
