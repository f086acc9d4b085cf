"""A `Result` for readers: one module per format, from tables to text or bytes. Only `write` writes files.

The package is also a function: `irassay.report(results, path)` writes one page, as the command `irassay report` does.
"""

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from irassay.report.write import write

if TYPE_CHECKING:
    from irassay.report.cells import show_bounds, with_digits
    from irassay.report.csv_text import to_csv
    from irassay.report.folder import save_result
    from irassay.report.json_text import to_json
    from irassay.report.latex import to_latex
    from irassay.report.load import load_result
    from irassay.report.markdown import to_markdown
    from irassay.report.page_file import Results
    from irassay.report.parquet import to_parquet
    from irassay.report.terminal import paragraph, to_terminal
    from irassay.report.trec import to_trec
    from irassay.report.wide_layout import wide

__all__ = [
    "load_result",
    "paragraph",
    "save_result",
    "show_bounds",
    "to_csv",
    "to_json",
    "to_latex",
    "to_markdown",
    "to_parquet",
    "to_terminal",
    "to_trec",
    "wide",
    "with_digits",
    "write",
]

# Where each is defined. Loaded on first use: a command writes one format.
_MODULES = {
    "load_result": "load",
    "paragraph": "terminal",
    "save_result": "folder",
    "show_bounds": "cells",
    "to_csv": "csv_text",
    "to_json": "json_text",
    "to_latex": "latex",
    "to_markdown": "markdown",
    "to_parquet": "parquet",
    "to_terminal": "terminal",
    "to_trec": "trec",
    "wide": "wide_layout",
    "with_digits": "cells",
}


class _Report(ModuleType):
    """This package, which can be called."""

    def __call__(
        self, results: "Results", path: str | os.PathLike[str] = "report.html", title: str | None = None
    ) -> None:
        """One page from results, or from folders that hold them."""
        from irassay.report.page_file import write_page

        write_page(results, path, title)

    def __getattr__(self, name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        setattr(self, name, value)
        return value


sys.modules[__name__].__class__ = _Report
