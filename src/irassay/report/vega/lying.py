"""Figures whose names stand one below the other: bars, points, intervals, boxes, forest plots and strips."""

import string
from functools import cached_property

from irassay.report.figure_rows import Row, facet_title
from irassay.report.text import visible
from irassay.report.vega.chart import layer
from irassay.report.vega.named_chart import CHARACTER, GAP, LABEL, NamedChart
from irassay.report.vega.style import BETTER, GREY, INK, UNDECIDED, WORSE, Spec

LONGEST_NAME = 130.0  # what is longer is cut
LEAST_WIDTH = 80.0
TALL = 42  # names from which on a reader needs the axis on top as well
TOP_SPACE = 5.0  # between the figure and the text at its right edge
FEW_LETTERS = 15  # that have a column each
LETTER = 6.0
STRIP_HEIGHT, FEW_STRIPS = 40.0, 8
SYMBOLS = ("triangle-up", "triangle-down", "circle")


class LyingChart(NamedChart):
    """Names on the y axis, the first on top; numbers from left to right."""

    title_frame = "bounds"

    @property
    def least(self) -> float:
        return LEAST_WIDTH

    @property
    def beside(self) -> float:
        names = self.text_width(self.data.names.get("y", []), LONGEST_NAME) + 8
        return names + self.right_edge + GAP

    @property
    def fit(self) -> Spec:
        if self.figure.kind != "strip":
            return super().fit
        return {**super().fit, "outliers": {"character": CHARACTER * self.unit, "longest": LONGEST_NAME * self.unit}}

    @property
    def size(self) -> Spec:
        size: Spec = {"width": round(self.inner_width * self.unit)}
        size["height"] = {"step": self.step * self.unit, "for": "position"}
        return size | ({"resolve": {"axis": {"x": "independent"}}} if self.tall else {})

    @cached_property
    def lines(self) -> int:
        """The names in the longest small figure."""
        return max((int(row["place"]) + 1 for row in self.data.rows), default=0)

    @property
    def tall(self) -> bool:
        return self.lines >= TALL and not any(mark.label for mark in self.figure.marks)

    @property
    def step(self) -> float:
        """The height of a line."""
        if self.figure.kind == "strip":
            return STRIP_HEIGHT if self.lines <= FEW_STRIPS else 0.75 * STRIP_HEIGHT
        line = 13.0 if self.lines <= 30 else 11.0 if self.lines <= 60 else 9.5
        return max(line, 6.0 * len(self.dodged) + 3)

    @property
    def dodged(self) -> list[str]:
        """The series that stand below each other in one line; points of a series stand in the same place."""
        return self.series if self.figure.kind in ("bars", "boxes", "intervals") else []

    @cached_property
    def letters(self) -> list[str]:
        """The letters at the right edge that have a column each."""
        used = sorted({letter for row in self.data.rows for letter in row.get("text", "")})
        few = self.figure.kind == "intervals" and len(used) <= FEW_LETTERS
        return used if few and all(letter in string.ascii_letters for letter in used) else []

    @property
    def right_edge(self) -> float:
        """The space that is needed there for text."""
        texts = [row["text"] for row in self.data.rows if row.get("text")]
        if not texts or self.figure.kind == "strip":
            return 0.0
        return TOP_SPACE + (LETTER * len(self.letters) or CHARACTER * max(map(len, texts)))

    def names(self) -> Spec:
        """The encoding of the names."""
        axis: Spec = {**self.fonts(size=LABEL if self.step >= 10 else LABEL - 0.5), "labelOverlap": False}
        axis |= {"labelLimit": LONGEST_NAME * self.unit, "labelPadding": 4, "ticks": False, "domain": False}
        axis |= {"grid": self.figure.kind not in ("bars", "strip"), "gridDash": [1, 2]}
        return {
            "field": "y",
            "type": "nominal",
            "title": visible(self.figure.labels.get("y", "")) or None,  # names mostly say what they are of
            "sort": {"field": "place", "op": "min"},
            "axis": axis,
            "scale": {"type": "band", "paddingInner": 0.2 if self.figure.kind == "bars" else 0.0, "paddingOuter": 0.1},
        }

    def numbers(self, field: str = "x", *, orient: str = "bottom") -> Spec:
        """The encoding of the numbers: the axis ends at its limits, or where they end."""
        width = self.inner_width
        axis: Spec = {**self.fonts(), "orient": orient, "titlePadding": 3, "labelFlush": False}
        axis["tickCount"] = max(3, min(7, int(width / 42)))
        low, high = self.data.span("x", self.facet)
        if self.figure.order == "rising" and low >= 1:  # ranks, of which none is 0
            axis["values"] = rank_ticks(max(high, self.data.span("high", self.facet)[1] if self.figure.high else high))
        elif "x" in self.data.integers:
            axis |= {"tickMinStep": 1, "format": ",d"}
        elif 0 < max(map(abs, self.data.span("x"))) < 1e-3:
            axis["format"] = "~g"
        if orient == "top":
            axis |= {"title": None, "grid": False}
        zero = self.figure.kind == "bars"
        scale: Spec = {"zero": zero, "nice": False} | ({} if zero else {"padding": 5 * self.unit})
        if "x" in self.figure.limits:
            ends = self.ends("x", zero=zero)
            scale = {"domain": sorted(ends), "zero": False, "nice": False, "reverse": ends[0] > ends[1]}
        title = self.data.headers["x"]
        return {"field": field, "type": "quantitative", "title": title, "axis": axis, "scale": scale}

    def offset(self) -> Spec:
        """The encoding that puts the series of one name below each other."""
        if not self.dodged:
            return {}
        return {"yOffset": {"field": "series", "type": "nominal", "scale": {"domain": self.dodged}}}

    def appearance(self, *, symbols: bool = False) -> Spec:
        """Colours, and with `symbols` shapes: by verdict where there is one, else by series."""
        if self.figure.level is None:
            return self.colour(form="shape" if symbols else "")
        looks = dict(
            reversed([*zip(self.figure.verdicts, zip((BETTER, WORSE, UNDECIDED), SYMBOLS, strict=True), strict=True)])
        )
        words = list(dict.fromkeys(self.figure.verdicts))
        present = {row["verdict"] for row in self.data.rows}
        shown = [word for word in words if word in present]
        legend = {"orient": "top", "direction": "horizontal", "values": shown, "labelFontSize": LABEL * self.unit}
        common: Spec = {"field": "verdict", "type": "nominal", "title": None, "legend": legend}
        encoding: Spec = {"color": {**common, "scale": {"domain": words, "range": [looks[word][0] for word in words]}}}
        if symbols:
            encoding["shape"] = {**common, "scale": {"domain": words, "range": [looks[word][1] for word in words]}}
        return encoding

    @property
    def point(self) -> Spec:
        size = 34 if self.step >= 12 else 24 if self.step >= 10 else 18
        return {"type": "point", "filled": True, "opacity": 1, "size": size * self.unit}

    def layers(self) -> list[Spec]:
        """In a tall figure the first layer has the axis below and the second that on top."""
        layers = [*_DRAW[self.figure.kind](self), *_texts(self), *_mark_layers(self)]
        if self.tall:
            layers.insert(1, layer({"type": "tick", "opacity": 0}, {"y": self.names(), "x": self.numbers()}))
            top = self.numbers(orient="top")["axis"]
            for number, one in enumerate(layers[1:], 1):
                if "scale" in one["encoding"].get("x", {}):
                    one["encoding"]["x"]["axis"] = top if number == 1 else None
        return layers

    def values(self) -> list[Row]:
        rows: list[Row] = [{"kind": "row", **row} for row in self.rows]
        for mark in self.figure.marks:
            if mark.axis == "x" and (not mark.facet or facet_title(self.figure, mark.facet) == self.facet):
                left = mark.at > sum(self.data.span("x", self.facet)) / 2
                rows.append({"kind": "x", "at": mark.at, "label": visible(mark.label), "left": left})
        return rows


