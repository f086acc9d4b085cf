"""Runs and judgments that are already in memory: dicts, frames, and sequences of records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.engine.intern import hash_names
from irassay.errors import InputError
from irassay.read.files import padded
from irassay.read.qrels import HIGHEST, LOWEST, Qrels, settle
from irassay.read.runs import Run, Runs, check_names
from irassay.read.vocabulary import Vocabulary, raw

# ir_measures, PyTerrier, ranx and trectools name the same columns differently.
TOPIC = ("topic", "query_id", "qid", "q_id", "query")
DOCUMENT = ("document", "doc_id", "docno", "docid")
GRADE = ("grade", "relevance", "label", "rel", "score")
NAME = ("system", "run", "name", "run_id", "tag")


def runs_from_memory(sources: Sequence[Any]) -> Runs:
    """`{name: lists}`, or lists alone; lists are `{topic: {document: score}}`, a frame, or records."""
    vocabulary = Vocabulary()
    runs = []
    for number, (name, source) in enumerate(_named_sources(sources)):
        place = f"run {name!r}"
        topics, documents, columns = _columns(source, {"score": ("score",), "rank": ("rank",)}, place)
        scores = _numbers(columns["score"], place, "score")
        if np.isnan(scores).any():
            row = int(np.flatnonzero(np.isnan(scores))[0])
            raise InputError("the score is NaN", f"{place}, row {row + 1}", "drop the row or give it a score")
        if not len(scores):
            raise InputError("the run is empty", place)
        entry, repeats, segment_topic, segment_row = _intern(vocabulary, topics, documents, number)
        ranks = columns.get("rank")
        runs.append(
            Run(
                name=name,
                path=place,
                tag=name,
                entry=entry,
                score=scores,
                rank=None if ranks is None else _numbers(ranks, place, "rank").astype(np.int32),
                segment_topic=segment_topic,
                segment_row=np.append(segment_row, len(entry)),
                repeats=repeats,
                unit="row",
            )
        )
    check_names(runs)
    return Runs(vocabulary, tuple(runs))


def qrels_from_memory(source: Any, duplicates: str) -> Qrels:
    place = "judgments"
    topics, documents, columns = _columns(source, {"grade": GRADE}, place)
    grades = _numbers(columns["grade"], place, "grade")
    if not len(grades):
        raise InputError("there are no judgments", place)
    wrong = np.flatnonzero(~((grades == np.round(grades)) & (grades >= LOWEST) & (grades <= HIGHEST)))
    if len(wrong):
        what = f"grade {grades[wrong[0]]:g} is not a whole number between {LOWEST} and {HIGHEST}"
        raise InputError(what, f"{place}, row {int(wrong[0]) + 1}")
    vocabulary = Vocabulary()
    entry, repeats, _, _ = _intern(vocabulary, topics, documents, 0)
    places = [(place, entry, grades.astype(np.int32), np.stack([repeats, repeats + 1]))]
    return Qrels(place, vocabulary, settle(places, vocabulary, duplicates), vocabulary.sorted_entries())


def _named_sources(sources: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    for source in sources:
        if isinstance(source, Mapping) and not _is_frame(source):
            values = list(source.values())
            if values and all(_is_frame(v) or _is_nested(v) or _is_records(v) for v in values):
                yield from ((str(name), value) for name, value in source.items())
                continue
        if _is_frame(source) and (column := _column(source, NAME)) is not None:
            names = _strings(source[column])
            for name in dict.fromkeys(names):
                rows = np.flatnonzero(np.array([n == name for n in names]))
                yield name.decode("utf-8", "surrogateescape"), _frame_rows(source, rows)
            continue
        yield ("run" if len(sources) == 1 else f"run{list(map(id, sources)).index(id(source)) + 1}"), source


def _is_frame(source: Any) -> bool:
    return hasattr(source, "columns") and hasattr(source, "__getitem__") and not isinstance(source, Mapping)


def _is_nested(source: Any) -> bool:
    return isinstance(source, Mapping) and all(isinstance(v, Mapping) for v in source.values())


def _is_records(source: Any) -> bool:
    return isinstance(source, (list, tuple)) and bool(source) and hasattr(source[0], "_fields")


def _frame_rows(frame: Any, rows: NDArray[Any]) -> Any:
    return frame.iloc[rows] if hasattr(frame, "iloc") else frame[rows.tolist()]


def _column(frame: Any, aliases: tuple[str, ...]) -> str | None:
    return next((name for name in aliases if name in list(frame.columns)), None)


def _columns(
    source: Any, wanted: Mapping[str, tuple[str, ...]], place: str
) -> tuple[list[bytes], list[bytes], dict[str, Any]]:
    """Topics, documents and the wanted columns of one source."""
    first = next(iter(wanted))
    if _is_nested(source):
        topics = [t for t, documents in source.items() for _ in documents]
        documents = [d for inner in source.values() for d in inner]
        values = [v for inner in source.values() for v in inner.values()]
        return _strings(topics), _strings(documents), {first: values}
    if _is_frame(source):
        found = {"topic": _column(source, TOPIC), "document": _column(source, DOCUMENT)}
        found |= {key: _column(source, aliases) for key, aliases in wanted.items()}
        missing = [key for key in ("topic", "document", first) if found[key] is None]
        if missing:
            raise InputError(
                f"no column for {' and '.join(missing)} among {', '.join(map(str, source.columns))}",
                place,
                f"known names: {', '.join(TOPIC + DOCUMENT + wanted[first])}",
            )
        columns = {key: source[name] for key, name in found.items() if name is not None and key in wanted}
        return _strings(source[found["topic"]]), _strings(source[found["document"]]), columns
    records = list(source) if isinstance(source, Iterable) else []
    if records and hasattr(records[0], "_fields"):
        fields = records[0]._fields
        names = [next((a for a in aliases if a in fields), None) for aliases in (TOPIC, DOCUMENT, wanted[first])]
        if None not in names:
            topics, documents, values = ([getattr(r, str(name)) for r in records] for name in names)
            return _strings(topics), _strings(documents), {first: values}
    raise InputError(
        f"cannot use a {type(source).__name__}",
        place,
        "give {topic: {document: value}}, a pandas or polars frame, or ir_measures records",
    )


def _strings(values: Iterable[Any]) -> list[bytes]:
    return [v if isinstance(v, bytes) else raw(v if isinstance(v, str) else str(v)) for v in values]


def _numbers(values: Any, place: str, what: str) -> NDArray[np.float64]:
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"a {what} is not a number", place) from None


def _intern(
    vocabulary: Vocabulary, topics: list[bytes], documents: list[bytes], run: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
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
