"""Measures of 32 images that need no list of hits: carried on, in all images at once, while a list is gone down.

Weights are sums over hits: the copies of one, behind rank a up to rank b, add what the weights behind a add up to less
those behind b. So is a fold of which each hit adds a[rank] + b[rank] * (hits above), as AP's does. A fold that looks
at the first hit only gets no more than that. All others need the hits written down (lanes.py).
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from irassay.compute.kernel import PLAIN, kernel
from irassay.scoring import fold
from irassay.scoring._folds import divisors
from irassay.scoring._plain_rows import COLUMNS
from irassay.scoring.fold_shapes import counted_terms, first_hit_only
from irassay.scoring.hits import Hits
from irassay.scoring.lanes import LANES, Lists, Walker
from irassay.scoring.recipes import PER_IDEAL, PER_SIZE, Recipe, rest_of

if PLAIN:
    from irassay.scoring._plain_rows import add_rows, note_first, place_row, weigh_row
else:
    from irassay.scoring._row_intrinsics import add_rows, note_first, place_row, weigh_row

Array = NDArray[np.float64]
# Longer lists have their hits written down: differences of such sums would lose digits that 1e-12 needs.
LONGEST, LONGEST_COUNTED = 1 << 16, 1 << 12
NOTHING = np.zeros(0)
LINE = 64  # bytes that a processor loads at once


@kernel
def walk_sums(
    codes, bounds, at, starts, advance, hit, grades, length, limits, ranks, hits, limit, before, after, lead,
    table, gain, counted, sums, column, columns, scale, sized, values, cuts, first_row, first_rank, first_grade,
    first_hits, size,
):  # fmt: skip
    """Values and first hits of one topic's lists in 32 images, list `lane * systems + s`; returns the longest size.

    Lists end at rank `length`, and at their own of `limits` where there are such; `size` is what is left of them.
    Tables are [pass, rank or grade, 8]. A measure is what is in its columns, counted over all passes, over the divisor
    of the lane or the size of the list. What is kept of first hits is [cut, list].
    """
    systems = bounds.shape[0] - 1
    longest = np.int32(0)
    for s in range(systems):
        sums[:] = 0.0
        first_row[:] = 0
        for lane in range(LANES):
            ranks[lane] = 0
            hits[lane] = 0
            own = length if limits.shape[0] == 0 else limits[lane * systems + s]
            limit[lane] = min(own, length)
        i = bounds[s]
        for h in range(starts[s], starts[s + 1]):
            add_rows(ranks, codes, i, at[h], advance)
            i = at[h] + 1
            c = np.int64(codes[at[h]])
            g = np.int64(grades[c])
            place_row(ranks, hits, advance, hit, c * LANES, limit, before, after, lead)
            for k in range(table.shape[0]):
                weigh_row(before, after, lead, g, table[k], gain[k], counted[k], sums[k])
            for k in range(cuts.shape[0]):
                row = first_row[k]
                note_first(before, after, cuts[k], np.int32(g), row[0], row[1], row[2])
        add_rows(ranks, codes, i, bounds[s + 1], advance)
        for lane in range(LANES):
            longest = max(longest, ranks[lane])
            size[lane * systems + s] = min(ranks[lane], limit[lane])
            for k in range(cuts.shape[0]):
                first_rank[k, lane * systems + s] = first_row[k, 0, lane]
                first_grade[k, lane * systems + s] = first_row[k, 1, lane]
                first_hits[k, lane * systems + s] = first_row[k, 2, lane]
        for m in range(values.shape[0]):
            here = sums[column[m] // COLUMNS]
            first = column[m] % COLUMNS
            for lane in range(LANES):
                value = here[lane * COLUMNS + first]
                for k in range(1, columns[m]):
                    value += here[lane * COLUMNS + first + k]
                by = scale[m, lane]
                if by > 0.0 and sized[m] > 0:
                    by = float(min(size[lane * systems + s], sized[m]))
                values[m, lane * systems + s] = value / by if by > 0.0 else 0.0
    return longest


@kernel
def measure_lists(codes, bounds, advance, ranks, size):
    """The sizes of one topic's lists, list `lane * systems + s`."""
    systems = bounds.shape[0] - 1
    for s in range(systems):
        ranks[:] = 0
        add_rows(ranks, codes, bounds[s], bounds[s + 1], advance)
        for lane in range(LANES):
            size[lane * systems + s] = ranks[lane]


