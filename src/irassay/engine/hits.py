"""A ranked list is its hits: the rank and grade of the entries that matter.

Makers turn something into hits; measures only ever see hits. Condensing a list is not advancing the rank on
unjudged entries. Lists are topic-major: list `t * systems + s`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.engine.kernel import kernel

POOLED, UNPOOLED = -1, -2  # grades of entries that were pooled but not judged, and that were not pooled


@dataclass(frozen=True)
class Hits:
    """Ranks and grades of the hits of several lists, one list after the other."""

    rank: NDArray[np.int32]
    grade: NDArray[np.int8]
    start: NDArray[np.int64]  # one longer than the lists
    size: NDArray[np.int64]  # entries of each list, unjudged ones left out where condensed

    @property
    def lists(self) -> int:
        return len(self.size)


@kernel
def _plain(codes: Any, offsets: Any, pool: Any, grades: Any, first: Any, last: Any, low: Any, lowest: Any, rank: Any, grade: Any, start: Any, size: Any) -> Any:  # fmt: skip  # noqa: E501
    n = 0
    systems = offsets.shape[1] - 1
    start[0] = 0
    for t in range(first, last):
        base = pool[t]
        for s in range(systems):
            r = 0
            # Written always, kept by moving on: hits come at random, and a wrongly guessed branch costs more.
            for i in range(offsets[t, s], offsets[t, s + 1]):
                g = grades[base + codes[i]]
                listed = g >= lowest
                r += listed
                rank[n] = r
                grade[n] = g
                n += (g >= low) & listed
            position = (t - first) * systems + s
            start[position + 1] = n
            size[position] = r
    return n


def plain(
    codes: NDArray[Any],
    offsets: NDArray[np.int64],
    pool: NDArray[np.int64],
    grades: NDArray[np.int8],
    first: int,
    last: int,
    *,
    low: int,
    condensed: bool,
) -> Hits:
    """Hits of the lists of topics [first, last): the entries whose grade is at least `low`."""
    systems = offsets.shape[1] - 1
    entries = int(offsets[last - 1, systems] - offsets[first, 0]) if last > first else 0
    rank = np.empty(entries + 1, dtype=np.int32)
    grade = np.empty(entries + 1, dtype=np.int8)
    start = np.empty((last - first) * systems + 1, dtype=np.int64)
    size = np.empty((last - first) * systems, dtype=np.int64)
    lowest = 0 if condensed else UNPOOLED
    n = _plain(codes, offsets, pool, grades, first, last, low, lowest, rank, grade, start, size)
    return Hits(rank[:n], grade[:n], start, size)
