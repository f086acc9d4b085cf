"""irassay: how far to trust an information-retrieval evaluation.

>>> import irassay
>>> panel = irassay.align(irassay.read_qrels("qrels.txt"), irassay.read_runs("runs/"))  # doctest: +SKIP
>>> panel.score("AP nDCG@10").to_pandas()  # doctest: +SKIP

Every study is a function too: `irassay.power(qrels, runs)` and so on; `dir(irassay)` lists them. Type checkers and
editors read `__init__.pyi`, which `make docs` writes from the names below and the settings of the studies.
"""

from importlib import import_module
from typing import Any

from irassay._version import __version__ as __version__

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
    "irassay.scoring.score_tables": ("read_scores",),
    "irassay.scoring.scores": ("Scores",),
    "irassay.studies.collections": ("Collection", "read_collections"),
    "irassay.studies.study.run": ("FullStudyResults",),
    "irassay.vary.replicates": ("replicates",),
    "irassay.vary.variation": ("Observed",),
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}


def _studies() -> dict[str, Any]:
    """The registered studies by the names of their functions."""
    from irassay.studies.registry import studies

    return {name.replace("-", "_"): study for name, study in studies().items()}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted({*_MODULE_OF, *_studies(), "__version__", "report"})
    if name == "report":
        return import_module("irassay.report")  # a package that can be called
    if name in _MODULE_OF:
        value = getattr(import_module(_MODULE_OF[name]), name)
        globals()[name] = value
        return value
    if name.startswith("_") or name not in _studies():
        raise AttributeError(f"module 'irassay' has no attribute {name!r}")
    from irassay.studies.functions import function_of

    return function_of(_studies()[name])


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF, *_studies(), "report"})