def aligned(*shape: int) -> Array:
    """Zeros that begin where a line of the cache does: vectors that lie in two lines take twice as long to load."""
    count = int(np.prod(shape))
    raw = np.zeros(count + LINE // 8)
    first = -raw.ctypes.data % LINE // 8
    return raw[first : first + count].reshape(shape)


class LaneSums:
    """The measures of one view that go without lists of hits, for lists up to a length."""

    def __init__(self, wanted: Sequence[tuple[int, int, Recipe]], length: int) -> None:
        """`wanted`: place in the output, lowest relevant grade and recipe of each measure; `listed`: the others'."""
        self.length = length
        self.listed: set[int] = set()
        self.summed: list[tuple[int, int, Recipe]] = []
        self.first: list[tuple[int, int, Recipe]] = []
        tables: list[tuple[Array, Array, float]] = []
        column, columns = [], []
        for place, rel, recipe in wanted:
            parts = _tables(recipe, length)
            if parts is not None:
                if len(tables) % COLUMNS + len(parts) > COLUMNS:  # those of a measure are in one pass
                    tables.append((np.zeros(1), np.zeros(1), 0.0))
                self.summed.append((place, rel, recipe))
                column.append(len(tables))
                columns.append(len(parts))
                tables += parts
            elif recipe.fold is not None and not fold.interpreted(recipe.fold) and first_hit_only(recipe.fold):
                self.first.append((place, rel, recipe))
            else:
                self.listed.add(place)
        self.column, self.columns = np.array(column, dtype=np.int64), np.array(columns, dtype=np.int64)
        sized = [recipe.cut if recipe.per == PER_SIZE else 0 for _, _, recipe in self.summed]
        self.sized = np.array(sized, dtype=np.int64)
        self.cuts = np.array(sorted({recipe.cut for _, _, recipe in self.first}), dtype=np.int32)
        passes = -(-len(tables) // COLUMNS)
        width = max((len(gain) for _, gain, _ in tables), default=1)
        self.table, self.gain = aligned(passes, (length + 1) * COLUMNS), aligned(passes, width * COLUMNS)
        self.counted = aligned(passes, COLUMNS)
        for k, (by_rank, by_grade, counts) in enumerate(tables):
            here, number = divmod(k, COLUMNS)
            self.table[here, number : len(by_rank) * COLUMNS : COLUMNS] = by_rank
            self.gain[here, number : len(by_grade) * COLUMNS : COLUMNS] = by_grade
            self.counted[here, number] = counts

    @property
    def any(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.summed or self.first)


def _tables(recipe: Recipe, length: int) -> list[tuple[Array, Array, float]] | None:
    """The columns of a measure that is a sum over its hits: table by rank, gain by grade, whether hits above count."""
    if recipe.weight is not None:
        if length > LONGEST:
            return None
        return [(rest_of(recipe.weight, min(recipe.cut, length, len(recipe.weight) - 1)), recipe.gain, 0.0)]
    assert recipe.fold is not None
    end = min(recipe.cut, length)
    if end > LONGEST_COUNTED or recipe.per == PER_IDEAL or recipe.empty or fold.interpreted(recipe.fold):
        return None
    terms = counted_terms(recipe.fold, end)
    if terms is None:
        return None
    # The copies of a hit count each other: of c hits above the first, at rank p + 1, the one at rank r has
    # c + r - p - 1 above it. What depends on r alone is one column, the other is times c - p, the lead.
    alone, by_hits = (np.append(0.0, term) for term in terms)
    alone = alone + (np.arange(end + 1) - 1.0) * by_hits
    return [(rest_of(alone, end), np.ones(len(recipe.gain)), 0.0), (rest_of(by_hits, end), np.zeros(1), 1.0)]


class SumWalker(Walker):
    """Scratch space of one thread."""

    def __init__(self, systems: int) -> None:
        super().__init__(systems)
        # in lines of their own, which no other thread writes to
        self._ranks, self._fill, self._limit, self._before, self._after = aligned(5, LANES // 2).view(np.int32)
        self._lead, self._sums = aligned(LANES), aligned(0, 0)

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
        passes, cuts, count = len(sums.table), len(sums.cuts), self._systems * LANES
        if len(self._sums) < passes:
            self._sums = aligned(passes, LANES * COLUMNS)
        values, scale = np.empty((len(sums.summed), count)), np.empty((len(sums.summed), LANES))
        for k, (_, rel, recipe) in enumerate(sums.summed):
            weight = NOTHING if recipe.weight is None else recipe.weight
            divisors(judged_counts[rel], recipe.best, recipe.gain, weight, recipe.cut, recipe.per, scale[k])
        first_rank, first_grade = np.empty((cuts, count), dtype=np.int32), np.empty((cuts, count), dtype=np.int8)
        first_hits, size = np.empty((cuts, count), dtype=np.int64), np.empty(count, dtype=np.int64)
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
            self._sums[:passes],
            sums.column,
            sums.columns,
            scale,
            sums.sized,
            values,
            sums.cuts,
            aligned(cuts, 3, LANES // 2).view(np.int32),
            first_rank,
            first_grade,
            first_hits,
            size,
        )
        for k, (place, _, _) in enumerate(sums.summed):
            out[place] = values[k].reshape(LANES, self._systems)
        for place, rel, recipe in sums.first:
            k = int(np.searchsorted(sums.cuts, recipe.cut))
            hits = Hits(first_rank[k], first_grade[k], np.arange(count + 1), size, counts=first_hits[k])
            fold.apply_fold(hits, judged_counts[rel], recipe, out[place].reshape(-1))
        return int(longest)
