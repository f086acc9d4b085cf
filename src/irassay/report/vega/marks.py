"""The lines across a figure: rows of the data with a `kind` of their own."""

from irassay.report.figure_rows import Row
from irassay.report.text import visible
from irassay.report.vega.axes import in_facet
from irassay.report.vega.chart import Chart, layer
from irassay.report.vega.style import GREY, Spec
from irassay.result import Mark

_LINE = {"color": GREY, "strokeWidth": 0.9, "strokeDash": [4, 3]}


def mark_rows(chart: Chart) -> list[Row]:
    """A row for each mark of a small figure; two for a diagonal, one for each end."""
    rows: list[Row] = []
    for mark in _marks(chart):
        row: Row = {"at": mark.at, "label": visible(mark.label), "facet": chart.facet, "kind": mark.axis}
        ends: list[Row] = [{}]
        if mark.axis == "diagonal":
            low, high = _diagonal_ends(chart, mark.at)
            ends = [{"x": x, "y": x + mark.at} for x in (low, high)]
        rows += [{**row, **end} for end in ends]
    steps = [row for row in rows if row["kind"] == "x"]
    for place, row in enumerate(sorted(steps, key=lambda row: float(row["at"]))):
        row["step"] = -round(4 + 1.2 * chart.look.label * place, 2)  # one above the other: they may be near
        row["left"] = place + 1 < len(steps) or row["at"] > sum(chart.ends("x")) / 2
    return rows


def mark_layers(chart: Chart) -> list[Spec]:
    """What draws the rows of `mark_rows`; labels of marks on the y axis are with those of lines."""
    layers: list[Spec] = []
    for axis in dict.fromkeys(mark.axis for mark in _marks(chart)):
        if axis == "diagonal":
            position = {channel: {"field": channel, "type": "quantitative"} for channel in ("x", "y")}
            position["detail"] = {"field": "at"}  # each diagonal is a line of its own
            layers.append(layer({"type": "line", **_LINE}, position, kind=axis))
            continue
        position = {axis: {"field": "at", "type": "quantitative"}}
        layers.append(layer({"type": "rule", **_LINE}, position, kind=axis))
        if axis == "x":
            look = {"type": "text", "color": GREY, "fontSize": chart.look.small_label, "baseline": "bottom"}
            look |= {"align": {"expr": "datum.left ? 'right' : 'left'"}, "dy": {"expr": "datum.step"}}
            layers.append(layer(look, {**position, "y": {"value": 0}, "text": {"field": "label"}}, kind=axis))
    return layers


def _marks(chart: Chart) -> list[Mark]:
    """The marks that can be drawn: on an axis of names there is no place for a number."""
    axes = {"x": {"x"}, "y": {"y"}, "diagonal": {"x", "y"}}
    return [
        mark
        for mark in chart.figure.marks
        if not axes[mark.axis] & set(chart.data.names) and in_facet(chart.figure, mark, chart.facet)
    ]


def _diagonal_ends(chart: Chart, shift: float) -> tuple[float, float]:
    """Where y = x + shift enters and leaves the figure."""
    (left, right), (bottom, top) = chart.ends("x"), chart.ends("y")
    return max(left, bottom - shift), min(right, top - shift)
