"""Figures with names along an axis, whose charts are not those of numbers."""

from irassay.report.figure_rows import FigureRows
from irassay.report.named_rows import lies
from irassay.report.vega.lying import LyingChart
from irassay.report.vega.named_chart import NamedChart, named_spec
from irassay.report.vega.pairs import PairsChart
from irassay.report.vega.style import Spec
from irassay.report.vega.tiers import TiersChart
from irassay.result import Figure

EMPTY = 30  # the height of a figure without rows


def spec_by_names(figure: Figure, data: FigureRows, hover: bool) -> Spec | None:
    """What draws a figure with names below each other, of pairs or of tiers; None for any other."""
    if not data.rows:  # without names nobody knows which axis they are on
        return {"data": {"name": "rows", "values": []}, "layer": [{"mark": "point"}], "height": EMPTY}
    kind: type[NamedChart] | None = {"pairs": PairsChart, "tiers": TiersChart}.get(figure.kind)
    if lies(figure, data.names):
        kind = LyingChart
    return None if kind is None else named_spec(kind(figure, data, hover))