def rank_ticks(highest: float) -> list[int]:
    """Rank 1, and round ones up to the highest."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**6) if highest <= 6 * step)
    return [1, *(rank for rank in range(step, int(highest) + 1, step) if rank > 1)]


def _bars(chart: LyingChart) -> list[Spec]:
    encoding = {"y": chart.names(), "x": chart.numbers(), **chart.appearance(), **chart.offset(), **chart.tooltip()}
    return [layer({"type": "bar"}, encoding)]


def _points(chart: LyingChart) -> list[Spec]:
    encoding = {"y": chart.names(), "x": chart.numbers(), **chart.appearance(symbols=True), **chart.tooltip()}
    return [layer(chart.point, encoding)]


def _intervals(chart: LyingChart) -> list[Spec]:
    common = {"y": chart.names(), **chart.offset(), **chart.tooltip()}
    rule = {**common, **chart.appearance(), "x": chart.numbers("low"), "x2": {"field": "high"}}
    point = {**common, **chart.appearance(symbols=chart.figure.level is not None), "x": chart.numbers()}
    width = (1.1 if chart.step < 10 else 1.5) * chart.unit
    return [layer({"type": "rule", "strokeWidth": width}, rule), layer(chart.point, point)]


def _forest(chart: LyingChart) -> list[Spec]:
    at = chart.numbers() | {"datum": 0}
    del at["field"]
    zero = {"mark": {"type": "rule", "color": GREY, "strokeWidth": 1}, "encoding": {"x": at}}
    # one datum: otherwise a line would be drawn for every row
    zero["transform"] = [{"aggregate": [{"op": "count", "as": "rows"}]}]
    return [*_intervals(chart), zero]


def _boxes(chart: LyingChart) -> list[Spec]:
    common = {"y": chart.names(), **chart.offset(), **chart.appearance(), **chart.tooltip()}
    whisker = {**common, "x": chart.numbers("low"), "x2": {"field": "high"}}
    box = {**common, "x": chart.numbers("lower"), "x2": {"field": "upper"}}
    band = {"height": {"band": 0.66}}
    return [
        layer({"type": "rule", "strokeWidth": 0.8 * chart.unit}, whisker),
        layer({"type": "bar", "fillOpacity": 0.45, **band}, box),
        layer({"type": "tick", "thickness": 1.6 * chart.unit, "opacity": 1, **band}, {**common, "x": chart.numbers()}),
    ]


def _strip(chart: LyingChart) -> list[Spec]:
    """A short line for each value, and names of the outliers above and below where they fit."""
    line = {"type": "tick", "thickness": 1.1 * chart.unit, "opacity": 0.75, "height": 11 * chart.unit}
    layers = [layer(line, {"y": chart.names(), **chart.appearance(), **chart.tooltip(), "x": chart.numbers()})]
    _place_texts(chart)
    for side, shift in ((1, -12), (2, 13)):
        text: Spec = {"type": "text", "fontSize": 8 * chart.unit, "color": GREY, "dy": shift * chart.unit}
        text |= {"align": {"expr": "datum.right ? 'right' : 'left'"}, "limit": LONGEST_NAME * chart.unit}
        one = layer(text, {"y": chart.names(), "x": chart.numbers(), "text": {"field": "text", "type": "nominal"}})
        one["transform"].append({"filter": f"datum.side === {side}"})
        layers.append(one)
    return layers


def _place_texts(chart: LyingChart) -> None:
    """A text stands above or below its line, towards the middle of the figure; where both are taken it is left out."""
    low, high = chart.data.span("x", chart.facet)
    middle, length = (low + high) / 2, (high - low) or 1.0
    for name in {row["y"] for row in chart.rows}:
        taken: list[list[tuple[float, float]]] = [[], []]
        # from the outside in: the farthest are named first
        for row in sorted(
            (row for row in chart.rows if row["y"] == name), key=lambda row: -abs(float(row["x"]) - middle)
        ):
            row["side"], row["right"] = 0, row["x"] > middle
            if row["text"]:
                start = chart.inner_width * (row["x"] - low) / length
                width = min(LONGEST_NAME, CHARACTER * len(row["text"]) + 4)
                span = (start - width, start) if row["right"] else (start, start + width)
                free = (all(span[1] < begin or end < span[0] for begin, end in others) for others in taken)
                row["side"] = next((side for side, fits in enumerate(free, 1) if fits), 0)
                if row["side"]:
                    taken[row["side"] - 1].append(span)


def _texts(chart: LyingChart) -> list[Spec]:
    """What stands at the right edge: numbers, or a column for each letter."""
    if not chart.right_edge:
        return []
    size = (8.5 if chart.step >= 10 else 8) * chart.unit
    mark = {"type": "text", "align": "left", "dx": TOP_SPACE * chart.unit, "color": INK, "fontSize": size}
    encoding = {"y": chart.names(), **chart.offset(), "x": {"value": "width"}}
    if not chart.letters:
        return [layer(mark, {**encoding, "text": {"field": "text", "type": "nominal"}})]
    layers = []
    for number, letter in enumerate(chart.letters):
        shift = {"dx": (TOP_SPACE + LETTER * number) * chart.unit}
        one = layer({**mark, **shift}, {**encoding, "text": {"value": letter}})
        one["transform"].append({"filter": f"indexof(datum.text, '{letter}') >= 0"})
        layers.append(one)
    return layers


def _mark_layers(chart: LyingChart) -> list[Spec]:
    if not any(mark.axis == "x" for mark in chart.figure.marks):
        return []
    at = chart.numbers("at")
    text: Spec = {"type": "text", "color": GREY, "fontSize": 8 * chart.unit, "baseline": "bottom", "dy": -2}
    text["align"] = {"expr": "datum.left ? 'right' : 'left'"}
    return [
        layer({"type": "rule", "color": GREY, "strokeWidth": 0.9, "strokeDash": [4, 3]}, {"x": at}, kind="x"),
        layer(text, {"x": at, "y": {"value": 0}, "text": {"field": "label", "type": "nominal"}}, kind="x"),
    ]


_DRAW = {
    "bars": _bars,
    "points": _points,
    "intervals": _intervals,
    "forest": _forest,
    "boxes": _boxes,
    "strip": _strip,
}
