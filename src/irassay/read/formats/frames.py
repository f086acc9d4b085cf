"""Frames of pandas and polars, of one run or of several with a column that names the system."""

from collections.abc import Mapping
from typing import Any

from irassay.read.columns import Columns, column_names
from irassay.read.registry import MemoryFormat


def _is_lazy(source: Any) -> bool:
    return type(source).__name__ == "LazyFrame"


def is_frame(source: Any) -> bool:
    if isinstance(source, Mapping) or hasattr(source, "column_names"):  # pyarrow: its `columns` are not names
        return False
    return _is_lazy(source) or (hasattr(source, "columns") and hasattr(source, "__getitem__"))


def _columns(source: Any, value: str, place: str) -> Columns:
    frame = source.collect() if _is_lazy(source) else source
    names = column_names(value, frame.columns, place)
    values, ranks, systems = (None if name is None else frame[name] for name in names[2:])
    return Columns(frame[names.topic], frame[names.document], values, ranks, systems)


FRAMES = MemoryFormat(is_frame, _columns)
