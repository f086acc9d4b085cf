"""Tables in a page: the first rows as HTML, and all that a browser can show as JSON, which tables.js reads."""

import base64
import html
import json
import math
import zlib
from collections.abc import Sequence
from dataclasses import replace

from irassay.report.cells import (
    UNDEFINED,
    Cell,
    numeric_columns,
    places_of,
    show_bounds,
    smallest_levels,
    table_cells,
)
from irassay.report.figure_rows import MEASURES, SYSTEMS, text_of
from irassay.report.html_parts import escape, heading_cell, plural, scrolling, words
from irassay.report.text import all_integers, undefined
from irassay.result import Result, Table, python_values

STATIC_ROWS = 25  # rows that the page itself holds, for readers without scripts
# Browsers cannot open a page with much longer tables; the caption says that the rest is in the file.
MAX_ROWS = 100_000
# A page shows fewer digits still; the CSV file has all.
SIGNIFICANT_DIGITS = 6
MANY_COLUMNS = 8  # whose headers are short where they can be
PACKED = 20_000  # characters of JSON from which on it is compressed


def plain_table(table: Table, rows: int, result: Result | None = None, attributes: str = "") -> str:
    """The first `rows` rows, numbers on the right; levels near 0 are bounds, of an ASL in a table of a `result`."""
    classes = ["number" if numeric else "text" for numeric in numeric_columns(table)]
    brief = len(table.columns) > MANY_COLUMNS
    head = "".join(
        heading_cell(table.header(name), name, f' class="{kind}"', brief=brief)
        for name, kind in zip(table.columns, classes, strict=True)
    )
    first = replace(table, columns={name: column[:rows] for name, column in table.columns.items()})
    cells = table_cells(show_bounds(first, result), missing=UNDEFINED)
    body = "".join(f"<tr>{''.join(map(_cell, row, classes))}</tr>" for row in cells)
    return f"<table{attributes}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(cell: Cell, kind: str) -> str:
    text = html.escape(cell.text)
    return f'<td class="{kind}">{f"<b>{text}</b>" if cell.bold else text}</td>'


def whole_table(place: str, table: Table, result: Result, *, main: bool) -> str:
    """A table with its title and its tools, which opens and closes; `place` tells it apart from all others."""
    level = 3 if main else 4  # of its heading: other tables stand below one
    rest, name = len(table) - STATIC_ROWS, escape(words(table.name))
    cut = f" The page has the first {MAX_ROWS:,} rows; the file has all." if len(table) > MAX_ROWS else ""
    caption = f'<p class="caption" id="caption-{place}">{escape(table.caption) or name}{cut}</p>'
    shown = plain_table(table, STATIC_ROWS, result, f' aria-labelledby="caption-{place}"')
    more = f'<p class="rest">{rest:,} more rows are in the file of this table.</p>' if rest > 0 else ""
    return (
        f'<details class="table" id="table-{place}"{" open" if main else ""}><summary><h{level}>{name}</h{level}> '
        f"<span>{plural(len(table), 'row')}</span></summary>"
        f'<div class="tools" hidden><label>Search <input type="search" autocomplete="off" aria-label="Search {name}" '
        'spellcheck="false"></label><p role="status"></p><button type="button" data-step="-1">Previous</button>'
        '<button type="button" data-step="1">Next</button><button type="button" data-csv '
        f'data-file="{escape(table.name)}.csv">CSV<span class="hidden"> of {name}</span></button></div>'
        f"{caption}{scrolling(f'Table {words(table.name)}', shown)}{more}"
        f"{data_script(table_data(table, result))}</details>"
    )


def script_json(content: object) -> str:
    """JSON for a script element: ASCII without angle brackets and ampersands, so that no name can end the element."""
    text = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def data_script(content: object) -> str:
    """JSON that data.js reads; what is long is compressed."""
    text = script_json(content)
    if len(text) < PACKED:
        return f'<script type="application/json">{text}</script>'
    packed = base64.b64encode(zlib.compress(text.encode(), 9)).decode()
    return f'<script type="application/json" data-encoding="deflate">{packed}</script>'


def table_data(table: Table, result: Result) -> dict[str, object]:
    """A table by columns, at most `MAX_ROWS` rows: numbers, or codes into a list of the different texts."""
    smallest = smallest_levels(table, result)
    columns = []
    for (name, column), numeric in zip(table.columns.items(), numeric_columns(table), strict=True):
        values = python_values(column[:MAX_ROWS])
        record: dict[str, object] = {"name": text_of(name)}  # as the header of the CSV file
        if numeric:
            digits = 0 if all_integers(values) else places_of(table, name)
            record |= {"values": [_json_number(value) for value in values], "digits": digits}
            if name in smallest:
                record["smallest"] = smallest[name]
            if name in table.bold:
                record["bold"] = float(table.bold[name])
        else:
            record |= _coded_text(values)
        if name in MEASURES or name in SYSTEMS or name in ("collection", "topic"):
            record["filter"] = "measure" if name in MEASURES else "system" if name in SYSTEMS else name
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
    """Texts as people read them; of truth values the page's CSV needs to know that they are some."""
    texts: dict[str, int] = {}
    codes = [-1 if undefined(value) else texts.setdefault(text_of(value), len(texts)) for value in values]
    truth = {"boolean": True} if all(isinstance(value, bool) or undefined(value) for value in values) else {}
    return {"codes": codes, "texts": list(texts), **truth}
