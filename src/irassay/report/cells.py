"""The cells of a table as people read them: rounded, safe to show, numbers told from text."""

from __future__ import annotations

from irassay.report.text import undefined, visible
from irassay.result import Table

DEFAULT_DIGITS = 4
UNDEFINED = "-"


def cells(table: Table) -> list[list[str]]:
    """Every cell as text, rounded to the digits of its column."""
    digits = [table.digits.get(name, DEFAULT_DIGITS) for name in table.columns]
    return [[cell(value, places) for value, places in zip(row, digits, strict=True)] for row in table.rows()]


def cell(value: object, digits: int) -> str:
    """One cell as text."""
    if undefined(value):
        return UNDEFINED
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
