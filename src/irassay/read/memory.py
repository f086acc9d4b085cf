"""Rows of judgments and runs that are no lines of TREC's columns, from memory or from files, as blocks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import compiled
from irassay.errors import InputError
from irassay.read import constants as scan
from irassay.read.columns import ORDER, Columns
from irassay.read.names import Names, identifier, packed
from irassay.read.registry import MemoryFormat, formats
from irassay.read.source import Source
from irassay.read.tokens import (
    FRACTIONS,
    HIGHEST_GRADE,
    LOWEST_GRADE,
    NAN,
    NONE,
    Block,
    lines_of,
    position,
)
from irassay.read.vocabulary import raw, text

LONGEST_RANK = 10**9  # as in files, where a rank has at most nine digits
IN_MEMORY = "memory"


@dataclass(frozen=True)
class Rows:
    """The rows of one source."""

    place: str
    topics: Names
    documents: Names
    values: Any
    ranks: Any
    unit: str
    skipped: NDArray[np.int64]
    stats: NDArray[np.int64] | None

    def where(self, row: int) -> str:
        if self.unit == "line":
            return position(self.place, int(lines_of(np.array([row]), self.skipped)[0]), self.unit)
        named = f"topic {text(self.topics.name(row))}, document {text(self.documents.name(row))}"
        return f"{position(self.place, row + 1, self.unit)} ({named})"

    def numbers(self, kind: str) -> NDArray[np.float64]:
        """The values as doubles, None as NaN; text is not read as numbers here."""
        try:
            array = np.asarray(self.values)
            if array.ndim == 1 and array.dtype.kind in "biuf":
                return array.astype(np.float64)
        except ValueError:
            pass  # sequences of several lengths: the loop below names the first
        numbers = []
        for row, value in enumerate(self.values):
            try:
                numbers.append(_number(value))
            except (TypeError, ValueError, OverflowError):
                raise InputError(
                    f"{kind} {value!r} is not a number", self.where(row), f"give every {kind} as a number, not as text"
                ) from None
        return np.array(numbers, dtype=np.float64)

    def first(self, wrong: NDArray[np.bool_], what: str, hint: str) -> None:
        """An error at the first row that is wrong, if one is."""
        places = np.flatnonzero(wrong)
        if len(places):
            raise InputError(what, self.where(int(places[0])), hint)


def run_sources(sources: Sequence[Any]) -> Iterator[Source]:
    """The runs in memory, each a block whose tag is the run's name."""
    for name, source, chosen in _named_sources(sources):
        place = f"run {name!r}"
        columns = _columns(source, "score", place)
        if chosen:  # a name that the user wrote goes before those in the source
            columns = columns._replace(name=name, systems=None)
        for block in run_blocks(columns, place, default=name):
            compiled("read", len(block))
            yield Source(f"run {text(block.tag)!r}", IN_MEMORY, "row", [block])


def run_blocks(columns: Columns, place: str, *, default: str | None = None) -> Iterator[Block]:
    """A block for each system of the rows, whose tag is its name, else the name of the only run, else `default`."""
    rows = _rows(columns, place)
    scores, ranks = _scores(rows)
    name = columns.name if columns.name is not None else default
    if columns.systems is None:
        yield _block(rows, scores, ranks, tag=raw(name) if name is not None else b"")
        return
    names, of_stretch, first = packed(columns.systems, "system", place, columns.unit).numbered()
    if any(not name for name in names):
        raise InputError("a row names no system", place, "give every row its system, or leave the column out")
    system = np.repeat(of_stretch, np.diff(np.append(first, len(scores))))
    ends = np.cumsum(np.bincount(system, minlength=len(names)))
    for tag, own in zip(names, np.split(np.argsort(system, kind="stable"), ends[:-1]), strict=True):
        part = replace(rows, topics=rows.topics.take(own), documents=rows.documents.take(own))
        if rows.unit == "line":
            lines = np.arange(1, len(scores) + len(rows.skipped) + 1)
            part = replace(part, skipped=np.setdiff1d(lines, lines_of(own, rows.skipped)))
        yield _block(part, scores[own], ranks[own] if len(ranks) else ranks, tag=tag)


