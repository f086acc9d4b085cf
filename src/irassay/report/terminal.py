"""Tables on a terminal: aligned, rounded, and safe whatever a name holds."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

from irassay.report.cells import UNDEFINED, Cell, numeric_columns, table_cells
from irassay.report.text import visible
from irassay.result import Table

if TYPE_CHECKING:
    from rich.table import Table as RichTable

GAP = 3  # between two columns
NARROW_GAP = 2  # where they are too wide
FOLDED = 12  # text that has no space has lines of at least so many characters
_HEADER_PART = re.compile(r"[^_ ]+[_ ]*|[_ ]+")
# rich lays out a few thousand rows a second: longer tables have no borders
_RICH_ROWS = 2000


def to_terminal(tables: Iterable[Table], *, tty: bool | None = None, width: int | None = None) -> str:
    """The tables as text: for a terminal of some width, or plain and as wide as its cells need.

    `tty` and `width` default to what standard output is. Off a terminal no cell is ever wrapped or cut, so
    that the text can be searched and split.
    """
    borders = sys.stdout.isatty() if tty is None else tty
    width = width or shutil.get_terminal_size().columns
    return "\n".join(_rich(table, width) if borders and len(table) <= _RICH_ROWS else _plain(table) for table in tables)


def _plain(table: Table) -> str:
    from rich.cells import cell_len  # columns on the screen: a Chinese character takes two

    header = [visible(name) for name in table.columns]
    rows = [[cell.text for cell in row] for row in table_cells(table, missing=UNDEFINED)]
    widths = [max(map(cell_len, column)) for column in zip(header, *rows, strict=True)]
    numeric = numeric_columns(table)

    def line(cells: Iterable[str]) -> str:
        padded = [
            (cell.rjust if right else cell.ljust)(width - cell_len(cell) + len(cell))
            for cell, width, right in zip(cells, widths, numeric, strict=True)
        ]
        return "  ".join(padded).rstrip() + "\n"

    text = "".join([line(header), line("-" * width for width in widths), *map(line, rows)])
    return f"{visible(table.caption)}\n\n{text}" if table.caption else text


class _Column(NamedTuple):
    """A column with its cells; `least` is the width that it needs to be read."""

    header: str
    cells: Sequence[Cell]
    right: bool
    width: int
    least: int

    @classmethod
    def of(cls, header: str, cells: Sequence[Cell], right: bool) -> Self:
        from rich.cells import cell_len

        content = max((cell_len(cell.text) for cell in cells), default=0)
        return cls(header, cells, right, max(content, cell_len(header)), content)

    def fold(self) -> Self:
        """With its header in as many lines as leave the column narrow; text may have several lines too."""
        from rich.cells import cell_len

        parts = _HEADER_PART.findall(self.header)
        content = self.least if self.right else min(self.least, FOLDED)
        narrow = max(content, *(cell_len(part.rstrip()) for part in parts), 1)
        lines = [""]
        for part in parts:
            if lines[-1] and cell_len((lines[-1] + part).rstrip()) > max(narrow, 0 if self.right else self.least):
                lines.append("")
            lines[-1] += part
        lines = [line.rstrip() for line in lines]
        return self._replace(
            header="\n".join(lines), width=max(self.least, *map(cell_len, lines)), least=max(content, narrow)
        )


def _rich(table: Table, width: int) -> str:
    from rich.console import Console
    from rich.text import Text

    rows = table_cells(table, missing=UNDEFINED)
    columns = [
        _Column.of(visible(name), [row[place] for row in rows], right)
        for place, (name, right) in enumerate(zip(table.columns, numeric_columns(table), strict=True))
    ]
    screen = io.StringIO()
    # NO_COLOR: no escape codes at all, not even for bold type
    console = Console(
        file=screen,
        force_terminal=True,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        width=width,
        legacy_windows=False,
    )
    if table.caption:
        console.print(Text(visible(table.caption), style="bold"), end="\n\n")
    gap = GAP
    blocks = [columns]
    if _width((column.width for column in columns), gap) > width:
        gap = NARROW_GAP
        blocks = _blocks([column.fold() for column in columns], width)
    for place, block in enumerate(blocks):
        if place:
            console.print()
        console.print(_layout(block, gap))
    return screen.getvalue()


def _blocks(columns: list[_Column], width: int) -> list[list[_Column]]:
    """The columns side by side, or below each other where there are too many; each block begins with the names."""
    if _width((column.least for column in columns), NARROW_GAP) <= width:
        return [columns]
    names = columns[:-1]
    while names and names[-1].right:  # numbers after the last name identify no row
        names.pop()
    if _width((column.width for column in names), NARROW_GAP) > width // 2:
        names = [column._replace(width=column.least) for column in names]  # in several lines
    while len(names) > 1 and _width((column.width for column in names), NARROW_GAP) > width // 2:
        names.pop()
    blocks = [list(names)]
    for column in columns[len(names) :]:
        if len(blocks[-1]) > len(names) and _width((one.width for one in (*blocks[-1], column)), NARROW_GAP) > width:
            blocks.append(list(names))
        blocks[-1].append(column)
    return blocks


def _width(widths: Iterable[int], gap: int) -> int:
    """Of so many columns side by side."""
    return sum(width + gap for width in widths) - gap


def _layout(columns: Sequence[_Column], gap: int) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    # between columns the box has a space of its own
    layout = RichTable(box=box.SIMPLE_HEAD, padding=(0, 1, 0, gap - 2), pad_edge=False, show_edge=False)
    for column in columns:
        # Text objects: a name like [red] is a name, not markup
        layout.add_column(
            Text(column.header),
            justify="right" if column.right else "left",
            no_wrap=column.right,
            min_width=column.least if column.right else min(column.least, FOLDED),
            max_width=column.width,
            overflow="fold",
        )
    for row in zip(*(column.cells for column in columns), strict=True):
        layout.add_row(*(Text(cell.text, style="bold" if cell.bold else "") for cell in row))
    return layout
