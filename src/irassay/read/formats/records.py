"""Records: a list of named tuples, as ir_measures and ir_datasets give them."""

from collections.abc import Sequence
from typing import Any

from irassay.read.columns import Columns, required_columns
from irassay.read.registry import MemoryFormat


def _is_record(value: Any) -> bool:
    return hasattr(value, "_fields")


def _recognise(source: Any) -> bool:
    return isinstance(source, (list, tuple)) and not _is_record(source) and all(map(_is_record, source))


def _columns(source: Sequence[Any], value: str, place: str) -> Columns:
    if not source:
        return Columns([], [], [])
    fields = required_columns(value, source[0]._fields, place)
    topics, documents, values = ([getattr(record, field, None) for record in source] for field in fields)
    return Columns(topics, documents, values)


RECORDS = MemoryFormat(_recognise, _columns)
