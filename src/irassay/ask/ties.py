"""What topics with equal scores take away: the smallest p-value that a pair can have that differs on a few topics only.

`differing` topics of `topics` have scores that differ, in whichever way is best for the test; the others are tied.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Array
from irassay.ask.t_statistic import absolute_t, survival
from irassay.tolerance import TIE

Counts = NDArray[np.int64]
EXACT = 13  # topics up to which Wilcoxon's test goes through all patterns of signs


def student_floor(differing: Counts, topics: int) -> Array:
    """Equal differences on all topics that differ: x = (Σz)²/Σz² is their number, and cannot be larger."""
    return np.asarray(2.0 * survival(absolute_t(np.asarray(differing, dtype=np.float64), topics), topics - 1))


def bootstrap_floor(differing: Counts, topics: int) -> Array:
    """Equal differences, by the number of topics in a sample that differ, which is binomial.

    With so many of K, x* = (K - k)²/(K(1-k/n)² + (n-K)(k/n)²), and x = k is observed. A sample of tied topics alone
    does not vary: its |t*| is infinite.
    """
    from scipy import stats

    k = np.asarray(differing, dtype=np.float64)[..., None]
    share, drawn = k / topics, np.arange(topics + 1)
    squares = drawn * (1 - share) ** 2 + (topics - drawn) * share**2
    with np.errstate(divide="ignore", invalid="ignore"):
        reached = np.where(squares > 0, (drawn - k) ** 2 / squares, 0.0) >= k * (1 - TIE)
    return np.asarray((stats.binom.pmf(drawn, topics, share) * reached).sum(axis=-1))


def sign_floor(differing: Counts, topics: int) -> Array:
    """All topics that differ go one way: two of all patterns of their signs."""
    return np.asarray(np.minimum(1.0, 2.0 ** (1.0 - np.asarray(differing))))


def wilcoxon_floor(differing: Counts, topics: int) -> Array:
    """As that of signs; by the normal distribution it is smallest where all differences have one size."""
    from scipy import stats

    if topics <= EXACT:
        return sign_floor(differing, topics)
    k = np.maximum(np.asarray(differing, dtype=np.float64), 1.0)
    variance = k * (k + 1) * (2 * k + 1) / 24 - (k**3 - k) / 48
    normal = 2.0 * stats.norm.sf(k * (k + 1) / 4 / np.sqrt(variance))
    return np.asarray(np.minimum(sign_floor(differing, topics), normal))


def unreachable(
    p: Array, floor: Array, differing: Counts, topics: int, adjust: Callable[[Array], Array], alpha: float
) -> NDArray[np.bool_]:
    """Pairs that have tied topics and could not be significant whatever their other topics say, all else as it is.

    The floor depends on the number of topics that differ alone: one pair of each number, the nearest to being
    significant, answers for the others.
    """
    result = np.zeros(len(p), dtype=bool)
    corrected = adjust(p)
    open_ = (corrected >= alpha) & (differing > 0) & (differing < topics)
    for number in np.unique(differing[open_]):
        alike = np.flatnonzero(open_ & (differing == number))
        best = alike[np.argmin(p[alike])]
        lowest = p.copy()
        lowest[best] = floor[best]
        result[alike] = adjust(lowest)[best] >= alpha
    return result
