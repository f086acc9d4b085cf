"""Tables and figures of studies, laid out as a paper prints them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from irassay.result import Figure, Result, Table
from irassay.studies.papers.record import Make, PaperContext, Part, Run
from irassay.studies.phrases import rows_of
from irassay.studies.tables import Row, Rows, columns, grouped


def rows(table: Table, where: Mapping[str, object] | None = None) -> Rows:
    """The rows of a table as dictionaries, or only those with these values."""
    return [row for row in rows_of(table) if all(row[name] == value for name, value in (where or {}).items())]


def select(rows: Iterable[Mapping[str, Any]], *names: str) -> Rows:
    """The rows with these columns only, in this order."""
    return [{name: row[name] for name in names} for row in rows]


def descending(rows: Rows, name: str) -> Rows:
    """Sorted by a column, the highest first and undefined values last; equal ones keep their order."""
    return sorted(rows, key=lambda row: (row[name] is None or row[name] != row[name], -(row[name] or 0.0)))


def table(number: str, rows: Rows, caption: str = "", digits: Mapping[str, int] | None = None) -> Table:
    """A table named by an item's number; digits of columns that it does not have are left out."""
    data = columns(rows)
    return Table(number, data, caption, {name: n for name, n in (digits or {}).items() if name in data})


def figure_of(result: Result, name: str) -> Figure:
    """A study's figure by its name."""
    return next(figure for figure in result.figures if figure.name == name)


def standing(figure: Figure) -> dict[str, Any]:
    """The fields of a figure with its names from left to right in the order of the table, as papers draw them."""
    swapped = {{"x": "y", "y": "x"}.get(channel, channel): text for channel, text in figure.labels.items()}
    return {"x": figure.y, "y": figure.x, "order": "", "labels": swapped}


def copied(
    run: Run,
    source: str,
    figure: str = "",
    *,
    where: Mapping[str, object] | None = None,
    change: Callable[[Rows], Rows] = list,
    caption: str | None = None,
    digits: Mapping[str, int] | None = None,
    redraw: Mapping[str, Any] | None = None,
) -> Make:
    """A study's table under the paper's number, and a figure of the study drawn from it.

    Its rows are those with the values `where`, changed by `change`. Caption, digits and the fields of the figure
    (`redraw`) are the study's, unless others are given.
    """

    def make(context: PaperContext, number: str) -> Part:
        result = run(context)
        original = result[source]
        copy = table(
            number,
            change(rows(original, where)),
            original.caption if caption is None else caption,
            original.digits if digits is None else digits,
        )
        if not figure:
            return Part((copy,))
        return Part((copy,), (replace(figure_of(result, figure), name=number, table=number, **(redraw or {})),))

    return make


def figure_over(other: str, run: Run, figure: str | Figure) -> Make:
    """A figure that draws another item's table: one of the study behind that table, or a new one."""

    def make(context: PaperContext, number: str) -> Part:
        result = run(context)
        drawing = figure_of(result, figure) if isinstance(figure, str) else figure
        return Part(figures=(replace(drawing, name=number, table=other),))

    return make


def averaged(rows: Rows, keys: Sequence[str]) -> Rows:
    """Rows with the same keys as one row of their means; a single row stays as it is."""

    def mean(same: Rows) -> Row:
        return {name: value if name in keys else fmean(row[name] for row in same) for name, value in same[0].items()}

    return [same[0] if len(same) == 1 else mean(same) for same in grouped(rows, *keys).values()]


def pivot(rows: Rows, index: str, column: str, value: str) -> Rows:
    """One row for each value of `index`, with a column for each value of `column`."""
    return [{index: key, **{row[column]: row[value] for row in same}} for (key,), same in grouped(rows, index).items()]


def triangle(number: str, rows: Rows, value: str, caption: str, *, bold: float) -> Table:
    """Pairs of measures as the upper triangle of a matrix, which is how papers print correlations: high ones bold."""
    names = list(dict.fromkeys(name for row in rows for name in (row["measure_a"], row["measure_b"])))
    cells = {(row["measure_a"], row["measure_b"]): row[value] for row in rows}
    matrix: Rows = [
        {"measure": a, **{b: cells.get((a, b)) if i < j else None for j, b in enumerate(names) if j}}
        for i, a in enumerate(names)
    ]
    return replace(table(number, matrix, caption, dict.fromkeys(names, 4)), bold=dict.fromkeys(names[1:], bold))
