"""Tables of studies, laid out as a paper prints them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from irassay.result import Figure, Table
from irassay.studies.tables import columns

Rows = list[dict[str, Any]]


def rows(table: Table, where: Mapping[str, object] | None = None) -> Rows:
    """The rows of a table as dictionaries, or those that have given values."""
    names = tuple(table.columns)
    found = (dict(zip(names, row, strict=True)) for row in table.rows())
    return [row for row in found if all(row[name] == value for name, value in (where or {}).items())]


def kept(found: Iterable[Mapping[str, Any]], *names: str) -> Rows:
    """The rows with these columns only, in this order."""
    return [{name: row[name] for name in names} for row in found]


def falling(found: Rows, name: str) -> Rows:
    """Sorted by a column, the highest first and what is undefined last; equal ones stay as they are."""
    return sorted(found, key=lambda row: (row[name] is None or row[name] != row[name], -(row[name] or 0.0)))


def table(number: str, found: Rows, caption: str = "", digits: Mapping[str, int] | None = None) -> Table:
    """A table named by an item's number, with the digits of those columns that it has."""
    made = columns(found)
    return Table(number, made, caption, {name: n for name, n in (digits or {}).items() if name in made})


def redrawn(figure: Figure, number: str, of: str, **changes: Any) -> Figure:
    """A study's figure under the paper's number, over another table."""
    return replace(figure, name=number, table=of, **changes)


def drawn(figures: Sequence[Figure], name: str) -> Figure:
    """A study's figure by its name."""
    return next(figure for figure in figures if figure.name == name)


def averaged(found: Rows, keys: Sequence[str]) -> Rows:
    """Rows that agree in the keys as one, with the means of what they count; one row alone stays as it is."""
    groups: dict[tuple[Any, ...], Rows] = {}
    for row in found:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    out = []
    for same in groups.values():
        if len(same) == 1:
            out.append(same[0])
        else:
            means = {name: fmean(row[name] for row in same) for name in same[0] if name not in keys}
            out.append({**{key: same[0][key] for key in keys}, **means})
    return out


def triangle(number: str, found: Rows, value: str, caption: str, *, bold: float) -> Table:
    """Pairs of measures as the upper triangle of a matrix, which is how papers print correlations: high ones bold."""
    names = list(dict.fromkeys(name for row in found for name in (row["measure_a"], row["measure_b"])))
    cells = {(row["measure_a"], row["measure_b"]): row[value] for row in found}
    made: Rows = [
        {"measure": a, **{b: cells.get((a, b)) if i < j else None for j, b in enumerate(names) if j}}
        for i, a in enumerate(names)
    ]
    made_of = table(number, made, caption, dict.fromkeys(names, 4))
    return replace(made_of, bold=dict.fromkeys(names[1:], bold))
