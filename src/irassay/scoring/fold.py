"""From hits to numbers: weights and folds of many measures at once."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import compiled as are_compiled
from irassay.compute.compilation import kernels
from irassay.scoring.hits import Hits
from irassay.scoring.recipes import PER_IDEAL, PER_SIZE, Recipe

TOGETHER = 4  # weights in one pass
OWN = "irassay.measures."  # the modules of the measures that come with irassay


@cache
def driver() -> Any:
    from irassay.compute.kernel import kernel
    from irassay.scoring import _folds

    return kernel(_folds.drive, signature=_folds.DRIVER)


@cache
def compiled(fold: Callable[..., float]) -> Any:
    """The fold as the driver takes it: its address, or the function itself where all is plain."""
    from irassay.compute.kernel import PLAIN

    function = _function(fold)
    return function if PLAIN else function.address


@cache
def _function(fold: Callable[..., float]) -> Any:
    from irassay.compute.kernel import callback
    from irassay.scoring import _folds

    # kept here, because machine code goes with the last reference to it
    return callback(fold, _folds.FOLD)


def interpreted(fold: Callable[..., float]) -> bool:
    """Whether a fold is not compiled; a user's own always is, so that it works or fails whatever the lists' number."""
    return (fold.__module__ or "").startswith(OWN) and not are_compiled()


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
            apply_fold(hits, judged_counts, self.recipes[k], out[k])
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
        folds = kernels("irassay.scoring._folds", plain="irassay.scoring.plain_folds")
        scale = np.empty((len(self._recipes), len(judged_counts)))
        for k, (recipe, table) in enumerate(self._recipes):
            folds.divisors(judged_counts, recipe.best, recipe.gain, table, recipe.cut, recipe.per, scale[k])
        out = np.empty((len(self._recipes), hits.lists))
        folds.weigh(
            hits.rank,
            hits.grade,
            hits.start,
            hits.stop,
            hits.size,
            self._gain,
            self._weight,
            self._cut,
            self._sized,
            scale,
            out,
        )
        return out


def apply_fold(hits: Hits, judged_counts: NDArray[np.int64], recipe: Recipe, out: NDArray[np.float64]) -> None:
    """Fills `out` with the fold's value of each list."""
    assert recipe.fold is not None
    if interpreted(recipe.fold):
        from irassay.scoring import plain_folds

        plain_folds.drive(hits, judged_counts, recipe, out)
        return
    relevant = int(judged_counts[:, recipe.best].sum(axis=1).max(initial=0))
    most = max(relevant, int((hits.stop - hits.start).max(initial=0)))
    longest = max(relevant, int(hits.size.max(initial=0)))
    ideal_read = recipe.ideal or recipe.per == PER_IDEAL
    driver()(
        compiled(recipe.fold),
        hits.rank,
        hits.grade,
        hits.start,
        hits.stop,
        np.empty(0, dtype=np.int64) if hits.counts is None else hits.counts,
        hits.size,
        judged_counts,
        recipe.best,
        recipe.gain,
        recipe.par,
        recipe.cut,
        recipe.per,
        recipe.flat,
        recipe.empty,
        ideal_read,
        # a fold that reads what it did not declare gives nan, never something that lies next in memory
        np.zeros(longest + 1) if ideal_read else np.full(longest + 1, np.nan),
        np.ones(most, dtype=np.int8),
        np.empty(relevant, dtype=np.int32),
        np.empty(relevant, dtype=np.int8),
        np.zeros(2 if recipe.flat else judged_counts.shape[1], dtype=np.int64),
        out,
    )
