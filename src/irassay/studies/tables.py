"""Rows to the columns of a table."""

from __future__ import annotations

from typing import Any


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}
