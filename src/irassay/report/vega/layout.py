"""How large the parts of a figure are, so that names can be read and small figures stand side by side."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from irassay.report.figure_rows import FigureRows
from irassay.report.vega.style import HEIGHT, WIDTH, Spec

LABEL_HEIGHT = 9.0  # points that an upright name needs along an axis
GAP = 40  # between small figures: an axis and its labels


class Layout(NamedTuple):
    """The number of small figures side by side, the size of one, and the width for each name on its x axis."""

    columns: int
    size: Spec
    label_width: float

    @property
    def all_labels(self) -> bool:
        """Whether every name on the x axis can be read."""
        return self.label_width >= LABEL_HEIGHT

    @property
    def no_labels(self) -> bool:
        """Whether there are so many names that none is worth reading."""
        return self.label_width < LABEL_HEIGHT / 2.4

    def wrap_title(self, channel: str, title: str) -> str | list[str]:
        """The title of an axis in as many lines as its length needs."""
        length = self.size["width" if channel == "x" else "height"]
        if not isinstance(length, (int, float)):
            return title
        lines = textwrap.wrap(title, max(12, int((length + 15) / 5)))
        return title if len(lines) < 2 else lines


def layout(kind: str, data: FigureRows) -> Layout:
    panels, names = len(data.names.get("facet", [])), len(data.names.get("x", []))
    columns = max(1, panels) if panels < 3 else 2 if panels in (3, 4) else 3
    while columns > 1 and names * LABEL_HEIGHT > _width(columns):  # readable names matter more than many columns
        columns -= 1
    width = _width(columns)
    if kind == "matrix":
        step = max(8, min(48, width // max(1, names)))
        return Layout(columns, {"width": {"step": step}, "height": {"step": min(step, 28)}}, step)
    height = HEIGHT if panels < 2 else {1: 120, 2: 140}.get(columns, 100)
    return Layout(columns, {"width": width, "height": height}, width / max(1, names))


def _width(columns: int) -> int:
    return (WIDTH + GAP) // columns - GAP
