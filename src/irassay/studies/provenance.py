"""How a result came about: versions, inputs and policies."""

from __future__ import annotations

from irassay._version import __version__
from irassay.panel.panel import Panel
from irassay.read.qrels import Qrels
from irassay.read.runs import Runs


def provenance(qrels: Qrels, runs: Runs, panel: Panel) -> dict[str, object]:
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
