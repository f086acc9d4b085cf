"""Hits of 32 images at a time: one load brings a document's multiplicities in all of them.

Rows of multiplicities are [entry, lane], flat. Documents that are no hits only add to the ranks, all lanes at once;
copies of a hit stand next to each other, one hit each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from irassay.compute.intrinsics import prefetch
from irassay.compute.kernel import kernel
from irassay.scoring.hits import Hits

LANES = 32  # images side by side
AHEAD = 24  # rows asked for before they are needed
SHORT = 4  # copies that are written whether they are there or not: guessing how many there are costs more


@intrinsic
def add_rows(typing: Any, sums: Any, codes: Any, first: Any, last: Any, rows: Any) -> Any:
    """`sums[lane] += rows[codes[i], lane]` for i in [first, last): a plain loop that compilers leave lane by lane.

    Written as one LLVM vector of 32 lanes, which every processor has its own instructions for.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def data(k: int) -> Any:
            return context.make_array(signature.args[k])(context, builder, args[k]).data

        wide = ir.VectorType(ir.IntType(32), LANES)
        narrow = ir.VectorType(ir.IntType(8), LANES)
        index = ir.IntType(64)
        place = builder.bitcast(data(0), wide.as_pointer())
        total = cgutils.alloca_once(builder, wide)
        builder.store(builder.load(place, align=1), total)
        code_at, row_at = data(1), data(4)
        with cgutils.for_range_slice(builder, args[2], args[3], ir.Constant(index, 1), inc=True) as (i, _):
            code = builder.zext(builder.load(builder.gep(code_at, [i])), index)
            row = builder.gep(row_at, [builder.mul(code, ir.Constant(index, LANES))])
            bytes_ = builder.load(builder.bitcast(row, narrow.as_pointer()), align=1)
            builder.store(builder.add(builder.load(total), builder.zext(bytes_, wide)), total)
        builder.store(builder.load(total), place, align=1)
        return context.get_dummy_value()

    return types.void(sums, codes, types.intp, types.intp, rows), generate


@intrinsic
def any_count_above(typing: Any, rows: Any, place: Any) -> Any:
    """Whether a document has more than `SHORT` copies in any image."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        narrow = ir.VectorType(ir.IntType(8), LANES)
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        row = builder.load(builder.bitcast(builder.gep(data, [args[1]]), narrow.as_pointer()), align=1)
        above = builder.icmp_unsigned(">", row, ir.Constant(narrow, [SHORT] * LANES))
        bits = ir.IntType(LANES)
        return builder.icmp_unsigned("!=", builder.bitcast(above, bits), ir.Constant(bits, 0))

    return types.boolean(rows, types.intp), generate


@intrinsic
def put_four(typing: Any, rank: Any, grade: Any, place: Any, last: Any, level: Any) -> Any:
    """Write four hits at the ranks after `last`, wherever they lie; those that are not there are written over."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def at(k: int, kind: Any) -> Any:
            data = context.make_array(signature.args[k])(context, builder, args[k]).data
            return builder.bitcast(builder.gep(data, [args[2]]), kind.as_pointer())

        word = ir.IntType(32)
        four = ir.VectorType(word, SHORT)
        ranks = ir.Constant(four, ir.Undefined)
        for k in range(SHORT):
            ranks = builder.insert_element(ranks, args[3], ir.Constant(word, k))
        builder.store(builder.add(ranks, ir.Constant(four, [1, 2, 3, 4])), at(0, four), align=1)
        level_four_times = builder.mul(builder.zext(args[4], word), ir.Constant(word, 0x01010101))
        builder.store(level_four_times, at(1, word), align=1)
        return context.get_dummy_value()

    return types.void(rank, grade, types.intp, types.int32, types.int8), generate


@intrinsic
def copy_row(typing: Any, to: Any, place: Any, rows: Any, at: Any) -> Any:
    """`to[place:place + 32] = rows[at:at + 32]` by one vector of bytes: a plain loop is left byte by byte."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = ir.VectorType(ir.IntType(8), LANES)

        def address(k: int) -> Any:
            data = context.make_array(signature.args[k])(context, builder, args[k]).data
            return builder.bitcast(builder.gep(data, [args[k + 1]]), row.as_pointer())

        builder.store(builder.load(address(2), align=1), address(0), align=1)
        return context.get_dummy_value()

    return types.void(to, types.intp, rows, types.intp), generate


@kernel
def of_topic(rows: Any, document: Any, out: Any) -> None:
    """The multiplicities of a topic's pool [entries, images], one row after the other."""
    entries = document.shape[0]
    for e in range(entries):
        if e + AHEAD < entries:
            prefetch(rows, np.int64(document[e + AHEAD]) * LANES)
        copy_row(out, e * LANES, rows, np.int64(document[e]) * LANES)


