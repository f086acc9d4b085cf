"""How a table is laid out on a terminal: no number and no name is ever cut.

A table that is too wide first gets shorter headers, then headers in several lines. Then columns that say the same in
every row are named below it, once. What still does not fit is folded into blocks, each of which begins with the columns
that identify a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from irassay.headers import Header
from irassay.report.cells import Cell

WIDE_GAP, GAP = 3, 2  # between two columns, where there is space and elsewhere
LEAST_PROSE = 24  # sentences have lines of at least so many characters
LEAST_NAME = 8
MOST_KEYS = 4  # columns that identify a row together
# Columns that go on identifying a row beside others that would be enough.
NAMES = frozenset(("collection", "measure", "group", "judge", "system", "system_x", "system_y", "topic", "variation"))
_HEADER_PART = re.compile(r"[^_ ]+[_ ]*|[_ ]+")
_NUMBERS = re.compile(r"[-+0-9.,\[\]() <>/±↑↓≠]*")  # with an interval, a bound or a mark


def cell_width(text: str) -> int:
    """The columns of a terminal that a text takes: a Chinese character takes two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most this width, cut between words or, of a word that is longer, within it."""
    lines = [""]
    for word in text.split(" "):
        line = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_width(line) <= width:
            lines[-1] = line
            continue
        *whole, last = _chop(word, width)
        lines += [*whole, last]
    return lines[1:] if len(lines) > 1 and not lines[0] else lines


def _chop(word: str, width: int) -> list[str]:
    """A word in pieces of at most this width."""
    pieces, used = [""], 0
    for char in word:
        size = cell_width(char)
        if pieces[-1] and used + size > width:
            pieces.append("")
            used = 0
        pieces[-1] += char
        used += size
    return pieces


class Column(NamedTuple):
    """A column with its cells."""

    name: str
    header: Header
    cells: Sequence[Cell]
    right: bool  # numbers, which are aligned on the right

    @property
    def width(self) -> int:
        """Of the widest cell."""
        return max((cell_width(cell.text) for cell in self.cells), default=0)

    @property
    def prose(self) -> bool:
        """Whether it holds sentences, which may have several lines; names and numbers stay whole."""
        if self.right or self.width <= LEAST_PROSE:
            return False
        return any(" " in cell.text and not _NUMBERS.fullmatch(cell.text) for cell in self.cells)

    @property
    def constant(self) -> bool:
        return len({cell.text for cell in self.cells}) == 1


class Placed(NamedTuple):
    """A column in a block: the lines of its header, and the width of its lines."""

    column: Column
    header: Sequence[str]
    width: int  # that shows every cell in one line
    least: int  # with which it can be read


class Layout(NamedTuple):
    """Columns side by side in blocks below each other, and those that say the same in every row."""

    blocks: list[list[Placed]]
    gap: int
    constant: list[Column]


def lay_out(columns: Sequence[Column], width: int) -> Layout:
    """The first layout that fits, in the order of the module's docstring."""
    rows = len(columns[0].cells) if columns else 0
    constant = [column for column in columns if column.constant] if rows > 1 else []
    varying = [column for column in columns if column not in constant]
    if not varying:  # equal rows: something must show how many they are
        varying, constant = list(columns[:1]), constant[1:]
    for kept, dropped in ((list(columns), []), (varying, constant)):
        for header, gap in ((_text, WIDE_GAP), (_text, GAP), (_brief, GAP), (_folded, GAP)):
            placed = [_place(column, header(column)) for column in kept]
            if _total((one.least for one in placed), gap) <= width:
                return Layout([_widened(placed, width, gap)], gap, dropped)
    placed = [_place(column, _folded(column)) for column in varying]
    return Layout(_blocks(placed, _keys(varying), width), GAP, constant)


def _text(column: Column) -> list[str]:
    return [column.header.text]


def _brief(column: Column) -> list[str]:
    return [column.header.brief]


def _folded(column: Column) -> list[str]:
    """The short header in as many lines as leave the column narrow."""
    parts = _HEADER_PART.findall(column.header.brief) or [""]
    narrow = max(min(column.width, LEAST_PROSE), *(cell_width(part.rstrip()) for part in parts))
    lines = [""]
    for part in parts:
        if lines[-1] and cell_width((lines[-1] + part).rstrip()) > narrow:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def _place(column: Column, header: list[str]) -> Placed:
    of_header = max(map(cell_width, header))
    least = min(column.width, LEAST_PROSE) if column.prose else column.width
    return Placed(column, header, max(column.width, of_header), max(least, of_header))


def _total(widths: Iterable[int], gap: int) -> int:
    """Of columns of these widths side by side."""
    return sum(width + gap for width in widths) - gap


def _keys(columns: Sequence[Column]) -> int:
    """How many of the first columns identify a row."""
    keys = 1
    while keys < MOST_KEYS and len({tuple(c.cells[row].text for c in columns[:keys]) for row in _rows(columns)}) < len(
        _rows(columns)
    ):
        keys += 1
    if keys == MOST_KEYS:  # none do: those before the first number
        keys = next((place for place, column in enumerate(columns) if column.right), 1) or 1
    while keys < len(columns) and columns[keys].name in NAMES:
        keys += 1
    return min(keys, MOST_KEYS, len(columns) - 1)


def _rows(columns: Sequence[Column]) -> range:
    return range(len(columns[0].cells))


def _blocks(placed: list[Placed], keys: int, width: int) -> list[list[Placed]]:
    """Blocks that all begin with the columns that identify a row; where those are too wide they have several lines."""
    names, others = _narrowed(placed[:keys], width // 2), placed[keys:]
    left = max(1, width - _total((one.least for one in names), GAP) - (GAP if names else 0))
    others = [one if one.least <= left else _limited(one, left) for one in others]
    blocks: list[list[Placed]] = [[]]
    for one in others:
        if blocks[-1] and _total((each.least for each in (*names, *blocks[-1], one)), GAP) > width:
            blocks.append([])
        blocks[-1].append(one)
    return [_widened([*names, *block], width, GAP) for block in blocks]


def _narrowed(names: list[Placed], width: int) -> list[Placed]:
    """The columns within this width: the widest ones in several lines."""
    least = [one.least for one in names]
    while _total(least, GAP) > width and max(least) > LEAST_NAME:
        widest = least.index(max(least))
        least[widest] -= 1
    return [_limited(one, limit) for one, limit in zip(names, least, strict=True)]


def _limited(one: Placed, width: int) -> Placed:
    """The column in so narrow a space, its header too."""
    header = [piece for line in one.header for piece in wrap(line, width)]
    return one._replace(header=header, least=width)


def _widened(block: list[Placed], width: int, gap: int) -> list[Placed]:
    """Every column as wide as its cells are, as far as there is space, beginning with those that want least more."""
    free = width - _total((one.least for one in block), gap)
    widths = [one.least for one in block]
    wanting = sorted(range(len(block)), key=lambda place: block[place].width - block[place].least)
    for done, place in enumerate(wanting):
        more = min(block[place].width - block[place].least, free // (len(wanting) - done))
        widths[place] += max(0, more)
        free -= max(0, more)
    return [one._replace(width=final) for one, final in zip(block, widths, strict=True)]
