"""irassay: how far to trust an information-retrieval evaluation.

>>> import irassay
>>> panel = irassay.align(irassay.read_qrels("qrels.txt"), irassay.read_runs("runs/"))  # doctest: +SKIP
>>> panel.score("AP nDCG@10").to_pandas()  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irassay._version import __version__

if TYPE_CHECKING:
    from irassay.errors import InputError, IrassayWarning, MissingExtraError
    from irassay.measures import Measure, parse
    from irassay.panel.alignment import align
    from irassay.panel.panel import Panel
    from irassay.read import Qrels, Run, Runs, read_qrels, read_runs
    from irassay.report.folder import save_result
    from irassay.report.load import load_result
    from irassay.result import Figure, Result, Table
    from irassay.scoring.score_panel import score
    from irassay.scoring.score_tables import read_scores
    from irassay.scoring.scores import Scores
    from irassay.studies.functions import (
        agreement,
        check,
        compare,
        corpus,
        design,
        gains,
        incomplete,
        paper,
        pools,
        power,
        preferred_ranks,
        shape,
        stability,
        swap,
        variance,
    )
    from irassay.studies.study.run import Assayed, study

# Where each public name lives. Loaded on first use, so that `irassay --help` imports neither numpy nor numba.
_HOMES = {
    "irassay.panel.alignment": ("align",),
    "irassay.studies.study.run": ("Assayed", "study"),
    "irassay.errors": ("InputError", "IrassayWarning", "MissingExtraError"),
    "irassay.scoring.scores": ("Scores",),
    "irassay.measures": ("Measure", "parse"),
    "irassay.panel.panel": ("Panel",),
    "irassay.read": ("Qrels", "Run", "Runs", "read_qrels", "read_runs"),
    "irassay.scoring.score_tables": ("read_scores",),
    "irassay.report.folder": ("save_result",),
    "irassay.report.load": ("load_result",),
    "irassay.result": ("Figure", "Result", "Table"),
    "irassay.scoring.score_panel": ("score",),
    "irassay.studies.functions": (
        "agreement",
        "check",
        "compare",
        "corpus",
        "design",
        "gains",
        "incomplete",
        "paper",
        "pools",
        "power",
        "preferred_ranks",
        "shape",
        "stability",
        "swap",
        "variance",
    ),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Assayed",
    "Figure",
    "InputError",
    "IrassayWarning",
    "Measure",
    "MissingExtraError",
    "Panel",
    "Qrels",
    "Result",
    "Run",
    "Runs",
    "Scores",
    "Table",
    "__version__",
    "agreement",
    "align",
    "check",
    "compare",
    "corpus",
    "design",
    "gains",
    "incomplete",
    "load_result",
    "paper",
    "parse",
    "pools",
    "power",
    "preferred_ranks",
    "read_qrels",
    "read_runs",
    "read_scores",
    "save_result",
    "score",
    "shape",
    "stability",
    "study",
    "swap",
    "variance",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'irassay' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
