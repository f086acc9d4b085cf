"""Ready-made scores for a study: which measures and topics it takes of them."""

import contextlib
import os
import warnings
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from irassay.errors import InputError, IrassayWarning
from irassay.measures import Measure, parse
from irassay.panel.topics import select
from irassay.scoring.score_tables import read_scores
from irassay.scoring.scores import Scores
from irassay.settings import Inputs, Measured, options

# not unanswerable: nobody can tell
FOR_RUNS = {"order", "depth", "duplicates", "negative", "gains", "residual", "names", "exclude", "skip_unreadable"}


def refuse_options(settings: Inputs, what: str) -> None:
    """Options about runs do nothing to data that are aligned or scored already."""
    for name, (field, _) in options(type(settings)).items():
        if name in FOR_RUNS and getattr(settings, name) != field.default:
            raise InputError(f"--{name} does nothing to {what}", hint=f"leave out --{name}, or give runs")


def table_paths(settings: Measured) -> tuple[Any, ...]:
    """The score tables: one path or several, or `Scores`."""
    tables: Any = settings.scores
    return (tables,) if isinstance(tables, str | os.PathLike | Scores) else tuple(tables)


def read_tables(settings: Measured) -> Scores:
    """The scores of all tables."""
    refuse_options(settings, "ready-made scores")
    tables = table_paths(settings)
    if any(isinstance(table, Scores) for table in tables):
        return _joined(tables)
    with warnings.catch_warnings():
        # cells that matter are looked for later, and are then an error
        warnings.filterwarnings("ignore", r".*\[missing-cells\]", IrassayWarning)
        return read_scores(*tables)


def _joined(tables: Sequence[Any]) -> Scores:
    """`Scores` of different systems or measures as one."""
    if not all(isinstance(table, Scores) for table in tables):
        raise InputError("files and scores in memory are mixed", hint="read the files with irassay.read_scores")
    if len(tables) == 1:
        return tables[0]  # type: ignore[no-any-return]
    cells: dict[tuple[str, str, str], float | None] = {}
    measures: dict[str, Measure | None] = {}
    for table in tables:
        measures |= dict(zip(table.measures, table.known, strict=True))
        for (m, s, t), value in np.ndenumerate(table.values.reshape(len(table), len(table.systems), -1)):
            key = (table.systems[s], table.topics[t], table.measures[m])
            if key in cells:
                what = f"{key[2]} of {key[0]} on topic {key[1]} is in two of the scores"
                raise InputError(what, hint="keep one of them, or give the systems different names")
            cells[key] = None if np.isnan(value) else float(value)
    scores, _ = Scores.from_cells(cells, tuple(measures))
    return replace(scores, known=tuple(measures.values()))


def choose_scores(settings: Measured, scores: Scores) -> Scores:
    """The study's measures and topics of ready-made scores, all measures where it names none.

    GM(M), AG(M) and AREA(M) come from M where it is there.
    """
    refuse_options(settings, "ready-made scores")
    topics = select(scores.topics, settings.topics)
    scores = scores.select(topics=topics)
    columns = {one.name: one.measure or parse_name(one.name) for one in scores.by_measure()}
    default = next(field.default for field in fields(settings) if field.name == "measures")
    measures = columns if settings.measures == default else _requested(settings, columns)
    values, known = [], []
    for name, measure in measures.items():
        source, summary = _source(name, measure, columns, scores)
        refuse_missing(scores[source], name, measure)
        values.append(scores[source].values)
        known.append(summary)
    return Scores(tuple(measures), scores.systems, topics, np.stack(values), tuple(known))


def refuse_missing(scores: Scores, name: str, measure: Measure | None) -> None:
    """Studies need every score; `name` is the measure that the study asks for."""
    missing = np.argwhere(np.isnan(scores.values))
    if not len(missing):
        return
    size = scores.values.size
    if len(missing) == size and measure is not None and measure.summary is not None:
        raise InputError(f"{name} has no value per topic in the tables", hint=f"give {measure.base} as well")
    system, topic = scores.systems[missing[0][0]], scores.topics[missing[0][1]]
    raise InputError(
        f"{len(missing)} of {size} scores of {scores.name} are missing, the first for {system} on topic {topic}",
        hint="fill them in (0 for a topic that was not answered), or leave such topics out with --topics",
    )


def parse_name(name: str) -> Measure | None:
    """The measure of that name, if there is one."""
    with contextlib.suppress(InputError):  # a column of a table may be called anything
        (measure,) = parse(name)
        return measure
    return None


def _requested(settings: Measured, columns: dict[str, Measure | None]) -> dict[str, Measure | None]:
    """The measures of -m, by the names that the tables have for them."""
    requested: dict[str, Measure | None] = {}
    for text in (settings.measures,) if isinstance(settings.measures, str) else settings.measures:
        names = [text] if text in columns else text.split()  # a column may be called anything
        if all(name in columns for name in names):
            requested |= {name: columns[name] for name in names}
            continue
        for measure in parse(text):
            same = [name for name, other in columns.items() if other == measure]
            derived = measure.summary is not None and measure.base in columns.values()
            if not same and not derived:
                raise InputError(f"the tables have no scores of {measure}", hint=f"they hold {', '.join(columns)}")
            requested[same[0] if same else str(measure)] = measure
    return requested


def _source(
    name: str, measure: Measure | None, columns: dict[str, Measure | None], scores: Scores
) -> tuple[str, Measure | None]:
    """The column with a measure's values before they are summarised, and the measure they are then summarised by."""
    if measure is None or measure.summary is None:
        return name, measure
    for column, other in columns.items():
        if other == measure.base:
            return column, measure
    if measure.summary[0] == "AG" and scores[name].measure is None:
        return name, None  # a table's own column: logarithms already, which are averaged as they are
    return name, measure
