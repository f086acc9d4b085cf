"""Figures of every kind over a few rows, names that hold anything, and what a picture shows where."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

from irassay.report import render
from irassay.report.vega import vega_figure
from irassay.report.vega.style import Spec
from irassay.result import Column, Figure, Mark, Table

# What a name may hold: markup, a path, a formula, LaTeX, a terminal's escape, a stray byte, another direction.
NASTY = (
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "=cmd()",
    r"\input{x}$_%&#^~",
    "\x1b[31m\x07",
    "caf\udce9",
    "\u202egnp.exe",
    "שלום",
    "🦜🧪",
    "x" * 400,
    "datum.constructor",
    "a.b[0]['c']",
    "]]><!--",
    '" onload="x',
    "{{7*7}} ${7*7}",
)


def picture(kind: str, columns: dict[str, Column], **more: Any) -> tuple[Figure, Table]:
    channels = {channel: channel for channel in columns if channel not in ("measure", "system")}
    figure = Figure(more.pop("name", "f"), kind, "t", **{**channels, "caption": "C", "alt": "A", **more})
    return figure, Table("t", columns)


def kinds(rows: int = 6) -> dict[str, tuple[Figure, Table]]:
    """A figure of every kind over rows of two series."""
    place = [i // 2 for i in range(rows)]
    series = ["a" if i % 2 else "b" for i in range(rows)]
    names = [f"s{p}" for p in place]
    y = [0.1 * (i % 7) + 0.05 for i in range(rows)]
    ends: dict[str, Column] = {"low": [v - 0.04 for v in y], "high": [v + 0.04 for v in y]}
    edges: dict[str, Column] = {"lower": [v - 0.02 for v in y], "upper": [v + 0.02 for v in y]}
    bins: dict[str, Column] = {"x": [float(p) for p in place], "y": list(range(rows)), "facet": series}
    return {
        "curve": picture("curve", {"x": place, "y": y, "series": series}, marks=(Mark("y", 0.3, "alpha"),)),
        "bars": picture("bars", {"x": names, "y": y, "series": series}),
        "histogram": picture("histogram", bins, marks=(Mark("x", 1.5, "t", "a"),)),
        "matrix": picture("matrix", {"x": names, "y": series, "value": y}),
        "points": picture("points", {"x": y, "y": y, "series": series}, marks=(Mark("diagonal", 0.0),)),
        "intervals": picture("intervals", {"x": names, "y": y, "series": series, **ends}),
        "boxes": picture("boxes", {"x": names, "y": y, "facet": series, **ends, **edges}),
    }


def domains(spec: Spec, channel: str) -> list[list[float]]:
    """Where the axis of each small figure ends."""
    return [panel["layer"][0]["encoding"][channel]["scale"]["domain"] for panel in spec.get("concat", [spec])]


def svg_of(kind: str, columns: dict[str, Column], **more: Any) -> str:
    """A figure of some columns, drawn."""
    return render.to_svg(vega_figure(*picture(kind, columns, **more)).spec)


def places(svg: str) -> dict[str, list[tuple[float, float]]]:
    """Where each text of a picture stands."""
    texts: dict[str, list[tuple[float, float]]] = {}

    def walk(element: ElementTree.Element, x: float, y: float) -> None:
        for dx, dy in re.findall(r"translate\(([-\d.]+),([-\d.]+)\)", element.get("transform") or ""):
            x, y = x + float(dx), y + float(dy)
        if element.tag.endswith("}text") and element.text:
            texts.setdefault(element.text, []).append((x, y))
        for child in element:
            walk(child, x, y)

    walk(ElementTree.fromstring(svg), 0.0, 0.0)
    return texts
