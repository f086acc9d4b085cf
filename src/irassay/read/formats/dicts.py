"""Dicts: {topic: {document: value}}."""

from collections.abc import Mapping
from typing import Any

from irassay.read.columns import Columns
from irassay.read.names import packed
from irassay.read.registry import MemoryFormat


def _recognise(source: Any) -> bool:
    return isinstance(source, Mapping) and all(isinstance(inner, Mapping) for inner in source.values())


def lists_as_columns(source: Mapping[Any, Mapping[Any, Any]], place: str) -> Columns:
    """Rows of {topic: {document: value}}."""
    counts = [len(inner) for inner in source.values()]
    return Columns(
        topics=packed(source, "topic", place).repeat(counts),
        documents=[document for inner in source.values() for document in inner],
        values=[number for inner in source.values() for number in inner.values()],
    )


DICTS = MemoryFormat(_recognise, lambda source, value, place: lists_as_columns(source, place))
