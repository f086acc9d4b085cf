"""What a result folder has for readers beside its CSV: pictures, and tables for papers."""

from __future__ import annotations

from irassay.errors import IrassayWarning, MissingExtraError, emit
from irassay.report import parquet
from irassay.report import render as draw
from irassay.report.bounds import bounded
from irassay.report.latex import latex
from irassay.report.markdown import markdown
from irassay.report.parquet import to_parquet
from irassay.report.text import encoded
from irassay.result import Result


def missing() -> list[MissingExtraError]:
    """The extras without which something is left out; each says what and how to install it."""
    found = []
    for part in (draw, parquet):
        try:
            part.available()
        except MissingExtraError as error:
            found.append(error)
    return found


def pictures(result: Result, files: list[str]) -> dict[str, bytes]:
    """File name to content: every figure in every format under its name in `files`; nothing without the extra."""
    found: dict[str, bytes] = {}
    try:
        draw.available()
    except MissingExtraError:
        return found
    for figure, name in zip(result.figures, files, strict=True):
        try:
            drawn = draw.pictures(figure, result[figure.table])
        except ValueError as problem:  # the numbers are worth more than a picture of them
            emit([IrassayWarning("figure", f"figure {figure.name!r} could not be drawn: {problem}")])
            continue
        found |= {f"{name}.{form}": content for form, content in drawn.items()}
    return found


def tables(result: Result, files: list[str]) -> dict[str, bytes]:
    """File name to content: every table as LaTeX and Markdown, and as Parquet where its extra is."""
    found: dict[str, bytes] = {}
    for table, name in zip(result.tables, files, strict=True):
        read = bounded(table, result)
        found[f"{name}.tex"] = encoded(latex(read))
        found[f"{name}.md"] = encoded(markdown(read))
        try:
            found[f"{name}.parquet"] = to_parquet(table)
        except MissingExtraError:
            continue
    return found
