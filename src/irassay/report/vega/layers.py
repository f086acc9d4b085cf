"""What draws the rows of each kind of figure."""

from irassay.report.vega.chart import Chart, layer
from irassay.report.vega.curve import curve
from irassay.report.vega.histogram import histogram
from irassay.report.vega.points import points
from irassay.report.vega.style import CELL_FONT_SIZES, MAX_LABELLED_CELLS, Spec


def _bars(chart: Chart) -> list[Spec]:
    position = {"x": chart.axis("x"), "y": chart.axis("y", zero=True)}
    return [layer({"type": "bar"}, {**position, **chart.colour(), **chart.tooltip(), **chart.side_by_side()})]


def _matrix(chart: Chart) -> list[Spec]:
    low, high = chart.data.span("value")
    position = {"x": chart.axis("x"), "y": chart.axis("y")}
    longest = max((len(row["text"]) for row in chart.data.rows), default=0)
    fitting = [size for size in CELL_FONT_SIZES if longest * size / 2 <= chart.layout.size["width"]["step"]]
    labelled = len(chart.data.rows) <= MAX_LABELLED_CELLS and bool(fitting)
    colour = {
        "field": "value",
        "type": "quantitative",
        "title": chart.data.headers["value"],
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


def _intervals(chart: Chart) -> list[Spec]:
    if "x" not in chart.data.names:
        return points(chart)
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
    "curve": curve,
    "bars": _bars,
    "histogram": histogram,
    "matrix": _matrix,
    "points": points,
    "intervals": _intervals,
    "boxes": _boxes,
}
