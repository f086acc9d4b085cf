"""Rows and phrases for the findings of studies."""

from collections.abc import Sequence
from typing import Any

from irassay.report.text import undefined, visible
from irassay.result import Table

SHOWN = 4  # parts that one sentence can hold
FEWEST_PAIRS = 5  # of systems, from which on a share of pairs or a tau says something


def rows_of(table: Table, *needed: str) -> list[dict[str, Any]]:
    """The rows as dictionaries, without those that have no value in a needed column."""
    rows = (dict(zip(table.columns, row, strict=True)) for row in table.rows())
    return [row for row in rows if not any(undefined(row[name]) for name in needed)]


def safe(value: object) -> str:
    """A name as text that is safe to show."""
    return visible(str(value))


def join(parts: Sequence[str]) -> str:
    """a, b and c."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def few(parts: Sequence[str]) -> str:
    """All of a few parts; of many the first ones and the last."""
    if len(parts) <= SHOWN + 2:
        return join(parts)
    return f"{', '.join(parts[:SHOWN])}, … and last {parts[-1]}"


def too_few_pairs(pairs: int) -> str:
    """What to say instead of a share of so few pairs, or of a tau between rankings of so few."""
    are = "is 1 pair" if pairs == 1 else f"are {pairs} pairs"
    return f"There {are} of systems: too few for shares of pairs and for tau, {FEWEST_PAIRS} are needed."


def per_comparison(alpha: object, test: str = "paired") -> str:
    """What every count of significant pairs by bootstrap tests has to say of them."""
    return f"bootstrap test, {test}, alpha {alpha:g} per comparison, not corrected"


def percent(share: float) -> str:
    """A share as per cent: whole where that says enough."""
    value = 100 * share
    return f"{value:.0f}%" if value == 0 or 1 <= value <= 99 or value == 100 else f"{value:.1f}%"
