"""Scores in a frame of pandas or polars: a row for every system, topic and measure, such as PyTerrier's Experiment."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any

from irassay.errors import InputError, IrassayWarning, emit
from irassay.read.columns import column_of
from irassay.scoring.scores import Cell, Scores

PLACE = "scores"
NUMBERS = ("value", "score")


def is_score_frame(source: Any) -> bool:
    """Whether it is a frame with a row for every measure, and not one of judgments or runs."""
    if isinstance(source, Mapping) or not (hasattr(source, "columns") and hasattr(source, "__getitem__")):
        return False
    names = [name for name in source.columns if isinstance(name, str)]
    number = any(name in names for name in NUMBERS)
    return "measure" in names and number and column_of("document", names, PLACE) is None


def scores_of_frame(frame: Any) -> Scores:
    """The scores in the columns of systems, topics, measures and values; absent ones are NaN, with a warning."""
    names = list(frame.columns)
    columns = {kind: column_of(kind, names, PLACE) for kind in ("system", "topic")}
    if columns["topic"] is None:
        raise InputError(
            f"no column of topics among {', '.join(map(str, names))}",
            PLACE,
            "give a score for every topic; PyTerrier's Experiment does with perquery=True",
        )
    if columns["system"] is None:
        raise InputError(f"no column of systems among {', '.join(map(str, names))}", PLACE, "call it name or system")
    values = frame[next(name for name in NUMBERS if name in names)]
    cells: dict[Cell, float | None] = {}
    rows = zip(frame[columns["system"]], frame[columns["topic"]], frame["measure"], values, strict=True)
    for row, (system, topic, measure, value) in enumerate(rows, start=1):
        where = f"{PLACE}, row {row}"
        cell = (str(system), _text(topic, where), str(measure))
        if cell in cells:
            raise InputError(f"{cell[2]} of {cell[0]} on topic {cell[1]} appears twice", where, "keep one of them")
        cells[cell] = _number(value, where)
    if not cells:
        raise InputError("the frame has no rows", PLACE, "give at least one score")
    scores, absent = Scores.from_cells(cells, list(dict.fromkeys(measure for _, _, measure in cells)))
    if absent:
        system, topic, measure = absent[0]
        what = f"{len(absent)} of {scores.values.size} scores are missing; the first is {measure} of {system}"
        emit([IrassayWarning("missing-cells", f"{what} on topic {topic}")])
    return scores


def _text(topic: Any, where: str) -> str:
    if isinstance(topic, str):
        return topic
    if isinstance(topic, Integral) and not isinstance(topic, bool):
        return str(int(topic))
    raise InputError(f"topic {topic!r} is not text", where, "ids are text or whole numbers")


def _number(value: Any, where: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"the score {value!r} is not a number", where, "give every score as a number") from None
