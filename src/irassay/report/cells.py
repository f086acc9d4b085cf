"""Cells of tables as text: digits, undefined values, significance levels near 0, bold type, alignment."""

from dataclasses import replace
from typing import NamedTuple, Self

from irassay.report.text import in_words, undefined, visible
from irassay.result import Column, Result, Table, python_values
from irassay.result.long_columns import LongColumn
from irassay.settings import check_digits

DEFAULT_DIGITS = 4
UNDEFINED = "-"  # on a screen; also in tables.js
# Significance levels. Near 0 a reader sees `< 0.001`, the limit of so many samples; files keep the numbers.
LEVELS = ("asl", "p_value", "p_corrected")


# What `--digits` leaves as it is, beside ranks: levels, and numbers that are settings and not results.
NOT_SCORES = frozenset((*LEVELS, "alpha", "fuzziness", "p_equivalence", "p_equivalence_corrected", "rate"))


# Numbers that somebody chose are shown as they were given.
SETTINGS = frozenset(("alpha", "fuzziness", "min_difference"))
MOST_OF_A_SETTING = 6


def places_of(table: Table, name: str) -> int:
    """How many decimals a column has: the table's, or as many as a setting needs."""
    if name not in SETTINGS:
        return table.digits.get(name, DEFAULT_DIGITS)
    values = [value for value in python_values(table[name]) if isinstance(value, float) and not undefined(value)]
    texts = (f"{value:.{MOST_OF_A_SETTING}f}".rstrip("0").partition(".")[2] for value in values)
    return max(map(len, texts), default=0)


class Marked(str):
    """The text of a number in a table for a paper, with signs above and below the line, and perhaps bold."""

    above: str
    below: str
    bold: bool

    def __new__(cls, text: str, *, above: str = "", below: str = "", bold: bool = False) -> Self:
        marked = super().__new__(cls, text)
        marked.above, marked.below, marked.bold = above, below, bold
        return marked


class Cell(NamedTuple):
    """The text of a cell, not yet escaped for any format, whether it is bold, and signs above and below the line."""

    text: str
    bold: bool
    above: str = ""
    below: str = ""


def table_cells(table: Table, *, missing: str) -> list[list[Cell]]:
    """Every row as text: floats by `table.digits`, undefined cells as `missing`, control characters written out."""
    columns = [(name, places_of(table, name)) for name in table.columns]
    return [
        [
            _marked(value)
            if isinstance(value, Marked)
            else Cell(_text(value, digits, missing), table.is_bold(name, value))
            for value, (name, digits) in zip(row, columns, strict=True)
        ]
        for row in table.rows()
    ]


def _marked(value: Marked) -> Cell:
    return Cell(visible(str(value)), value.bold, visible(value.above), visible(value.below))


def with_digits(table: Table, digits: int | None) -> Table:
    """The table with so many decimals of its scores, differences and shares; without a number as it is."""
    if digits is None:
        return table
    check_digits(digits)
    shown = {
        name: digits
        for name, column in table.columns.items()
        if name not in NOT_SCORES
        and not name.startswith("rank")
        and any(
            isinstance(value, float)
            for value in python_values(column[:1] if isinstance(column, LongColumn) else column)
        )
    }
    return replace(table, digits={**table.digits, **shown})


def _text(value: object, digits: int, missing: str) -> str:
    if undefined(value):
        return missing
    if isinstance(value, float):
        return f"{value:z.{digits}f}"  # z: no minus sign before 0.0000
    return visible(in_words(value))


def numeric_columns(table: Table) -> list[bool]:
    """Which columns hold numbers only, and are therefore aligned on the right."""
    return [_is_numeric(column) for column in table.columns.values()]


def _is_numeric(column: Column) -> bool:
    if isinstance(column, LongColumn):
        return column.labels is None
    return all(map(_is_number, python_values(column)))


def _is_number(value: object) -> bool:
    return undefined(value) or (isinstance(value, (int, float)) and not isinstance(value, bool))


def smallest_levels(table: Table, result: Result | None) -> dict[str, float]:
    """The smallest level that each column of levels can show: 1/B of an ASL, the last digit of a p-value.

    How many samples an ASL is from, only the result of the table knows.
    """
    levels = {name: 10.0 ** -table.digits.get(name, DEFAULT_DIGITS) for name in LEVELS if name in table.columns}
    samples = None if result is None else result.provenance.get("resamples")
    if "asl" in levels and isinstance(samples, int) and samples > 0:
        levels["asl"] = 1 / samples
    elif result is None:
        levels.pop("asl", None)
    return levels


def show_bounds(table: Table, result: Result | None) -> Table:
    """The table for a reader: a level of 0, or one below half of the smallest that can be shown, is a bound."""
    columns, digits = dict(table.columns), dict(table.digits)
    for name, smallest in smallest_levels(table, result).items():
        places = digits.pop(name, DEFAULT_DIGITS)
        columns[name] = [_level(value, smallest, places) for value in columns[name]]
    return replace(table, columns=columns, digits=digits)


def _level(value: object, smallest: float, digits: int) -> str | None:
    if undefined(value):
        return None
    level = float(str(value))
    return f"< {smallest:.4g}" if level == 0 or level < smallest / 2 else f"{level:.{digits}f}"
