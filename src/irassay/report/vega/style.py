"""One look for all figures, readable for the colour-blind, in print and on a dark page."""

from typing import Any

# Okabe and Ito's palette for the colour-blind, without its yellow and black: one cannot be seen on white, the other
# not on a dark page.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f")
# After the last colour lines and points change their form.
DASHES = ([1, 0], [5, 3], [1.5, 2])
SHAPES = ("circle", "square", "triangle-up")
MAX_SERIES = len(COLOURS) * len(DASHES)  # more cannot be distinguished
MAX_LABELLED_CELLS = 225  # of a matrix: in more there is no space for a number
CELL_FONT_SIZES = (9, 7)  # the first in which a number fits; its characters are half as wide
GREY = "#767676"  # readable on white and on a dark page
# What a test says of a difference, also told apart by lightness.
BETTER, WORSE, UNDECIDED = "#0072b2", "#d55e00", "#8c8c8c"
# Shades of differences below and above 0, from the smallest on; what is not significant is lighter than all of them.
BELOW = ("#fdbf86", "#f58f3c", "#d4620c", "#9c3f02")
ABOVE = ("#a3cbe8", "#66a9d6", "#2f7fbc", "#0b5394")
NOT_SIGNIFICANT = "#e9e9e9"
FONT = "Helvetica, Arial, Liberation Sans, sans-serif"

# All sizes are in points: with its axes a figure is as wide as the text of a page.
WIDTH, HEIGHT = 400, 240

Spec = dict[str, Any]


def config(hover: bool) -> Spec:
    """Vega-Lite's settings; on a page (`hover`) the background is the page's own."""
    return {
        "background": "transparent" if hover else "white",
        "font": FONT,
        # the alt text describes a figure as a whole: a screen reader need not read thousands of marks
        "aria": not hover,
        "mark": {"aria": False},
        "view": {"stroke": None, "continuousWidth": WIDTH, "continuousHeight": HEIGHT},
        "axis": {
            "labelFontSize": 9,
            "titleFontSize": 10,
            "titleFontWeight": "normal",
            "labelColor": "#333333",
            "titleColor": "#111111",
            "gridColor": "#e3e3e3",
            "domainColor": "#888888",
            "tickColor": "#888888",
            "labelOverlap": "greedy",
            "gridWidth": 0.6,
        },
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
