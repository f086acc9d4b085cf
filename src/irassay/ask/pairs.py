"""Pairs of systems: x before y, differences are x - y."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]


@lru_cache(maxsize=1)
def all_pairs(systems: int) -> Pairs:
    """The first and the second system of every pair; the arrays are shared, so nobody may write to them."""
    first, second = np.triu_indices(systems, 1)
    return first.astype(np.int64), second.astype(np.int64)
