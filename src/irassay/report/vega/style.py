"""One look for all figures, readable for the colour-blind, in print and on a dark page."""

from typing import Any, NamedTuple

# Okabe and Ito's palette for the colour-blind, without its yellow and black: one cannot be seen on white, the other
# not on a dark page.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7f7f7f")
# Lines and points differ in form too: a grey print has no colours. 7 and 3 have no common divisor, so that no two of
# 21 series look the same.
DASHES = ([1, 0], [6, 3], [1.5, 2])
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
INK = "#333333"  # of labels beside lines and points; a page replaces it by its own
FONT = "Helvetica, Arial, Liberation Sans, sans-serif"
CHARACTER = 0.55  # width of an average character of the font, as a share of its size

# All sizes in files are in points: with its axes a figure is as wide as the text of a page.
WIDTH, HEIGHT = 400, 240

Spec = dict[str, Any]


class Look(NamedTuple):
    """Sizes: of text, of a figure, and of a small one by the number of columns."""

    label: float
    title: float
    height: float
    small: tuple[float, float, float]

    @property
    def small_label(self) -> float:
        """The size of text beside points and lines across a figure."""
        return round(0.9 * self.label, 1)

    def text_width(self, characters: float) -> float:
        """About how wide a label is."""
        return characters * CHARACTER * self.label


PRINT = Look(9, 10, HEIGHT, (120, 140, 100))
PAGE = Look(11.25, 12.5, HEIGHT * 1.25, (150, 175, 125))  # pixels of a page are smaller than points


def config(hover: bool) -> Spec:
    """Vega-Lite's settings; on a page (`hover`) the background is the page's own."""
    look = PAGE if hover else PRINT
    return {
        "background": "transparent" if hover else "white",
        "font": FONT,
        # the alt text describes a figure as a whole: a screen reader need not read thousands of marks
        "aria": not hover,
        "mark": {"aria": False},
        "view": {"stroke": None, "continuousWidth": WIDTH, "continuousHeight": look.height},
        "axis": {
            "labelFontSize": look.label,
            "titleFontSize": look.title,
            "titleFontWeight": "normal",
            "labelColor": INK,
            "titleColor": "#111111",
            "gridColor": "#e9e9e9",
            "domainColor": "#888888",
            "tickColor": "#888888",
            "tickSize": 4,
            "labelOverlap": "greedy",
            "labelFlush": False,  # a number stands below its tick, also at the end of an axis
            "gridWidth": 0.6,
        },
        "axisBand": {"grid": False},
        "axisQuantitative": {"labelSeparation": 5},
        "concat": {"spacing": 18},
        "legend": {
            "orient": "bottom",
            "labelFontSize": look.label,
            "titleFontSize": look.label,
            "titleFontWeight": "normal",
            "symbolSize": 60,
            "labelColor": INK,
        },
        "title": {
            "anchor": "start",
            "frame": "group",
            "color": "#111111",
            "fontSize": look.title,
            "fontWeight": "bold",
            "offset": 6,
        },
        "header": {"labelColor": "#111111"},
    }
