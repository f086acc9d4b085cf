"""Names of measures in tables and figures: with the parameters in which they differ, or as a paper writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from irassay.errors import InputError
from irassay.headers import Header

if TYPE_CHECKING:
    from irassay.measures import Measure
    from irassay.result import Figure, Result, Table

COLUMNS = ("measure", "measure_a", "measure_b")  # that hold names of measures


def with_compared_parameters(result: Result) -> Result:
    """The result, in which no measure leaves out a parameter in which another one differs.

    A measure's own name leaves out defaults: RBP is RBP(p=0.8). Beside RBP(p=0.5) a reader would have to know that.
    """
    names = spelled_out(names_in(result.tables))
    return renamed(result, names) if names else result


def names_in(tables: Iterable[Table]) -> set[str]:
    """All names in columns of measures, and the names of columns, some of which are measures."""
    cells = {str(value) for table in tables for name in COLUMNS if name in table.columns for value in table[name]}
    return cells | {name for table in tables for name in table.columns}


def spelled_out(names: Iterable[object]) -> dict[str, str]:
    """The names that must show a default, each with how it is written."""
    measures = {name: measure for name in dict.fromkeys(map(str, names)) if (measure := _measure(name))}
    alike: dict[Measure, list[str]] = {}
    for name, measure in measures.items():
        alike.setdefault(replace(measure, params=()), []).append(name)
    written: dict[str, str] = {}
    for group in alike.values():
        compared = {key for name in group for key, _ in measures[name].params}
        for name in group:
            one = measures[name]
            # a default of None says nothing
            defaults = {key: param.default for key, param in one.record.accepted.items() if param.default is not None}
            own = {key: value for key, value in defaults.items() if key in compared} | dict(one.params)
            full = str(replace(one, params=tuple((key, own[key]) for key in one.record.accepted if key in own)))
            if full != name:
                written[name] = full
    return written


def _measure(name: str) -> Measure | None:
    """What a name says; None for names that are no measures, as in ready-made scores."""
    from irassay.measures import parse

    try:
        measures = parse(name)
    except InputError:
        return None
    return measures[0] if len(measures) == 1 and str(measures[0]) == name else None


def renamed(result: Result, names: Mapping[str, str]) -> Result:
    """The result with other names of measures in the columns that hold them, and in the figures that draw them."""
    return replace(
        result,
        tables=tuple(renamed_table(table, names) for table in result.tables),
        figures=tuple(renamed_figure(figure, names) for figure in result.figures),
    )


def renamed_table(table: Table, names: Mapping[str, str], also: Iterable[str] = ()) -> Table:
    """Cells of the columns of measures, and of `also`, by their whole text; and columns named by a measure."""
    held = {name: table[name] for name in (*COLUMNS, *also) if name in table.columns}
    changed = {name: [names.get(str(value), value) for value in column] for name, column in held.items()}
    content = {names.get(name, name): column for name, column in {**table.columns, **changed}.items()}
    digits = {names.get(name, name): places for name, places in table.digits.items()}
    bold = {names.get(name, name): limit for name, limit in table.bold.items()}
    headers = {
        names.get(name, name): Header(names[name]) if header.text == name in names else header
        for name, header in table.headers.items()
    }
    return replace(table, columns=content, digits=digits, bold=bold, headers=headers)


def renamed_figure(figure: Figure, names: Mapping[str, str], also: Iterable[str] = ()) -> Figure:
    """The rows that a figure keeps and the small figures in which its marks stand."""
    columns = (*COLUMNS, *also)
    where = {name: names.get(str(value), value) if name in columns else value for name, value in figure.where.items()}
    if figure.facet not in columns:
        return replace(figure, where=where)
    return replace(
        figure,
        where=where,
        marks=tuple(mark._replace(facet=names.get(mark.facet, mark.facet)) for mark in figure.marks),
    )
