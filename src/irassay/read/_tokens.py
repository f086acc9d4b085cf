"""One pass over the bytes of a run or judgment file: columns, numbers, hashes, line numbers.

Works on raw bytes, so any mix of spaces and tabs, CRLF and any encoding pass. It counts lines and columns itself and
reports every malformed line; nothing is skipped without being counted.
"""

import numpy as np

from irassay.compute.kernel import helper, kernel
from irassay.compute.words import hash_words, is_blank, token_end, word_at
from irassay.read._decimals import to_double
from irassay.read.constants import (
    COMMENTS,
    ERRORS,
    EXTRA,
    HASH,
    LINES,
    NEWLINE,
    NOT_WHOLE,
    RANK_FALLS,
    ROWS,
    SEGMENTS,
    SKIPPED,
    SLOW,
    TAG_DIFFERS,
    TOPICS,
)

U10, U48 = np.uint64(10), np.uint64(48)
MANY = np.uint64(10**18)  # one digit more still fits 64 bits
PLUS, MINUS, DOT, ZERO, NINE = 43, 45, 46, 48, 57


@helper
def same(data, a, b, n):
    """Whether two stretches of n bytes are equal, a word at a time."""
    while n > 0:
        if word_at(data, a, n) != word_at(data, b, n):
            return False
        a += 8
        b += 8
        n -= 8
    return True


@helper(inline=True)
def whole_number(data, start, stop):
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


@helper(inline=True)
def number(data, start, stop, fives, tens, twos):
    """A decimal number, and whether it could be read here; if not, Python's `float` decides."""
    negative = data[start] == MINUS
    first = start + 1 if negative or data[start] == PLUS else start
    i = first
    digits = np.uint64(0)
    dropped = False
    power = np.int64(0)
    seen = np.int64(0)
    if stop - i <= 18:
        # the common case: digits, a point, digits, too few to overflow
        d = np.uint64(data[i]) - U48
        while d < U10:
            digits = digits * U10 + d
            i += 1
            d = np.uint64(data[i]) - U48
        seen = i - first
        if data[i] == DOT:
            i += 1
            d = np.uint64(data[i]) - U48
            while d < U10:
                digits = digits * U10 + d
                power -= 1
                i += 1
                d = np.uint64(data[i]) - U48
            seen -= power
    else:
        point = False
        while i < stop:
            c = data[i]
            if ZERO <= c <= NINE:
                seen += 1
                if digits < MANY:
                    digits = digits * U10 + (np.uint64(c) - U48)
                    power -= point
                else:
                    dropped = dropped or c != ZERO
                    power += not point
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
    value = to_double(digits, dropped, power, fives, tens, twos)
    return (-value if negative else value), value >= 0.0


@helper
def next_start(data, i):
    """Where the next token of the line starts, or the newline."""
    while data[i] != NEWLINE and is_blank(data[i]):
        i += 1
    return i


@kernel
def tokenise(
    data, begin, end, six, fives, tens, twos, doc_start, doc_size, doc_hash, value, rank, segment_topic, segment_row,
    topic_start, topic_size, table, skipped, error_line, error_columns, slow_row, slow_start, slow_stop, tag, stats,
):  # fmt: skip
    """Tokenise `data[begin:end]`, which ends in a newline: `topic Q0 document rank score tag`, or `topic 0 document
    grade` where not `six`.

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
    falls = False
    i = np.int64(begin)
    while i < end:
        line += 1
        # At the end of the line starts and ends all stay at the newline, so nothing need be asked in between.
        s0 = next_start(data, i)
        e0 = token_end(data, s0)
        s1 = next_start(data, e0)
        s2 = next_start(data, token_end(data, s1))
        e2 = token_end(data, s2)
        s3 = next_start(data, e2)
        e3 = token_end(data, s3)
        s4, e4, s5, last = e3, e3, s3, e3
        if six:
            s4 = next_start(data, e3)
            e4 = token_end(data, s4)
            s5 = next_start(data, e4)
            last = token_end(data, s5)
        i = next_start(data, last)
        if data[s0] == HASH or data[s5] == NEWLINE:
            while data[i] != NEWLINE:
                i += 1
            i += 1
            skipped[stats[SKIPPED]] = line
            stats[SKIPPED] += 1
            if data[s0] == HASH:
                stats[COMMENTS] += 1
            elif data[s0] != NEWLINE:
                if stats[ERRORS] < error_line.shape[0]:
                    error_line[stats[ERRORS]] = line
                    columns = 1 + (data[s1] != NEWLINE) + (data[s2] != NEWLINE) + (data[s3] != NEWLINE)
                    error_columns[stats[ERRORS]] = columns + (six and data[s4] != NEWLINE)
                stats[ERRORS] += 1
            continue
        if data[i] != NEWLINE:
            stats[EXTRA] += 1
            while data[i] != NEWLINE:
                i += 1
        i += 1

        start, size = s0, e0 - s0
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
                    falls = True  # a topic in several places: keep the ranks, order them later
                    break
                h = (h + 1) & mask
            segment_topic[segments] = topic
            segment_row[segments] = row
            segments += 1
            last_rank = np.int64(NOT_WHOLE)

        doc_start[row] = s2
        doc_size[row] = e2 - s2
        doc_hash[row] = hash_words(data, s2, e2 - s2)

        start, stop = (s4, e4) if six else (s3, e3)
        x, fine = number(data, start, stop, fives, tens, twos)
        if not fine:
            slow_row[stats[SLOW]] = row
            slow_start[stats[SLOW]] = start
            slow_stop[stats[SLOW]] = stop
            stats[SLOW] += 1
        value[row] = x

        r, fine = whole_number(data, s3, e3)
        if not fine:
            r = np.int64(NOT_WHOLE)
        if r <= last_rank:
            falls = True
        last_rank = r
        rank[row] = r
        if six and stats[TAG_DIFFERS] == 0:
            if row == 0:
                tag[0] = s5
                tag[1] = last - s5
            elif last - s5 != tag[1] or not same(data, tag[0], s5, last - s5):
                stats[TAG_DIFFERS] = line
        row += 1
    stats[ROWS] = row
    stats[RANK_FALLS] = falls
    stats[SEGMENTS] = segments
    stats[TOPICS] = topics
    stats[LINES] = line
