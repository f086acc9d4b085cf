"""Labels at the ends of lines, in the place of a legend: shifted apart, each joined to the end of its line.

They stand beside the right edge of a figure; those of lines that leave through its top stand above it as stairs. All
heights are computed here, none depends on the width of a figure, so that a page may draw it in any width.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from irassay.report.figure_rows import Row
from irassay.report.text import visible
from irassay.report.vega.axes import in_facet
from irassay.report.vega.chart import Chart, layer
from irassay.report.vega.style import GREY, INK, WIDTH, Spec

SHOWN = 26  # characters of a label
STUB = 14  # from the edge of a figure to a label
MAX_SHIFT = 0.3  # of the height: a label farther from its line does not name it any more
MAX_STAIRS = 8
MOST_MARGIN = 0.4  # of the width
APART = 0.4  # of the space that labels need: lines with ends nearer to each other have their labels elsewhere
INSIDE = 0.8  # a line that ends left of this share of the width is not at the edge

_EDGE: Spec = {"value": "width"}
_NAME: Spec = {"text": {"field": "text"}}


@dataclass(frozen=True)
class EndLabels:
    """Rows of the labels of all lines and of the marks across them, and the space they need on the right."""

    rows: list[Row]
    margin: float
    lines: bool  # whether every line has a label


def end_labels(chart: Chart) -> EndLabels:
    """The labels of a figure's lines, or of its marks only where those of the lines do not fit."""
    marks = _mark_labels(chart)
    lines = _line_ends(chart) if chart.figure.kind == "curve" and len(chart.data.facets) == 1 else []
    at_top = bool(lines) and all(row["top"] for row in lines)
    if at_top and len(lines) <= MAX_STAIRS:
        return EndLabels([*_stairs(chart, lines), *_placed(chart, marks)], _width(chart, marks), lines=True)
    if lines and all(not row["top"] and row["share"] >= INSIDE for row in lines):
        rows = _placed(chart, [*lines, *marks])
        if _width(chart, rows) <= MOST_MARGIN * WIDTH and _readable(chart, lines, rows):
            return EndLabels(rows, _width(chart, rows), lines=True)
    return EndLabels(_placed(chart, marks), _width(chart, marks), lines=False)


def _readable(chart: Chart, lines: list[Row], rows: list[Row]) -> bool:
    """Whether the labels of lines stand near enough to their ends, and these are not all in one place."""
    height, unit = chart.layout.size["height"], chart.layout.size["height"] / _length(chart)
    ends = [row["y"] * unit for row in lines]
    together = max(ends) - min(ends) < APART * _gap(chart) * (len(ends) - 1)
    shift = max(abs(row["to"] - row["y"]) for row in rows) * unit
    return len(rows) * _gap(chart) <= height and shift <= MAX_SHIFT * height and not together


def label_layers(chart: Chart, labels: EndLabels) -> list[Spec]:
    """What draws the rows of `end_labels`."""
    kinds = {row["kind"] for row in labels.rows}
    layers: list[Spec] = []
    if "label" in kinds:
        layers += _beside(chart)
    if "stair" in kinds:
        layers += _above(chart, sorted({row["step"] for row in labels.rows if row["kind"] == "stair"}))
    if "mark_label" in kinds:
        look = {**_text(chart), "dx": 4, "color": GREY, "fontSize": chart.look.small_label}
        layers.append(layer(look, {"x": _EDGE, "y": _number("to"), **_NAME}, kind="mark_label"))
    return layers


def _beside(chart: Chart) -> list[Spec]:
    """A line from the end of each curve to the edge of the figure, from there to the label, and the label."""
    series = {"detail": {"field": "series"}, **chart.colour(form="strokeDash")}
    y = {"y": _number("y")}
    reach = {"type": "rule", "strokeWidth": 0.9, "opacity": 0.6}
    stub = {"type": "rule", "strokeWidth": 1.6, "xOffset": 2, "x2Offset": STUB - 3}
    return [
        layer(reach, {"x": _number("x"), "x2": _EDGE, **y, **series}, kind="label", when="datum.share < 0.999"),
        layer(stub, {"x": _EDGE, "x2": _EDGE, **y, "y2": {"field": "to"}, **series}, kind="label"),
        layer({**_text(chart), "dx": STUB}, {"x": _EDGE, "y": _number("to"), **_NAME}, kind="label"),
    ]


