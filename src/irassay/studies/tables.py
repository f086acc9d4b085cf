"""Rows and columns of tables."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from irassay.errors import InputError

Row = dict[str, Any]
Rows = list[Row]


def columns(rows: Rows) -> dict[str, list[Any]]:
    """The columns of a table from its rows."""
    if not rows:
        raise InputError(
            "there is nothing to tabulate", hint="no topic has a relevant document, or no system an answer"
        )
    return {name: [row[name] for row in rows] for name in rows[0]}


def grouped(rows: Iterable[Row], *names: str) -> dict[tuple[Any, ...], Rows]:
    """The rows by their values in these columns, in the order in which the values first occur."""
    groups: dict[tuple[Any, ...], Rows] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def records(**columns: Any) -> Rows:
    """Rows from columns of the same length, with plain Python values in place of numpy's."""
    lists = [column.tolist() if isinstance(column, np.ndarray) else list(column) for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]
