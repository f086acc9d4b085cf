"""Lines across a figure: at a place on an axis, or the diagonal. They are rows among its rows, told apart by `kind`."""

from __future__ import annotations

from collections.abc import Callable

from irassay.report.figure_rows import Row, Rows
from irassay.report.text import visible
from irassay.report.vega.style import GREY, Spec
from irassay.result import Figure, Mark


def mark_rows(figure: Figure, found: Rows, panel: Callable[[object], str]) -> list[Row]:
    """A row for each mark in each small figure it stands in; `panel` gives a small figure's title."""
    rows: list[Row] = []
    for mark in figure.marks:
        if mark.axis == "diagonal" and {"x", "y"} & set(found.names):
            continue
        panels: list[object] = list(found.names.get("facet", [])) or [None]
        wanted = [one for one in panels if not mark.facet or one == panel(mark.facet)]
        for facet in wanted:
            base: Row = {"at": mark.at, "label": visible(mark.label), "facet": facet}
            if mark.axis == "x":  # its label stands on the side with more room
                base["left"] = mark.at > _middle(found, facet)
            if mark.axis == "diagonal":
                rows += [{**base, "kind": "diagonal", **end} for end in _diagonal(mark, found)]
            else:
                rows.append({**base, "kind": mark.axis})
    return rows


def _middle(found: Rows, facet: object) -> float:
    across = [float(str(row["x"])) for row in found.rows if facet is None or row["facet"] == facet] or [0.0]
    return (min(across) + max(across)) / 2


def _diagonal(mark: Mark, found: Rows) -> list[Row]:
    across = [float(str(row["x"])) for row in found.rows] or [0.0]
    return [{"x": x, "y": x + mark.at} for x in (min(across), max(across))]


def mark_layers(figure: Figure, found: Rows) -> list[Spec]:
    """What draws the rows of `mark_rows`; on an axis of names there is no place for a number."""
    layers: list[Spec] = []
    for axis in dict.fromkeys(mark.axis for mark in figure.marks):
        if axis in found.names or (axis == "diagonal" and {"x", "y"} & set(found.names)):
            continue
        chosen = [{"filter": f"datum.kind === '{axis}'"}]
        if axis == "diagonal":
            places = {c: {"field": c, "type": "quantitative"} for c in ("x", "y")}
            # detail: each diagonal is a line of its own
            line = {"type": "line", "color": GREY, "strokeWidth": 0.9, "strokeDash": [4, 3]}
            layers.append({"transform": chosen, "mark": line, "encoding": {**places, "detail": {"field": "at"}}})
            continue
        place = {axis: {"field": "at", "type": "quantitative"}}
        rule = {"type": "rule", "color": GREY, "strokeWidth": 0.9, "strokeDash": [4, 3]}
        layers.append({"transform": chosen, "mark": rule, "encoding": place})
        text: Spec = {"type": "text", "color": GREY, "fontSize": 8}
        encoding = {**place, "text": {"field": "label"}}
        if axis == "y":
            text |= {"align": "right", "baseline": "bottom", "dx": -2, "dy": -1}
            layers.append({"transform": chosen, "mark": text, "encoding": {**encoding, "x": {"value": "width"}}})
            continue
        left = "datum.left ? {} : {}".format
        look = {"align": {"expr": left("'right'", "'left'")}, "dx": {"expr": left(-3, 3)}, "baseline": "top", "dy": 2}
        layers.append({"transform": chosen, "mark": {**text, **look}, "encoding": {**encoding, "y": {"value": 0}}})
    return layers
