"""Rows and columns of tables."""

from typing import Any

import numpy as np

from irassay.errors import InputError


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """The columns of a table from its rows."""
    if not rows:
        raise InputError(
            "there is nothing to tabulate", hint="no topic has a relevant document, or no system an answer"
        )
    return {name: [row[name] for row in rows] for name in rows[0]}


def records(**columns: Any) -> list[dict[str, Any]]:
    """Rows from columns of the same length, with plain Python values in place of numpy's."""
    lists = [column.tolist() if isinstance(column, np.ndarray) else list(column) for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]
