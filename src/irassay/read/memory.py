"""Runs and judgments that are already in memory, as blocks of rows like those of files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError
from irassay.read import _tokens as scan
from irassay.read._intern import hash_names
from irassay.read.columns import identifier, identifiers
from irassay.read.files import padded
from irassay.read.registry import MemoryFormat, formats
from irassay.read.tokens import HIGHEST_GRADE, LOWEST_GRADE, NAN, NONE, Block
from irassay.read.vocabulary import raw, text

LONGEST_RANK = 10**9  # as in files, where a rank has at most nine digits


class Rows(NamedTuple):
    """The rows of one source, topics and documents as bytes."""

    place: str
    topics: list[bytes]
    documents: list[bytes]
    values: Any
    ranks: Any

    def where(self, row: int) -> str:
        return f"{self.place}, row {row + 1} (topic {text(self.topics[row])}, document {text(self.documents[row])})"

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


def run_blocks(sources: Sequence[Any]) -> Iterator[tuple[str, list[Block]]]:
    """Where each run is, for messages, and its rows in one block, whose tag is the run's name."""
    for name, source in _named_sources(sources):
        rows = _rows(source, "score", f"run {name!r}")
        scores = rows.numbers("score")
        if not len(scores):
            raise InputError("the run is empty", rows.place, "leave it out, or give it results")
        if (missing := np.flatnonzero(np.isnan(scores))).size:
            raise InputError(
                NAN,
                rows.where(int(missing[0])),
                "a NaN has no place in a ranking; drop the row or give the document a score",
            )
        yield rows.place, [_block(rows, scores, _ranks(rows.ranks), tag=raw(name))]


def judgment_block(source: Any, place: str) -> Block:
    """Judgments as rows."""
    rows = _rows(listed(source), "grade", place)
    grades = rows.numbers("grade")
    if not len(grades):
        raise InputError("there are no judgments", place, "give at least one judged document")
    wrong = np.flatnonzero(~((grades == np.round(grades)) & (grades >= LOWEST_GRADE) & (grades <= HIGHEST_GRADE)))
    if len(wrong):
        raise InputError(
            f"grade {grades[wrong[0]]!s} is not a whole number between {LOWEST_GRADE} and {HIGHEST_GRADE}",
            rows.where(int(wrong[0])),
            "round grades yourself, or drop the rows that have none",
        )
    return _block(rows, grades, grades.astype(np.int32))


def format_of(source: Any) -> MemoryFormat | None:
    """The format that recognises the source."""
    return next((memory for memory in formats(MemoryFormat) if memory.recognise(source)), None)


def listed(source: Any) -> Any:
    """A list of what an iterator gives; what is one value or in a known format stays as it is."""
    one = isinstance(source, (str, bytes, Mapping)) or hasattr(source, "_fields") or not isinstance(source, Iterable)
    return source if one or format_of(source) else list(source)


def _named_sources(sources: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    for number, source in enumerate(sources, start=1):
        if isinstance(source, Mapping) and source and all(map(format_of, source.values())):
            yield from ((text(identifier(name, "a name")), value) for name, value in source.items())
            continue
        unnamed = "run" if len(sources) == 1 else f"run{number}"
        memory = format_of(source)
        for name, run in memory.split(source) if memory else [(None, source)]:
            yield unnamed if name is None else name, run


def _rows(source: Any, value: str, place: str) -> Rows:
    memory = format_of(source)
    if memory is None:
        raise InputError(
            f"cannot use a value of type {type(source).__name__}",
            place,
            f"give {{topic: {{document: {value}}}}}, a pandas or polars frame, or ir_measures records",
        )
    columns = memory.columns(source, value, place)
    return Rows(
        place=place,
        topics=identifiers(columns.topics, "topic", place),
        documents=identifiers(columns.documents, "document", place),
        values=columns.values,
        ranks=columns.ranks,
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
    number = {name: n for n, name in enumerate(dict.fromkeys(rows.topics))}
    topic = np.array([number[name] for name in rows.topics], dtype=np.int32)
    segment_row = np.flatnonzero(np.diff(topic, prepend=-1)).astype(np.int64)
    sizes = np.array([len(name) for name in rows.documents], dtype=np.int32)
    starts = np.cumsum(sizes, dtype=np.int64) - sizes
    data = padded(b"".join(rows.documents))
    hashes = np.empty(len(sizes), dtype=np.uint64)
    hash_names(data, starts, sizes, hashes)
    stats = np.zeros(scan.STATS, dtype=np.int64)
    stats[[scan.ROWS, scan.LINES]] = len(sizes)
    return Block(
        data=data,
        doc_start=starts,
        doc_size=sizes,
        doc_hash=hashes,
        value=values,
        whole=whole,
        segment_topic=topic[segment_row],
        segment_row=segment_row,
        topics=list(number),
        skipped=NONE,
        too_short=[],
        not_numbers=NONE,
        tag=tag,
        stats=stats,
    )
