"""A ranked list is its hits: the rank and grade of the entries that matter.

Makers turn something into hits; measures only ever see hits. Condensing a list is not advancing the rank on
unjudged entries. Lists are topic-major: list `t * systems + s`.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import kernels


@dataclass(frozen=True)
class Hits:
    """Ranks and grades of the hits of several lists, one list after the other."""

    rank: NDArray[np.int32]
    grade: NDArray[np.int8]
    start: NDArray[np.int64]  # one longer than the lists without `stop`
    size: NDArray[np.int64]  # entries of each list, unjudged ones left out where condensed
    stop: NDArray[np.int64] = field(default=None)  # type: ignore[arg-type]  # where lists lie apart
    counts: NDArray[np.int64] | None = None  # hits of each list, where only the first one is written down

    def __post_init__(self) -> None:
        if self.stop is None:
            object.__setattr__(self, "stop", self.start[1:])
            object.__setattr__(self, "start", self.start[:-1])

    @property
    def lists(self) -> int:
        return len(self.size)


def hit_kernels() -> Any:
    return kernels("irassay.scoring._hits", plain="irassay.scoring.plain_hits")


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
        hit_kernels().find(
            codes, offsets, pool, grades, first, last, least, low, place, rank, judged, grade, start, size, judged_size
        )
    )
    whole = Hits(rank[:n], grade[:n], start, size)
    return whole, Hits(judged[:n], grade[:n], start, judged_size) if condensed else None


def narrowed(hits: Hits, low: int) -> Hits:
    """Only the hits whose grade is at least `low`."""
    total = int((hits.stop - hits.start).sum())
    rank, grade = np.empty(total + 1, dtype=np.int32), np.empty(total + 1, dtype=np.int8)
    start = np.empty(hits.lists + 1, dtype=np.int64)
    n = int(hit_kernels().narrow(hits.rank, hits.grade, hits.start, hits.stop, low, rank, grade, start))
    return Hits(rank[:n], grade[:n], start, hits.size)