def _above(chart: Chart, steps: Sequence[float]) -> list[Spec]:
    """A line from the end of each curve up to its stair, and the label on its left."""
    series = {"detail": {"field": "series"}, **chart.colour(form="strokeDash")}
    place: Spec = {"x": _number("x"), "y": {"value": 0}}
    look = {**_text(chart), "align": "right", "dx": -4, "dy": {"expr": "datum.step"}}
    rule = {"type": "rule", "strokeWidth": 1.2}
    rules = [
        # a layer for each stair: an end in pixels is the same for all rows of a layer
        layer(rule, {**place, "y2": {"value": step}, **series}, kind="stair", when=f"datum.step === {step!r}")
        for step in steps
    ]
    return [*rules, layer(look, {**place, **_NAME}, kind="stair")]


def _text(chart: Chart) -> Spec:
    return {"type": "text", "align": "left", "baseline": "middle", "color": INK, "fontSize": chart.look.label}


def _number(field: str) -> Spec:
    return {"field": field, "type": "quantitative"}


def _mark_labels(chart: Chart) -> list[Row]:
    if "y" in chart.data.names:
        return []
    return [
        {"kind": "mark_label", "y": mark.at, "text": _short(visible(mark.label))}
        for mark in chart.figure.marks
        if mark.axis == "y" and mark.label and in_facet(chart.figure, mark, chart.facet)
    ]


def _line_ends(chart: Chart) -> list[Row]:
    """The end of each line that lies farthest to the right; nothing where lines have no names."""
    if not chart.series or {"x", "y"} & set(chart.data.names):
        return []
    (left, right), (bottom, top) = chart.ends("x"), chart.ends("y")
    ends: dict[str, Row] = {}
    for row in chart.data.of(chart.facet):
        share = (row["x"] - left) / (right - left)
        if row["series"] not in ends or share >= ends[row["series"]]["share"]:
            ends[row["series"]] = {**row, "share": share}
    limited = chart.figure.limits.get("y", (None, None))[1] is not None
    return [
        {
            **end,
            "kind": "label",
            "text": _short(end["series"]),
            "top": limited and end["y"] >= top - 1e-9 * abs(top - bottom),
        }
        for end in ends.values()
    ]


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def _stairs(chart: Chart, lines: list[Row]) -> list[Row]:
    """Labels that end at their lines, the leftmost lowest, so that no line to a label crosses another label."""
    lines = sorted(lines, key=lambda row: float(row["x"]))
    return [{**row, "kind": "stair", "step": -round(8 + _gap(chart) * place, 2)} for place, row in enumerate(lines)]


def _placed(chart: Chart, rows: list[Row]) -> list[Row]:
    """The rows with the height `to` of each label: as near to `y` as the others allow, in units of the axis."""
    if not rows:
        return []
    (bottom, top), height = chart.ends("y"), chart.layout.size["height"]
    rows = sorted(rows, key=lambda row: (row["y"] - bottom) / (top - bottom))
    heights = [height * (row["y"] - bottom) / (top - bottom) for row in rows]
    places = apart(heights, _gap(chart), 0, height)
    return [{**row, "to": bottom + (top - bottom) * place / height} for row, place in zip(rows, places, strict=True)]


def apart(heights: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """The places nearest to some ascending heights (least squares) that are at least `gap` apart, from low to high."""
    blocks: list[tuple[float, int]] = []  # the mean of what overlaps, and how many; without the gaps
    for place, height in enumerate(heights):
        blocks.append((height - place * gap, 1))
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            (a, n), (b, m) = blocks[-2:]
            blocks[-2:] = [((a * n + b * m) / (n + m), n + m)]
    free = [mean for mean, count in blocks for _ in range(count)]
    last = high - (len(heights) - 1) * gap
    return [max(low, min(one, last)) + place * gap for place, one in enumerate(free)]


def _gap(chart: Chart) -> float:
    return 1.25 * chart.look.label


def _length(chart: Chart) -> float:
    bottom, top = chart.ends("y")
    return abs(top - bottom)


def _width(chart: Chart, rows: list[Row]) -> float:
    return max((STUB + chart.look.text_width(len(row["text"])) for row in rows), default=0.0)
