"""Cells of tables as text: digits, undefined values, bold type, and which columns hold numbers."""

from __future__ import annotations

from typing import NamedTuple

from irassay.report.text import undefined, visible
from irassay.result import Table

DEFAULT_DIGITS = 4


class Cell(NamedTuple):
    """The text of a cell, not yet escaped for any format, and whether it is bold."""

    text: str
    bold: bool


def table_cells(table: Table, *, missing: str) -> list[list[Cell]]:
    """Every row as text: floats by `table.digits`, undefined cells as `missing`, control characters written out."""
    columns = [(name, table.digits.get(name, DEFAULT_DIGITS)) for name in table.columns]
    return [
        [
            Cell(_text(value, digits, missing), table.is_bold(name, value))
            for value, (name, digits) in zip(row, columns, strict=True)
        ]
        for row in table.rows()
    ]


def _text(value: object, digits: int, missing: str) -> str:
    if undefined(value):
        return missing
    if isinstance(value, float):
        return f"{value:z.{digits}f}"  # z: no minus sign before 0.0000
    return visible(str(value))


def numeric_columns(table: Table) -> list[bool]:
    """Which columns hold numbers only, and are therefore aligned on the right."""
    numeric = [True] * len(table.columns)
    for row in table.rows():
        for place, value in enumerate(row):
            if not undefined(value) and (isinstance(value, bool) or not isinstance(value, (int, float))):
                numeric[place] = False
    return numeric
