"""The order of a list: by score, ties by document name; checked first, sorted only where needed.

Kernels do not call numpy's sort (seconds of compilation): this merge sort is the one sort in kernels. It
skips blocks that already stand in order, and most files do.
"""

import numpy as np

from irassay.compute.instructions import load_item, many_arrays, prefetch
from irassay.compute.kernel import helper, kernel
from irassay.compute.words import word_at
from irassay.read._intern import name_order
from irassay.read.constants import BY_KEY, BY_ROW, BY_TEXT

__all__ = ["many_arrays", "order_run", "place_lists", "survey"]

SMALL = 12
LINE = 16  # entries in a line of the cache
AHEAD = 512  # entries that are asked for before their turn: left alone the memory keeps the kernel waiting


@helper
def before(a, b, score, entry, ties, key, record, text, start, size):
    """Whether row a stands before row b. Names are those of entries, or BY_TEXT where they stand in the text."""
    if score[a] != score[b]:
        return score[a] > score[b]
    if ties != BY_ROW:
        if ties == BY_TEXT:
            order = text_order(text, start[a], np.int64(size[a]), start[b], np.int64(size[b]))
        else:
            x, y = entry[a], entry[b]
            if ties == BY_KEY and key[x] != key[y]:
                return key[x] > key[y]
            order = name_order(x, y, record, text)
        if order != 0:
            return order > 0
    return a < b


@helper
def text_order(text, a, n, b, m):
    """Byte order of two names in a file: negative, 0 or positive, as strcmp."""
    i = np.int64(0)
    while i < n and i < m:
        x, y = word_at(text, a + i, n - i), word_at(text, b + i, m - i)
        if x != y:
            return np.int64(-1) if x < y else np.int64(1)
        i += 8
    return n - m


@helper
def arrange(rows, first, last, spare, score, entry, ties, key, record, text, start, size):
    """Put `rows[first:last]` in order: insertion in small blocks, then merging of neighbours that overlap."""
    low = first
    while low < last:
        high = min(low + SMALL, last)
        for i in range(low + 1, high):
            row = rows[i]
            j = i - 1
            while j >= low and before(row, rows[j], score, entry, ties, key, record, text, start, size):
                rows[j + 1] = rows[j]
                j -= 1
            rows[j + 1] = row
        low = high
    width = SMALL
    while width < last - first:
        low = first
        while low + width < last:
            middle = low + width
            high = min(middle + width, last)
            if before(rows[middle], rows[middle - 1], score, entry, ties, key, record, text, start, size):
                for i in range(low, middle):
                    spare[i] = rows[i]
                i, j, k = low, middle, low
                while i < middle and j < high:
                    if before(rows[j], spare[i], score, entry, ties, key, record, text, start, size):
                        rows[k] = rows[j]
                        j += 1
                    else:
                        rows[k] = spare[i]
                        i += 1
                    k += 1
                while i < middle:
                    rows[k] = spare[i]
                    i += 1
                    k += 1
            low = high
        width *= 2


@helper
def disorder(score, first, last):
    """0: scores fall all the way; 1: there are ties; 2: a score rises. Without branches: one sweep of the cache."""
    tied = np.int64(0)
    rising = np.int64(0)
    for i in range(first + 1, last):
        tied |= score[i] == score[i - 1]
        rising |= score[i] > score[i - 1]
    return np.int64(2) if rising else tied


@helper
def sort_list(rows, n, spare, state, score, entry, ties, key, record, arena, start):
    """Order a list. Where scores fall down the file, as they nearly always do, only tied stretches are sorted."""
    first = np.int64(0)
    for i in range(np.int64(1), n + 1):
        if i == n or (state < 2 and score[rows[i]] != score[rows[first]]):
            if i - first > 1 and (state == 2 or ties != BY_ROW):
                arrange(rows, first, i, spare, score, entry, ties, key, record, arena, start, entry)
            first = i


@kernel
def survey(score, segment_row, data, start, size, key, record, rows, spare, falls, moves, moved):
    """Where scores only fall, and which tied rows names put elsewhere; done while scores and names are at hand.

    Segment s has `moves[s]` of these: to the place of row `moved[i, 0]` goes row `moved[i, 1]`, both counted from
    the start of the segment. `key` and `record` are empty.
    """
    count = np.int64(0)
    for s in range(falls.shape[0]):
        begin, end = segment_row[s], segment_row[s + 1]
        falls[s] = True
        before_it = count
        last = begin + 1
        while last < end:
            if score[last] < score[last - 1]:
                last += 1
                continue
            if score[last] > score[last - 1]:
                falls[s] = False
                count = before_it
                break
            first = last - 1
            while last < end and score[last] == score[first]:
                last += 1
            n = last - first
            for i in range(n):
                rows[i] = first + i
            arrange(rows, np.int64(0), n, spare, score, size, BY_TEXT, key, record, data, start, size)
            for i in range(n):
                if rows[i] != first + i:
                    moved[count, 0] = first + i - begin
                    moved[count, 1] = rows[i] - begin
                    count += 1
        moves[s] = count - before_it


@kernel
def place_lists(first, last, segment, start, moves, move, moved, entry, place, code, offsets, codes):
    """`order_run` for lists that stand in order but for tied rows that move, and lose nothing but their tails.

    Topic by topic, because one topic's codes stay in the cache: list (t, s) is segment `segment[t, s]`, if any, of
    the run whose entries are `load_item(entry, place[s] + row)`. The moves of segment k, as in `survey`, start at
    `move[k]`.
    """
    for t in range(first, last):
        for s in range(segment.shape[1]):
            k = segment[t, s]
            if k < 0:
                continue
            row = place[s] + start[k]
            out = codes[offsets[t, s] : offsets[t, s + 1]]
            n = out.shape[0]
            for i in range(n):
                if i % LINE == 0:
                    prefetch(entry, row + i + AHEAD)
                out[i] = code[np.uint32(load_item(entry, row + i))]
            for i in range(move[k], move[k] + moves[k]):
                if moved[i, 0] < n:
                    out[moved[i, 0]] = code[np.uint32(load_item(entry, row + moved[i, 1]))]


@kernel
def order_run(
    entry, score, topic, start, stop, sort, ties, key, record, arena, code, repeats, seen, rows, spare, offsets,
    system, codes, keep, rows_out,
):  # fmt: skip
    """One run's lists in order, as codes of their topics' pools, written to their places in the panel.

    Segments [start, stop) are sorted by topic. `code[entry]` < 0 drops the entry; with `repeats` later copies of a
    document in a list are dropped. Lists are cut to their places. With `keep`, `rows_out` gets each entry's row.
    """
    s = 0
    while s < topic.shape[0]:
        t = topic[s]
        place = offsets[t, system]
        end = offsets[t, system + 1]
        one = s + 1 == topic.shape[0] or topic[s + 1] != t
        state = disorder(score, start[s], stop[s]) if sort and one else np.int64(2)
        n = np.int64(0)
        while s < topic.shape[0] and topic[s] == t:
            for row in range(start[s], stop[s]):
                rows[n] = row
                n += 1
            s += 1
        if sort and state > 0:
            sort_list(rows, n, spare, state, score, entry, ties, key, record, arena, start)
        for i in range(n):
            e = entry[rows[i]]
            c = code[e]
            if c < 0:
                continue
            if repeats:
                if seen[e] == t:
                    continue
                seen[e] = t
            if place == end:
                break
            codes[place] = c
            if keep:
                rows_out[place] = rows[i]
            place += 1
