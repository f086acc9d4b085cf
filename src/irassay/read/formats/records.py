"""Records: a list of named tuples, as ir_measures and ir_datasets give them."""

from collections.abc import Sequence
from typing import Any

from irassay.read.columns import Columns, column_names
from irassay.read.registry import MemoryFormat


def _is_record(value: Any) -> bool:
    return hasattr(value, "_fields")


def _recognise(source: Any) -> bool:
    return isinstance(source, (list, tuple)) and not _is_record(source) and all(map(_is_record, source))


def record_columns(source: Sequence[Any], value: str, place: str) -> Columns:
    if not source:
        return Columns([], [], [])
    names = column_names(value, source[0]._fields, place)
    cells = (None if name is None else [getattr(record, name, None) for record in source] for name in names)
    topics, documents, values, ranks, systems = cells
    return Columns(topics or [], documents or [], values, ranks, systems)


RECORDS = MemoryFormat(_recognise, record_columns)
