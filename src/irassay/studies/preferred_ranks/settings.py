"""`irassay preferred-ranks`: how far down P-measure's user has to go (sakai2007one, Tables 7-9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irassay.errors import InputError
from irassay.settings import Execution, Inputs, option
from irassay.studies.execution import described_run

if TYPE_CHECKING:
    from irassay.panel.panel import Panel
    from irassay.result import Result


@dataclass(frozen=True, kw_only=True)
class PreferredRanks(Inputs):
    """Per topic the largest preferred rank over runs, and what stands at or above it, level by level.

    The preferred rank is that of the first document of the highest level that a run retrieves. A run that
    retrieves nothing relevant has none and is left out; of equal ranks the first run's is shown.

    \b
    irassay preferred-ranks qrels.txt runs/
    """

    unanswerable: str = option(
        "drop", "topics without a relevant document: keep them, with no rank, or drop them", choices=("zero", "drop")
    )

    @described_run
    def run(self, qrels: Any = None, runs: Any = None, *, execution: Execution | None = None) -> Result:
        """Table: `preferred_ranks`, one row per topic and level."""
        from irassay.result import Result, Table
        from irassay.studies.inputs import load_panel
        from irassay.studies.tables import columns

        data = load_panel(self, qrels, runs, execution)
        rows = [row for topic in range(len(data.panel.topics)) for row in _rows(data.panel, topic)]
        if not rows:
            raise InputError("no judged document is relevant", hint="preferred ranks need grades of 1 or more")
        caption = "The largest preferred rank over runs: found is how many of all judged documents of a level (total) "
        caption += "stand at or above it"
        table = Table("preferred_ranks", columns(rows), caption)
        return Result("preferred-ranks", (table,), data.warnings, data.provenance)


def _rows(panel: Panel, topic: int) -> list[dict[str, Any]]:
    """The largest preferred rank of a topic, and how many documents of each level stand at or above it."""
    import numpy as np

    from irassay.scoring.hits import plain

    hits, _ = plain(panel.codes, panel.offsets, panel.pool, panel.grade, topic, topic + 1, low=1, condensed=False)
    farthest = (0, -1)
    for s in range(len(panel.systems)):
        grades = hits.grade[hits.start[s] : hits.stop[s]]
        if len(grades):
            rank = int(hits.rank[hits.start[s] + int(np.argmax(grades))])
            farthest = max(farthest, (rank, -s))  # of equal ranks the first system's
    rank, system = farthest[0], -farthest[1]
    above = np.zeros(0, dtype=np.int8)
    if rank:
        low, high = hits.start[system], hits.stop[system]
        above = hits.grade[low:high][hits.rank[low:high] <= rank]
    judged = panel.judged_counts()[topic]
    return [
        {
            "topic": panel.topics[topic],
            "system": panel.systems[system] if rank else None,
            "max_rank": rank or None,
            "level": level,
            "found": int((above == level).sum()),
            "total": int(judged[level]),
        }
        for level in sorted(panel.grades, reverse=True)
    ]
