"""Markdown: a pipe table in which a name is a name, never markup."""

from __future__ import annotations

import re
from collections.abc import Iterable

from irassay.report.cells import cells, numeric
from irassay.report.text import visible
from irassay.result import Table

_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$!#]|:(?=//)|(?<=www)\.")


def markdown(table: Table) -> str:
    """The table under its caption, rounded as on a screen."""
    right = numeric(table)
    lines = [
        _line(map(escaped, table.columns)),
        _line("---:" if one else "---" for one in right),
        *(_line(map(escaped, row)) for row in cells(table)),
    ]
    caption = f"{escaped(table.caption)}\n\n" if table.caption else ""
    return caption + "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """The text with a backslash before what Markdown or HTML would take for its own."""
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", visible(text))


def _line(parts: Iterable[str]) -> str:
    return f"| {' | '.join(parts)} |"
