"""JSON that every parser takes: no NaN, no bare infinities, all digits."""

import json
import math
import os
import re
from collections.abc import Iterable, Mapping

from irassay.report.text import encode, undefined
from irassay.result import Result

_SURROGATE = re.compile("[\ud800-\udfff]")


def to_json(result: Result) -> bytes:
    """One object: `provenance`, then every table by name as a list of records."""
    content: dict[str, object] = {"provenance": _plain(result.provenance)}
    for table in result.tables:
        content[table.name] = [dict(zip(table.columns, map(_plain, row), strict=True)) for row in table.rows()]
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)
    # a stray byte of a name stays apart from its neighbours as an escape; raw it would not be UTF-8
    return encode(_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n")


def _plain(value: object) -> object:
    if undefined(value):
        return None
    if isinstance(value, float) and math.isinf(value):
        # JSON has no infinity, and null already means undefined
        return "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, (str, bool, int, float)):
        return float(value) if isinstance(value, float) else value
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # numpy's scalars and arrays
        return _plain(value.tolist())
    if isinstance(value, Iterable):
        return [_plain(inner) for inner in value]
    raise TypeError(f"{value!r} has no place in JSON")
