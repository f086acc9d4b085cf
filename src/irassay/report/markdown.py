"""Markdown: a pipe table, with its caption above. Names are untrusted text and are printed as they are."""

import re
from dataclasses import replace

from irassay.report.cells import Cell, numeric_columns, table_cells
from irassay.report.text import visible
from irassay.result import Table

# Characters that Markdown, or the HTML inside it, may act on; and the beginning of a link.
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$]|:(?=//)|(?<=www)\.")
_BLOCK_START = re.compile(r"^([#+\-=]|[0-9]+[.)])")  # a heading, a list
_NUMBERS = re.compile(r"[-+0-9.,\[\]() /±%↑↓]*")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def to_markdown(table: Table, *, caption: str | None = None) -> str:
    """The table with a line for each row; digits by `table.digits`, undefined cells are empty."""
    table = table if caption is None else replace(table, caption=caption)
    rules = ["---:" if numeric else "---" for numeric in numeric_columns(table)]
    header = [_escape(table.header(name).text) for name in table.columns]
    rows = [map(_cell, row) for row in table_cells(table, missing="")]
    text = "".join(f"| {' | '.join(line)} |\n" for line in (header, rules, *rows))
    if not table.caption:
        return text
    caption = _BLOCK_START.sub(lambda match: f"{match[0][:-1]}\\{match[0][-1]}", _escape(table.caption))
    return f"{caption}\n\n{text}"


def _escape(text: str) -> str:
    """Text that Markdown prints as it is; < and & as entities, because not every reader knows a backslash there."""
    return _SPECIAL.sub(lambda match: _ENTITIES.get(match[0], f"\\{match[0]}"), visible(text))


def _cell(cell: Cell) -> str:
    # a number with its interval is no link: nothing follows in round brackets
    plain = _NUMBERS.fullmatch(cell.text) and "](" not in cell.text
    text = cell.text if plain else _escape(cell.text)
    text = f"**{text}**" if cell.bold else text
    text += f"<sup>{_escape(cell.above)}</sup>" if cell.above else ""
    return text + (f"<sub>{_escape(cell.below)}</sub>" if cell.below else "")
