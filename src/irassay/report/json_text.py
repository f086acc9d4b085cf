"""JSON that every parser takes: no NaN, no bare infinities, all digits."""

import json
import math
import os
from collections.abc import Iterable, Mapping

from irassay.errors import InputError
from irassay.report.text import undefined
from irassay.result import Result

MOST_ROWS = 2_000_000  # each takes about a kilobyte of memory


def to_json(result: Result) -> bytes:
    """One object: `provenance`, then every table by name as a list of records."""
    rows = sum(map(len, result.tables))
    if rows > MOST_ROWS:
        raise InputError(
            f"tables of {rows:,} rows are too many for JSON", hint="save them with --out DIR, as CSV and as Parquet"
        )
    content: dict[str, object] = {"provenance": _plain(result.provenance)}
    for table in result.tables:
        content[table.name] = [dict(zip(table.columns, map(_plain, row), strict=True)) for row in table.rows()]
    return dump(content)


def dump(content: object) -> bytes:
    """JSON in UTF-8; a stray byte of a name is an escape that JSON knows, because raw it would not be UTF-8."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)
    return f"{text}\n".encode("utf-8", "backslashreplace")


def _plain(value: object) -> object:
    if undefined(value):
        return None
    if isinstance(value, float) and math.isinf(value):
        # JSON has no infinity, and null already means undefined
        return "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # numpy's scalars and arrays
        return _plain(value.tolist())
    if isinstance(value, Iterable):
        return [_plain(inner) for inner in value]
    raise TypeError(f"{value!r} has no place in JSON")
