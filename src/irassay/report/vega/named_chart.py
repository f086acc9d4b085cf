"""What figures with names along an axis share: one chart for each small figure, side by side as the width allows."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from irassay.report.cells import LEVELS
from irassay.report.figure_rows import Row
from irassay.report.vega.chart import Chart
from irassay.report.vega.style import WIDTH, Spec, config

CHARACTER = 4.9  # points that one of a name needs, of the size of labels
LABEL, TITLE = 9.0, 10.0  # sizes of text
GAP = 20  # between small figures
FILE_WIDTH = WIDTH + 26  # of a whole figure with its names
PAGE_WIDTH = 860  # the page's script fits it to the space that there is
PAGE_UNIT = 1.25  # pixels of a page are smaller than points


@dataclass(frozen=True)
class NamedChart(Chart, ABC):
    """One small figure, or the only one; all sizes are for a file, and `unit` times as large on a page."""

    facet: str | None = None
    title_frame: ClassVar[str] = "group"  # from what on a title stands: the axis, or `bounds`, the names beside it

    @property
    def unit(self) -> float:
        return PAGE_UNIT if self.hover else 1.0

    @property
    def whole(self) -> float:
        """The width of all small figures of one line, in units."""
        return PAGE_WIDTH / PAGE_UNIT if self.hover else FILE_WIDTH

    @cached_property
    def rows(self) -> list[Row]:
        """Those of this small figure."""
        return [row for row in self.data.rows if self.facet is None or row["facet"] == self.facet]

    @property
    def panels(self) -> int:
        return len(self.data.facets)

    @cached_property
    def columns(self) -> int:
        """Small figures side by side; no line holds one alone where it can be avoided."""
        most = min(self.panels, self.most_columns)
        while most > 1 and self.whole / most - self.beside < self.least:
            most -= 1
        return -(-self.panels // -(-self.panels // most))

    @property
    def inner_width(self) -> float:
        """The width inside the axes of a small figure."""
        return max(self.least, self.whole / self.columns - self.beside)

    @property
    def most_columns(self) -> int:
        return 4

    @property
    @abstractmethod
    def least(self) -> float:
        """The smallest width inside the axes."""

    @property
    @abstractmethod
    def beside(self) -> float:
        """The width that a small figure needs outside its axes."""

    @property
    def fit(self) -> Spec:
        """What the page's script (names.js) needs to lay the figure out for another width."""
        return {"beside": self.beside * self.unit, "least": self.least * self.unit, "most": self.most_columns}

    @property
    @abstractmethod
    def size(self) -> Spec:
        """Width and height of this small figure."""

    @abstractmethod
    def values(self) -> list[Row]:
        """The rows of the data."""

    @abstractmethod
    def layers(self) -> list[Spec]:
        """What draws the rows of the data."""

    def tooltip(self) -> Spec:
        """The encoding that shows every value of a row when it is pointed at."""
        entries = []
        for channel, column in self.figure.channels().items():
            # without anything printable in the title Vega would show the field
            entry: Spec = {"field": channel, "type": "nominal", "title": self.data.headers[channel] or channel}
            if channel not in (*self.data.names, "text"):
                digits = ".2~g" if column in LEVELS else ",d" if channel in self.data.integers else ".4~g"
                entry |= {"type": "quantitative", "format": digits}
            entries.append(entry)
        return {"tooltip": entries}

    def text_width(self, texts: list[str], longest: float) -> float:
        """The space that the longest text needs."""
        return min(longest, CHARACTER * max(map(len, texts), default=0))

    def fonts(self, *, size: float = LABEL) -> Spec:
        """The sizes of an axis' text."""
        return {"labelFontSize": size * self.unit, "titleFontSize": TITLE * self.unit}


def named_spec(chart: NamedChart) -> Spec:
    """All small figures of a figure, with what the page's script needs to fit them to a width."""
    panels = [replace(chart, facet=facet) for facet in chart.data.facets]
    rows: list[Row] = []
    bodies: list[Spec] = []
    for number, panel in enumerate(panels):
        layers = panel.layers()
        body: Spec = {"layer": layers, **panel.size}
        own: Spec = {"facet": None}
        if panel.facet is not None:
            own = {"facet": panel.facet, "panel": number}
            title: Spec = {"text": panel.facet, "anchor": "start", "frame": chart.title_frame}
            title["fontSize"] = TITLE * chart.unit
            body = {"title": title, "transform": [{"filter": f"datum.panel === {number}"}], **body}
        bodies.append(body)
        rows += [{**own, **row, **own} for row in panel.values()]
    spec: Spec = {"data": {"name": "rows", "values": rows}}
    if chart.data.facets == [None]:
        spec |= bodies[0]
    else:
        spec |= {"concat": bodies, "columns": chart.columns, "spacing": GAP * chart.unit}
    if chart.hover:
        spec["usermeta"] = {"names": chart.fit, "file": {"config": config(False), "width": PAGE_WIDTH, "scale": 1}}
    return spec
