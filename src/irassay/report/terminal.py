"""Tables for people: aligned, rounded, and safe whatever a name holds."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterable

from irassay.report.cells import numeric, shown
from irassay.report.text import visible
from irassay.result import Table

UNDEFINED = "-"
# rich lays out a few thousand rows a second: beyond this nobody admires the borders
_RICH_ROWS = 2000


def to_terminal(tables: Iterable[Table], *, tty: bool | None = None, width: int | None = None) -> str:
    """The tables as text: for a terminal of some width, or plain and as wide as its cells need.

    `tty` and `width` default to what standard output is. Off a terminal no cell is ever wrapped or cut, so
    that the text can be searched and split.
    """
    if tty is None:
        tty = sys.stdout.isatty()
    if width is None:
        width = shutil.get_terminal_size().columns
    return "\n".join(_rich(table, width) if tty and len(table) <= _RICH_ROWS else _plain(table) for table in tables)


def _plain(table: Table) -> str:
    from rich.cells import cell_len  # columns on the screen: a Chinese character takes two

    header = [visible(name) for name in table.columns]
    rows = shown(table, missing=UNDEFINED)
    widths = [max(map(cell_len, column)) for column in zip(header, *rows, strict=True)]
    right_hand = numeric(table)

    def line(cells: Iterable[str]) -> str:
        padded = []
        for cell, wide, right in zip(cells, widths, right_hand, strict=True):
            blank = " " * (wide - cell_len(cell))
            padded.append(blank + cell if right else cell + blank)
        return "  ".join(padded).rstrip() + "\n"

    text = "".join([line(header), line("-" * wide for wide in widths), *map(line, rows)])
    return f"{visible(table.caption)}\n\n{text}" if table.caption else text


def _rich(table: Table, width: int) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name, right in zip(table.columns, numeric(table), strict=True):
        # Text objects: a name like [red] is a name, not markup
        grid.add_column(Text(visible(name)), justify="right" if right else "left", no_wrap=right, overflow="fold")
    for row in shown(table, missing=UNDEFINED):
        grid.add_row(*map(Text, row))
    screen = io.StringIO()
    # NO_COLOR: no escape codes at all, so bold goes too
    console = Console(
        file=screen,
        force_terminal=True,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        width=width,
        legacy_windows=False,
    )
    if table.caption:
        console.print(Text(visible(table.caption), style="bold"), end="\n\n")
    console.print(grid)
    return screen.getvalue()
