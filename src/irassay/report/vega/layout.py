"""How large the parts of a figure are, so that names can be read and small figures stand side by side."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from irassay.report.figure_rows import Rows
from irassay.report.vega.style import HEIGHT, WIDTH, Spec

LINE = 9.0  # points that an upright name needs along an axis
GAP = 40  # between small figures: an axis and its labels


class Layout(NamedTuple):
    """Small figures side by side, the size of one, and the room that each name on its x axis has."""

    columns: int
    size: Spec
    room: float

    @property
    def named(self) -> bool:
        """Whether every name on the x axis can be read."""
        return self.room >= LINE

    @property
    def crowded(self) -> bool:
        """Whether there are so many names that none is worth reading."""
        return self.room < LINE / 2.4

    def lines(self, channel: str, title: str) -> str | list[str]:
        """The title of an axis in as many lines as its length needs."""
        length = self.size["width" if channel == "x" else "height"]
        if not isinstance(length, (int, float)):
            return title
        found = textwrap.wrap(title, max(12, int((length + 15) / 5)))
        return title if len(found) < 2 else found


def layout(kind: str, found: Rows) -> Layout:
    panels, names = len(found.names.get("facet", [])), len(found.names.get("x", []))
    columns = max(1, panels) if panels < 3 else 2 if panels in (3, 4) else 3
    while columns > 1 and names * LINE > _width(columns):  # names are worth fewer side by side
        columns -= 1
    if kind == "matrix":
        step = max(8, min(48, _width(columns) // max(1, names)))
        return Layout(columns, {"width": {"step": step}, "height": {"step": min(step, 28)}}, step)
    width = _width(columns)
    height = HEIGHT if panels < 2 else {1: 120, 2: 140}.get(columns, 100)
    return Layout(columns, {"width": width, "height": height}, width / max(1, names))


def _width(columns: int) -> int:
    return (WIDTH + GAP) // columns - GAP
