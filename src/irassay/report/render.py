"""Figures as SVG, PDF and PNG in the size of a publication, by vl-convert: no browser, no network."""

import html
import json
from typing import Any

from irassay.report.pdf import in_order
from irassay.report.vega import vega_figure
from irassay.report.vega.style import Spec
from irassay.result import Figure, Table

DOTS_PER_INCH = 300
# The raised plus is in none of the fonts of a figure, and what replaces it has serifs.
RAISED_PLUS = "P⁺", "P+"


def converter() -> Any:
    """vl-convert, imported when something is drawn: it is large."""
    import vl_convert

    return vl_convert


def to_svg(spec: Spec) -> str:
    """One Vega-Lite figure as SVG; nothing is fetched from the network."""
    text = json.dumps(spec, ensure_ascii=False).replace(*RAISED_PLUS)
    return str(converter().vegalite_to_svg(text, allowed_base_urls=[]))


def pictures(figure: Figure, table: Table) -> dict[str, bytes]:
    """The figure as SVG, PDF and PNG."""
    vega = vega_figure(figure, table)
    tag, rest = to_svg(vega.spec).split(">", 1)
    svg = f"{tag}><title>{html.escape(vega.alt)}</title>{rest}"
    return {
        "svg": svg.encode(),
        "pdf": in_order(bytes(converter().svg_to_pdf(svg))),
        "png": bytes(converter().svg_to_png(svg, ppi=DOTS_PER_INCH)),
    }
