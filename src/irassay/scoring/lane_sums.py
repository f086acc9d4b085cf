"""Measures of 32 images that need no list of hits: carried on, in all images at once, while a list is gone down.

Weights are sums over hits: the copies of one, behind rank a up to rank b, add what the weights behind a add up to less
those behind b. So is a fold of which each hit adds a[rank] + b[rank] * (hits above), as AP's does. A fold that looks
at the first hit only gets no more than that. All others need the hits written down (lanes.py).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.measures.core.param import TOP_GRADE
from irassay.scoring import fold
from irassay.scoring._plain_rows import COLUMNS
from irassay.scoring.fold_shapes import counted_terms, first_hit_only, values_by_first_rank
from irassay.scoring.recipes import PER_IDEAL, PER_SIZE, Recipe, rest_of

Array = NDArray[np.float64]
# Longer lists have their hits written down: differences of such sums would lose digits that 1e-12 needs.
LONGEST, LONGEST_COUNTED = 1 << 16, 1 << 12
NOTHING = np.zeros(0)
ROUNDED = 1e-15
LEVELS = TOP_GRADE + 1
LINE = 64  # bytes that a processor loads at once


def aligned(*shape: int) -> Array:
    """Zeros that begin where a line of the cache does: vectors that lie in two lines take twice as long to load."""
    count = int(np.prod(shape))
    raw = np.zeros(count + LINE // 8)
    first = -raw.ctypes.data % LINE // 8
    return raw[first : first + count].reshape(shape)


class LaneSums:
    """The measures of one view that go without lists of hits, for lists up to a length."""

    def __init__(self, wanted: Sequence[tuple[int, int, Recipe]], length: int, low: int) -> None:
        """`wanted`: place in the output, lowest relevant grade and recipe of each measure; `listed`: the others'.

        `low` is the lowest grade that a hit has.
        """
        self.length = length
        self.listed: set[int] = set()
        self.summed: list[tuple[int, int, Recipe]] = []
        self.kept: list[tuple[int, int, Recipe]] = []  # whose folds take the first hits
        ways: list[_Way] = []
        for place, rel, recipe in wanted:
            way = _way(recipe, length, low)
            if way is not None:
                self.summed.append((place, rel, recipe))
                ways.append(way)
            elif recipe.fold is not None and not fold.interpreted(recipe.fold) and first_hit_only(recipe.fold):
                self.kept.append((place, rel, recipe))
            else:
                self.listed.add(place)
        self.places = np.array([place for place, _, _ in self.summed], dtype=np.int64)
        sized = [recipe.cut if recipe.per == PER_SIZE else 0 for _, _, recipe in self.summed]
        self.sized = np.array(sized, dtype=np.int64)

        kept = sorted({min(recipe.cut, length) for _, _, recipe in self.kept})
        self.kept_cuts = len(kept)
        noted = {way.end for way in ways if way.times != 0.0 or way.by_first is not None}
        cuts = [*kept, *sorted(noted - set(kept))] or [0]
        self.cuts = np.array(cuts, dtype=np.int32)
        self.times = np.array([way.times for way in ways], dtype=np.float64)
        self.counter = np.array([cuts.index(way.end) if way.end in noted else 0 for way in ways], dtype=np.int64)
        by_first = [way.by_first for way in ways if way.by_first is not None]
        self.by_first = np.zeros((len(by_first), length + 1))
        for k, values in enumerate(by_first):
            self.by_first[k, : len(values)] = values
        has_first = np.array([way.by_first is not None for way in ways], dtype=np.int64)
        self.first = np.where(has_first > 0, np.cumsum(has_first) - 1, -1)

        tables = [terms for way in ways for terms in way.columns]
        self.columns = np.array([len(way.columns) for way in ways], dtype=np.int64)
        self.column = np.cumsum(self.columns) - self.columns
        passes = -(-len(tables) // COLUMNS)
        self.table, self.gain = aligned(passes, (length + 1) * COLUMNS), aligned(passes, LEVELS * COLUMNS)
        self.counted = aligned(passes, COLUMNS)
        for k, terms in enumerate(tables):
            here, number = divmod(k, COLUMNS)
            rest = rest_of(np.append(0.0, terms.by_rank), len(terms.by_rank))
            self.table[here, number : len(rest) * COLUMNS : COLUMNS] = rest
            self.gain[here, number : len(terms.gain) * COLUMNS : COLUMNS] = terms.gain
            self.counted[here, number] = terms.counted

    @property
    def any(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.summed or self.kept)


class _Terms(NamedTuple):
    """What each hit adds to a measure: by its rank, from 1 to the last that counts, times its gain or the lead."""

    by_rank: Array
    gain: Array
    counted: float  # 1: times the lead

    def of_any(self, low: int) -> float:
        """What it is for every hit, from grade `low` on, at any rank: their number will do. 0 where they differ."""
        gains = self.gain[low:] if low >= 0 else NOTHING
        if self.counted or not len(self.by_rank) or not len(gains) or np.ptp(gains) > 0.0:
            return 0.0
        one = float(self.by_rank[0])
        return one * float(gains[0]) if np.abs(self.by_rank - one).max() <= ROUNDED * abs(one) else 0.0


class _Way(NamedTuple):
    """How a measure is carried on, up to rank `end`."""

    end: int
    columns: Sequence[_Terms] = ()
    times: float = 0.0  # of the number of hits
    by_first: Array | None = None  # by the rank of the first hit


def _way(recipe: Recipe, length: int, low: int) -> _Way | None:
    """None for a measure that is no sum over its hits, and needs more of the first one than its rank."""
    end = min(recipe.cut, length)
    if recipe.weight is not None:
        if length > LONGEST:
            return None
        end = min(end, len(recipe.weight) - 1)
        parts = [_Terms(recipe.weight[1 : end + 1], recipe.gain, 0.0)]
    else:
        assert recipe.fold is not None
        if end > LONGEST_COUNTED or recipe.per == PER_IDEAL or recipe.empty or fold.interpreted(recipe.fold):
            return None
        by_first = values_by_first_rank(recipe.fold, end)
        if by_first is not None:
            return _Way(end, by_first=by_first)
        terms = counted_terms(recipe.fold, end)
        if terms is None:
            return None
        # The copies of a hit count each other: of c hits above the first, at rank p + 1, the one at rank r has
        # c + r - p - 1 above it. What depends on r alone is one column, the other is times c - p, the lead.
        alone, by_hits = terms
        alone = alone + np.arange(end) * by_hits
        parts = [_Terms(alone, np.ones(LEVELS), 0.0), _Terms(by_hits, np.zeros(LEVELS), 1.0)]
    counts = [part.of_any(low) for part in parts]
    return _Way(end, [part for part, count in zip(parts, counts, strict=True) if count == 0.0], sum(counts))
