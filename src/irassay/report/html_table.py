"""Tables in HTML: every cell is text, whatever it holds."""

from __future__ import annotations

import html

from irassay.report.cells import Cell, numeric_columns, table_cells
from irassay.report.figure_rows import text_of
from irassay.result import Table, python_values

UNDEFINED = "-"  # also in page.js


def escape(value: object) -> str:
    """The value as text that is safe in an element and in a quoted attribute."""
    return html.escape(text_of(value))


def plain_table(table: Table, read: Table, rows: int, attributes: str = "") -> str:
    """The first `rows` rows of `read`; the columns that are numbers in `table` are aligned on the right."""
    classes = ["number" if numeric else "text" for numeric in numeric_columns(table)]
    head = "".join(
        f'<th scope="col" class="{kind}">{escape(name).replace("_", "_<wbr>")}</th>'
        for name, kind in zip(table.columns, classes, strict=True)
    )
    columns = {name: python_values(column)[:rows] for name, column in read.columns.items()}
    first = Table(read.name, columns, digits=read.digits, bold=read.bold)
    body = "".join(f"<tr>{_row(cells, classes)}</tr>" for cells in table_cells(first, missing=UNDEFINED))
    return f"<table{attributes}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _row(cells: list[Cell], classes: list[str]) -> str:
    row = ""
    for cell, kind in zip(cells, classes, strict=True):
        text = html.escape(cell.text)
        row += f'<td class="{kind}">{f"<b>{text}</b>" if cell.bold else text}</td>'
    return row
