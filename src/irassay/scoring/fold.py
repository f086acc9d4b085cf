"""From hits to numbers: weights and folds, one driver each for all measures.

A context is what the lists of one topic share: its judged_counts of judged documents by grade. Lists are context-major.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from irassay.compute.kernel import helper, kernel
from irassay.scoring.hits import Hits

PER_NOTHING, PER_R, PER_MIN, PER_IDEAL, PER_CUT, PER_SIZE = range(6)
NO_CUT = 2**31 - 1
TOGETHER = 4  # weights in one pass

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
    types.int64,
    types.int32[::1],
    types.int8[::1],
    types.int64[::1],
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


@intrinsic
def call(typing: Any, address: Any, rank: Any, grade: Any, n: Any, gain: Any, ideal: Any, judged_counts: Any, size: Any, par: Any) -> Any:  # fmt: skip  # noqa: E501
    """Call the compiled fold at an address.

    numba's own first-class functions do the same, but unpickle the signature at every call of the driver: a tenth of a
    millisecond, more than the work.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = ir.FunctionType(
            context.get_value_type(FOLD.return_type), [context.get_value_type(one) for one in FOLD.args]
        )
        return builder.call(builder.inttoptr(args[0], function.as_pointer()), args[1:])

    return FOLD.return_type(types.int64, *FOLD.args), generate


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
def _scale(judged_counts: Any, best: Any, gain: Any, weight: Any, cut: Any, per: Any, scale: Any) -> None:
    """What the lists of each context are divided by; 0 where no document is relevant."""
    for c in range(judged_counts.shape[0]):
        relevant = np.int64(0)
        for k in range(best.shape[0]):
            relevant += judged_counts[c, best[k]]
        value = divisor(per, relevant, cut)
        if per == PER_IDEAL:
            value = 0.0
            r = 0
            for k in range(best.shape[0]):
                for _ in range(judged_counts[c, best[k]]):
                    r += 1
                    if r > cut:
                        break
                    value += gain[best[k]] * weight[r]
        scale[c] = value if relevant > 0 else 0.0


@kernel
def _weigh(rank: Any, grade: Any, start: Any, stop: Any, size: Any, gain: Any, weight: Any, cut: Any, sized: Any, scale: Any, out: Any) -> None:  # fmt: skip  # noqa: E501
    """Four weights in one pass over the hits: `gain` is [grade, 4], `weight` [rank, 4], 0 behind a weight's cut-off."""
    lists = start.shape[0] // scale.shape[1]
    for i in range(start.shape[0]):
        a = start[i]
        n = within(rank, a, stop[i], cut)
        s0 = 0.0
        s1 = 0.0
        s2 = 0.0
        s3 = 0.0
        for j in range(np.uint64(a), np.uint64(a + n)):
            # unsigned: with nothing to count from the end, the compiler takes the four at once
            g = np.uint64(grade[j])
            r = np.uint64(rank[j])
            s0 += gain[g, 0] * weight[r, 0]
            s1 += gain[g, 1] * weight[r, 1]
            s2 += gain[g, 2] * weight[r, 2]
            s3 += gain[g, 3] * weight[r, 3]
        out[0, i] = s0
        if out.shape[0] > 1:
            out[1, i] = s1
        if out.shape[0] > 2:
            out[2, i] = s2
        if out.shape[0] > 3:
            out[3, i] = s3
    for k in range(out.shape[0]):
        for c in range(scale.shape[1]):
            relevant = scale[k, c] > 0.0
            for i in range(c * lists, (c + 1) * lists):
                by = float(min(size[i], sized[k])) if relevant and sized[k] > 0 else scale[k, c]
                out[k, i] = out[k, i] / by if by > 0.0 else 0.0


def _drive(
    fold: Any, rank: Any, grade: Any, start: Any, stop: Any, size: Any, judged_counts: Any, best: Any, gain: Any,
    par: Any, cut: Any, per: Any, flat: Any, empty: Any, ideal: Any, ones: Any, ideal_rank: Any, ideal_grade: Any,
    judged: Any, out: Any,
) -> None:  # fmt: skip
    contexts = judged_counts.shape[0]
    lists = start.shape[0] // contexts
    for c in range(contexts):
        relevant = np.int64(0)
        for k in range(best.shape[0]):
            g = best[k]
            if ideal.shape[0] == 1:  # the measure looks at no ideal list
                relevant += judged_counts[c, g]
                continue
            for _ in range(judged_counts[c, g]):
                ideal_rank[relevant] = relevant + 1
                ideal_grade[relevant] = g
                ideal[relevant + 1] = ideal[relevant] + gain[1 if flat else g]
                relevant += 1
        for r in range(relevant + 1, ideal.shape[0]):
            ideal[r] = ideal[relevant]
        if flat:
            judged[0] = judged_counts[c, 0]
            judged[1] = relevant
        else:
            for g in range(judged.shape[0]):
                judged[g] = judged_counts[c, g]
        scale = divisor(per, relevant, cut)
        if per == PER_IDEAL:
            n = min(relevant, cut)
            grades = ones if flat else ideal_grade
            scale = call(fold, ideal_rank[:n], grades[:n], n, gain, ideal, judged, n, par)
        for i in range(c * lists, (c + 1) * lists):
            value = 0.0
            length = min(size[i], cut)
            if per == PER_SIZE:
                scale = float(length)
            if (relevant > 0 or empty) and scale > 0.0:
                a = start[i]
                n = within(rank, a, stop[i], cut)
                grades = ones[:n] if flat else grade[a : a + n]
                value = call(fold, rank[a : a + n], grades, n, gain, ideal, judged, length, par) / scale
            out[i] = value


