"""Lines across a figure: at a place on an axis, or the diagonal. They are rows of the data with their own `kind`."""

from __future__ import annotations

from irassay.report.figure_rows import Row, facet_title
from irassay.report.text import visible
from irassay.report.vega.chart import Chart, layer
from irassay.report.vega.style import GREY, Spec
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
            detail = {"detail": {"field": "at"}}  # each diagonal is a line of its own
            layers.append(layer({"type": "line", **_LINE}, {**position, **detail}, kind=axis))
            continue
        position = {axis: {"field": "at", "type": "quantitative"}}
        look, other_axis = _LABEL_PLACES[axis]
        text = {"text": {"field": "label"}}
        layers.append(layer({"type": "rule", **_LINE}, position, kind=axis))
        layers.append(layer({**_LABEL, **look}, {**position, **text, **other_axis}, kind=axis))
    return layers
