"""What a result folder has for readers beside its CSV files: pictures, and tables for papers."""

import contextlib
from collections.abc import Callable
from functools import partial
from typing import BinaryIO

from irassay.errors import IrassayWarning, MissingExtraError, emit
from irassay.progress import track
from irassay.report import parquet, render
from irassay.report.cells import show_bounds
from irassay.report.latex import to_latex
from irassay.report.markdown import to_markdown
from irassay.report.text import encode
from irassay.result import Result

MOST_TO_READ = 100_000  # rows of a table as LaTeX or Markdown: what is longer nobody reads, and nothing typesets

Content = bytes | Callable[[BinaryIO], object]  # of a file, or what writes it


def pictures(result: Result, files: list[str]) -> dict[str, bytes]:
    """Path to content: every figure in every format under its name in `files`."""
    contents: dict[str, bytes] = {}
    for figure, name in track("drawing figures", zip(result.figures, files, strict=True)):
        try:
            formats = render.pictures(figure, result[figure.table])
        except ValueError as problem:  # the numbers are worth more than a picture of them
            emit([IrassayWarning("figure", f"figure {figure.name!r} could not be drawn: {problem}")])
            continue
        contents |= {f"figures/{name}.{suffix}": content for suffix, content in formats.items()}
    return contents


def tables(result: Result, files: list[str]) -> dict[str, Content]:
    """Path to content: every table as Parquet where its extra is installed; those that people read whole as text."""
    contents: dict[str, Content] = {}
    for table, name in zip(result.tables, files, strict=True):
        if len(table) <= MOST_TO_READ:
            readable = show_bounds(table, result)
            contents[f"tables/{name}.tex"] = encode(to_latex(readable))
            contents[f"tables/{name}.md"] = encode(to_markdown(readable))
        with contextlib.suppress(MissingExtraError):
            parquet.available()
            contents[f"tables/{name}.parquet"] = partial(parquet.write_parquet, table)
    return contents
