"""How a result came about: versions, inputs and policies."""

from __future__ import annotations

from collections.abc import Iterable

from irassay._version import __version__
from irassay.panel.panel import Panel
from irassay.read.qrels import Qrels
from irassay.read.runs import Runs


def panel_provenance(qrels: Qrels, runs: Runs, panel: Panel) -> dict[str, object]:
    """Of a study of judgments and runs."""
    return {
        "irassay": __version__,
        "qrels": qrels.path,
        "runs": [run.path for run in runs],
        "systems": len(panel.systems),
        "topics": list(panel.topics),
        "gains": panel.gains,
        **panel.policy,
        "warnings": [str(warning) for warning in panel.warnings],
    }


def score_provenance(*, panel: Panel | None = None, tables: Iterable[object] = ()) -> dict[str, object]:
    """Of a study of scores in memory, of a panel in memory, or of score tables."""
    provenance: dict[str, object] = {"irassay": __version__}
    if panel is not None:
        provenance |= panel.policy
    if tables:
        provenance["scores"] = [str(table) for table in tables]
    return provenance
