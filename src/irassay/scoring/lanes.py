"""Hits of the lists of one topic in 32 images at a time: one load brings a document's multiplicities in all of them.

Rows of multiplicities are [entry, lane], flat. Documents that are no hits only add to the ranks, all lanes at once;
copies of a hit stand next to each other, one hit each.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.instructions import prefetch
from irassay.compute.kernel import PLAIN, kernel
from irassay.scoring._plain_rows import LANES, SHORT
from irassay.scoring.hits import Hits

if PLAIN:
    from irassay.scoring._plain_rows import add_rows, any_count_above, copy_row, put_four, take_off
else:
    from irassay.scoring._row_intrinsics import add_rows, any_count_above, copy_row, put_four, take_off

__all__ = ["LANES", "SHORT", "Lists", "Walker", "count_hits", "count_judged", "cut", "mark", "of_topic", "pool_of"]
AHEAD = 24  # rows asked for before they are needed


@kernel
def of_topic(rows, document, out):
    """The multiplicities of a topic's pool [entries, images], one row after the other."""
    entries = document.shape[0]
    for e in range(entries):
        if e + AHEAD < entries:
            prefetch(rows, np.int64(document[e + AHEAD]) * LANES)
        copy_row(out, e * LANES, rows, np.int64(document[e]) * LANES)


@kernel
def mark(codes, offsets, systems, topic, grades, low, least, keep, at, code, bounds, start):
    """Entries whose grade is at least `least` go to `keep`, those at least `low` are hits; returns both counts so far.

    `bounds` and `start` are the rows of this topic, their first cells filled in.
    """
    n, hits = bounds[0], start[0]
    for k in range(systems.shape[0]):
        for i in range(offsets[topic, systems[k]], offsets[topic, systems[k] + 1]):
            c = codes[i]
            if grades[c] >= least:
                if grades[c] >= low:
                    at[hits] = n
                    code[hits] = c
                    hits += 1
                keep[n] = c
                n += 1
        bounds[k + 1] = n
        start[k + 1] = hits
    return n, hits


@kernel
def count_hits(code, first, last, hit, sums):
    """How many hits each image will have."""
    sums[:] = 0
    add_rows(sums, code, first, last, hit)


@kernel
def walk(codes, bounds, at, starts, advance, hit, grades, ranks, fill, rank, grade, start, stop, size):
    """Hits of one topic's lists in 32 images, image-major: list `lane * systems + s`.

    `advance` and `hit` are rows of multiplicities: entries that stand in the list, and copies that are hits (all of an
    entry's, or none). `rank` and `grade` hold an equal part for each lane, long enough for its hits and `SHORT` more.
    """
    systems = bounds.shape[0] - 1
    part = rank.shape[0] // LANES
    for lane in range(LANES):
        fill[lane] = lane * part
    for s in range(systems):
        for lane in range(LANES):
            ranks[lane] = 0
            start[lane * systems + s] = fill[lane]
        i = bounds[s]
        for h in range(starts[s], starts[s + 1]):
            add_rows(ranks, codes, i, at[h], advance)
            i = at[h] + 1
            c = np.int64(codes[at[h]])
            g = grades[c]
            if any_count_above(hit, c * LANES):
                for lane in range(LANES):
                    for k in range(SHORT, np.int64(hit[c * LANES + lane])):
                        rank[fill[lane] + k] = ranks[lane] + k + 1
                        grade[fill[lane] + k] = g
            for lane in range(LANES):
                put_four(rank, grade, np.int64(fill[lane]), ranks[lane], g)
            add_rows(fill, codes, at[h], at[h] + 1, hit)
            add_rows(ranks, codes, at[h], at[h] + 1, advance)
        add_rows(ranks, codes, i, bounds[s + 1], advance)
        for lane in range(LANES):
            place = lane * systems + s
            stop[place] = fill[lane]
            size[place] = np.int64(ranks[lane])


@kernel
def cut(rank, start, stop, size, limit):
    """Ends every list at its limit."""
    for i in range(limit.shape[0]):
        end = stop[i]
        while end > start[i] and rank[end - 1] > limit[i]:
            end -= 1
        stop[i] = end
        size[i] = min(size[i], limit[i])


@kernel
def judged_within(codes, first, last, copies, judged, grades, depth, ranks, taken, limit):
    """Takes off the sizes of condensed lists, in `limit`, what stands below `depth` in the whole ones.

    Whole list s is `codes[first[s]:last[s]]`. Images make lists little longer than they are, so from the end up.
    """
    systems = first.shape[0]
    for s in range(systems):
        ranks[:] = 0
        taken[:] = 0
        add_rows(ranks, codes, first[s], last[s], copies)
        i = last[s] - 1
        below = True
        while below and i >= first[s]:
            place = np.int64(codes[i]) * LANES
            below = take_off(ranks, copies, judged, place, grades[codes[i]] >= 0, np.int32(depth), taken)
            i -= 1
        for lane in range(LANES):
            limit[lane * systems + s] -= taken[lane]


@kernel
def pool_of(codes, copies, depth, ranks, judged):
    """Marks the documents in the first `depth` positions of one list in each image, with all their copies."""
    ranks[:] = 0
    for i in range(codes.shape[0]):
        within = False
        for lane in range(LANES):
            place = np.int64(codes[i]) * LANES + lane
            if ranks[lane] < depth:
                within = True
                judged[place] = copies[place]
                ranks[lane] += np.int32(copies[place])
        if not within:
            break


@kernel
def count_judged(grades, judged, out):
    """Judged documents of each image by grade [lanes, grades]; `judged` are rows of the judged pool entries."""
    out[:] = 0
    for e in range(grades.shape[0]):
        g = grades[e]
        if g >= 0:
            for lane in range(LANES):
                out[lane, g] += judged[e * LANES + lane]


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
        self._ranks, self._fill, self._taken = np.empty((3, LANES), dtype=np.int32)
        self._systems = systems
        self._rank = np.empty(0, dtype=np.int32)
        self._grade = np.empty(0, dtype=np.int8)

    def hits(
        self, lists: Lists, topic: int, advance: NDArray[np.uint8], hit: NDArray[np.uint8], grades: NDArray[np.int8]
    ) -> Hits:
        """Hits of one topic's lists, valid until the next call."""
        starts = lists.start[topic]
        count_hits(lists.code, starts[0], starts[-1], hit, self._ranks)
        needed = LANES * (int(self._ranks.max(initial=0)) + SHORT)
        if needed >= 2**31:
            raise OverflowError("the lists of a topic have more hits than can be counted")
        if len(self._rank) < needed:
            self._rank = np.empty(needed + needed // 4 // LANES * LANES, dtype=np.int32)
            self._grade = np.empty(len(self._rank), dtype=np.int8)
        start, stop, size = np.empty((3, LANES * self._systems), dtype=np.int64)
        walk(
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
        judged_within(codes, first, last, copies, judged, grades, depth, self._ranks, self._taken, limit)
        return limit
