"""A measure prepared for one panel: everything that a weight or fold needs but the lists."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PER_NOTHING, PER_R, PER_MIN, PER_IDEAL, PER_CUT, PER_SIZE = range(6)
# The divisors as a measure's record names them.
PER = {
    None: PER_NOTHING,
    "R": PER_R,
    "min": PER_MIN,
    "ideal": PER_IDEAL,
    "cut": PER_CUT,
    "size": PER_SIZE,
}
NO_CUT = 2**31 - 1


@dataclass(frozen=True)
class Recipe:
    """A measure prepared for one panel: everything but the lists."""

    gain: NDArray[np.float64]  # by grade
    best: NDArray[np.int64]  # relevant grades, the largest gain first
    cut: int = NO_CUT
    per: int = PER_NOTHING
    flat: bool = False  # a fold sees only grades of 1: the measure was made binary
    empty: bool = False  # also called where no document is relevant
    ideal: bool = False  # the fold reads the gains of the ideal list
    weight: NDArray[np.float64] | None = None  # by rank
    fold: Callable[..., float] | None = None
    par: NDArray[np.float64] | None = None


def rest_of(weight: NDArray[np.float64], end: int) -> NDArray[np.float64]:
    """rest[r] is what the weights of the ranks behind r up to `end` add up to.

    Sums from the far end are no larger than they need be, so their differences keep the digits of small weights.
    """
    rest = np.zeros(end + 1)
    rest[:end] = np.cumsum(weight[end:0:-1])[::-1]
    return rest
