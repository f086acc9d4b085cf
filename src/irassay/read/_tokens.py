"""One pass over the bytes of a run or judgment file: columns, numbers, hashes, line numbers.

Works on raw bytes, so any mix of spaces and tabs, CRLF and any encoding pass. It counts lines and columns itself and
reports every malformed line; nothing is skipped without being counted.
"""

import numpy as np

from irassay.compute.instructions import between64, trailing_zeros
from irassay.compute.kernel import helper, kernel
from irassay.compute.words import blank_bits, hash_words, word_at
from irassay.read._numbers import number, whole_number
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

U0, U1, U63 = np.uint64(0), np.uint64(1), np.uint64(63)
EDGES = 16  # starts and ends of words that are kept of a line: more than there are columns
WIDTH = 64  # bytes that are looked at together


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
def split_line(data, i, edge):
    """Where the words of a line start and end, one after the other in `edge`; how many they are, and the newline."""
    edges = np.uint64(0)
    last = np.uint64(EDGES - 1)
    blank_before = U1
    while True:
        blank = blank_bits(data, i)
        newline = between64(data, i, NEWLINE, NEWLINE)
        # whether a byte is a blank and the one before it is not, or the other way round, up to the line's end
        changes = (blank ^ ((blank << U1) | blank_before)) & (newline ^ (newline - U1))
        while changes != U0:
            edge[min(edges, last)] = i + np.int64(trailing_zeros(changes))
            changes &= changes - U1
            edges += U1
        if newline != U0:
            return np.int64(edges >> U1), i + np.int64(trailing_zeros(newline))
        blank_before = blank >> U63
        i += WIDTH


@kernel
def tokenise(
    data, begin, end, six, doc_start, doc_size, doc_hash, value, rank, segment_topic, segment_row,
    topic_start, topic_size, table, edge, skipped, error_line, error_columns, slow_row, slow_start, slow_stop, tag,
    stats,
):  # fmt: skip
    """Tokenise `data[begin:end]`, which ends in a newline: `topic Q0 document rank score tag`, or `topic 0 document
    grade` where not `six`.

    A maximal stretch of rows of one topic is a segment. `table` maps hashes of topics to topic numbers (0: empty).
    False where there is not room enough for all rows, topics or skipped lines.
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
    columns = 6 if six else 4
    i = np.int64(begin)
    while i < end:
        line += 1
        words, newline = split_line(data, i, edge)
        i = newline + 1
        if words < columns or data[edge[0]] == HASH:
            if stats[SKIPPED] < skipped.shape[0]:
                skipped[stats[SKIPPED]] = line
            stats[SKIPPED] += 1
            if words > 0 and data[edge[0]] == HASH:
                stats[COMMENTS] += 1
            elif words > 0:
                if stats[ERRORS] < error_line.shape[0]:
                    error_line[stats[ERRORS]] = line
                    error_columns[stats[ERRORS]] = words
                stats[ERRORS] += 1
            continue
        if row == doc_start.shape[0]:
            return False
        stats[EXTRA] += words > columns

        start, size = edge[0], edge[1] - edge[0]
        if topic < 0 or size != topic_size[topic] or not same(data, start, topic_start[topic], size):
            h = np.int64(hash_words(data, start, size) & np.uint64(mask))
            while True:
                topic = np.int64(table[h]) - 1
                if topic < 0:
                    if 2 * topics == table.shape[0]:
                        return False
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

        start, size = edge[4], edge[5] - edge[4]
        doc_start[row] = start
        doc_size[row] = size
        doc_hash[row] = hash_words(data, start, size)

        start, stop = (edge[8], edge[9]) if six else (edge[6], edge[7])
        x, fine = number(data, start, stop)
        if not fine:
            slow_row[stats[SLOW]] = row
            slow_start[stats[SLOW]] = start
            slow_stop[stats[SLOW]] = stop
            stats[SLOW] += 1
        value[row] = x

        r, fine = whole_number(data, edge[6], edge[7])
        if not fine:
            r = np.int64(NOT_WHOLE)
        if r <= last_rank:
            falls = True
        last_rank = r
        rank[row] = r
        if six and stats[TAG_DIFFERS] == 0:
            start, size = edge[10], edge[11] - edge[10]
            if row == 0:
                tag[0] = start
                tag[1] = size
            elif size != tag[1] or not same(data, tag[0], start, size):
                stats[TAG_DIFFERS] = line
        row += 1
    stats[ROWS] = row
    stats[RANK_FALLS] = falls
    stats[SEGMENTS] = segments
    stats[TOPICS] = topics
    stats[LINES] = line
    return stats[SKIPPED] <= skipped.shape[0]
