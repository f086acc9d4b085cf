"""Blocks of lines tokenised, and the lines that could not be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from irassay.errors import IrassayWarning, Problem
from irassay.read import _tokens as scan
from irassay.read._decimals import powers
from irassay.read.files import Bytes
from irassay.read.vocabulary import text

BLOCK = 8 << 20
SHOWN = 20  # problems of one file that are told one by one
MIXED = "a carriage return stands inside the line: the line ends are mixed"
BLANKS = re.compile(rb"[\x01-\x20]+")
DECIMAL = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """Which columns a format has; topic is always the first and document the third."""

    columns: int
    value: int
    whole: int  # the column read as a whole number: a run's rank, a judgment's grade
    what: str


RUN = Layout(columns=6, value=4, whole=3, what="topic Q0 document rank score tag")
QRELS = Layout(columns=4, value=3, whole=3, what="topic 0 document grade")


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
    not_numbers: NDArray[np.int64]  # rows
    tag: bytes
    stats: NDArray[np.int64]

    def __len__(self) -> int:
        return int(self.stats[scan.ROWS])

    def word(self, row: int, column: int) -> bytes:
        """What stands in a column to the right of the document, as it was written."""
        place = int(self.doc_start[row]) + int(self.doc_size[row])
        line = b""
        while b"\n" not in line:
            line += self.data[place + len(line) : place + len(line) + 4096].tobytes()
        return BLANKS.split(line[: line.index(b"\n")])[column - 2]


def blocks(data: Bytes, size: int | None = None) -> Iterator[tuple[int, int]]:
    """Ranges of whole lines of about `size` bytes, by default `BLOCK`."""
    size = size or BLOCK
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
        data, begin, end, layout.columns == 6, *powers(),
        doc_start, doc_size, doc_hash, value, whole,
        segment_topic, segment_row, topic_start, topic_size, table,
        skipped, error_line, error_columns, slow_row, slow_start, slow_stop, tag, stats,
    )  # fmt: skip
    n, k, t = int(stats[scan.ROWS]), int(stats[scan.SEGMENTS]), int(stats[scan.TOPICS])
    not_numbers: list[int] = []
    for i in range(int(stats[scan.SLOW])):
        row, word = int(slow_row[i]), data[slow_start[i] : slow_stop[i]].tobytes()
        if DECIMAL.fullmatch(word):
            value[row] = float(word)
        else:
            not_numbers.append(row)
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
        not_numbers=np.array(not_numbers, dtype=np.int64),
        tag=data[tag[0] : tag[0] + tag[1]].tobytes(),
        stats=stats,
    )


def lines_of(rows: NDArray[np.int64], skipped: NDArray[np.int64]) -> NDArray[np.int64]:
    """The lines of some rows: rows, plus the lines skipped before them."""
    rows_before = skipped - 1 - np.arange(len(skipped))
    return rows + 1 + np.searchsorted(rows_before, rows, side="right")


def line_of(row: int, skipped: NDArray[np.int64]) -> int:
    return int(lines_of(np.array([row], dtype=np.int64), skipped)[0])


def _stray_return(data: Bytes) -> int:
    """The first line with a carriage return that does not end it, or 0: what looks wide may be two lines."""
    places = np.flatnonzero(data[:-1] == 13)
    stray = places[data[places + 1] > 13]
    return int(np.count_nonzero(data[: stray[0]] == 10)) + 1 if len(stray) else 0


def malformed(
    path: Path,
    parts: list[Block],
    layout: Layout,
    bad_rows: Callable[[Block], NDArray[np.int64]],
    describe: Callable[[Block, int], str],
) -> Iterator[Problem]:
    """Every malformed line of a file: the first ones each, the others counted."""
    line = shown = total = 0
    if any(part.stats[scan.EXTRA] for part in parts) and (stray := _stray_return(parts[0].data)):
        shown = total = 1
        yield Problem(MIXED, f"{path}:{stray}")
    for part in parts:
        rows = bad_rows(part)
        total += int(part.stats[scan.ERRORS]) + len(rows)
        found = [(n, f"expected {layout.columns} columns ({layout.what}), found {k}") for n, k in part.too_short]
        first = rows[: SHOWN - shown]
        whats = [describe(part, row) for row in first.tolist()]
        found += zip(lines_of(first, part.skipped).tolist(), whats, strict=True)
        for number, what in sorted(found)[: SHOWN - shown]:
            shown += 1
            yield Problem(what, f"{path}:{line + number}")
        line += int(part.stats[scan.LINES])
    if total > shown:
        yield Problem(f"{total - shown} more malformed lines", str(path))
    if not total and not any(len(part) for part in parts):
        yield Problem("the file holds only blank and comment lines", str(path))


class Ignored:
    """What was passed over in files, counted and told once for all of them."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.files: dict[str, list[str]] = {}

    def count(self, path: Path, parts: list[Block]) -> None:
        for what, n in {
            "comment lines": sum(int(p.stats[scan.COMMENTS]) for p in parts),
            "extra columns": sum(int(p.stats[scan.EXTRA]) for p in parts),
        }.items():
            if n:
                self.counts[what] = self.counts.get(what, 0) + n
                self.files.setdefault(what, []).append(str(path))

    def warnings(self) -> Iterator[IrassayWarning]:
        for what, n in self.counts.items():
            files = self.files[what]
            more = f" and {len(files) - 1} more files" if len(files) > 1 else ""
            told = f"ignored extra columns on {n} lines" if what == "extra columns" else f"ignored {n} {what}"
            yield IrassayWarning("ignored", told, files[0] + more)


def quoted(word: bytes) -> str:
    """Bytes of a file as an error shows them: on one line, and not the whole megabyte."""
    short = text(word)
    return repr(short if len(short) <= 60 else f"{short[:59]}…")
