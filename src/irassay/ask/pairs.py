"""Pairs of systems: x before y, differences are x - y."""

from collections.abc import Sequence
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


def some_pairs(systems: int, low: int, high: int) -> Pairs:
    """Those of `all_pairs` from `low` to `high` - 1, without the others."""
    starts = starts_of(systems)
    place = np.arange(low, high, dtype=np.int64)
    first = np.searchsorted(starts, place, side="right") - 1
    return first, place - starts[first] + first + 1


def starts_of(systems: int) -> NDArray[np.int64]:
    """Where the pairs of each system with those after it start in `all_pairs`; the last has none."""
    followers = np.arange(systems - 1, -1, -1, dtype=np.int64)
    return np.cumsum(followers) - followers


def against(systems: int, bases: Sequence[int]) -> Pairs:
    """Every other system against each base; two bases are compared once, the later one against the earlier."""
    pairs = [(s, base) for k, base in enumerate(bases) for s in range(systems) if s not in bases[: k + 1]]
    first, second = np.array(pairs, dtype=np.int64).reshape(len(pairs), 2).T
    return first, second
