"""Frames of pandas and polars, of one run or of several with a column that names the system."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from irassay.errors import InputError
from irassay.read.columns import Columns, column_of, identifiers, required_columns
from irassay.read.registry import MemoryFormat
from irassay.read.vocabulary import text


def _is_lazy(source: Any) -> bool:
    return type(source).__name__ == "LazyFrame"


def _collected(source: Any) -> Any:
    return source.collect() if _is_lazy(source) else source


def _recognise(source: Any) -> bool:
    if isinstance(source, Mapping) or hasattr(source, "column_names"):  # pyarrow: its `columns` are not names
        return False
    return _is_lazy(source) or (hasattr(source, "columns") and hasattr(source, "__getitem__"))


def _columns(source: Any, value: str, place: str) -> Columns:
    frame = _collected(source)
    topic, document, number = required_columns(value, frame.columns, place)
    rank = column_of("rank", frame.columns, place)
    return Columns(frame[topic], frame[document], frame[number], None if rank is None else frame[rank])


def _split(source: Any) -> Iterator[tuple[str | None, Any]]:
    """The rows of each system, systems in order of appearance; a frame that names none is one run."""
    frame = _collected(source)
    column = column_of("system", frame.columns, "runs")
    if column is None:
        yield None, frame
        return
    names = identifiers(frame[column], column, "runs")
    if not names:
        raise InputError("the frame has no rows", "runs", "give at least one run with results")
    number = {name: n for n, name in enumerate(dict.fromkeys(names))}
    system = np.array([number[name] for name in names], dtype=np.int64)
    ends = np.cumsum(np.bincount(system, minlength=len(number)))
    for name, rows in zip(number, np.split(np.argsort(system, kind="stable"), ends[:-1]), strict=True):
        yield text(name), frame.iloc[rows] if hasattr(frame, "iloc") else frame[rows.tolist()]


FRAMES = MemoryFormat(_recognise, _columns, _split)
