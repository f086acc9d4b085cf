"""Figures as Vega-Lite: no other part of irassay knows it.

The fields of the data are named by channels, never by columns, and marks are rows of the data, so that no name from a
user's files becomes a field, an expression or a path.
"""

from dataclasses import dataclass

from irassay.report.figure_rows import FigureRows, figure_rows
from irassay.report.text import visible
from irassay.report.vega.chart import Chart, Layout
from irassay.report.vega.layers import LAYERS, mark_layers, mark_rows
from irassay.report.vega.named import spec_by_names
from irassay.report.vega.style import MAX_SERIES, Spec, config
from irassay.result import Figure, Table


@dataclass(frozen=True)
class VegaFigure:
    """A figure ready to be drawn: its Vega-Lite, its full caption and its alternative text."""

    spec: Spec
    caption: str
    alt: str


def vega_figure(figure: Figure, table: Table, *, hover: bool = False) -> VegaFigure:
    """The figure in Vega-Lite; with `hover` for a page, where every value can be pointed at."""
    data = figure_rows(figure, table)
    alt = visible(figure.alt)
    if (by_names := spec_by_names(figure, data, hover)) is not None:
        caption = " ".join([visible(figure.caption).rstrip(".") + ".", *data.notes])
        return VegaFigure({"description": alt, "config": config(hover), **by_names}, caption, alt)
    chart = Chart(figure, data, hover)
    # order: a line follows the table, which need not go from left to right
    rows = [{"kind": "row", "order": place, **row} for place, row in enumerate(data.rows)]
    spec: Spec = {
        "description": alt,
        "data": {"name": "rows", "values": [*rows, *mark_rows(chart)]},
        "config": config(hover),
    }
    body: Spec = {"layer": [*LAYERS[figure.kind](chart), *mark_layers(chart)], **chart.layout.size}
    scales = _own_scales(figure, data)
    spec |= _facets(data, body, chart.layout.columns, scales) if data.names.get("facet") else body
    caption = " ".join([visible(figure.caption).rstrip(".") + ".", *data.notes, *_notes(data, chart.layout, scales)])
    return VegaFigure(spec, caption, alt)


def _facets(data: FigureRows, body: Spec, columns: int, own_scales: list[str]) -> Spec:
    header = {"title": None, "labelFontWeight": "bold", "labelFontSize": 10, "labelPadding": 4}
    facet = {"field": "facet", "type": "nominal", "sort": data.names["facet"], "header": header}
    resolve = {"resolve": {"scale": dict.fromkeys(own_scales, "independent")}} if own_scales else {}
    return {"facet": facet, "spec": body, "columns": columns, "spacing": 18, **resolve}


def _own_scales(figure: Figure, data: FigureRows) -> list[str]:
    """Axes on which one scale for all small figures would hide the shape of some."""
    if figure.kind == "histogram":
        return ["x", "y"] if data.names.get("facet") else []
    return [axis for axis in ("x", "y") if axis not in data.names and _differ_much(data, axis)]


def _differ_much(data: FigureRows, axis: str) -> bool:
    lengths = [high - low for low, high in (data.span(axis, facet) for facet in data.facets)]
    return len(lengths) > 1 and max(lengths) > 10 * min(lengths)


def _notes(data: FigureRows, layout: Layout, own_scales: list[str]) -> list[str]:
    notes = []
    series, names = len(data.names.get("series", [])), len(data.names.get("x", []))
    if own_scales:
        notes.append("Each small figure has its own scale.")
    if series > MAX_SERIES:
        notes.append(f"There is no legend, because {series} names are too many.")
    if names and not layout.all_labels:
        which = "" if layout.no_labels else "; not all are labelled"
        notes.append(f"The {names} names on the x axis are in the order of the table{which}.")
    return notes
