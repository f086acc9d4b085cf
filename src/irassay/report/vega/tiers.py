"""Critical-difference diagrams: systems along a line, and bars that join those that are not told apart."""

from functools import cached_property
from typing import NamedTuple

from irassay.report.figure_rows import Row
from irassay.report.vega.chart import layer
from irassay.report.vega.named_chart import LABEL, NamedChart
from irassay.report.vega.style import COLOURS, GREY, INK, Spec

LONGEST_NAME = 130.0
LEAST_WIDTH = 140.0
FIRST_BAR, BAR_STEP, NAME_STEP = 9.0, 7.0, 12.0  # heights below the line


class Bar(NamedTuple):
    """A bar that joins the systems of one letter: where they are, and its height."""

    places: list[float]
    height: float


class TiersChart(NamedChart):
    """The line on top; below it the bars, and the names at both sides."""

    @property
    def least(self) -> float:
        return LEAST_WIDTH

    @property
    def beside(self) -> float:
        return 2 * (self.text_width(self.data.names.get("y", []), LONGEST_NAME) + 8)

    @property
    def most_columns(self) -> int:
        return 2

    @cached_property
    def systems(self) -> list[Row]:
        """From the lowest value on; a table may have a row for each letter of a system."""
        rows: dict[str, Row] = {}
        for row in self.rows:
            letters = [rows[row["y"]]["text"]] if row["y"] in rows else []
            rows[row["y"]] = {**row, "text": ("." if row["text"].isdigit() else "").join([*letters, row["text"]])}
        return sorted(rows.values(), key=lambda row: float(row["x"]))

    @property
    def size(self) -> Spec:
        width = round(self.inner_width * self.unit)
        return {"width": width, "height": self.depth * self.unit, "resolve": {"axis": {"x": "independent"}}}

    @cached_property
    def bars(self) -> list[Bar]:
        """Below each other where they would overlap."""
        members: dict[str, list[float]] = {}
        for row in self.systems:
            # beyond 52 groups letters are numbers with dots between them
            for letter in row["text"].split(".") if row["text"][:1].isdigit() else row["text"]:
                members.setdefault(letter, []).append(float(row["x"]))
        bars: list[Bar] = []
        ends: list[float] = []
        for places in sorted(places for places in members.values() if len(places) > 1):
            level = next((k for k, end in enumerate(ends) if places[0] > end), len(ends))
            ends[level : level + 1] = [places[-1]]
            bars.append(Bar(places, FIRST_BAR + BAR_STEP * level))
        return bars

    @property
    def first_name(self) -> float:
        return max((bar.height for bar in self.bars), default=0.0) + 1.4 * NAME_STEP

    @property
    def depth(self) -> float:
        return self.first_name + NAME_STEP * ((len(self.systems) + 1) // 2)

    def numbers(self, field: str, *, axis: bool = False) -> Spec:
        style = {**self.fonts(), "orient": "top", "grid": False, "tickCount": 8} if axis else None
        scale = {"zero": False, "nice": False, "padding": 6 * self.unit}
        title = self.data.headers["x"]
        return {"field": field, "type": "quantitative", "title": title, "axis": style, "scale": scale}

    def height(self, field: str) -> Spec:
        scale = {"domain": [0, self.depth], "reverse": True, "nice": False}
        return {"field": field, "type": "quantitative", "axis": None, "scale": scale}

    def values(self) -> list[Row]:
        """A row for each system with the height and side of its name, one for each bar and each system on it."""
        rows: list[Row] = []
        left = len(self.systems) // 2
        for place, row in enumerate(self.systems):
            level = place if place < left else len(self.systems) - 1 - place
            depth = self.first_name + NAME_STEP * level
            rows.append({**row, "kind": "row", "top": 0, "bottom": depth, "side": int(place >= left)})
        for bar in self.bars:
            rows.append({"kind": "bar", "from": bar.places[0], "to": bar.places[-1], "bottom": bar.height})
            rows += [{"kind": "member", "from": place, "bottom": bar.height} for place in bar.places]
        return rows

    def layers(self) -> list[Spec]:
        line = {"type": "rule", "color": GREY, "strokeWidth": 0.8 * self.unit}
        down = {"x": self.numbers("x", axis=True), "y": self.height("top"), "y2": {"field": "bottom"}}
        layers = [layer(line, down)]
        text = {"type": "text", "color": INK, "fontSize": LABEL * self.unit, "limit": LONGEST_NAME * self.unit}
        for side, edge, align in ((0, 0, "right"), (1, "width", "left")):
            place = {"align": align, "dx": (4 if side else -4) * self.unit}
            across = {"x": self.numbers("x"), "x2": {"value": edge}, "y": self.height("bottom")}
            name = {"x": {"value": edge}, "y": self.height("bottom"), "text": {"field": "y", "type": "nominal"}}
            for one in (layer(line, across), layer({**text, **place}, name)):
                one["transform"].append({"filter": f"datum.side === {side}"})
                layers.append(one)
        point: Spec = {"type": "point", "filled": True, "opacity": 1}
        bar = {"x": self.numbers("from"), "x2": {"field": "to"}, "y": self.height("bottom")}
        member = {"x": self.numbers("from"), "y": self.height("bottom")}
        system = {"x": self.numbers("x"), "y": self.height("top"), **self.tooltip()}
        thick = {"type": "rule", "color": COLOURS[0], "strokeWidth": 2.6 * self.unit}
        return [
            *layers,
            layer(thick, bar, kind="bar"),
            layer({**point, "size": 16 * self.unit, "color": COLOURS[0]}, member, kind="member"),
            layer({**point, "size": 22 * self.unit, "color": GREY}, system),
        ]
