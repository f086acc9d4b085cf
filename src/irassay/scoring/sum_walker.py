"""Carries measures that are sums over hits on, while the lists of a topic are gone down in 32 images."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from irassay.scoring import fold
from irassay.scoring._folds import divisors
from irassay.scoring._lane_sums import measure_lists, turn_values, walk_sums
from irassay.scoring._plain_rows import COLUMNS
from irassay.scoring.hits import Hits
from irassay.scoring.lane_sums import NOTHING, LaneSums, aligned
from irassay.scoring.lanes import LANES, Lists, Walker

Array = NDArray[np.float64]


class _Scratch(NamedTuple):
    """What one thread writes to for one `LaneSums`."""

    sums: Array
    scale: Array
    values: Array
    noted: NDArray[np.int32]
    noting: NDArray[np.bool_]
    kept: NDArray[np.int32]
    size: NDArray[np.int64]

    @classmethod
    def of(cls, sums: LaneSums, systems: int) -> Self:
        summed, cuts = len(sums.summed), len(sums.cuts)
        return cls(
            aligned(len(sums.table), LANES * COLUMNS),
            np.empty((summed, LANES)),
            np.empty((summed, systems, LANES)),
            aligned(cuts, 3, LANES // 2).view(np.int32),
            np.empty(cuts, dtype=np.bool_),
            np.empty((sums.kept_cuts, 3, systems, LANES), dtype=np.int32),
            np.empty((systems, LANES), dtype=np.int64),
        )


class SumWalker(Walker):
    """Scratch space of one thread."""

    def __init__(self, systems: int) -> None:
        super().__init__(systems)
        # in lines of their own, which no other thread writes to
        self._ranks, self._fill, self._limit, self._before, self._after = aligned(5, LANES // 2).view(np.int32)
        self._lead = aligned(LANES)
        self._scratch: dict[LaneSums, _Scratch] = {}

    def sizes(self, lists: Lists, topic: int, advance: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The sizes of one topic's lists, list `lane * systems + s`."""
        size = np.empty(self._systems * LANES, dtype=np.int64)
        measure_lists(lists.codes, lists.offsets[topic], advance, self._ranks, size)
        return size

    def values(
        self,
        sums: LaneSums,
        lists: Lists,
        topic: int,
        advance: NDArray[np.uint8],
        hit: NDArray[np.uint8],
        grades: NDArray[np.int8],
        limits: NDArray[np.int64],
        judged_counts: Mapping[int, NDArray[np.int64]],
        out: Array,
    ) -> int:
        """Fills the places of `out` [measures, 32, systems] that `sums` has; `judged_counts` [32, grades] by `rel`.

        Returns the longest size: of lists longer than `sums` is for the values are wrong.
        """
        if sums not in self._scratch:
            self._scratch[sums] = _Scratch.of(sums, self._systems)
        own = self._scratch[sums]
        for k, (_, rel, recipe) in enumerate(sums.summed):
            weight = NOTHING if recipe.weight is None else recipe.weight
            divisors(judged_counts[rel], recipe.best, recipe.gain, weight, recipe.cut, recipe.per, own.scale[k])
        longest = walk_sums(
            lists.codes,
            lists.offsets[topic],
            lists.at,
            lists.start[topic],
            advance,
            hit,
            grades,
            sums.length,
            limits,
            self._ranks,
            self._fill,
            self._limit,
            self._before,
            self._after,
            self._lead,
            sums.table,
            sums.gain,
            sums.counted,
            own.sums,
            sums.column,
            sums.columns,
            sums.times,
            sums.counter,
            sums.by_first,
            sums.first,
            own.scale,
            sums.sized,
            own.values,
            sums.cuts,
            own.noted,
            own.noting,
            own.kept,
            own.size,
        )
        turn_values(own.values, sums.places, out)
        if sums.kept:
            self._apply_kept(sums, own, judged_counts, out)
        return int(longest)

    def _apply_kept(
        self, sums: LaneSums, own: _Scratch, judged_counts: Mapping[int, NDArray[np.int64]], out: Array
    ) -> None:
        """The folds that take the first hits, which are the hits of all lists here."""
        start, size = np.arange(own.size.size + 1), _by_lane(own.size)
        by_cut = {}
        for k in range(sums.kept_cuts):
            rank, grade, counts = (_by_lane(rows) for rows in own.kept[k])
            by_cut[int(sums.cuts[k])] = Hits(rank, grade.astype(np.int8), start, size, counts=counts.astype(np.int64))
        for place, rel, recipe in sums.kept:
            fold.apply_fold(by_cut[min(recipe.cut, sums.length)], judged_counts[rel], recipe, out[place].reshape(-1))


def _by_lane(rows: NDArray[Any]) -> NDArray[Any]:
    """[list, lane] to list `lane * systems + s`."""
    return np.ascontiguousarray(rows.T).reshape(-1)
