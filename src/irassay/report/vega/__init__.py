"""Figures as Vega-Lite: no other part of irassay knows it.

The fields of the data are named by channels, never by columns, and marks are rows of the data, so that no name from a
user's files becomes a field, an expression or a path.
"""

from dataclasses import dataclass, replace

from irassay.report.figure_rows import Row, figure_rows
from irassay.report.text import visible
from irassay.report.vega.chart import GAP, Chart
from irassay.report.vega.direct_labels import EndLabels, end_labels, label_layers
from irassay.report.vega.layers import LAYERS
from irassay.report.vega.marks import mark_layers, mark_rows
from irassay.report.vega.named import spec_by_names
from irassay.report.vega.point_text import with_labels
from irassay.report.vega.style import MAX_SERIES, PAGE, PRINT, WIDTH, Spec, config
from irassay.result import Figure, Table

AXIS_WIDTH = 55  # about, with its numbers and its title, on a page
NARROWEST = 190  # pixels of a small figure on a page, where there is space
LARGEST_SQUARE = 440  # pixels of a square figure on a page


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
    panels = [replace(chart, facet=facet) for facet in data.facets]
    beside = [end_labels(panel) for panel in panels]
    drawn = [_panel(*panel, number) for number, panel in enumerate(zip(panels, beside, strict=True))]
    spec: Spec = {
        "description": alt,
        "data": {"name": "rows", "values": [_short(row) for rows, _ in drawn for row in rows]},
        "config": config(hover),
    }
    bodies = [body for _, body in drawn]
    if len(bodies) == 1 and data.facets == [None]:
        spec |= bodies[0]
    else:
        spec |= {"concat": bodies, "columns": chart.layout.columns}
    if hover:
        spec["usermeta"] = _page_settings(chart, max(labels.margin for labels in beside))
    caption = " ".join([visible(figure.caption).rstrip(".") + ".", *data.notes, *_notes(chart)])
    return VegaFigure(spec, caption, alt)


def _panel(chart: Chart, labels: EndLabels, number: int) -> tuple[list[Row], Spec]:
    """A small figure, or the only one: its rows, and what draws them."""
    chart = replace(chart, direct=labels.lines, margin=labels.margin)
    data = chart.data.of(chart.facet)
    if chart.figure.point_label is not None and not {"x", "y"} & set(chart.data.names):
        data = with_labels(chart, data)
    # order: a line follows the table, which need not go from left to right
    rows: list[Row] = [{"kind": "row", "order": place, **row} for place, row in enumerate(data)]
    rows += [*mark_rows(chart), *labels.rows]
    layers = [*LAYERS[chart.figure.kind](chart), *mark_layers(chart), *label_layers(chart, labels)]
    body: Spec = {"layer": layers, **chart.layout.size}
    if chart.facet is not None:
        rows = [{**row, "panel": number} for row in rows]
        title = {"title": {"text": chart.facet, "anchor": "start"}} if chart.facet.strip() else {}
        body = {**title, "transform": [{"filter": f"datum.panel === {number}"}], **body}
    return rows, body


def _short(row: Row) -> Row:
    """A row without the digits that no picture shows; files have all."""
    return {key: float(f"{value:.6g}") if isinstance(value, float) else value for key, value in row.items()}


def _page_settings(chart: Chart, margin: float) -> Spec:
    """What the page's script needs to draw the figure in other widths, and for a file."""
    names, step = len(chart.data.names.get("x", [])), chart.layout.label_width
    return {
        "narrowest": max(NARROWEST, names * min(10, step)),
        "margin": round(AXIS_WIDTH + margin),
        "square": LARGEST_SQUARE if chart.square else 0,
        "entries": len(chart.series),
        "entry": chart.entry_width,
        "file": {"config": config(False), "width": WIDTH + GAP, "scale": PRINT.height / PAGE.height},
    }


def _notes(chart: Chart) -> list[str]:
    notes = []
    data, layout = chart.data, chart.layout
    series, names = len(data.names.get("series", [])), len(data.names.get("x", []))
    if chart.own_axes:
        notes.append("Each small figure has its own scale.")
    if series > MAX_SERIES:
        notes.append(f"There is no legend, because {series} names are too many.")
    if names and not layout.all_labels:
        which = "" if layout.no_labels else "; not all are labelled"
        notes.append(f"The {names} names on the x axis are in the order of the table{which}.")
    return notes
