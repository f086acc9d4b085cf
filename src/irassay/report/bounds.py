"""Significance levels near 0: a reader sees `< 0.001`, the limit of so many samples; files keep the numbers."""

from __future__ import annotations

from dataclasses import replace

from irassay.report.cells import DEFAULT_DIGITS
from irassay.report.text import undefined
from irassay.result import Result, Table

LEVELS = ("asl", "p_value")


def smallest_levels(table: Table, result: Result) -> dict[str, float]:
    """The smallest level that each column of levels can show: 1/B of an ASL, the last digit of a p-value."""
    samples = result.provenance.get("resamples")
    levels = {name: 10.0 ** -table.digits.get(name, DEFAULT_DIGITS) for name in LEVELS if name in table.columns}
    if "asl" in levels and isinstance(samples, int) and samples > 0:
        levels["asl"] = 1 / samples
    return levels


def show_bounds(table: Table, result: Result) -> Table:
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
