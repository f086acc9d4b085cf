"""Histograms."""

from irassay.report.vega.chart import Chart, layer
from irassay.report.vega.style import COLOURS, Spec


def histogram(chart: Chart) -> list[Spec]:
    """A rectangle from 0 for each bin."""
    encoding = {
        "x": chart.axis("x"),
        "x2": {"field": "end"},
        "y": chart.axis("y", zero=True),
        "y2": {"datum": 0},
        "color": {"value": COLOURS[0]},
        **chart.tooltip(),
    }
    return [layer({"type": "rect", "x2Offset": -0.6}, encoding)]