@dataclass(frozen=True)
class Lists:
    """The lists of some systems for one way to look at them, topic-major: what of a panel images need."""

    codes: NDArray[Any]  # into the topic's pool
    offsets: NDArray[np.int64]  # [topics, systems + 1]
    at: NDArray[np.int64]  # where in `codes` the hits are
    code: NDArray[Any]  # codes of the hits
    start: NDArray[np.int64]  # [topics, systems + 1] into the hits


@kernel
def mark(codes: Any, offsets: Any, systems: Any, topic: Any, grades: Any, low: Any, least: Any, keep: Any, at: Any, code: Any, bounds: Any, start: Any) -> Any:  # fmt: skip  # noqa: E501
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
def count_hits(code: Any, first: Any, last: Any, hit: Any, sums: Any) -> None:
    """How many hits each image will have."""
    for lane in range(LANES):
        sums[lane] = 0
    add_rows(sums, code, first, last, hit)


@kernel
def walk(codes: Any, bounds: Any, at: Any, starts: Any, advance: Any, hit: Any, grades: Any, ranks: Any, fill: Any, rank: Any, grade: Any, start: Any, stop: Any, size: Any) -> None:  # fmt: skip  # noqa: E501
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
def cut(rank: Any, start: Any, stop: Any, size: Any, limit: Any) -> None:
    """Ends every list at its limit."""
    for i in range(limit.shape[0]):
        end = stop[i]
        while end > start[i] and rank[end - 1] > limit[i]:
            end -= 1
        stop[i] = end
        size[i] = min(size[i], limit[i])


@kernel
def judged_within(codes: Any, first: Any, last: Any, copies: Any, judged: Any, grades: Any, depth: Any, ranks: Any, limit: Any) -> None:  # fmt: skip  # noqa: E501
    """Takes off the sizes of condensed lists, in `limit`, what stands below `depth` in the whole ones.

    Whole list s is `codes[first[s]:last[s]]`. Images make lists little longer than they are, so from the end up.
    """
    systems = first.shape[0]
    for s in range(systems):
        for lane in range(LANES):
            ranks[lane] = 0
        add_rows(ranks, codes, first[s], last[s], copies)
        i = last[s] - 1
        below = True
        while below:
            below = False
            for lane in range(LANES):
                over = np.int64(ranks[lane]) - depth
                if over > 0:
                    place = np.int64(codes[i]) * LANES + lane
                    times = np.int64(copies[place])
                    ranks[lane] -= np.int32(times)
                    if grades[codes[i]] >= 0 and judged[place] > 0:
                        limit[lane * systems + s] -= min(over, times)
                    below |= over > times
            i -= 1


@kernel
def pool_of(codes: Any, copies: Any, depth: Any, ranks: Any, judged: Any) -> None:
    """Marks the documents in the first `depth` positions of one list in each image, with all their copies."""
    for lane in range(LANES):
        ranks[lane] = 0
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
def count_judged(grades: Any, judged: Any, out: Any) -> None:
    """Judged documents of each image by grade [lanes, grades]; `judged` are rows of the judged pool entries."""
    for lane in range(LANES):
        for g in range(out.shape[1]):
            out[lane, g] = 0
    for e in range(grades.shape[0]):
        g = grades[e]
        if g >= 0:
            for lane in range(LANES):
                out[lane, g] += judged[e * LANES + lane]


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
        count_hits(lists.code, starts[0], starts[-1], hit, self._ranks)
        needed = LANES * (int(self._ranks.max(initial=0)) + SHORT)
        if needed >= 2**31:
            raise OverflowError("the lists of a topic have more hits than can be counted")
        if len(self._rank) < needed:
            self._rank = np.empty(needed + needed // 4 // LANES * LANES, dtype=np.int32)
            self._grade = np.empty(len(self._rank), dtype=np.int8)
        start, stop, size = np.empty((3, LANES * self._systems), dtype=np.int64)
        walk(
            lists.codes, lists.offsets[topic], lists.at, starts, advance, hit, grades, self._ranks, self._fill,
            self._rank, self._grade, start, stop, size,
        )  # fmt: skip
        return Hits(self._rank, self._grade, start, size, stop)

    def condensed_limits(
        self, codes: NDArray[Any], first: NDArray[np.int64], last: NDArray[np.int64], copies: NDArray[np.uint8],
        judged: NDArray[np.uint8], grades: NDArray[np.int8], depth: int, size: NDArray[np.int64],
    ) -> NDArray[np.int64]:  # fmt: skip
        """How many entries of condensed lists of these sizes stand in the first `depth` positions of the whole ones."""
        limit = size.copy()
        judged_within(codes, first, last, copies, judged, grades, depth, self._ranks, limit)
        return limit
