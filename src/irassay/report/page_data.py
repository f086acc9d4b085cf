"""Data inside a page: JSON that no parser of HTML can take for anything else."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from irassay.report.bounds import least
from irassay.report.cells import DEFAULT_DIGITS, numeric
from irassay.report.figure_rows import MEASURES, SYSTEMS, text_of
from irassay.report.text import undefined
from irassay.result import Result, Table, python_values

# Longer tables would make a page that no browser opens; the caption says that the rest is in the file.
LONGEST = 100_000
# What a page shows is rounded further; the CSV beside it has every digit.
SIGNIFICANT = 6


def island(content: object) -> str:
    """JSON for inside a script element: no angle bracket or ampersand is left, and all is ASCII."""
    text = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def rounded(value: object) -> object:
    """A number to the digits a page can show; what JSON has no number for is null."""
    if undefined(value) or not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return float(f"{value:.{SIGNIFICANT}g}") if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def table_data(table: Table, result: Result) -> dict[str, object]:
    """A table by columns, at most `LONGEST` rows: numbers, and text as places in a list of its different values."""
    bounds = least(table, result)
    columns = []
    for (name, column), number in zip(table.columns.items(), numeric(table), strict=True):
        values = python_values(column)[:LONGEST]
        record: dict[str, object] = {}
        if number:
            whole = all(isinstance(value, int) or undefined(value) for value in values)
            record = {"values": [rounded(value) for value in values]}
            record["digits"] = 0 if whole else table.digits.get(name, DEFAULT_DIGITS)
            if name in bounds:
                record["least"] = bounds[name]
            if name in table.bold:
                record["bold"] = float(table.bold[name])
        else:
            record = _coded(values)
        if name in MEASURES or name in SYSTEMS:
            record["filter"] = "measure" if name in MEASURES else "system"
        columns.append(record)
    return {"rows": min(len(table), LONGEST), "columns": columns}


def _coded(values: Sequence[object]) -> dict[str, object]:
    texts: dict[str, int] = {}
    codes = [-1 if undefined(value) else texts.setdefault(text_of(value), len(texts)) for value in values]
    return {"codes": codes, "texts": list(texts)}
