"""irassay: how far to trust an information-retrieval evaluation.

>>> import irassay
>>> panel = irassay.align(irassay.read_qrels("qrels.txt"), irassay.read_runs("runs/"))  # doctest: +SKIP
>>> panel.score("AP nDCG@10").to_pandas()  # doctest: +SKIP

Every study is a function too: `irassay.power(qrels, runs)` and so on; `dir(irassay)` lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irassay._version import __version__ as __version__

if TYPE_CHECKING:
    from collections.abc import Callable

    __all__: list[str]

    # one statement for each module, which isort would split
    # isort: off
    from irassay.ask.replicates import Replicates as Replicates
    from irassay.errors import (
        InputError as InputError,
        IrassayWarning as IrassayWarning,
        MissingExtraError as MissingExtraError,
    )
    from irassay.measures import Measure as Measure, measure as measure, parse as parse
    from irassay.panel.alignment import align as align
    from irassay.panel.panel import Panel as Panel
    from irassay.read import Qrels as Qrels, Run as Run, Runs as Runs, read_qrels as read_qrels, read_runs as read_runs
    from irassay.report.folder import save_result as save_result
    from irassay.report.load import load_result as load_result
    from irassay.result import Figure as Figure, Result as Result, Table as Table
    from irassay.scoring.score_panel import score as score
    from irassay.scoring.score_tables import read_scores as read_scores
    from irassay.scoring.scores import Scores as Scores
    from irassay.studies.collections import Collection as Collection, read_collections as read_collections
    from irassay.studies.functions import paper as paper
    from irassay.studies.study.run import FullStudyResults as FullStudyResults, study as study
    from irassay.vary.replicates import replicates as replicates
    from irassay.vary.variation import Observed as Observed
    # isort: on

# Where each public name is defined. Loaded on first use, so that `irassay --help` imports neither numpy nor numba.
_NAMES = {
    "irassay.ask.replicates": ("Replicates",),
    "irassay.errors": ("InputError", "IrassayWarning", "MissingExtraError"),
    "irassay.measures": ("Measure", "measure", "parse"),
    "irassay.panel.alignment": ("align",),
    "irassay.panel.panel": ("Panel",),
    "irassay.read": ("Qrels", "Run", "Runs", "read_qrels", "read_runs"),
    "irassay.report.folder": ("save_result",),
    "irassay.report.load": ("load_result",),
    "irassay.result": ("Figure", "Result", "Table"),
    "irassay.scoring.score_panel": ("score",),
    "irassay.scoring.score_tables": ("read_scores",),
    "irassay.scoring.scores": ("Scores",),
    "irassay.studies.collections": ("Collection", "read_collections"),
    "irassay.studies.functions": ("paper",),
    "irassay.studies.study.run": ("FullStudyResults", "study"),
    "irassay.vary.replicates": ("replicates",),
    "irassay.vary.variation": ("Observed",),
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}


def _studies() -> dict[str, Any]:
    """The registered studies by the names of their functions."""
    from irassay.studies.registry import studies

    return {name.replace("-", "_"): study for name, study in studies().items()}


# For a type checker every name that is not imported above is the function of a study.
def __getattr__(name: str) -> Callable[..., Result]:
    if name == "__all__":
        return sorted({*_MODULE_OF, *_studies(), "__version__"})  # type: ignore[return-value]
    if name in _MODULE_OF:
        from importlib import import_module

        value: Any = getattr(import_module(_MODULE_OF[name]), name)
        globals()[name] = value
        return value  # type: ignore[no-any-return]
    if name.startswith("_") or name not in _studies():
        raise AttributeError(f"module 'irassay' has no attribute {name!r}")
    from irassay.studies.functions import function_of

    return function_of(_studies()[name])


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF, *_studies()})
