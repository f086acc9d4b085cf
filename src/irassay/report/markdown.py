"""Markdown: a pipe table, with its caption above. Names are untrusted text and are printed as they are."""

from __future__ import annotations

import re

from irassay.report.cells import numeric, shown
from irassay.report.text import visible
from irassay.result import Table

# Characters that Markdown, or the HTML inside it, may act on; and what begins a link that nobody wrote as one.
_ACTS = re.compile(r"[\\`*_\[\]<>|~&$]|:(?=//)|(?<=www)\.")
_BEGINS = re.compile(r"^([#+\-=]|[0-9]+[.)])")  # a heading, a list
_NUMBERS = re.compile(r"[-+0-9.,\[\]() /±%↑↓]*")


def markdown(table: Table) -> str:
    """The table with a line for each row; digits by `table.digits`, undefined cells are empty."""
    rows = [[_cell(cell) for cell in row] for row in shown(table, missing="")]
    rules = ["---:" if right else "---" for right in numeric(table)]
    lines = [list(map(escaped, table.columns)), rules, *rows]
    text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return f"{_BEGINS.sub(_apart, escaped(table.caption))}\n\n{text}" if table.caption else text


def _apart(found: re.Match[str]) -> str:
    return f"{found[0][:-1]}\\{found[0][-1]}"


def escaped(text: str) -> str:
    """Text that Markdown prints as it is; < and & as HTML has them, for not every reader takes a backslash there."""
    html = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
    return _ACTS.sub(lambda found: html.get(found[0], f"\\{found[0]}"), visible(text))


def _cell(text: str) -> str:
    # a number with its interval is no link: nothing follows in round brackets
    return text if _NUMBERS.fullmatch(text) and "](" not in text else escaped(text)
