"""Tables in HTML: every cell is text, whatever it holds."""

from __future__ import annotations

import html

from irassay.report.cells import bold, numeric, shown
from irassay.report.figure_rows import text_of
from irassay.result import Table, python_values

UNDEFINED = "-"  # also in page.js


def escaped(value: object) -> str:
    """The value as text that is safe in an element and in a quoted attribute."""
    return html.escape(text_of(value))


def plain_table(table: Table, read: Table, rows: int, attributes: str = "") -> str:
    """The first `rows` rows of `read`; the columns that are numbers in `table` stand on the right."""
    right = numeric(table)
    head = "".join(
        f'<th scope="col" class="{_kind(one)}">{escaped(name).replace("_", "_<wbr>")}</th>'
        for name, one in zip(table.columns, right, strict=True)
    )
    columns = {name: python_values(column)[:rows] for name, column in read.columns.items()}
    first = Table(read.name, columns, digits=read.digits, bold=read.bold)
    body = "".join(
        f"<tr>{_line(row, right, strong)}</tr>"
        for row, strong in zip(shown(first, missing=UNDEFINED), bold(first), strict=True)
    )
    return f"<table{attributes}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _line(row: list[str], right: list[bool], strong: list[bool]) -> str:
    return "".join(
        f'<td class="{_kind(one)}">{f"<b>{html.escape(cell)}</b>" if heavy else html.escape(cell)}</td>'
        for cell, one, heavy in zip(row, right, strong, strict=True)
    )


def _kind(number: bool) -> str:
    return "number" if number else "text"
