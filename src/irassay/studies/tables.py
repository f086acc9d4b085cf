"""Rows to the columns of a table."""

from __future__ import annotations

from typing import Any

from irassay.errors import InputError


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    if not rows:
        raise InputError(
            "there is nothing to tabulate", hint="no topic has a relevant document, or no system an answer"
        )
    return {name: [row[name] for row in rows] for name in rows[0]}
