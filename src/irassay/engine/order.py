"""The order of a list: by score, ties by document name; checked first, sorted only where needed.

Kernels do not call numpy's sort (seconds of compilation): this merge sort is the one sort in the engine. It
skips blocks that already stand in order, and most files do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irassay.engine.intern import name_order
from irassay.engine.kernel import helper, kernel
from irassay.engine.words import prefetch

BY_ROW, BY_NAME, BY_KEY = 0, 1, 2  # how ties are broken: file order, names descending, a key descending
SMALL = 12
AHEAD = 24  # entries whose codes are asked for before they are used


@helper
def before(a: Any, b: Any, score: Any, entry: Any, ties: Any, key: Any, record: Any, arena: Any) -> bool:
    """Whether row a stands before row b."""
    if score[a] != score[b]:
        return score[a] > score[b]
    if ties != BY_ROW:
        x, y = entry[a], entry[b]
        if ties == BY_KEY and key[x] != key[y]:
            return key[x] > key[y]
        order = name_order(x, y, record, arena)
        if order != 0:
            return order > 0
    return a < b


@helper
def arrange(rows: Any, first: Any, last: Any, spare: Any, score: Any, entry: Any, ties: Any, key: Any, record: Any, arena: Any) -> None:  # fmt: skip  # noqa: E501
    """Put `rows[first:last]` in order: insertion in small blocks, then merging of neighbours that overlap."""
    low = first
    while low < last:
        high = min(low + SMALL, last)
        for i in range(low + 1, high):
            row = rows[i]
            j = i - 1
            while j >= low and before(row, rows[j], score, entry, ties, key, record, arena):
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
            if before(rows[middle], rows[middle - 1], score, entry, ties, key, record, arena):
                for i in range(low, middle):
                    spare[i] = rows[i]
                i, j, k = low, middle, low
                while i < middle and j < high:
                    if before(rows[j], spare[i], score, entry, ties, key, record, arena):
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
def disorder(score: Any, first: Any, last: Any) -> Any:
    """0: scores fall all the way; 1: there are ties; 2: a score rises. Without branches: one sweep of the cache."""
    tied = np.int64(0)
    rising = np.int64(0)
    for i in range(first + 1, last):
        tied |= score[i] == score[i - 1]
        rising |= score[i] > score[i - 1]
    return np.int64(2) if rising else tied


@helper
def sort_list(rows: Any, n: Any, spare: Any, state: Any, score: Any, entry: Any, ties: Any, key: Any, record: Any, arena: Any) -> None:  # fmt: skip  # noqa: E501
    """Order a list. Where scores fall down the file, as they nearly always do, only tied stretches are sorted."""
    first = np.int64(0)
    for i in range(np.int64(1), n + 1):
        if i == n or (state < 2 and score[rows[i]] != score[rows[first]]):
            if i - first > 1 and (state == 2 or ties != BY_ROW):
                arrange(rows, first, i, spare, score, entry, ties, key, record, arena)
            first = i


@kernel
def survey(score: Any, segment_row: Any, state: Any, first: Any, last: Any) -> Any:
    """Each segment's disorder, and the tied stretches of rows; done while the scores are still at hand."""
    found = np.int64(0)
    for s in range(state.shape[0]):
        state[s] = disorder(score, segment_row[s], segment_row[s + 1])
        if state[s] != 1:
            continue
        row = segment_row[s]
        while row < segment_row[s + 1]:
            stop = row + 1
            while stop < segment_row[s + 1] and score[stop] == score[row]:
                stop += 1
            if stop - row > 1:
                first[found] = row
                last[found] = stop
                found += 1
            row = stop
    return found


@helper
def first_from(places: Any, row: Any) -> Any:
    """The first of the rising `places` that is at least `row`."""
    low, high = np.int64(0), np.int64(places.shape[0])
    while low < high:
        middle = (low + high) >> 1
        if places[middle] < row:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def place_falling(
    entry: Any, score: Any, topic: Any, start: Any, tie_first: Any, tie_last: Any, ties: Any, key: Any, record: Any,
    arena: Any, code: Any, rows: Any, spare: Any, offsets: Any, system: Any, codes: Any,
) -> None:  # fmt: skip
    """`order_run` for a run whose scores fall down the file and that loses nothing but its tail.

    Lists are copied as they stand, then their tied stretches set right.
    """
    for s in range(topic.shape[0]):
        a = start[s]
        place = offsets[topic[s], system]
        n = offsets[topic[s], system + 1] - place
        ahead = max(np.int64(0), n - AHEAD)
        for i in range(ahead):
            prefetch(code, np.int64(entry[a + i + AHEAD]))
            codes[place + i] = code[np.uint32(entry[a + i])]
        for i in range(ahead, n):
            codes[place + i] = code[np.uint32(entry[a + i])]
        if ties == BY_ROW:
            continue
        k = first_from(tie_first, a)
        while k < tie_first.shape[0] and tie_first[k] < a + n:
            low = tie_first[k]
            size = tie_last[k] - low
            k += 1
            for i in range(size):
                rows[i] = low + i
            arrange(rows, np.int64(0), size, spare, score, entry, ties, key, record, arena)
            for i in range(min(size, a + n - low)):
                codes[place + low - a + i] = code[entry[rows[i]]]


@kernel
def count_run(entry: Any, topic: Any, start: Any, stop: Any, code: Any, repeats: Any, seen: Any, count: Any) -> None:
    """How many entries each list keeps, before any cut: those with a code, and once each with `repeats`."""
    for s in range(topic.shape[0]):
        t = topic[s]
        for row in range(start[s], stop[s]):
            e = entry[row]
            if code[e] < 0:
                continue
            if repeats:
                if seen[e] == t:
                    continue
                seen[e] = t
            count[t] += 1


@kernel
def order_run(
    entry: Any, score: Any, topic: Any, start: Any, stop: Any, sort: Any, ties: Any, key: Any, record: Any, arena: Any,
    code: Any, repeats: Any, seen: Any, rows: Any, spare: Any, offsets: Any, system: Any, codes: Any, keep: Any,
    rows_out: Any,
) -> None:  # fmt: skip
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
            sort_list(rows, n, spare, state, score, entry, ties, key, record, arena)
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
