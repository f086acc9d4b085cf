"""Tables and sentences on a terminal: aligned, rounded, as wide as the terminal, and safe whatever a name holds."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from irassay.headers import Header
from irassay.report.cells import UNDEFINED, Cell, numeric_columns, table_cells
from irassay.report.terminal_layout import Column, Layout, Placed, cell_width, lay_out, wrap
from irassay.report.text import visible
from irassay.result import Table

LEAST_WIDTH = 20  # a narrower terminal is taken for one of this width
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_SENTENCE_END = re.compile(r"[.:;](?= |$)")


def to_terminal(tables: Iterable[Table], *, tty: bool | None = None, width: int | None = None) -> str:
    """The tables as text: for a terminal of some width, or plain and as wide as its cells need.

    `tty` and `width` default to what standard output is. Off a terminal all columns have the names that they have in
    files, and no cell is ever wrapped or cut, so that the text can be searched and split.
    """
    tty = sys.stdout.isatty() if tty is None else tty
    columns = _columns_of(width)
    return "\n".join(_for_terminal(table, columns) if tty else _plain(table) for table in tables)


def paragraph(
    text: str, *, tty: bool | None = None, width: int | None = None, first: str = "", indent: str = ""
) -> str:
    """A text after `first`, wrapped on a terminal, where the lines of a wrapped one are indented."""
    tty = sys.stdout.isatty() if tty is None else tty
    lines = [visible(line) for line in text.split("\n")]
    if tty:
        space = _columns_of(width) - max(len(first), len(indent))
        lines = [f"\n{indent}".join(wrap(line, space)) for line in lines]
    return first + "\n".join(lines) + "\n"


def _columns_of(width: int | None) -> int:
    return max(LEAST_WIDTH, width or shutil.get_terminal_size().columns)


def _plain(table: Table) -> str:
    header = [visible(name) for name in table.columns]
    rows = [[cell.text for cell in row] for row in table_cells(table, missing=UNDEFINED)]
    widths = [max(map(cell_width, column)) for column in zip(header, *rows, strict=True)]
    numeric = numeric_columns(table)

    def line(cells: Iterable[str]) -> str:
        return "  ".join(map(_padded, cells, widths, numeric)).rstrip() + "\n"

    text = "".join([line(header), line("-" * width for width in widths), *map(line, rows)])
    return f"{visible(table.caption)}\n\n{text}" if table.caption else text


def _padded(text: str, width: int, right: bool) -> str:
    space = " " * (width - cell_width(text))
    return space + text if right else text + space


def _for_terminal(table: Table, width: int) -> str:
    rows = table_cells(table, missing=UNDEFINED)
    columns = [
        Column(name, _visible(table, name), [row[place] for row in rows], right)
        for place, (name, right) in enumerate(zip(table.columns, numeric_columns(table), strict=True))
    ]
    layout = lay_out(columns, width)
    parts = [*_caption(visible(table.caption), width), *(_block(block, layout.gap) for block in layout.blocks)]
    return "\n".join([*parts, *_constant(layout, width)])


def _visible(table: Table, name: str) -> Header:
    header = table.header(name)
    return Header(visible(header.text), visible(header.short))


def _caption(caption: str, width: int) -> list[str]:
    """What the table shows stands out, what is said about it does not."""
    if not caption:
        return []
    lines, title = wrap(caption, width), len(_SENTENCE_END.split(caption, 1)[0].replace(" ", ""))
    shown = []
    for line in lines:
        shown.append(_bold(line) if title > 0 else line)
        title -= len(line.replace(" ", ""))
    return ["\n".join(shown) + "\n"]


def _constant(layout: Layout, width: int) -> list[str]:
    """What all rows share, in a sentence."""
    if not layout.constant:
        return []
    said = [f"{column.header.text} {column.cells[0].text}" for column in layout.constant]
    return ["\n".join(wrap(f"In every row: {', '.join(said)}.", width)) + "\n"]


def _block(block: Sequence[Placed], gap: int) -> str:
    header = [_aligned(one, one.header, bold=True) for one in block]
    height = max(map(len, header))
    header = [[" " * one.width] * (height - len(lines)) + lines for one, lines in zip(block, header, strict=True)]
    lines = [*_beside(block, header, gap), "─" * (sum(one.width + gap for one in block) - gap)]
    for row in zip(*(one.column.cells for one in block), strict=True):
        lines += _beside(block, [_cell(one, cell) for one, cell in zip(block, row, strict=True)], gap)
    return "".join(f"{line}\n" for line in lines)


def _cell(one: Placed, cell: Cell) -> list[str]:
    lines = [cell.text] if cell_width(cell.text) <= one.width else wrap(cell.text, one.width)
    return _aligned(one, lines, bold=cell.bold)


def _aligned(one: Placed, lines: Sequence[str], *, bold: bool) -> list[str]:
    aligned = [_padded(line, one.width, one.column.right) for line in lines]
    return [
        full.replace(line, _bold(line), 1) if bold and line else full for full, line in zip(aligned, lines, strict=True)
    ]


def _beside(block: Sequence[Placed], cells: Sequence[Sequence[str]], gap: int) -> list[str]:
    """The lines of cells beside each other."""
    lines = zip_longest(*cells)
    return [
        (" " * gap)
        .join(" " * one.width if part is None else part for one, part in zip(block, line, strict=True))
        .rstrip()
        for line in lines
    ]


def _bold(text: str) -> str:
    # NO_COLOR: no escape codes at all, not even for bold type
    return text if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else f"{_BOLD}{text}{_PLAIN}"
