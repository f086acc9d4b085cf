"""Figures with names along an axis, whose charts are not those of numbers."""

from irassay.report.figure_rows import FigureRows
from irassay.report.named_rows import lies
from irassay.report.vega.lying import LyingChart
from irassay.report.vega.named_chart import NamedChart, named_spec
from irassay.report.vega.pairs import PairsChart
from irassay.report.vega.style import Spec
from irassay.report.vega.tiers import TiersChart
from irassay.result import Figure


def spec_by_names(figure: Figure, data: FigureRows, hover: bool) -> Spec | None:
    """What draws a figure with names below each other, of pairs or of tiers; None for any other, and without rows."""
    kind: type[NamedChart] | None = {"pairs": PairsChart, "tiers": TiersChart}.get(figure.kind)
    if lies(figure, data.names):
        kind = LyingChart
    return named_spec(kind(figure, data, hover)) if kind is not None and data.rows else None
