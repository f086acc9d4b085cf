"""A ranked list is its hits: the rank and grade of the entries that matter.

Makers turn something into hits; measures only ever see hits. Condensing a list is not advancing the rank on
unjudged entries. Lists are topic-major: list `t * systems + s`.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.kernel import kernel


@dataclass(frozen=True)
class Hits:
    """Ranks and grades of the hits of several lists, one list after the other."""

    rank: NDArray[np.int32]
    grade: NDArray[np.int8]
    start: NDArray[np.int64]  # one longer than the lists without `stop`
    size: NDArray[np.int64]  # entries of each list, unjudged ones left out where condensed
    stop: NDArray[np.int64] = field(default=None)  # type: ignore[arg-type]  # where lists lie apart

    def __post_init__(self) -> None:
        if self.stop is None:
            object.__setattr__(self, "stop", self.start[1:])
            object.__setattr__(self, "start", self.start[:-1])

    @property
    def lists(self) -> int:
        return len(self.size)


@kernel
def _plain(codes, offsets, pool, grades, first, last, least, low, place, rank, judged, grade, start, size, judged_size):
    n = np.uint64(0)
    systems = offsets.shape[1] - 1
    start[0] = 0
    for t in range(first, last):
        of_code = grades[pool[t] : pool[t + 1]]
        for s in range(systems):
            codes_here = codes[offsets[t, s] : offsets[t, s + 1]]
            length = np.int32(codes_here.shape[0])
            candidates = np.uint64(0)
            # Written always, kept by moving on: hits come at random, and a wrongly guessed branch costs more.
            for i in range(length):
                place[candidates] = i
                candidates += np.uint64(of_code[codes_here[i]] >= least)
            seen = np.int32(0)
            for k in range(np.int64(candidates)):
                i = place[k]
                g = of_code[codes_here[i]]
                seen += np.int32(g >= 0)
                rank[n] = i + np.int32(1)
                judged[n] = seen
                grade[n] = g
                n += np.uint64(g >= low)
            position = (t - first) * systems + s
            start[position + 1] = n
            size[position] = length
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
    condensed: bool = True,
) -> tuple[Hits, Hits | None]:
    """Hits of the lists of topics [first, last), whole and condensed: the entries whose grade is at least `low`.

    Condensed lists have the same hits at other ranks, so one pass makes both; it is faster without them.
    """
    systems = offsets.shape[1] - 1
    lists = (last - first) * systems
    entries = int(offsets[last - 1, systems] - offsets[first, 0]) if last > first else 0
    place = np.empty(int(np.diff(offsets[first:last], axis=1).max(initial=0)) + 1, dtype=np.int32)
    # one more: what is not kept is written too
    rank, judged = np.empty((2, entries + 1), dtype=np.int32)
    grade = np.empty(entries + 1, dtype=np.int8)
    start = np.empty(lists + 1, dtype=np.int64)
    size, judged_size = np.empty((2, lists), dtype=np.int64)
    least = min(low, 0) if condensed else low
    n = int(
        _plain(
            codes, offsets, pool, grades, first, last, least, low, place, rank, judged, grade, start, size, judged_size
        )
    )
    whole = Hits(rank[:n], grade[:n], start, size)
    return whole, Hits(judged[:n], grade[:n], start, judged_size) if condensed else None


@kernel
def _narrow(rank, grade, start, stop, low, kept_rank, kept_grade, first):
    n = np.uint64(0)
    first[0] = 0
    for i in range(start.shape[0]):
        for j in range(start[i], stop[i]):
            kept_rank[n] = rank[j]
            kept_grade[n] = grade[j]
            n += np.uint64(grade[j] >= low)
        first[i + 1] = n
    return n


def narrowed(hits: Hits, low: int) -> Hits:
    """Only the hits whose grade is at least `low`."""
    total = int((hits.stop - hits.start).sum())
    rank, grade = np.empty(total + 1, dtype=np.int32), np.empty(total + 1, dtype=np.int8)
    start = np.empty(hits.lists + 1, dtype=np.int64)
    n = int(_narrow(hits.rank, hits.grade, hits.start, hits.stop, low, rank, grade, start))
    return Hits(rank[:n], grade[:n], start, hits.size)
