"""One look for all figures, which the colour-blind, a printer and a dark page can live with."""

from __future__ import annotations

from typing import Any

# Okabe and Ito's palette, which the colour-blind can tell apart, without its yellow and black: one vanishes on white,
# the other on a dark page.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f")
# After the last colour lines and points change their form.
DASHES = ([1, 0], [5, 3], [1.5, 2])
SHAPES = ("circle", "square", "triangle-up")
TOLD_APART = len(COLOURS) * len(DASHES)
IN_CELLS = 225  # cells of a matrix that have room for their number
GREY = "#767676"  # readable on white and on a dark page
FONT = "Helvetica, Arial, Liberation Sans, sans-serif"

# In points, as everything here: with axes a figure is as wide as the text of a page.
WIDTH, HEIGHT = 400, 240

Spec = dict[str, Any]


def config(hover: bool) -> Spec:
    """Vega-Lite's settings; on a page (`hover`) the figure lies on the page's own colour."""
    axis = {
        "labelFontSize": 9, "titleFontSize": 10, "titleFontWeight": "normal", "labelColor": "#333333",
        "titleColor": "#111111", "gridColor": "#e3e3e3", "domainColor": "#888888", "tickColor": "#888888",
        "labelOverlap": "greedy", "gridWidth": 0.6,
    }  # fmt: skip
    return {
        "background": "transparent" if hover else "white",
        "font": FONT,
        # the page and the alt text describe a figure as one: a reader of screens need not hear thousands of marks
        "aria": not hover,
        "mark": {"aria": False},
        "view": {"stroke": None, "continuousWidth": WIDTH, "continuousHeight": HEIGHT},
        "axis": axis,
        "axisBand": {"grid": False},
        "legend": {
            "orient": "bottom",
            "labelFontSize": 9,
            "titleFontSize": 9,
            "symbolSize": 60,
            "labelColor": "#333333",
        },
        "header": {"labelColor": "#111111"},
    }
