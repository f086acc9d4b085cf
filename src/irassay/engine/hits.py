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
def _plain(codes: Any, offsets: Any, pool: Any, grades: Any, first: Any, last: Any, low: Any, rank: Any, judged: Any, grade: Any, start: Any, size: Any, judged_size: Any) -> Any:  # fmt: skip  # noqa: E501
    n = np.uint64(0)
    systems = offsets.shape[1] - 1
    start[0] = 0
    for t in range(first, last):
        of_code = grades[pool[t] : pool[t + 1]]
        for s in range(systems):
            r = np.int32(0)
            seen = np.int32(0)
            # Written always, kept by moving on: hits come at random, and a wrongly guessed branch costs more.
            for i in range(offsets[t, s], offsets[t, s + 1]):
                g = of_code[codes[i]]
                r += np.int32(1)
                seen += np.int32(g >= 0)
                rank[n] = r
                judged[n] = seen
                grade[n] = g
                n += np.uint64(g >= low)
            position = (t - first) * systems + s
            start[position + 1] = n
            size[position] = r
            judged_size[position] = seen
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
) -> tuple[Hits, Hits]:
    """Hits of the lists of topics [first, last), whole and condensed: the entries whose grade is at least `low`.

    Condensed lists have the same hits at other ranks, so one pass makes both.
    """
    systems = offsets.shape[1] - 1
    lists = (last - first) * systems
    entries = int(offsets[last - 1, systems] - offsets[first, 0]) if last > first else 0
    rank, judged = np.empty(entries + 1, dtype=np.int32), np.empty(entries + 1, dtype=np.int32)
    grade = np.empty(entries + 1, dtype=np.int8)
    start = np.empty(lists + 1, dtype=np.int64)
    size, judged_size = np.empty(lists, dtype=np.int64), np.empty(lists, dtype=np.int64)
    n = int(_plain(codes, offsets, pool, grades, first, last, low, rank, judged, grade, start, size, judged_size))
    return Hits(rank[:n], grade[:n], start, size), Hits(judged[:n], grade[:n], start, judged_size)