def _scores(rows: Rows) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Scores and ranks; of a run with ranks only the scores fall with them."""
    if not rows.documents.rows:
        raise InputError("the run is empty", rows.place, "leave it out, or give it results")
    ranks = _ranks(rows.ranks)
    if rows.values is None:
        rows.first(
            ranks == scan.NOT_WHOLE,
            "the rank is not a whole number",
            "a run without scores needs the rank of every document",
        )
        return -ranks.astype(np.float64), ranks
    scores = rows.numbers("score")
    rows.first(np.isnan(scores), NAN, "a NaN has no place in a ranking; drop the row or give the document a score")
    return scores, ranks


def judgment_block(columns: Columns, place: str) -> Block:
    """Judgments as rows."""
    rows = _rows(columns, place)
    grades = rows.numbers("grade")
    if not len(grades):
        raise InputError("there are no judgments", place, "give at least one judged document")
    wrong = ~((grades == np.round(grades)) & (grades >= LOWEST_GRADE) & (grades <= HIGHEST_GRADE))
    first = grades[np.argmax(wrong)]
    hint = FRACTIONS if np.isfinite(first) else "drop the rows that have no grade"
    if wrong.sum() > len(wrong) / 2 and len(wrong) > 1:
        hint = f"most values are no grades: if this is a run, {ORDER}; else {hint}"
    rows.first(wrong, f"grade {first!s} is not a whole number between {LOWEST_GRADE} and {HIGHEST_GRADE}", hint)
    return _block(rows, grades, grades.astype(np.int32))


def judgments_in_memory(source: Any, place: str) -> Source:
    block = judgment_block(_columns(listed(source), "grade", place), place)
    compiled("read", len(block))
    return Source(place, IN_MEMORY, "row", [block])


def format_of(source: Any) -> MemoryFormat | None:
    """The format that recognises the source."""
    return next((memory for memory in formats(MemoryFormat) if memory.recognise(source)), None)


def listed(source: Any) -> Any:
    """A list of what an iterator gives; what is one value or in a known format stays as it is."""
    one = isinstance(source, (str, bytes, Mapping)) or hasattr(source, "_fields") or not isinstance(source, Iterable)
    return source if one or format_of(source) else list(source)


def _named_sources(sources: Sequence[Any]) -> Iterator[tuple[str, Any, bool]]:
    """The name of each source, and whether the user wrote it."""
    for number, source in enumerate(sources, start=1):
        if isinstance(source, Mapping) and source and all(map(format_of, source.values())):
            yield from ((text(identifier(name, "a name")), value, True) for name, value in source.items())
        else:
            yield "run" if len(sources) == 1 else f"run{number}", source, False


def _columns(source: Any, value: str, place: str) -> Columns:
    memory = format_of(source)
    if memory is None:
        raise InputError(
            f"cannot use a value of type {type(source).__name__}",
            place,
            f"give {{topic: {{document: {value}}}}}, a pandas, polars or Arrow frame, or ir_measures records",
        )
    return memory.columns(source, value, place)


def _rows(columns: Columns, place: str) -> Rows:
    return Rows(
        place=place,
        topics=packed(columns.topics, "topic", place, columns.unit),
        documents=packed(columns.documents, "document", place, columns.unit),
        values=columns.values,
        ranks=columns.ranks,
        unit=columns.unit,
        skipped=NONE if columns.skipped is None else columns.skipped,
        stats=columns.stats,
    )


def _number(value: Any) -> float:
    if isinstance(value, (str, bytes)):
        raise TypeError
    return np.nan if value is None else float(value)


def _ranks(ranks: Any) -> NDArray[np.int32]:
    """Ranks, NOT_WHOLE where one is no whole number: only ordering by rank needs them."""
    if ranks is None:
        return np.empty(0, dtype=np.int32)
    try:
        numbers = np.array(ranks, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.full(len(ranks), np.nan)
    whole = (numbers == np.round(numbers)) & (np.abs(numbers) < LONGEST_RANK)
    return np.where(whole, numbers, scan.NOT_WHOLE).astype(np.int32)


def _block(rows: Rows, values: NDArray[np.float64], whole: NDArray[np.int32], *, tag: bytes = b"") -> Block:
    topics, of_segment, first = rows.topics.numbered()
    data, start, size = rows.documents
    stats = np.zeros(scan.STATS, dtype=np.int64) if rows.stats is None else rows.stats.copy()
    stats[scan.ROWS] = len(size)
    stats[scan.LINES] = len(size) + len(rows.skipped)
    stats[scan.RANK_FALLS] = 1  # not known to count down: ranks are kept
    return Block(
        data=data,
        doc_start=start,
        doc_size=size,
        doc_hash=None,
        value=values,
        whole=whole,
        segment_topic=of_segment,
        segment_row=first,
        topics=topics,
        skipped=rows.skipped,
        too_short=[],
        not_numbers=NONE,
        tag=tag,
        stats=stats,
        scores_from_ranks=rows.values is None,
    )
