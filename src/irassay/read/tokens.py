"""Blocks of lines tokenised, and the lines that could not be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.engine import tokens as scan
from irassay.engine.decimals import powers
from irassay.read.files import Bytes

BLOCK = 8 << 20
SHOWN = 20  # problems of one file that are told one by one
DECIMAL = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """Which columns a format has; topic is always the first and document the third."""

    columns: int
    value: int
    whole: int  # the column read as a whole number: a run's rank, a judgment's grade
    tag: int = -1


RUN = Layout(columns=6, value=4, whole=3, tag=5)
QRELS = Layout(columns=4, value=3, whole=3)


@dataclass(frozen=True)
class Block:
    """The rows of one block of lines, as columns of numbers; names are still places in `data`."""

    data: Bytes
    doc_start: NDArray[np.int64]
    doc_size: NDArray[np.int32]
    doc_hash: NDArray[np.uint64]
    value: NDArray[np.float64]
    whole: NDArray[np.int32]
    segment_topic: NDArray[np.int32]
    segment_row: NDArray[np.int64]
    topics: list[bytes]
    skipped: NDArray[np.int64]
    too_short: list[tuple[int, int]]  # line, columns found
    not_numbers: list[tuple[int, bytes]]  # row, text
    tag: bytes
    stats: NDArray[np.int64]

    def __len__(self) -> int:
        return int(self.stats[scan.ROWS])


def blocks(data: Bytes, size: int = BLOCK) -> Iterator[tuple[int, int]]:
    """Ranges of whole lines of about `size` bytes."""
    begin = 0
    while begin < len(data):
        end = min(begin + size, len(data))
        while end < len(data) and data[end - 1] != 10:
            near = np.flatnonzero(data[end : end + 65536] == 10)
            end = end + int(near[0]) + 1 if len(near) else min(end + 65536, len(data))
        yield begin, end
        begin = end


def tokenise(data: Bytes, begin: int, end: int, layout: Layout) -> Block:
    """Columns of numbers from `data[begin:end]`."""
    lines = int(np.count_nonzero(data[begin:end] == 10))
    rows = min(lines, (end - begin) // (2 * layout.columns) + 1)
    wide = [np.empty(rows, dtype=np.int64) for _ in range(5)]
    doc_start, segment_row, slow_row, slow_start, slow_stop = wide
    doc_size, whole, segment_topic, topic_size = (np.empty(rows, dtype=np.int32) for _ in range(4))
    topic_start = np.empty(rows, dtype=np.int64)
    doc_hash = np.empty(rows, dtype=np.uint64)
    value = np.empty(rows, dtype=np.float64)
    skipped = np.empty(lines, dtype=np.int64)
    error_line, error_columns = np.empty(SHOWN, dtype=np.int64), np.empty(SHOWN, dtype=np.int64)
    table = np.zeros(1 << max(6, int(2 * rows).bit_length()), dtype=np.int32)
    tag = np.zeros(2, dtype=np.int64)
    stats = np.zeros(scan.STATS, dtype=np.int64)
    scan.tokenise(
        data, begin, end, layout.columns, layout.whole, layout.value, layout.tag, *powers(),
        doc_start, doc_size, doc_hash, value, whole,
        segment_topic, segment_row, topic_start, topic_size, table,
        skipped, error_line, error_columns, slow_row, slow_start, slow_stop, tag,
        np.zeros(8, dtype=np.int64), np.zeros(8, dtype=np.int64), stats,
    )  # fmt: skip
    n, k, t = int(stats[scan.ROWS]), int(stats[scan.SEGMENTS]), int(stats[scan.TOPICS])
    not_numbers: list[tuple[int, bytes]] = []
    for i in range(int(stats[scan.SLOW])):
        row, word = int(slow_row[i]), data[slow_start[i] : slow_stop[i]].tobytes()
        if DECIMAL.fullmatch(word):
            value[row] = float(word)
        else:
            not_numbers.append((row, word))
    return Block(
        data=data,
        doc_start=doc_start[:n],
        doc_size=doc_size[:n],
        doc_hash=doc_hash[:n],
        value=value[:n],
        whole=whole[:n],
        segment_topic=segment_topic[:k],
        segment_row=segment_row[:k],
        topics=[
            data[a : a + s].tobytes() for a, s in zip(topic_start[:t].tolist(), topic_size[:t].tolist(), strict=True)
        ],
        skipped=skipped[: stats[scan.SKIPPED]],
        too_short=list(
            zip(error_line[: stats[scan.ERRORS]].tolist(), error_columns[: stats[scan.ERRORS]].tolist(), strict=True)
        ),
        not_numbers=not_numbers,
        tag=data[tag[0] : tag[0] + tag[1]].tobytes(),
        stats=stats,
    )


def line_of(row: int, skipped: NDArray[np.int64]) -> int:
    """The line of a row: rows, plus the lines skipped before it."""
    line = row + 1
    for passed in skipped.tolist():
        if passed > line:
            break
        line += 1
    return line
