"""Tables in a page: the first rows as HTML, and all that a browser can show as JSON, which tables.js reads."""

import html
import json
import math
from collections.abc import Sequence
from dataclasses import replace

from irassay.report.cells import (
    DEFAULT_DIGITS,
    UNDEFINED,
    Cell,
    numeric_columns,
    show_bounds,
    smallest_levels,
    table_cells,
)
from irassay.report.figure_rows import MEASURES, SYSTEMS, text_of
from irassay.report.text import all_integers, undefined
from irassay.result import Result, Table, python_values

# Browsers cannot open a page with much longer tables; the caption says that the rest is in the file.
MAX_ROWS = 100_000
# A page shows fewer digits still; the CSV file has all.
SIGNIFICANT_DIGITS = 6


def escape(value: object) -> str:
    """The value as text that is safe in an element and in a quoted attribute."""
    return html.escape(text_of(value))


def plain_table(table: Table, rows: int, result: Result | None = None, attributes: str = "") -> str:
    """The first `rows` rows, numbers on the right; in a table of a `result` levels near 0 are bounds."""
    classes = ["number" if numeric else "text" for numeric in numeric_columns(table)]
    head = "".join(
        f'<th scope="col" class="{kind}">{escape(name).replace("_", "_<wbr>")}</th>'
        for name, kind in zip(table.columns, classes, strict=True)
    )
    first = replace(table, columns={name: column[:rows] for name, column in table.columns.items()})
    shown = first if result is None else show_bounds(first, result)
    body = "".join(f"<tr>{''.join(map(_cell, row, classes))}</tr>" for row in table_cells(shown, missing=UNDEFINED))
    return f"<table{attributes}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(cell: Cell, kind: str) -> str:
    text = html.escape(cell.text)
    return f'<td class="{kind}">{f"<b>{text}</b>" if cell.bold else text}</td>'


def script_json(content: object) -> str:
    """JSON for a script element: ASCII without angle brackets and ampersands, so that no name can end the element."""
    text = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def table_data(table: Table, result: Result) -> dict[str, object]:
    """A table by columns, at most `MAX_ROWS` rows: numbers, or codes into a list of the different texts."""
    smallest = smallest_levels(table, result)
    columns = []
    for (name, column), numeric in zip(table.columns.items(), numeric_columns(table), strict=True):
        values = python_values(column)[:MAX_ROWS]
        if numeric:
            digits = 0 if all_integers(values) else table.digits.get(name, DEFAULT_DIGITS)
            record: dict[str, object] = {"values": [_json_number(value) for value in values], "digits": digits}
            if name in smallest:
                record["smallest"] = smallest[name]
            if name in table.bold:
                record["bold"] = float(table.bold[name])
        else:
            record = _coded_text(values)
        if name in MEASURES or name in SYSTEMS:
            record["filter"] = "measure" if name in MEASURES else "system"
        columns.append(record)
    return {"rows": min(len(table), MAX_ROWS), "columns": columns}


def _json_number(value: object) -> object:
    """A number with the digits that a page may show; null where it is undefined, text where it is infinite."""
    if not isinstance(value, float):
        return value
    if math.isnan(value):
        return None
    return float(f"{value:.{SIGNIFICANT_DIGITS}g}") if math.isfinite(value) else str(value)


def _coded_text(values: Sequence[object]) -> dict[str, object]:
    texts: dict[str, int] = {}
    codes = [-1 if undefined(value) else texts.setdefault(text_of(value), len(texts)) for value in values]
    return {"codes": codes, "texts": list(texts)}
