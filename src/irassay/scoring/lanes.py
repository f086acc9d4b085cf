"""Hits of the lists of one topic in 32 images at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.scoring import _lanes
from irassay.scoring._plain_rows import LANES, SHORT
from irassay.scoring.hits import Hits

__all__ = ["LANES", "SHORT", "Lists", "Walker"]


@dataclass(frozen=True)
class Lists:
    """The lists of some systems for one way to look at them, topic-major: what of a panel images need."""

    codes: NDArray[Any]  # into the topic's pool
    offsets: NDArray[np.int64]  # [topics, systems + 1]
    at: NDArray[np.int64]  # where in `codes` the hits are
    code: NDArray[Any]  # codes of the hits
    start: NDArray[np.int64]  # [topics, systems + 1] into the hits


class Walker:
    """Scratch space of one thread."""

    def __init__(self, systems: int) -> None:
        self._ranks = np.empty(LANES, dtype=np.int32)
        self._fill = np.empty(LANES, dtype=np.int32)
        self._systems = systems
        self._rank = np.empty(0, dtype=np.int32)
        self._grade = np.empty(0, dtype=np.int8)

    def hits(
        self, lists: Lists, topic: int, advance: NDArray[np.uint8], hit: NDArray[np.uint8], grades: NDArray[np.int8]
    ) -> Hits:
        """Hits of one topic's lists, valid until the next call."""
        starts = lists.start[topic]
        _lanes.count_hits(lists.code, starts[0], starts[-1], hit, self._ranks)
        needed = LANES * (int(self._ranks.max(initial=0)) + SHORT)
        if needed >= 2**31:
            raise OverflowError("the lists of a topic have more hits than can be counted")
        if len(self._rank) < needed:
            self._rank = np.empty(needed + needed // 4 // LANES * LANES, dtype=np.int32)
            self._grade = np.empty(len(self._rank), dtype=np.int8)
        start, stop, size = np.empty((3, LANES * self._systems), dtype=np.int64)
        _lanes.walk(
            lists.codes,
            lists.offsets[topic],
            lists.at,
            starts,
            advance,
            hit,
            grades,
            self._ranks,
            self._fill,
            self._rank,
            self._grade,
            start,
            stop,
            size,
        )
        return Hits(self._rank, self._grade, start, size, stop)

    def condensed_limits(
        self,
        codes: NDArray[Any],
        first: NDArray[np.int64],
        last: NDArray[np.int64],
        copies: NDArray[np.uint8],
        judged: NDArray[np.uint8],
        grades: NDArray[np.int8],
        depth: int,
        size: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """How many entries of condensed lists of these sizes stand in the first `depth` positions of the whole ones."""
        limit = size.copy()
        _lanes.judged_within(codes, first, last, copies, judged, grades, depth, self._ranks, limit)
        return limit
