"""A table for a paper from a long one: systems by measures, with signs of significance, and the best in bold."""

from collections.abc import Sequence
from typing import NamedTuple

from irassay.errors import InputError
from irassay.headers import Header
from irassay.report.cells import DEFAULT_DIGITS, Marked
from irassay.report.text import undefined
from irassay.result import Table

SIGNS = "†‡§¶"  # one for each baseline; more baselines have letters
BETTER, WORSE, DIFFERENT = "↑", "↓", "≠"  # what the column `marker` says
VALUES = ("mean", "score")
LETTERS = "letters"


class _Place(NamedTuple):
    """A cell: of this system (and collection), by this measure."""

    row: tuple[str, ...]
    measure: str


def can_be_wide(table: Table) -> bool:
    """Whether the table has a score of every system by every measure."""
    names = table.columns.keys()
    return {"system", "measure"} <= names and not {"topic", "group"} & names and any(name in names for name in VALUES)


def sign_of(baseline: int) -> str:
    """What stands for the first, second, … baseline."""
    return SIGNS[baseline] if baseline < len(SIGNS) else f"({chr(ord('a') + baseline - len(SIGNS))})"


def wide(table: Table, caption: str | None = None) -> Table:
    """Systems by measures; the columns `marker` and `against`, or `letters`, become signs above and below the line.

    What is significantly better than a baseline has the baseline's sign above the line, what is worse has it below.
    """
    if not can_be_wide(table):
        raise InputError(
            f"the table {table.name!r} has no wide layout: it is not one of systems and measures",
            hint="leave out the layout",
        )
    value = next(name for name in VALUES if name in table.columns)
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows()]
    names = [name for name in ("collection", "system") if name in table.columns]
    baselines = list(dict.fromkeys(row.get("against") for row in rows))
    scores: dict[_Place, float | None] = {}
    above: dict[_Place, str] = {}
    below: dict[_Place, str] = {}
    for row in rows:
        place = _Place(tuple(str(row[name]) for name in names), str(row["measure"]))
        scores[place] = None if undefined(row[value]) else float(str(row[value]))
        sign = sign_of(baselines.index(row.get("against")))
        marker = row.get("marker")
        if marker in (BETTER, DIFFERENT):
            above[place] = above.get(place, "") + sign
        elif marker == WORSE:
            below[place] = below.get(place, "") + sign
        elif not undefined(row.get(LETTERS)):
            above[place] = str(row[LETTERS])
    systems = list(dict.fromkeys(place.row for place in scores))
    columns: dict[str, list[object]] = {name: [row[k] for row in systems] for k, name in enumerate(names)}
    headers = {}
    for measure in dict.fromkeys(place.measure for place in scores):
        places = [_Place(row, measure) for row in systems]
        texts = _texts([scores.get(place) for place in places], table.digits.get(value, DEFAULT_DIGITS))
        best = _best(places, scores)
        name = f"{measure} " if measure in columns else measure
        headers[name] = Header(measure)
        columns[name] = [
            None if text is None else Marked(text, above=above.get(one, ""), below=below.get(one, ""), bold=one in best)
            for one, text in zip(places, texts, strict=True)
        ]
    return Table(table.name, columns, table.caption if caption is None else caption, headers=headers)


def _texts(values: Sequence[float | None], digits: int) -> list[str | None]:
    return [None if value is None else f"{value:z.{digits}f}" for value in values]


def _best(places: Sequence[_Place], scores: dict[_Place, float | None]) -> set[_Place]:
    """The highest score, of each collection; equal ones are all the best."""
    best: dict[tuple[str, ...], float] = {}
    for place in places:
        value = scores.get(place)
        if value is not None:
            best[place.row[:-1]] = max(value, best.get(place.row[:-1], value))
    return {place for place in places if scores.get(place) is not None and scores[place] == best[place.row[:-1]]}
