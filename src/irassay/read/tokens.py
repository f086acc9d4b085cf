"""Blocks of lines tokenised, and the lines that could not be."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import compiled
from irassay.errors import IrassayWarning, Problem
from irassay.read import constants as scan
from irassay.read.files import Bytes
from irassay.read.scratch import Scratch
from irassay.read.vocabulary import text

BLOCK = 8 << 20
TOPICS = 1000  # of a block, at first
LOOK = 1 << 12  # bytes of the first lines
SHOWN = 20  # problems of one file that are listed one by one
LOWEST_GRADE, HIGHEST_GRADE = -127, 127
NONE = np.empty(0, dtype=np.int64)
NAN = "the score is NaN"
FRACTIONS = "map grades to whole-number levels, and give what each level is worth with --gains 1=0.5,2=1"
MIXED = "a carriage return stands inside the line: the line ends are mixed"
BLANKS = re.compile(rb"[\t-\r ]+")  # as `compute.words.is_blank` has them
DECIMAL = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """Which columns a format has; topic is always the first and document the third."""

    columns: int
    value: int  # the column of a run's score, a judgment's grade
    what: str


RUN = Layout(columns=6, value=4, what="topic Q0 document rank score tag")
QRELS = Layout(columns=4, value=3, what="topic 0 document grade")


@dataclass(frozen=True)
class Block:
    """The rows of one block of lines, as columns of numbers; names are still places in `data`."""

    data: Bytes
    doc_start: NDArray[np.int64]
    doc_size: NDArray[np.int32]
    doc_hash: NDArray[np.uint64] | None  # None: not known yet
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
    scores_from_ranks: bool = False

    def __len__(self) -> int:
        return int(self.stats[scan.ROWS])

    def word(self, row: int, column: int) -> bytes:
        """What stands in a column to the right of the document, as it was written."""
        place = int(self.doc_start[row]) + int(self.doc_size[row])
        size = 4096
        while not (self.data[place : place + size] == scan.NEWLINE).any():
            size *= 4  # one long line may be the whole file
        line = self.data[place : place + size].tobytes().partition(b"\n")[0]
        return BLANKS.split(line, column - 1)[column - 2]


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


def written_lines(data: Bytes) -> Iterator[list[bytes]]:
    """The words of each line that is not blank and not a comment."""
    for begin, end in blocks(data, LOOK):
        for line in data[begin:end].tobytes().split(b"\n"):
            words = line.split()
            if words and not words[0].startswith(b"#"):
                yield words


def tokenise(data: Bytes, begin: int, end: int, layout: Layout, scratch: Scratch | None = None) -> Block:
    """Columns of numbers from `data[begin:end]`."""
    if not compiled():
        from irassay.read import plain_lines

        return plain_lines.tokenise(data, begin, end, layout)
    from irassay.read import _tokens

    beginning = data[begin : min(end, begin + LOOK)]
    likely = int(1.1 * (end - begin) / max(1, len(beginning)) * np.count_nonzero(beginning == scan.NEWLINE)) + SHOWN
    most = (end - begin) // (2 * layout.columns) + 1
    # mostly the first room is enough; kernels get it from outside
    for rows, skips, names in ((min(likely, most), likely, TOPICS), (most, end - begin, most)):
        empty = scratch.empty if scratch else np.empty
        doc_start, doc_size, doc_hash = empty(rows, np.int64), empty(rows, np.int32), empty(rows, np.uint64)
        value, whole = empty(rows, np.float64), empty(rows, np.int32)
        segment_row, topic_start, slow_row, slow_start, slow_stop = (np.empty(rows, dtype=np.int64) for _ in range(5))
        segment_topic, topic_size = np.empty(rows, dtype=np.int32), np.empty(rows, dtype=np.int32)
        skipped, edge = np.empty(skips, dtype=np.int64), np.empty(_tokens.EDGES, dtype=np.int64)
        error_line, error_columns = np.empty(SHOWN, dtype=np.int64), np.empty(SHOWN, dtype=np.int64)
        table = np.zeros(1 << (2 * names).bit_length(), dtype=np.int32)
        tag, stats = np.zeros(2, dtype=np.int64), np.zeros(scan.STATS, dtype=np.int64)
        rows_out = (doc_start, doc_size, doc_hash, value, whole)
        topics_out = (segment_topic, segment_row, topic_start, topic_size, table)
        problems_out = (skipped, error_line, error_columns, slow_row, slow_start, slow_stop)
        outputs = (*rows_out, *topics_out, edge, *problems_out, tag, stats)
        if _tokens.tokenise(data, begin, end, layout.columns == RUN.columns, *outputs):
            break
    n, segments, topics, errors = (int(stats[i]) for i in (scan.ROWS, scan.SEGMENTS, scan.TOPICS, scan.ERRORS))
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
        segment_topic=segment_topic[:segments].copy(),
        segment_row=segment_row[:segments].copy(),
        topics=[
            data[start : start + size].tobytes()
            for start, size in zip(topic_start[:topics].tolist(), topic_size[:topics].tolist(), strict=True)
        ],
        skipped=skipped[: stats[scan.SKIPPED]].copy(),
        too_short=list(zip(error_line[:errors].tolist(), error_columns[:errors].tolist(), strict=True)),
        not_numbers=np.array(not_numbers, dtype=np.int64),
        tag=data[tag[0] : tag[0] + tag[1]].tobytes(),
        stats=stats,
    )


def lines_of(rows: NDArray[np.int64], skipped: NDArray[np.int64]) -> NDArray[np.int64]:
    """The lines of some rows: rows, plus the lines skipped before them."""
    rows_before = skipped - 1 - np.arange(len(skipped))
    return rows + 1 + np.searchsorted(rows_before, rows, side="right")


def position(path: str, line: int, unit: str) -> str:
    """A line of a file, or a row or record of what has no lines, as messages write it."""
    return f"{path}:{line}" if unit == "line" else f"{path}, {unit} {line}"


def limited(problems: list[Problem], path: Path) -> list[Problem]:
    """The first problems, and how many more there are."""
    if len(problems) <= SHOWN:
        return problems
    return [*problems[:SHOWN], Problem(f"{len(problems) - SHOWN} more malformed lines", str(path))]


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
    looks_like: str = "",
) -> list[Problem]:
    """What is wrong with a file: its malformed lines, or, where no line is right, that."""
    problems = list(_malformed_lines(path, parts, layout, bad_rows, describe))
    few = len(problems) == 1 and looks_like == ""
    if not problems or few or problems[0].what == MIXED or any(len(part) > len(bad_rows(part)) for part in parts):
        return problems
    _, colon, line = problems[0].where.removeprefix(str(path)).partition(":")
    return (
        [Problem(f"no line is as it should be; of line {line}: {problems[0].what}", str(path))] if colon else problems
    )


def _malformed_lines(
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
        if not (part.stats[scan.ERRORS] or len(rows)):
            line += int(part.stats[scan.LINES])
            continue
        total += int(part.stats[scan.ERRORS]) + len(rows)
        messages = [(n, f"expected {layout.columns} columns ({layout.what}), found {k}") for n, k in part.too_short]
        first = rows[: SHOWN - shown]
        descriptions = [describe(part, row) for row in first.tolist()]
        messages += zip(lines_of(first, part.skipped).tolist(), descriptions, strict=True)
        for number, what in sorted(messages)[: SHOWN - shown]:
            shown += 1
            yield Problem(what, f"{path}:{line + number}")
        line += int(part.stats[scan.LINES])
    if total > shown:
        yield Problem(f"{total - shown} more malformed lines", str(path))
    if not total and not any(len(part) for part in parts):
        yield Problem("the file holds only blank and comment lines", str(path))


def ignored_warnings(stats: Mapping[str, Any]) -> Iterator[IrassayWarning]:
    """One warning about comments and one about extra columns, from the stats of each file."""
    for of, message in ((scan.COMMENTS, "ignored {} comment lines"), (scan.EXTRA, "ignored extra columns on {} lines")):
        lines = {path: int(of_file[of]) for path, of_file in stats.items() if of_file[of]}
        if lines:
            more = f" and {len(lines) - 1} more files" if len(lines) > 1 else ""
            yield IrassayWarning("ignored", message.format(sum(lines.values())), next(iter(lines)) + more)


def quoted(word: bytes) -> str:
    """Bytes of a file as an error shows them: on one line, and not the whole megabyte."""
    short = text(word)
    return repr(short if len(short) <= 60 else f"{short[:59]}…")
