"""Figures as Vega-Lite: this folder is the only place that knows it.

A figure's rows come under the names of their channels, never of their columns, and marks as rows of their own, so that
no name of a user's ever becomes a field, an expression or a path.
"""

from __future__ import annotations

from dataclasses import dataclass

from irassay.report.figure_rows import Row, Rows, rows_of, text_of
from irassay.report.text import visible
from irassay.report.vega.kinds import LAYERS
from irassay.report.vega.layout import layout
from irassay.report.vega.marks import mark_layers, mark_rows
from irassay.report.vega.style import TOLD_APART, Spec, config
from irassay.result import Figure, Table


@dataclass(frozen=True)
class Drawing:
    """A figure ready to be drawn: its Vega-Lite, its full caption, and how many rows it shows of how many."""

    spec: Spec
    caption: str
    alt: str
    shown: int
    total: int


def drawing(figure: Figure, table: Table, *, hover: bool = False) -> Drawing:
    """The figure in Vega-Lite; with `hover` for a page, where every value can be pointed at."""
    found = rows_of(figure, table)
    if figure.labels.get("facet"):  # 100 says little, R = 100 what it is
        for row in found.rows:
            row["facet"] = _panel(figure, row["facet"])
        found.recount()
    panels = found.names.get("facet", [])
    layers = [*LAYERS[figure.kind](figure, found, hover), *mark_layers(figure, found)]
    plan = layout(figure.kind, found)
    body: Spec = {"layer": layers, **plan.size}
    spec: Spec = {
        "description": visible(figure.alt),
        "data": {
            "name": "rows",
            "values": [*_data(found), *mark_rows(figure, found, lambda value: _panel(figure, value))],
        },
        "config": config(hover),
    }
    notes = list(found.notes)
    if panels:
        header = {"title": None, "labelFontWeight": "bold", "labelFontSize": 10, "labelPadding": 4}
        spec |= {"facet": {"field": "facet", "type": "nominal", "sort": panels, "header": header}, "spec": body}
        spec["columns"] = plan.columns
        spec["spacing"] = 18
        own = _own_scales(figure, found)
        if own:
            spec["resolve"] = {"scale": dict.fromkeys(own, "independent")}
            notes.append("Each small figure has its own scale.")
    else:
        spec |= body
    if len(found.names.get("series", [])) > TOLD_APART:
        notes.append(f"{len(found.names['series'])} names are too many for a legend.")
    if found.names.get("x") and not plan.named:
        which = "names" if plan.crowded else "names, not all of them written out,"
        notes.append(f"Along the axis {len(found.names['x'])} {which} stand in the order of the table.")
    caption = " ".join([visible(figure.caption).rstrip(".") + ".", *notes])
    return Drawing(spec, caption, visible(figure.alt), len(found.rows), found.total)


def _panel(figure: Figure, value: object) -> str:
    label = figure.labels.get("facet", "")
    return f"{visible(label)} = {text_of(value)}" if label else text_of(value)


def _data(found: Rows) -> list[Row]:
    # order: a line goes as the table does, which need not be from left to right
    return [{"kind": "row", "order": place, **row} for place, row in enumerate(found.rows)]


def _own_scales(figure: Figure, found: Rows) -> list[str]:
    """Axes on which the small figures would hide one another's shape."""
    if figure.kind == "histogram":
        return ["x", "y"]
    if "y" in found.names:
        return []
    spans: dict[object, list[float]] = {}
    for row in found.rows:
        spans.setdefault(row["facet"], []).append(float(str(row["y"])))
    widths = sorted(max(values) - min(values) for values in spans.values())
    return ["y"] if len(widths) > 1 and widths[-1] > 10 * widths[0] else []
