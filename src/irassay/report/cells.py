"""Cells of tables for readers: rounded numbers, and which columns hold them."""

from __future__ import annotations

from irassay.report.text import undefined, visible
from irassay.result import Table

DEFAULT_DIGITS = 4


def shown(table: Table, *, missing: str) -> list[list[str]]:
    """Every row as text: floats by `table.digits`, undefined cells as `missing`, names made visible."""
    digits = [table.digits.get(name, DEFAULT_DIGITS) for name in table.columns]
    return [[_cell(value, places, missing) for value, places in zip(row, digits, strict=True)] for row in table.rows()]


def _cell(value: object, digits: int, missing: str) -> str:
    if undefined(value):
        return missing
    if isinstance(value, float):
        return f"{value:z.{digits}f}"  # z: a rounded -0.0000 is a difference of nothing
    return visible(str(value))


def numeric(table: Table) -> list[bool]:
    """Which columns hold numbers only, and so stand on the right."""
    found = [True] * len(table.columns)
    for row in table.rows():
        for place, value in enumerate(row):
            if not undefined(value) and (isinstance(value, bool) or not isinstance(value, (int, float))):
                found[place] = False
    return found
