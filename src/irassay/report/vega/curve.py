"""Curves."""

from irassay.report.vega.chart import Chart, layer
from irassay.report.vega.point_text import text_layers
from irassay.report.vega.style import MAX_SERIES, Spec

POINTS = 30  # a line with more has no points


def curve(chart: Chart) -> list[Spec]:
    """A line for each series, with points where they are few, and labels at points that have one."""
    position = {"x": chart.axis("x"), "y": chart.axis("y")}
    line = {"type": "line", "strokeWidth": 0.8 if len(chart.series) > MAX_SERIES else 1.6}
    order = {"order": {"field": "order", "type": "quantitative"}}
    layers = [layer(line, {**position, **chart.colour(form="strokeDash"), **order})]
    lines = max(1, len(chart.series)) * len(chart.data.facets)
    few = len(chart.data.rows) <= POINTS * lines
    if few or chart.hover:
        # on a page every value can be pointed at, also where no point is seen
        point = {"type": "point", "filled": True, "size": 16 if few else 90, "opacity": 1 if few else 0}
        layers.append(layer(point, {**position, **chart.colour(), **chart.tooltip()}))
    if chart.figure.point_label is not None:
        layers += text_layers(chart, position)
    return layers
