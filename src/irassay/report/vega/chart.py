"""What all kinds of figures share: sizes, axes, colours, tooltips and layers of Vega-Lite."""

import math
import textwrap
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from irassay.report.figure_rows import FigureRows
from irassay.report.vega.axes import Ends, axis_ends, number_format, own_axes
from irassay.report.vega.style import COLOURS, DASHES, MAX_SERIES, PAGE, PRINT, SHAPES, WIDTH, Look, Spec
from irassay.result import Figure

LABEL_HEIGHT = 9.0  # points that an upright name needs along an axis
NARROWEST = 110  # points of a small figure beside names
GAP = 40  # between small figures: an axis and its labels
TOOLTIP_ORDER = ("facet", "series", "x", "y", "value", "low", "lower", "upper", "high", "level")
FEW_NUMBERS = 6  # whole ones, which all stand on an axis
OBVIOUS = ("measure", "system", "topic")  # whose names say what they are
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
    facet: str | None = None  # the small figure that is drawn; None where there is one only
    direct: bool = False  # whether labels stand beside the lines, which therefore need no legend
    margin: float = 0.0  # space on the right for labels

    @property
    def look(self) -> Look:
        return PAGE if self.hover else PRINT

    @cached_property
    def own_axes(self) -> frozenset[str]:
        """The axes that have a scale of their own in each small figure."""
        return own_axes(self.figure, self.data)

    def ends(self, channel: str, *, zero: bool = False) -> Ends:
        """Where an axis of numbers ends; the first is above the second on a reversed axis."""
        facet = self.facet if channel in self.own_axes else None
        return axis_ends(self.figure, self.data, channel, facet, zero=zero)

    @cached_property
    def layout(self) -> Layout:
        panels, names = len(self.data.names.get("facet", [])), len(self.data.names.get("x", []))
        columns = max(1, panels) if panels < 3 else 2 if panels in (3, 4) or self.figure.kind == "curve" else 3
        while columns > 1 and names * LABEL_HEIGHT > _width(columns):  # readable names matter more than many columns
            columns -= 1
        while columns > 1 and self.name_width and _width(columns) - self.name_width < NARROWEST:
            columns -= 1
        width = _width(columns)
        if self.figure.kind == "matrix":
            step = max(8, min(48, width // max(1, names)))
            return Layout(columns, {"width": {"step": step}, "height": {"step": min(step, 28)}}, step)
        height = self.look.height if panels < 2 else self.look.small[columns - 1]
        size = max(80, round(width - self.margin - self.name_width))
        height = max(height, 1.5 * self.look.label * len(self.data.names.get("y", [])))
        if self.square:
            size = height = min(size, round(1.25 * height))
        return Layout(columns, {"width": size, "height": height}, size / max(1, names))

    @property
    def name_width(self) -> float:
        """The space that names on the y axis need; numbers have theirs outside of the width."""
        return self.look.text_width(max(map(len, self.data.names.get("y", [])), default=0))

    @property
    def square(self) -> bool:
        """Whether both axes show the same quantity, so that one unit must be as long on both."""
        return any(mark.axis == "diagonal" for mark in self.figure.marks) and not {"x", "y"} & set(self.data.names)

    @property
    def series(self) -> list[str]:
        return self.data.names.get("series", [])

    def axis(self, channel: str, *, zero: bool = False) -> Spec:
        """The encoding of a channel with an axis: of names, or of numbers (from 0 on with `zero`)."""
        title = self.layout.wrap_title(channel, self.data.headers[channel])
        if channel in self.data.names:
            names, axis = self.data.names[channel], self._name_axis(channel)
            if title in OBVIOUS:
                title = ""
            return {
                "field": channel,
                "type": "nominal",
                "title": title or None,
                "axis": axis,
                "scale": {"domain": names},
            }
        ends = self.ends(channel, zero=zero)
        scale: Spec = {"domain": sorted(ends), "nice": False, "zero": False}
        if ends[0] > ends[1]:
            scale["reverse"] = True
        axis = self._number_axis(channel, ends)
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

    def _number_axis(self, channel: str, ends: Ends) -> Spec:
        axis: Spec = {}
        if channel == "y":
            axis["tickCount"] = 6 if self.layout.columns == 1 and self.figure.facet is None else 4
        low, high = sorted(ends)
        if channel in self.data.integers and high - low <= FEW_NUMBERS:
            axis["values"] = list(range(math.ceil(low), math.floor(high) + 1))  # none between whole numbers
        elif 0 < max(map(abs, ends)) < 1e-3:
            axis["format"] = "~g"  # 5e-7: 0.0000005 would take the space of the figure
        return axis

    def colour(self, *, form: str = "") -> Spec:
        """The encoding of the series by colour, and by one of the `FORMS` where one is named."""
        names = self.series
        if not names:
            return {"color": {"value": COLOURS[0]}}
        legend = None if self.direct or len(names) > MAX_SERIES else self._legend(form)
        if len(names) > MAX_SERIES:
            form = ""
        title = self.figure.labels.get("series") and self.data.headers["series"]
        common: Spec = {"field": "series", "type": "nominal", "title": title or None, "legend": legend}
        colours = [COLOURS[i % len(COLOURS)] for i in range(len(names))]
        encoding = {"color": {**common, "scale": {"domain": names, "range": colours}}}
        if form:
            forms = [FORMS[form][i % len(FORMS[form])] for i in range(len(names))]
            encoding[form] = {**common, "scale": {"domain": names, "range": forms}}
        return encoding

    def _legend(self, form: str) -> Spec:
        names = self.series
        legend: Spec = {"columns": legend_columns(len(names), WIDTH + GAP, self.entry_width), "labelLimit": 170}
        if form == "strokeDash":
            legend |= {"symbolType": "stroke", "symbolStrokeWidth": 2, "symbolSize": 300}
        return legend

    @property
    def entry_width(self) -> float:
        """About how wide an entry of the legend is."""
        return self.look.text_width(min(max(map(len, self.series), default=0), 26)) + 40

    def side_by_side(self, **more: object) -> Spec:
        """The encoding that puts the series of one name on the x axis side by side."""
        if not self.series or "x" not in self.data.names:
            return {}
        return {"xOffset": {"field": "series", "type": "nominal", "scale": {"domain": self.series}, **more}}

    def tooltip(self) -> Spec:
        """The encoding that shows every value of a row when it is pointed at."""
        entries = []
        for channel in sorted(set(self.figure.channels()) - {"point_label", "text"}, key=TOOLTIP_ORDER.index):
            # the series of histograms are small figures
            field = "facet" if channel == "series" and not self.series else channel
            # without anything printable in the title Vega would show the field
            entry: Spec = {"field": field, "type": "nominal", "title": self._tooltip_title(channel)}
            if field not in self.data.names:
                whole = field in self.data.integers
                numbers = (float(row[field]) for row in self.data.rows if row[field] is not None)
                entry |= {"type": "quantitative", "format": number_format(numbers, whole=whole)}
            entries.append(entry)
        return {"tooltip": entries}

    def _tooltip_title(self, channel: str) -> str:
        return self.data.headers.get(channel) or self.data.headers.get("facet", "") or channel


def legend_columns(entries: int, width: float, entry: float) -> int:
    """As few rows as the width needs, and all of about the same length."""
    rows = math.ceil(entries / max(1, int(width // entry)))
    return math.ceil(entries / rows)


def layer(mark: Spec, encoding: Spec, *, kind: str = "row", when: str = "") -> Spec:
    """What draws the rows of a kind: of the table, or of what stands beside them; `when` chooses among them."""
    condition = f"datum.kind === '{kind}'" + (f" && {when}" if when else "")
    return {"transform": [{"filter": condition}], "mark": mark, "encoding": encoding}
