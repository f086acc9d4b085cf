"""One pass over the bytes of a run or judgment file: columns, numbers, hashes, line numbers.

Works on raw bytes, so any mix of spaces and tabs, CRLF and any encoding pass. It counts lines and columns itself and
reports every malformed line; nothing is skipped without being counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irassay.engine.decimals import to_double
from irassay.engine.kernel import helper, kernel
from irassay.engine.words import hash_words, is_blank, token_end

# What `stats` holds after a call.
ROWS, SEGMENTS, TOPICS, ERRORS, SLOW, SKIPPED, COMMENTS, EXTRA, BAD_RANK, RANK_FALLS, TAG_DIFFERS, LINES = range(12)
STATS = 12
NOT_WHOLE = -(2**31)  # stands where the column of whole numbers held none

U10, U48 = np.uint64(10), np.uint64(48)
MANY = np.uint64(10**18)  # one digit more still fits 64 bits
NEWLINE, HASH, PLUS, MINUS, DOT, ZERO, NINE = 10, 35, 43, 45, 46, 48, 57


@helper
def same(data: Any, a: Any, b: Any, n: Any) -> bool:
    for i in range(n):
        if data[a + i] != data[b + i]:
            return False
    return True


@helper
def whole_number(data: Any, start: Any, stop: Any) -> Any:
    """A signed integer of at most nine digits, and whether it was one."""
    i = start
    negative = data[i] == MINUS
    if negative or data[i] == PLUS:
        i += 1
    if i == stop or stop - i > 9:
        return 0, False
    value = 0
    while i < stop:
        if data[i] < ZERO or data[i] > NINE:
            return 0, False
        value = value * 10 + (np.int64(data[i]) - ZERO)
        i += 1
    return (-value if negative else value), True


@helper
def number(data: Any, start: Any, stop: Any, fives: Any, tens: Any, twos: Any) -> Any:
    """A decimal number, and whether it could be read here; if not, Python's `float` decides."""
    i = start
    negative = data[i] == MINUS
    if negative or data[i] == PLUS:
        i += 1
    digits = np.uint64(0)
    dropped = False
    power = 0
    seen = 0
    point = False
    while i < stop:
        c = data[i]
        if ZERO <= c <= NINE:
            seen += 1
            if digits < MANY:
                digits = digits * U10 + (np.uint64(c) - U48)
                if point:
                    power -= 1
            else:
                dropped = dropped or c != ZERO
                if not point:
                    power += 1
        elif c == DOT and not point:
            point = True
        else:
            break
        i += 1
    if seen == 0:
        return 0.0, False
    if i < stop:
        if data[i] != 101 and data[i] != 69:  # e, E
            return 0.0, False
        exponent, fine = whole_number(data, i + 1, stop) if i + 1 < stop else (0, False)
        if not fine or exponent > 9999 or exponent < -9999:
            return 0.0, False
        power += exponent
    value = to_double(digits, dropped, np.int64(power), fives, tens, twos)
    if value < 0.0:
        return 0.0, False
    return (-value if negative else value), True


@kernel
def tokenise(
    data: Any, begin: Any, end: Any, columns: Any, rank_column: Any, value_column: Any, tag_column: Any,
    fives: Any, tens: Any, twos: Any,
    doc_start: Any, doc_size: Any, doc_hash: Any, value: Any, rank: Any,
    segment_topic: Any, segment_row: Any, topic_start: Any, topic_size: Any, table: Any,
    skipped: Any, error_line: Any, error_columns: Any, slow_row: Any, slow_start: Any, slow_stop: Any,
    tag: Any, starts: Any, stops: Any, stats: Any,
) -> None:  # fmt: skip
    """Tokenise `data[begin:end]`, which ends in a newline. Topic is column 0, document column 2.

    A maximal stretch of rows of one topic is a segment. `table` maps hashes of topics to topic numbers (0: empty).
    Kernels get even their scratch arrays from outside: each numpy call in one costs a tenth of a second to compile.
    """
    mask = table.shape[0] - 1
    row = 0
    segments = 0
    topics = 0
    line = 0
    topic = -1
    last_rank = np.int64(0)
    i = np.int64(begin)
    while i < end:
        line += 1
        column = 0
        comment = False
        while True:
            while data[i] != NEWLINE and is_blank(data[i]):
                i += 1
            if data[i] == NEWLINE:
                break
            if column == 0 and data[i] == HASH:
                comment = True
                while data[i] != NEWLINE:
                    i += 1
                break
            if column < 6:
                starts[column] = i
            i = token_end(data, i)
            if column < 6:
                stops[column] = i
            column += 1
        i += 1
        if column == 0:
            skipped[stats[SKIPPED]] = line
            stats[SKIPPED] += 1
            if comment:
                stats[COMMENTS] += 1
            continue
        if column < columns:
            if stats[ERRORS] < error_line.shape[0]:
                error_line[stats[ERRORS]] = line
                error_columns[stats[ERRORS]] = column
            stats[ERRORS] += 1
            skipped[stats[SKIPPED]] = line
            stats[SKIPPED] += 1
            continue
        if column > columns:
            stats[EXTRA] += 1

        start, size = starts[0], stops[0] - starts[0]
        if topic < 0 or size != topic_size[topic] or not same(data, start, topic_start[topic], size):
            h = np.int64(hash_words(data, start, size) & np.uint64(mask))
            while True:
                topic = np.int64(table[h]) - 1
                if topic < 0:
                    topic = topics
                    topic_start[topic] = start
                    topic_size[topic] = size
                    topics += 1
                    table[h] = topics
                    break
                if topic_size[topic] == size and same(data, topic_start[topic], start, size):
                    stats[RANK_FALLS] = 1  # a topic in several places: keep the ranks, order them later
                    break
                h = (h + 1) & mask
            segment_topic[segments] = topic
            segment_row[segments] = row
            segments += 1
            last_rank = np.int64(NOT_WHOLE)

        doc_start[row] = starts[2]
        doc_size[row] = stops[2] - starts[2]
        doc_hash[row] = hash_words(data, starts[2], stops[2] - starts[2])

        x, fine = number(data, starts[value_column], stops[value_column], fives, tens, twos)
        if not fine:
            slow_row[stats[SLOW]] = row
            slow_start[stats[SLOW]] = starts[value_column]
            slow_stop[stats[SLOW]] = stops[value_column]
            stats[SLOW] += 1
        value[row] = x

        if rank_column >= 0:
            r, fine = whole_number(data, starts[rank_column], stops[rank_column])
            if not fine:
                r = np.int64(NOT_WHOLE)
                if stats[BAD_RANK] == 0:
                    stats[BAD_RANK] = line
            elif r <= last_rank:
                stats[RANK_FALLS] = 1
            last_rank = r
            rank[row] = r
        if tag_column >= 0 and stats[TAG_DIFFERS] == 0:
            size = stops[tag_column] - starts[tag_column]
            if row == 0:
                tag[0] = starts[tag_column]
                tag[1] = size
            elif size != tag[1] or not same(data, tag[0], starts[tag_column], size):
                stats[TAG_DIFFERS] = line
        row += 1
    stats[ROWS] = row
    stats[SEGMENTS] = segments
    stats[TOPICS] = topics
    stats[LINES] = line
