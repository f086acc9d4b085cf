"""Lines read without kernels, for collections so small that importing numba would take longer.

The same rows, numbers and problems as `_tokens` and `_columns` give; tests read every file both ways.
"""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.read import constants as scan
from irassay.read.files import Bytes
from irassay.read.names import Names
from irassay.read.tokens import DECIMAL, RUN, SHOWN, Block, Layout

Ints = NDArray[np.int64]
SPACES = b" \t\v\f\r"  # blanks in a line
IS_BLANK = np.isin(np.arange(256), list(SPACES + b"\n"))
TOKEN = re.compile(rb"[^ \t\v\f\r]+")
WHOLE = re.compile(rb"[+-]?\d{1,9}")
DECIMAL_BYTES = b"0123456789.+-eE"


def split_words(data: Bytes, begin: int, end: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Where the words of some lines start and stop, the first word of each line, and how many it has."""
    part = data[begin:end]
    blank = IS_BLANK[part]
    after_blank = np.append(True, blank[:-1])
    start = np.flatnonzero(~blank & after_blank) + begin
    stop = np.flatnonzero(blank & ~after_blank) + begin
    line_ends = np.flatnonzero(part == scan.NEWLINE) + begin
    first = np.append(0, np.searchsorted(start, line_ends))
    return start, stop, first[:-1], np.diff(first)


def tokenise(data: Bytes, begin: int, end: int, layout: Layout) -> Block:
    """`tokens.tokenise`: columns of numbers from `data[begin:end]`, names without hashes."""
    start, stop, first_word, words = split_words(data, begin, end)
    filled = words > 0
    comment = np.zeros(len(filled), dtype=np.bool_)
    comment[filled] = data[start[first_word[filled]]] == scan.HASH
    good = ~comment & (words >= layout.columns)
    short = np.flatnonzero(filled & ~comment & ~good)
    lines = np.flatnonzero(good)

    def column(number: int) -> Names:
        at = first_word[lines] + number
        return Names(data, start[at], (stop[at] - start[at]).astype(np.int32))

    topics, of_segment, first = column(0).numbered()
    documents = column(2)
    value, fine = read_numbers(column(layout.value).words())
    whole = whole_numbers(column(3).words())
    before = np.append(scan.NOT_WHOLE, whole[:-1])[: len(whole)]
    before[first] = scan.NOT_WHOLE
    stats = np.zeros(scan.STATS, dtype=np.int64)
    stats[[scan.ROWS, scan.SEGMENTS, scan.TOPICS, scan.LINES]] = len(lines), len(first), len(topics), len(good)
    stats[scan.SKIPPED] = len(good) - len(lines)
    stats[scan.COMMENTS] = comment.sum()
    stats[scan.ERRORS] = len(short)
    stats[scan.EXTRA] = (words[lines] > layout.columns).sum()
    # a topic in several places: keep the ranks, order them later
    stats[scan.RANK_FALLS] = len(topics) < len(first) or (whole <= before).any()
    tag = b""
    if layout.columns == RUN.columns and len(lines):
        tags = column(5).words()
        tag = tags[0]
        stats[scan.TAG_DIFFERS] = next((lines[row] + 1 for row, other in enumerate(tags) if other != tag), 0)
    return Block(
        data=data,
        doc_start=documents.start,
        doc_size=documents.size,
        doc_hash=None,
        value=value,
        whole=whole,
        segment_topic=of_segment,
        segment_row=first,
        topics=topics,
        skipped=np.flatnonzero(~good) + 1,
        too_short=list(zip((short[:SHOWN] + 1).tolist(), words[short[:SHOWN]].tolist(), strict=True)),
        not_numbers=np.flatnonzero(~fine),
        tag=tag,
        stats=stats,
    )


def read_numbers(words: list[bytes]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Decimal numbers, 0 for words that are none, and which words are."""
    fine = np.ones(len(words), dtype=np.bool_)
    if not b"".join(words).translate(None, DECIMAL_BYTES):  # of these bytes Python makes numbers as `DECIMAL` does
        try:
            return np.array(list(map(float, words)), dtype=np.float64), fine
        except ValueError:
            pass
    fine[:] = [DECIMAL.fullmatch(word) is not None for word in words]
    return np.array([float(word) if known else 0.0 for word, known in zip(words, fine.tolist(), strict=True)]), fine


def whole_numbers(words: list[bytes]) -> NDArray[np.int32]:
    """Whole numbers of at most nine digits, NOT_WHOLE for other words."""
    if b"".join(words).isdigit() and all(0 < len(word) <= 9 for word in words):
        return np.array(list(map(int, words)), dtype=np.int32)
    return np.array([int(word) if WHOLE.fullmatch(word) else scan.NOT_WHOLE for word in words], dtype=np.int32)


def split_lines(
    data: Bytes, begin: int, end: int, separator: int, columns: int, wanted: Ints, start: Any, size: Any,
    skipped: Ints, error_line: Ints, error_columns: Ints, stats: Ints,
) -> int:  # fmt: skip
    """`_columns.split_lines`: where the cells of the `wanted` columns stand."""
    row = 0
    for line in data[begin:end].tobytes().split(b"\n")[:-1]:
        stats[scan.LINES] += 1
        content = line.strip(SPACES)
        cells = [] if not content or content.startswith(b"#") else _cells(line, separator)
        if cells is None:
            return scan.UNFINISHED
        if len(cells) == columns:
            for w, column in enumerate(wanted.tolist()):
                first, last = cells[column]
                start[w, row], size[w, row] = begin + first, last - first
            row += 1
        else:
            skipped[stats[scan.SKIPPED]] = stats[scan.LINES]
            stats[scan.SKIPPED] += 1
            stats[scan.COMMENTS] += content.startswith(b"#")
            if cells:
                if stats[scan.ERRORS] < len(error_line):
                    error_line[stats[scan.ERRORS]] = stats[scan.LINES]
                    error_columns[stats[scan.ERRORS]] = len(cells)
                stats[scan.ERRORS] += 1
        begin += len(line) + 1
    stats[scan.ROWS] = row
    return 0


def _cells(line: bytes, separator: int) -> list[tuple[int, int]] | None:
    """Where the cells of a line stand in it, without quotes and blanks around them; None where csv has to read it."""
    if separator == scan.BLANKS:
        return [match.span() for match in TOKEN.finditer(line)]
    mark = bytes([separator])
    blanks = SPACES.replace(mark, b"")
    cells: list[tuple[int, int]] = []
    first = 0
    while True:
        first = _behind(line, first, blanks)
        if line[first : first + 1] == b'"':
            first += 1
            last = line.find(b'"', first)
            stop = _behind(line, last + 1, blanks)
            if last < 0 or line[stop : stop + 1] not in (mark, b""):
                return None
        else:
            stop = line.find(mark, first)
            stop = len(line) if stop < 0 else stop
            last = max(first, len(line[:stop].rstrip(SPACES)))
        cells.append((first, last))
        if stop == len(line):
            return cells
        first = stop + 1


def _behind(line: bytes, first: int, blanks: bytes) -> int:
    """Where the blanks end that begin at `first`."""
    return len(line) - len(line[first:].lstrip(blanks))
