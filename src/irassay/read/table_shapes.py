"""Wide tables that name their systems in a column, as long ones."""

from collections.abc import Sequence
from typing import Any

from irassay.errors import InputError
from irassay.measures import parse
from irassay.read.score_cells import INDEX, KINDS, parse_number

Rows = Sequence[tuple[str, Sequence[Any]]]


def long_table(header: Sequence[str], rows: Rows, *, several: bool = False) -> tuple[Sequence[str], Rows]:
    """The table with a row for each score where it is `system,topic,AP,…` or `system,401,402,…`; any other as it is.

    With `several` collections columns that are no topics may be collections: then the table stays as it is.
    """
    names = [name.strip().lower() for name in header]
    system, topic, measure, score = (
        next((names.index(alias) for alias in kind if alias in names), -1) for kind in KINDS
    )
    rest = [n for n in range(len(names)) if n not in (system, topic, measure) and names[n] not in ("", INDEX)]
    if (
        several
        or system < 0
        or max(score, min(topic, measure)) >= 0
        or not rest
        or not rows
        or _is_numeric(rows, system)
    ):
        return header, rows
    if max(topic, measure) < 0 and any(is_measure(header[n]) for n in rest):
        raise InputError(
            "scores of systems over all topics, and none of a topic",
            rows[0][0],
            "give the scores of each topic: a column for the topics, or a column for each topic",
        )
    # what a column's name is, and which column says the rest
    named, beside = ("measure", topic) if topic >= 0 else ("topic", measure)
    columns = ["system", named, *(["measure" if named == "topic" else "topic"] if beside >= 0 else []), "score"]
    cells = [
        (where, [row[system], header[n], *([row[beside]] if beside >= 0 else []), row[n]])
        for where, row in _whole(header, rows)
        for n in rest
    ]
    return columns, cells


def _whole(header: Sequence[str], rows: Rows) -> Rows:
    for where, row in rows:
        if len(row) != len(header):
            what = f"{len(row)} cells under a header of {len(header)}"
            raise InputError(what, where, "give each row a cell for every column")
    return rows


def _is_numeric(rows: Rows, column: int) -> bool:
    """Whether a column holds scores: then its name is a system's, in a table with a column for each system."""
    return all(len(row) > column and parse_number(row[column]) is not None for _, row in rows)


def is_measure(name: str) -> bool:
    """Whether irassay knows a measure of this name."""
    try:
        return bool(parse(name))
    except InputError:
        return False
