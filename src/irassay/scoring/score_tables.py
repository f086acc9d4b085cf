"""Ready-made scores, so that studies of scores need no runs."""

import os
from collections.abc import Sequence

import numpy as np

from irassay.errors import InputError, IrassayWarning, emit
from irassay.measures import parse
from irassay.read.score_tables import read_cells
from irassay.scoring.scores import Scores
from irassay.tolerance import OUTSIDE


def read_scores(*paths: str | os.PathLike[str], measures: str | Sequence[str] | None = None) -> Scores:
    """Scores of systems on topics from files, directories or globs; formats are told by content.

    `measures` selects measures by the names they have in the files, in this order. It also names the measure
    of a wide table (else: its file's name) and of a long one without such a column (else: `score`), one name
    for all of these or one each. Cells without a value are NaN, and a warning counts them.
    """
    cells = read_cells(paths, measures)
    scores, absent = Scores.from_cells(cells.values, cells.measures)
    _refuse_percentages(scores)
    warnings = list(cells.warnings)
    if absent:
        system, topic, measure = absent[0]
        what = f"{len(absent)} of {scores.values.size} scores are missing and stay undefined; "
        what += f"the first is {measure} of {system} on topic {topic}"
        warnings.append(IrassayWarning("missing-cells", what))
    emit(warnings)
    return scores


def _refuse_percentages(scores: Scores) -> None:
    """A measure that lies between 0 and 1 and is above it here was written in per cent."""
    for one in scores.by_measure():
        try:
            (measure,) = parse(one.name)
        except InputError:  # a column of a table may be called anything
            continue
        if not measure.bounded or not np.isfinite(one.values).any() or np.nanmax(one.values) <= 1 + OUTSIDE:
            continue
        system, topic = np.argwhere(one.values > 1 + OUTSIDE)[0]
        value = one.values[system, topic]
        kind = "these look like percentages" if np.nanmax(one.values) <= 100 + OUTSIDE else "no score can be so high"
        raise InputError(
            f"{one.name} of {scores.systems[system]} on topic {scores.topics[topic]} is {value:g}: {kind}",
            hint=f"{one.name} lies between 0 and 1: divide percentages by 100, or give the column another name",
        )
