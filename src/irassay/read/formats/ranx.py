"""ranx: its Qrels and Run objects."""

from typing import Any

from irassay.read.columns import Columns
from irassay.read.formats.dicts import lists_as_columns
from irassay.read.registry import MemoryFormat


def _recognise(source: Any) -> bool:
    # by the name of its module: ranx itself takes seconds to import
    return type(source).__module__.partition(".")[0] == "ranx" and hasattr(source, "to_dict")


def _columns(source: Any, value: str, place: str) -> Columns:
    return lists_as_columns(source.to_dict(), place)._replace(name=getattr(source, "name", None))


RANX = MemoryFormat(_recognise, _columns)
