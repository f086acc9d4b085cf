"""Scatter plots, also with an interval around each point."""

from irassay.report.vega.chart import Chart, layer
from irassay.report.vega.point_text import text_layers
from irassay.report.vega.style import Spec

SPARSE = 40  # intervals that cover nothing


def points(chart: Chart) -> list[Spec]:
    """A point for each row; many are translucent, so that one sees where they lie over one another."""
    position = {"x": chart.axis("x"), "y": chart.axis("y")}
    many = len(chart.data.rows) / len(chart.data.facets) > 100
    point = {"type": "point", "filled": True, "size": 26 if not many else 18, "opacity": 0.55 if many else 0.9}
    layers = [layer(point, {**position, **chart.colour(form="shape"), **chart.tooltip()})]
    if chart.figure.kind == "intervals":
        along, across = ("x", "y") if "y" in chart.data.names else ("y", "x")
        ends = {along: {**position[along], "field": "low"}, f"{along}2": {"field": "high"}}
        rule = {"type": "rule", "strokeWidth": 1, "opacity": 0.45 if len(chart.data.rows) > SPARSE else 0.9}
        layers.insert(0, layer(rule, {across: position[across], **ends, **chart.colour()}))
    if chart.figure.point_label is not None:
        layers += text_layers(chart, position)
    return layers
