"""Ready-made scores, so that studies of scores need no runs."""

import os
from collections.abc import Sequence

from irassay.errors import IrassayWarning, emit
from irassay.read.score_tables import read_cells
from irassay.scoring.scores import Scores


def read_scores(*paths: str | os.PathLike[str], measures: str | Sequence[str] | None = None) -> Scores:
    """Scores of systems on topics from files, directories or globs; formats are told by content.

    `measures` selects measures by the names they have in the files, in this order. It also names the measure
    of a wide table (else: its file's name) and of a long one without such a column (else: `score`), one name
    for all of these or one each. Cells without a value are NaN, and a warning counts them.
    """
    cells = read_cells(paths, measures)
    scores, absent = Scores.from_cells(cells.values, cells.measures)
    warnings = list(cells.warnings)
    if absent:
        system, topic, measure = absent[0]
        what = f"{len(absent)} of {scores.values.size} scores are missing and stay undefined; "
        what += f"the first is {measure} of {system} on topic {topic}"
        warnings.append(IrassayWarning("missing-cells", what))
    emit(warnings)
    return scores
