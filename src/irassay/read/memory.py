"""Runs and judgments that are already in memory: dicts, frames, and sequences of records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError
from irassay.read._intern import hash_names
from irassay.read._tokens import NOT_WHOLE
from irassay.read.files import padded
from irassay.read.qrels import HIGHEST, LOWEST, Given, Qrels, settle
from irassay.read.runs import Run, Runs, check_names, surveyed
from irassay.read.vocabulary import Vocabulary, raw, text

# ir_measures, PyTerrier, ranx and trectools name the same columns differently.
TOPIC = ("topic", "query_id", "qid", "q_id", "query")
DOCUMENT = ("document", "doc_id", "docno", "docid")
SCORE = ("score",)
GRADE = ("grade", "relevance", "label", "rel", "score")
RANK = ("rank",)
NAME = ("system", "run", "name", "run_id", "tag")
LONGEST_RANK = 10**9  # as in files, where a rank has at most nine digits


class Rows(NamedTuple):
    """One source as columns: names, the value that counts, and ranks where there are some."""

    topics: list[bytes]
    documents: list[bytes]
    values: Any
    ranks: Any = None

    def at(self, place: str, row: int) -> str:
        return f"{place}, row {row + 1} (topic {text(self.topics[row])}, document {text(self.documents[row])})"


def runs_from_memory(sources: Sequence[Any]) -> Runs:
    """`{name: lists}`, or lists alone; lists are `{topic: {document: score}}`, a frame, or records."""
    vocabulary = Vocabulary()
    runs = []
    for number, (name, source) in enumerate(_named_sources(sources)):
        place = f"run {name!r}"
        rows = _rows(source, "score", SCORE, place)
        scores = _numbers(rows, place, "score")
        if not len(scores):
            raise InputError("the run is empty", place, "leave it out, or give it results")
        if (lacking := np.flatnonzero(np.isnan(scores))).size:
            hint = "a NaN has no place in a ranking; drop the row or give the document a score"
            raise InputError("the score is NaN", rows.at(place, int(lacking[0])), hint)
        entry, repeats, segment_topic, segment_row = _intern(vocabulary, rows, number)
        segment_row = np.append(segment_row, len(entry))
        rank, bad_rank = _ranks(rows.ranks)
        runs.append(
            Run(
                name=name,
                path=place,
                tag=name,
                entry=entry,
                score=scores,
                rank=rank,
                segment_topic=segment_topic,
                segment_row=segment_row,
                survey=surveyed(scores, segment_row, entry, vocabulary),
                repeats=repeats,
                bad_rank=bad_rank,
                unit="row",
            )
        )
    check_names(runs, "give {name: run} with names that differ")
    return Runs(vocabulary, tuple(runs))


def qrels_from_memory(source: Any, duplicates: str) -> Qrels:
    place = "judgments"
    rows = _rows(source, "grade", GRADE, place)
    grades = _numbers(rows, place, "grade")
    if not len(grades):
        raise InputError("there are no judgments", place, "give at least one judged document")
    wrong = np.flatnonzero(~((grades == np.round(grades)) & (grades >= LOWEST) & (grades <= HIGHEST)))
    if len(wrong):
        what = f"grade {grades[wrong[0]]!s} is not a whole number between {LOWEST} and {HIGHEST}"
        hint = "round grades yourself, or drop the rows that have none"
        raise InputError(what, rows.at(place, int(wrong[0])), hint)
    vocabulary = Vocabulary()
    entry, repeats, _, _ = _intern(vocabulary, rows, 0)
    given = [Given(entry, grades.astype(np.int32), repeats, repeats + 1)]
    grade = settle(place, f"{place}, row ", given, vocabulary, duplicates)
    return Qrels(place, vocabulary, grade, vocabulary.sorted_entries())


def _named_sources(sources: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    for number, source in enumerate(map(_collected, sources), start=1):
        if isinstance(source, Mapping):
            values = list(source.values())
            if values and all(_is_frame(v) or _is_nested(v) or _is_records(v) for v in values):
                yield from ((text(_id(name, "a name")), value) for name, value in source.items())
                continue
        if _is_frame(source) and (column := _column(source, NAME, "runs")) is not None:
            yield from _by_system(source, column)
            continue
        yield ("run" if len(sources) == 1 else f"run{number}"), source


def _by_system(frame: Any, column: str) -> Iterator[tuple[str, Any]]:
    """The rows of each system of a frame that holds several, systems as they come."""
    names = _ids(frame[column], "runs", column)
    if not names:
        raise InputError("the frame has no rows", "runs", "give at least one run with results")
    number = {name: n for n, name in enumerate(dict.fromkeys(names))}
    of_row = np.array([number[name] for name in names], dtype=np.int64)
    by_system = np.argsort(of_row, kind="stable")
    ends = np.cumsum(np.bincount(of_row, minlength=len(number)))
    for name, rows in zip(number, np.split(by_system, ends[:-1]), strict=True):
        yield text(name), frame.iloc[rows] if hasattr(frame, "iloc") else frame[rows.tolist()]


def _collected(source: Any) -> Any:
    """A lazy polars frame as a frame."""
    return source.collect() if _is_lazy(source) else source


def _is_lazy(source: Any) -> bool:
    return type(source).__name__ == "LazyFrame"


def _is_frame(source: Any) -> bool:
    if isinstance(source, Mapping) or hasattr(source, "column_names"):  # pyarrow: its columns are no names
        return False
    return _is_lazy(source) or (hasattr(source, "columns") and hasattr(source, "__getitem__"))


def _is_nested(source: Any) -> bool:
    return isinstance(source, Mapping) and all(isinstance(v, Mapping) for v in source.values())


def _is_records(source: Any) -> bool:
    return isinstance(source, (list, tuple)) and bool(source) and hasattr(source[0], "_fields")


def _column(frame: Any, aliases: tuple[str, ...], place: str) -> str | None:
    columns = [name for name in frame.columns if isinstance(name, str)]
    name = next((name for name in aliases if name in columns), None)
    if name is not None and columns.count(name) > 1:
        raise InputError(f"two columns are called {name}", place, "rename one of them")
    return name


def _rows(source: Any, what: str, aliases: tuple[str, ...], place: str) -> Rows:
    """The rows of one source; `what` is the value that counts, under one of its aliases."""
    source = _collected(source)
    if _is_nested(source):
        topics = [t for t, documents in source.items() for _ in documents]
        documents = [d for inner in source.values() for d in inner]
        values = [v for inner in source.values() for v in inner.values()]
        return Rows(_ids(topics, place, "topic"), _ids(documents, place, "document"), values)
    known = {"topic": TOPIC, "document": DOCUMENT, what: aliases}
    if _is_frame(source):
        found = {key: _column(source, names, place) for key, names in known.items()}
        _refuse_missing(found, known, source.columns, place)
        ranks = _column(source, RANK, place)
        return Rows(
            _ids(source[found["topic"]], place, "topic"),
            _ids(source[found["document"]], place, "document"),
            source[found[what]],
            None if ranks is None else source[ranks],
        )
    records = list(source) if isinstance(source, Iterable) and not isinstance(source, (str, bytes, Mapping)) else None
    if records is not None and all(hasattr(record, "_fields") for record in records):
        fields = records[0]._fields if records else ()
        found = {key: next((a for a in names if a in fields), None) for key, names in known.items()}
        if records:
            _refuse_missing(found, known, fields, place)
        columns = [[getattr(record, str(found[key]), None) for record in records] for key in known]
        return Rows(_ids(columns[0], place, "topic"), _ids(columns[1], place, "document"), columns[2])
    raise InputError(
        f"cannot use a value of type {type(source).__name__}",
        place,
        f"give {{topic: {{document: {what}}}}}, a pandas or polars frame, or ir_measures records",
    )


def _refuse_missing(
    found: Mapping[str, str | None], known: Mapping[str, tuple[str, ...]], columns: Iterable[Any], place: str
) -> None:
    missing = [key for key, name in found.items() if name is None]
    if missing:
        names = "; ".join(f"{key} is {' or '.join(known[key])}" for key in missing)
        listed = ", ".join(map(str, columns)) or "no columns"
        raise InputError(f"no column for {' and '.join(missing)} among {listed}", place, f"known names: {names}")


def _ids(values: Iterable[Any], place: str, what: str) -> list[bytes]:
    found: list[bytes] = []
    for value in values:
        try:
            found.append(_id(value, what))
        except InputError as error:
            raise InputError(error.what, f"{place}, row {len(found) + 1}", error.hint) from None
    return found


def _id(value: Any, what: str) -> bytes:
    """Text, bytes or a whole number. A column of numbers with a gap is one of floats: 301.0 is no topic."""
    if isinstance(value, str):
        try:
            return raw(value)
        except UnicodeEncodeError:
            raise InputError(f"{what} {value!r} is not text", hint="it holds half of a surrogate pair") from None
    if isinstance(value, bytes):
        return bytes(value)
    if isinstance(value, Integral) and not isinstance(value, bool):
        return b"%d" % int(value)
    raise InputError(f"{what} {value!r} is not text", hint="ids are text, bytes or whole numbers")


def _numbers(rows: Rows, place: str, what: str) -> NDArray[np.float64]:
    """The values as doubles, None as NaN; text is not read as numbers here."""
    try:
        found = np.asarray(rows.values)
        if found.ndim == 1 and found.dtype.kind in "biuf":
            return found.astype(np.float64)
    except ValueError:
        pass  # sequences of several lengths: the one-by-one look below names the first
    numbers = []
    for row, value in enumerate(rows.values):
        try:
            numbers.append(_number(value))
        except (TypeError, ValueError, OverflowError):
            hint = f"give every {what} as a number, not as text"
            raise InputError(f"{what} {value!r} is not a number", rows.at(place, row), hint) from None
    return np.array(numbers, dtype=np.float64)


def _number(value: Any) -> float:
    if isinstance(value, (str, bytes)):
        raise TypeError
    return np.nan if value is None else float(value)


def _ranks(ranks: Any) -> tuple[NDArray[np.int32] | None, int]:
    """Ranks, and the row of the first that is not a whole number; only ordering by rank minds that."""
    if ranks is None:
        return None, 0
    try:
        found = np.array(ranks, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        found = np.full(len(ranks), np.nan)
    whole = (found == np.round(found)) & (np.abs(found) < LONGEST_RANK)
    bad = np.flatnonzero(~whole)
    return np.where(whole, found, NOT_WHOLE).astype(np.int32), int(bad[0]) + 1 if len(bad) else 0


def _intern(
    vocabulary: Vocabulary, rows: Rows, run: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    topics, documents = rows.topics, rows.documents
    names = list(dict.fromkeys(topics))
    number = dict(zip(names, vocabulary.topic_numbers(names).tolist(), strict=True))
    of_row = np.array([number[t] for t in topics], dtype=np.int32)
    segment_row = np.flatnonzero(np.diff(of_row, prepend=-1)).astype(np.int64)
    sizes = np.array([len(d) for d in documents], dtype=np.int32)
    starts = np.cumsum(sizes, dtype=np.int64) - sizes
    data = padded(b"".join(documents))
    hashes = np.empty(len(documents), dtype=np.uint64)
    hash_names(data, starts, sizes, hashes)
    segment_topic = of_row[segment_row]
    entry, repeats = vocabulary.add(data, starts, sizes, hashes, segment_topic, segment_row, run)
    return entry, repeats, segment_topic, segment_row
