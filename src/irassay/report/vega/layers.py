"""What draws the rows of each kind of figure, and the lines across it: rows of the data with a `kind` of their own."""

from irassay.report.figure_rows import Row, facet_title
from irassay.report.text import visible
from irassay.report.vega.chart import Chart, layer
from irassay.report.vega.style import CELL_FONT_SIZES, COLOURS, GREY, MAX_LABELLED_CELLS, MAX_SERIES, Spec
from irassay.result import Mark

_LINE = {"color": GREY, "strokeWidth": 0.9, "strokeDash": [4, 3]}
_LABEL = {"type": "text", "color": GREY, "fontSize": 8}
# Where the label of a line stands: its mark, and its place on the other axis.
_LABEL_PLACES: dict[str, tuple[Spec, Spec]] = {
    "x": (
        {
            "align": {"expr": "datum.left ? 'right' : 'left'"},
            "dx": {"expr": "datum.left ? -3 : 3"},
            "baseline": "top",
            "dy": 2,
        },
        {"y": {"value": 0}},
    ),
    "y": ({"align": "right", "baseline": "bottom", "dx": -2, "dy": -1}, {"x": {"value": "width"}}),
}


def _curve(chart: Chart) -> list[Spec]:
    position = {"x": chart.axis("x"), "y": chart.axis("y")}
    line = {"type": "line", "strokeWidth": 0.8 if len(chart.series) > MAX_SERIES else 1.6}
    order = {"order": {"field": "order", "type": "quantitative"}}
    layers = [layer(line, {**position, **chart.colour(form="strokeDash"), **order})]
    few = len(chart.data.rows) <= 30 * max(1, len(chart.series))
    if few or chart.hover:
        # on a page every value can be pointed at, also where no point is seen
        point = {"type": "point", "filled": True, "size": 16 if few else 90, "opacity": 1 if few else 0}
        layers.append(layer(point, {**position, **chart.colour(), **chart.tooltip()}))
    return layers


def _bars(chart: Chart) -> list[Spec]:
    position = {"x": chart.axis("x"), "y": chart.axis("y", zero=True)}
    return [layer({"type": "bar"}, {**position, **chart.colour(), **chart.tooltip(), **chart.side_by_side()})]


def _histogram(chart: Chart) -> list[Spec]:
    encoding = {
        "x": chart.axis("x"),
        "x2": {"field": "end"},
        "y": chart.axis("y", zero=True),
        "y2": {"datum": 0},
        "color": {"value": COLOURS[0]},
        **chart.tooltip(),
    }
    return [layer({"type": "rect", "x2Offset": -0.6}, encoding)]


def _matrix(chart: Chart) -> list[Spec]:
    low, high = chart.data.span("value")
    position = {"x": chart.axis("x"), "y": chart.axis("y")}
    longest = max((len(row["text"]) for row in chart.data.rows), default=0)
    fitting = [size for size in CELL_FONT_SIZES if longest * size / 2 <= chart.layout.size["width"]["step"]]
    labelled = len(chart.data.rows) <= MAX_LABELLED_CELLS and bool(fitting)
    colour = {
        "field": "value",
        "type": "quantitative",
        "title": visible(chart.figure.label("value")),
        "scale": {"domain": [low, high if high > low else low + 1], "range": ["#e8f1fa", "#08519c"]},
        # symbols: a gradient would need an id, which must be unique on a page
        "legend": None if labelled else {"orient": "right", "type": "symbol"},
    }
    layers = [layer({"type": "rect"}, {**position, "color": colour, **chart.tooltip()})]
    if labelled:
        text = {"field": "text", "type": "nominal"}
        on_dark = {"test": f"datum.value > {(low + high) / 2!r}", "value": "#ffffff"}
        encoding = {**position, "text": text, "color": {"condition": on_dark, "value": "#111111"}}
        layers.append(layer({"type": "text", "fontSize": fitting[0]}, encoding))
    return layers