@cache
def uses_ideal(fold: Callable[..., float]) -> bool:
    """Whether a fold reads the ideal list's gains: costly where every list has judged counts of its own."""
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


@cache
def address(fold: Callable[..., float]) -> int:
    """Where the compiled fold is; `compiled` keeps it there."""
    found = compiled(fold).get_compile_result(FOLD)
    return int(found.library.get_pointer_to_function(found.fndesc.llvm_cfunc_wrapper_name))


def value(hits: Hits, judged_counts: NDArray[np.int64], recipe: Recipe) -> NDArray[np.float64]:
    """The measure's value of each list; `judged_counts` is [contexts, grades], column 0 the judged nonrelevant."""
    return Batch([recipe]).values(hits, judged_counts)[0]


class Batch:
    """Measures that want the same hits: weights share passes over them, folds have one each."""

    def __init__(self, recipes: Sequence[Recipe]) -> None:
        self.recipes = recipes
        weights = [k for k, recipe in enumerate(recipes) if recipe.weight is not None]
        passes = [weights[first : first + TOGETHER] for first in range(0, len(weights), TOGETHER)]
        self._passes = [(places, _Weights([recipes[k] for k in places])) for places in passes]
        self._folds = [k for k, recipe in enumerate(recipes) if recipe.weight is None]

    def values(self, hits: Hits, judged_counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Values [recipes, lists]; `judged_counts` is [contexts, grades], column 0 the judged nonrelevant."""
        out = np.empty((len(self.recipes), hits.lists))
        for places, weights in self._passes:
            out[places] = weights.values(hits, judged_counts)
        for k in self._folds:
            _folded(hits, judged_counts, self.recipes[k], out[k])
        return out


class _Weights:
    """Up to four weights, their tables interleaved."""

    def __init__(self, recipes: list[Recipe]) -> None:
        self._recipes = [(recipe, recipe.weight) for recipe in recipes if recipe.weight is not None]
        self._weight = np.zeros((max(len(table) for _, table in self._recipes), TOGETHER))
        self._gain = np.zeros((max(len(recipe.gain) for recipe in recipes), TOGETHER))
        self._sized = np.zeros(TOGETHER, dtype=np.int64)
        self._cut = max(recipe.cut for recipe in recipes)
        for k, (recipe, table) in enumerate(self._recipes):
            end = min(len(table), recipe.cut + 1)
            self._weight[:end, k] = table[:end]
            self._gain[: len(recipe.gain), k] = recipe.gain
            self._sized[k] = recipe.cut if recipe.per == PER_SIZE else 0

    def values(self, hits: Hits, judged_counts: NDArray[np.int64]) -> NDArray[np.float64]:
        scale = np.empty((len(self._recipes), len(judged_counts)))
        for k, (recipe, table) in enumerate(self._recipes):
            _scale(judged_counts, recipe.best, recipe.gain, table, recipe.cut, recipe.per, scale[k])
        out = np.empty((len(self._recipes), hits.lists))
        _weigh(
            hits.rank, hits.grade, hits.start, hits.stop, hits.size, self._gain, self._weight, self._cut, self._sized,
            scale, out,
        )  # fmt: skip
        return out


def _folded(hits: Hits, judged_counts: NDArray[np.int64], recipe: Recipe, out: NDArray[np.float64]) -> None:
    assert recipe.fold is not None
    assert recipe.par is not None
    relevant = int(judged_counts[:, recipe.best].sum(axis=1).max(initial=0))
    most = max(relevant, int((hits.stop - hits.start).max(initial=0)))
    longest = max(relevant, int(hits.size.max(initial=0)))
    if recipe.per != PER_IDEAL and not uses_ideal(recipe.fold):
        longest = 0
    driver()(
        address(recipe.fold), hits.rank, hits.grade, hits.start, hits.stop, hits.size, judged_counts, recipe.best,
        recipe.gain, recipe.par, recipe.cut, recipe.per, recipe.flat, recipe.empty,
        np.zeros(longest + 1), np.ones(most, dtype=np.int8), np.empty(relevant, dtype=np.int32),
        np.empty(relevant, dtype=np.int8), np.zeros(2 if recipe.flat else judged_counts.shape[1], dtype=np.int64), out,
    )  # fmt: skip
