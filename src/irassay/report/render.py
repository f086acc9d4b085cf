"""Figures as SVG, PDF and PNG in the size of a publication, by vl-convert: no browser, no network."""

from __future__ import annotations

import html
from typing import Any

from irassay.errors import MissingExtraError
from irassay.report.vega import drawing
from irassay.report.vega.style import Spec
from irassay.result import Figure, Table

FORMATS = ("svg", "pdf", "png")
DOTS_PER_INCH = 300


def available() -> Any:
    """vl-convert, or an error that names the extra; commands ask before they start to work."""
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError("report", "drawing figures") from None
    return vl_convert


def svg_of(spec: Spec) -> str:
    """One Vega-Lite figure as SVG; whatever it holds, nothing is fetched."""
    drawn: str = available().vegalite_to_svg(spec, allowed_base_urls=[])
    return drawn


def pictures(figure: Figure, table: Table) -> dict[str, bytes]:
    """The figure in each of the `FORMATS`."""
    converter = available()
    made = drawing(figure, table)
    svg = svg_of(made.spec)
    start = svg.index(">") + 1
    svg = f"{svg[:start]}<title>{html.escape(made.alt)}</title>{svg[start:]}"
    return {
        "svg": svg.encode(),
        "pdf": bytes(converter.svg_to_pdf(svg)),
        "png": bytes(converter.svg_to_png(svg, ppi=DOTS_PER_INCH)),
    }
