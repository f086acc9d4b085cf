"""What all kinds of figures share: sizes, axes, colours, tooltips and layers of Vega-Lite."""

import textwrap
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from irassay.report.figure_rows import FigureRows
from irassay.report.text import visible
from irassay.report.vega.style import COLOURS, DASHES, HEIGHT, MAX_SERIES, SHAPES, WIDTH, Spec
from irassay.result import Figure

LABEL_HEIGHT = 9.0  # points that an upright name needs along an axis
GAP = 40  # between small figures: an axis and its labels
TOOLTIP_ORDER = ("facet", "series", "x", "y", "value", "low", "lower", "upper", "high")
FORMS: dict[str, tuple[Any, ...]] = {"strokeDash": DASHES, "shape": SHAPES}


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


def _width(columns: int) -> int:
    return (WIDTH + GAP) // columns - GAP


@dataclass(frozen=True)
class Chart:
    """A figure with its rows; `hover` is for a page, where every value can be pointed at."""

    figure: Figure
    data: FigureRows
    hover: bool

    @cached_property
    def layout(self) -> Layout:
        panels, names = len(self.data.names.get("facet", [])), len(self.data.names.get("x", []))
        columns = max(1, panels) if panels < 3 else 2 if panels in (3, 4) else 3
        while columns > 1 and names * LABEL_HEIGHT > _width(columns):  # readable names matter more than many columns
            columns -= 1
        width = _width(columns)
        if self.figure.kind == "matrix":
            step = max(8, min(48, width // max(1, names)))
            return Layout(columns, {"width": {"step": step}, "height": {"step": min(step, 28)}}, step)
        height = HEIGHT if panels < 2 else {1: 120, 2: 140}.get(columns, 100)
        return Layout(columns, {"width": width, "height": height}, width / max(1, names))

    @property
    def series(self) -> list[str]:
        return self.data.names.get("series", [])

    def axis(self, channel: str, *, zero: bool = False) -> Spec:
        """The encoding of a channel with an axis: of names, or of numbers (from 0 on with `zero`)."""
        title = self.layout.wrap_title(channel, visible(self.figure.label(channel)))
        if channel in self.data.names:
            names, axis = self.data.names[channel], self._name_axis(channel)
            return {"field": channel, "type": "nominal", "title": title, "axis": axis, "scale": {"domain": names}}
        scale: Spec = {"zero": zero, "nice": True}
        if self.figure.kind in ("points", "intervals"):
            scale["padding"] = 4  # else a point at the end of an axis is cut
        axis = self._number_axis(channel)
        return {"field": channel, "type": "quantitative", "title": title, "axis": axis, "scale": scale}

    def _name_axis(self, channel: str) -> Spec:
        axis: Spec = {"labelLimit": 130}
        if channel != "x":
            return axis
        width = self.layout.label_width
        tight = max(map(len, self.data.names["x"]), default=0) * 5.2 > width
        # slanted names need twice the space of upright ones
        axis["labelAngle"] = (-40 if width > 2 * LABEL_HEIGHT else -90) if tight else 0
        axis["labelOverlap"] = False if self.layout.all_labels else "parity"
        if self.layout.no_labels:
            axis |= {"labels": False, "ticks": False}
        return axis

    def _number_axis(self, channel: str) -> Spec:
        axis: Spec = {"tickCount": 6 if self.layout.columns == 1 and self.figure.facet is None else 4}
        if channel in self.data.integers:
            axis["tickMinStep"] = 1
        elif any(0 < max(map(abs, self.data.span(channel, facet))) < 1e-3 for facet in self.data.facets):
            axis["format"] = "~g"  # 5e-7: 0.0000005 would take the space of the figure
        return axis

    def colour(self, *, form: str = "") -> Spec:
        """The encoding of the series by colour, and by one of the `FORMS` where one is named."""
        names = self.series
        if not names:
            return {"color": {"value": COLOURS[0]}}
        legend: Spec | None = None
        if len(names) <= MAX_SERIES:
            entry_width = min(max(map(len, names)), 26) * 5.4 + 34
            legend = {"columns": max(1, int(WIDTH // entry_width)), "labelLimit": 150}
            if form == "strokeDash":
                legend |= {"symbolType": "stroke", "symbolStrokeWidth": 2, "symbolSize": 300}
        else:
            form = ""
        title = visible(self.figure.labels.get("series", "")) or None
        common: Spec = {"field": "series", "type": "nominal", "title": title, "legend": legend}
        colours = [COLOURS[i % len(COLOURS)] for i in range(len(names))]
        encoding = {"color": {**common, "scale": {"domain": names, "range": colours}}}
        if form:
            forms = [FORMS[form][i // len(COLOURS) % len(FORMS[form])] for i in range(len(names))]
            encoding[form] = {**common, "scale": {"domain": names, "range": forms}}
        return encoding

    def side_by_side(self, **more: object) -> Spec:
        """The encoding that puts the series of one name on the x axis side by side."""
        if not self.series or "x" not in self.data.names:
            return {}
        return {"xOffset": {"field": "series", "type": "nominal", "scale": {"domain": self.series}, **more}}

    def tooltip(self) -> Spec:
        """The encoding that shows every value of a row when it is pointed at."""
        entries = []
        for channel in sorted(self.figure.channels(), key=TOOLTIP_ORDER.index):
            # the series of histograms are small figures
            field = "facet" if channel == "series" and not self.series else channel
            # without anything printable in the title Vega would show the field
            entry: Spec = {"field": field, "type": "nominal", "title": visible(self.figure.label(channel)) or channel}
            if field not in self.data.names:
                entry |= {"type": "quantitative", "format": ",d" if field in self.data.integers else ".4~g"}
            entries.append(entry)
        return {"tooltip": entries}


def layer(mark: Spec, encoding: Spec, *, kind: str = "row") -> Spec:
    """What draws the rows of a kind: those of the table, or those of a line across (`marks`)."""
    return {"transform": [{"filter": f"datum.kind === '{kind}'"}], "mark": mark, "encoding": encoding}
