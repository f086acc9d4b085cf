"""Tables on a terminal: aligned, rounded, and safe whatever a name holds."""

import io
import os
import shutil
import sys
from collections.abc import Iterable

from irassay.report.cells import UNDEFINED, numeric_columns, table_cells
from irassay.report.text import visible
from irassay.result import Table

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


def _rich(table: Table, width: int) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    layout = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name, right in zip(table.columns, numeric_columns(table), strict=True):
        # Text objects: a name like [red] is a name, not markup
        layout.add_column(Text(visible(name)), justify="right" if right else "left", no_wrap=right, overflow="fold")
    for row in table_cells(table, missing=UNDEFINED):
        layout.add_row(*(Text(cell.text, style="bold" if cell.bold else "") for cell in row))
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
    console.print(layout)
    return screen.getvalue()
