"""Figures drawn as SVG, and what stands in it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

from irassay.report import render
from irassay.report.vega import vega_figure
from irassay.result import Figure, Table

SVG = "{http://www.w3.org/2000/svg}"
SIZES = (3, 20, 72, 129)


def drawn(figure: Figure, table: Table, *, hover: bool = False) -> ElementTree.Element:
    return ElementTree.fromstring(render.to_svg(vega_figure(figure, table, hover=hover).spec))


def labels(svg: ElementTree.Element, role: str = "role-axis-label") -> list[tuple[float, str]]:
    """Texts with a role and their heights: the sum of the shifts of all groups around them."""
    out: list[tuple[float, str]] = []

    def walk(element: ElementTree.Element, y: float, inside: bool) -> None:
        shift = re.search(r"translate\([-\d.]+,\s*([-\d.]+)\)", element.get("transform", ""))
        y += float(shift[1]) if shift else 0.0
        inside = inside or role in (element.get("class") or "").split()
        if element.tag == f"{SVG}text" and inside and element.get("opacity") != "0":
            out.append((y, "".join(element.itertext())))
        for child in element:
            walk(child, y, inside)

    walk(svg, 0.0, False)
    return out


def marks(svg: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    groups = [g for g in svg.iter(f"{SVG}g") if {f"mark-{kind}", "role-mark"} <= set((g.get("class") or "").split())]
    return [item for group in groups for item in group if item.get("opacity") != "0"]


def bodies(spec: dict[str, Any]) -> list[dict[str, Any]]:
    return spec.get("concat") or [spec]