def _points(chart: Chart) -> list[Spec]:
    encoding = {"x": chart.axis("x"), "y": chart.axis("y"), **chart.colour(form="shape"), **chart.tooltip()}
    point = {"type": "point", "filled": True, "size": 26 if len(chart.data.rows) <= 400 else 14, "opacity": 1}
    return [layer(point, encoding)]


def _intervals(chart: Chart) -> list[Spec]:
    many = len(chart.data.rows) > 60
    place, y = _place(chart), chart.axis("y")
    point = {"type": "point", "filled": True, "opacity": 1, "size": 10 if many else 26}
    return [
        layer({"type": "rule", "strokeWidth": 0.8 if many else 1.3}, {**place, **_between(y, "low", "high")}),
        layer(point, {**place, "y": y}),
    ]


def _boxes(chart: Chart) -> list[Spec]:
    place, y = _place(chart), chart.axis("y")
    # side by side, or many, they are as wide as they can be
    width = {"width": {"band": 0.6}} if "xOffset" not in place and chart.layout.all_labels else {}
    box = {**place, **chart.side_by_side(), **_between(y, "lower", "upper")}
    return [
        layer({"type": "rule", "strokeWidth": 0.8}, {**place, **_between(y, "low", "high")}),
        layer({"type": "bar", "fillOpacity": 0.45, **width}, box),
        layer({"type": "tick", "thickness": 1.6, "opacity": 1, **width}, {**place, "y": y}),
    ]


def _place(chart: Chart) -> Spec:
    return {"x": chart.axis("x"), **chart.colour(), **chart.tooltip(), **chart.side_by_side(bandPosition=0.5)}


def _between(y: Spec, low: str, high: str) -> Spec:
    return {"y": {**y, "field": low}, "y2": {"field": high}}


LAYERS = {
    "curve": _curve,
    "bars": _bars,
    "histogram": _histogram,
    "matrix": _matrix,
    "points": _points,
    "intervals": _intervals,
    "boxes": _boxes,
}


def _marks(chart: Chart) -> list[Mark]:
    """The marks that can be drawn: on an axis of names there is no place for a number."""
    axes = {"x": {"x"}, "y": {"y"}, "diagonal": {"x", "y"}}
    return [mark for mark in chart.figure.marks if not axes[mark.axis] & set(chart.data.names)]


def mark_rows(chart: Chart) -> list[Row]:
    """A row for each mark in each of its small figures; two for a diagonal, one for each end."""
    rows: list[Row] = []
    for mark in _marks(chart):
        for facet in chart.data.facets:
            if mark.facet and facet != facet_title(chart.figure, mark.facet):
                continue
            row: Row = {"at": mark.at, "label": visible(mark.label), "facet": facet}
            if mark.axis == "x":  # its label stands on the side with more space
                row["left"] = mark.at > sum(chart.data.span("x", facet)) / 2
            ends = [{"x": x, "y": x + mark.at} for x in chart.data.span("x")] if mark.axis == "diagonal" else [{}]
            rows += [{**row, "kind": mark.axis, **end} for end in ends]
    return rows


def mark_layers(chart: Chart) -> list[Spec]:
    """What draws the rows of `mark_rows`."""
    layers: list[Spec] = []
    for axis in dict.fromkeys(mark.axis for mark in _marks(chart)):
        if axis == "diagonal":
            position = {channel: {"field": channel, "type": "quantitative"} for channel in ("x", "y")}
            position["detail"] = {"field": "at"}  # each diagonal is a line of its own
            layers.append(layer({"type": "line", **_LINE}, position, kind=axis))
            continue
        position = {axis: {"field": "at", "type": "quantitative"}}
        look, other_axis = _LABEL_PLACES[axis]
        text = {**position, "text": {"field": "label"}, **other_axis}
        layers += [layer({"type": "rule", **_LINE}, position, kind=axis), layer({**_LABEL, **look}, text, kind=axis)]
    return layers
