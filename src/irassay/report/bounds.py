"""Levels that so many samples cannot tell from 0: people read them as bounds, files keep the numbers."""

from __future__ import annotations

from dataclasses import replace

from irassay.report.cells import DEFAULT_DIGITS
from irassay.report.text import undefined
from irassay.result import Result, Table

LEVELS = ("asl", "p_value")


def least(table: Table, result: Result) -> dict[str, float]:
    """For each column of levels the smallest that can be told: 1/B of an ASL, what the digits show of a p-value."""
    found = {}
    for name in LEVELS:
        if name in table.columns:
            samples = result.provenance.get("resamples")
            shown = 10.0 ** -table.digits.get(name, DEFAULT_DIGITS)
            found[name] = 1 / samples if name == "asl" and isinstance(samples, int) and samples > 0 else shown
    return found


def bounded(table: Table, result: Result) -> Table:
    """The table for a reader: a level of 0 is below what so many samples can tell, a small one below what is shown."""
    columns, digits = dict(table.columns), dict(table.digits)
    for name, bound in least(table, result).items():
        shown = digits.pop(name, DEFAULT_DIGITS)
        columns[name] = [_level(value, bound, shown) for value in columns[name]]
    return replace(table, columns=columns, digits=digits)


def _level(value: object, bound: float, digits: int) -> str | None:
    if undefined(value):
        return None
    level = float(str(value))
    return f"< {bound:.4g}" if level == 0 or level < bound / 2 else f"{level:.{digits}f}"
