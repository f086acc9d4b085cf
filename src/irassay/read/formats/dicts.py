"""Dicts: {topic: {document: value}}."""

from collections.abc import Mapping
from typing import Any

from irassay.read.columns import Columns
from irassay.read.registry import MemoryFormat


def _recognise(source: Any) -> bool:
    return isinstance(source, Mapping) and all(isinstance(inner, Mapping) for inner in source.values())


def _columns(source: Mapping[Any, Mapping[Any, Any]], value: str, place: str) -> Columns:
    return Columns(
        topics=[topic for topic, inner in source.items() for _ in inner],
        documents=[document for inner in source.values() for document in inner],
        values=[number for inner in source.values() for number in inner.values()],
    )


DICTS = MemoryFormat(_recognise, _columns)
