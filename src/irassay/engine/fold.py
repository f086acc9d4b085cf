"""From hits to numbers: weights and folds, one driver each for all measures.

A context is what the lists of one topic share: its supply of judged documents by grade. Lists are context-major.
"""

from __future__ import annotations

import dis
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from irassay.engine.hits import Hits
from irassay.engine.kernel import helper, kernel

PER_NOTHING, PER_R, PER_MIN, PER_IDEAL, PER_CUT, PER_SIZE = range(6)
NO_CUT = 2**31 - 1

FOLD = types.float64(
    types.int32[::1],
    types.int8[::1],
    types.int64,
    types.float64[::1],
    types.float64[::1],
    types.int64[::1],
    types.int64,
    types.float64[::1],
)
DRIVER = types.void(
    types.FunctionType(FOLD),
    types.int32[::1],
    types.int8[::1],
    types.int64[::1],
    types.int64[::1],
    types.int64[:, ::1],
    types.int64[::1],
    types.float64[::1],
    types.float64[::1],
    types.int64,
    types.int64,
    types.boolean,
    types.boolean,
    types.float64[::1],
    types.int8[::1],
    types.int32[::1],
    types.int8[::1],
    types.int64[::1],
    types.float64[::1],
)


@dataclass(frozen=True)
class Recipe:
    """A measure made ready for one panel: everything but the lists."""

    gain: NDArray[np.float64]  # by grade
    best: NDArray[np.int64]  # relevant grades, the largest gain first
    cut: int = NO_CUT
    per: int = PER_NOTHING
    flat: bool = False  # a fold sees only grades of 1: the measure was made binary
    empty: bool = False  # also asked where no document is relevant
    weight: NDArray[np.float64] | None = None  # by rank
    fold: Callable[..., float] | None = None
    par: NDArray[np.float64] | None = None


@helper
def within(rank: Any, start: Any, stop: Any, cut: Any) -> Any:
    """How many of the hits [start, stop) have a rank up to the cut."""
    if stop == start or rank[stop - 1] <= cut:
        return stop - start
    low, high = start, stop
    while low < high:
        middle = (low + high) >> 1
        if rank[middle] <= cut:
            low = middle + 1
        else:
            high = middle
    return low - start


@helper
def divisor(per: Any, relevant: Any, cut: Any) -> float:
    """What all lists of a topic are divided by, as far as it does not depend on the measure or the list."""
    if per == PER_R:
        return float(relevant)
    if per == PER_MIN:
        return float(min(relevant, cut))
    if per == PER_CUT:
        return float(cut)
    return 1.0


@kernel
def _weigh(rank: Any, grade: Any, start: Any, size: Any, supply: Any, best: Any, gain: Any, weight: Any, cut: Any, per: Any, out: Any) -> None:  # fmt: skip  # noqa: E501
    contexts = supply.shape[0]
    lists = (start.shape[0] - 1) // contexts
    for c in range(contexts):
        relevant = np.int64(0)
        for k in range(best.shape[0]):
            relevant += supply[c, best[k]]
        scale = divisor(per, relevant, cut)
        if per == PER_IDEAL:
            scale = 0.0
            r = 0
            for k in range(best.shape[0]):
                for _ in range(supply[c, best[k]]):
                    r += 1
                    if r > cut:
                        break
                    scale += gain[best[k]] * weight[r]
        for i in range(c * lists, (c + 1) * lists):
            value = 0.0
            if per == PER_SIZE:
                scale = float(min(size[i], cut))
            if relevant > 0 and scale > 0.0:
                n = within(rank, start[i], start[i + 1], cut)
                for j in range(start[i], start[i] + n):
                    value += gain[grade[j]] * weight[rank[j]]
                value /= scale
            out[i] = value


def _drive(
    fold: Any, rank: Any, grade: Any, start: Any, size: Any, supply: Any, best: Any, gain: Any, par: Any,
    cut: Any, per: Any, flat: Any, empty: Any, ideal: Any, ones: Any, ideal_rank: Any, ideal_grade: Any, supplied: Any,
    out: Any,
) -> None:  # fmt: skip
    contexts = supply.shape[0]
    lists = (start.shape[0] - 1) // contexts
    for c in range(contexts):
        relevant = np.int64(0)
        for k in range(best.shape[0]):
            g = best[k]
            if ideal.shape[0] == 1:  # the measure looks at no ideal list
                relevant += supply[c, g]
                continue
            for _ in range(supply[c, g]):
                ideal_rank[relevant] = relevant + 1
                ideal_grade[relevant] = g
                ideal[relevant + 1] = ideal[relevant] + gain[1 if flat else g]
                relevant += 1
        for r in range(relevant + 1, ideal.shape[0]):
            ideal[r] = ideal[relevant]
        if flat:
            supplied[0] = supply[c, 0]
            supplied[1] = relevant
        else:
            for g in range(supplied.shape[0]):
                supplied[g] = supply[c, g]
        scale = divisor(per, relevant, cut)
        if per == PER_IDEAL:
            n = min(relevant, cut)
            grades = ones if flat else ideal_grade
            scale = fold(ideal_rank[:n], grades[:n], n, gain, ideal, supplied, n, par)
        for i in range(c * lists, (c + 1) * lists):
            value = 0.0
            length = min(size[i], cut)
            if per == PER_SIZE:
                scale = float(length)
            if (relevant > 0 or empty) and scale > 0.0:
                a = start[i]
                n = within(rank, a, start[i + 1], cut)
                grades = ones[:n] if flat else grade[a : a + n]
                value = fold(rank[a : a + n], grades, n, gain, ideal, supplied, length, par) / scale
            out[i] = value


@cache
def uses_ideal(fold: Callable[..., float]) -> bool:
    """Whether a fold reads the ideal list's gains: where every list has a supply of its own, making them costs most."""
    name = fold.__code__.co_varnames[4]
    steps = (step.argval for step in dis.get_instructions(fold))
    # newer Pythons load two names in one step
    return any(name == read or (isinstance(read, tuple) and name in read) for read in steps)


@cache
def driver() -> Any:
    return kernel(_drive, signature=DRIVER)


@cache
def compiled(fold: Callable[..., float]) -> Any:
    return kernel(fold, signature=FOLD)


def value(hits: Hits, supply: NDArray[np.int64], recipe: Recipe) -> NDArray[np.float64]:
    """The measure's value of each list; `supply` is [contexts, grades], column 0 the judged nonrelevant."""
    out = np.empty(hits.lists)
    if recipe.weight is not None:
        _weigh(
            hits.rank, hits.grade, hits.start, hits.size, supply, recipe.best, recipe.gain, recipe.weight,
            recipe.cut, recipe.per, out,
        )  # fmt: skip
    else:
        assert recipe.fold is not None
        assert recipe.par is not None
        relevant = int(supply[:, recipe.best].sum(axis=1).max(initial=0))
        most = max(relevant, int(np.diff(hits.start).max(initial=0)))
        longest = max(relevant, int(hits.size.max(initial=0)))
        if recipe.per != PER_IDEAL and not uses_ideal(recipe.fold):
            longest = 0
        driver()(
            compiled(recipe.fold), hits.rank, hits.grade, hits.start, hits.size, supply, recipe.best, recipe.gain,
            recipe.par, recipe.cut, recipe.per, recipe.flat, recipe.empty,
            np.zeros(longest + 1), np.ones(most, dtype=np.int8), np.empty(relevant, dtype=np.int32),
            np.empty(relevant, dtype=np.int8), np.zeros(2 if recipe.flat else supply.shape[1], dtype=np.int64), out,
        )  # fmt: skip
    return out
