"""The work of `irassay preferred-ranks`."""

from statistics import median
from typing import Any

import numpy as np

from irassay.errors import InputError
from irassay.panel.panel import Panel
from irassay.result import Result, Table
from irassay.scoring.hits import plain
from irassay.settings import Execution
from irassay.studies.inputs import load_panel
from irassay.studies.phrases import rows_of, safe
from irassay.studies.preferred_ranks.settings import PreferredRanks
from irassay.studies.tables import columns


def run(study: PreferredRanks, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Table: `preferred_ranks`, one row per topic and level."""
    data = load_panel(study, qrels, runs, execution)
    rows = [row for topic in range(len(data.panel.topics)) for row in _rows(data.panel, topic)]
    if not rows:
        raise InputError("no judged document is relevant", hint="preferred ranks need grades of 1 or more")
    caption = (
        "The largest preferred rank over runs: found is how many of all judged documents of a level (total) stand at "
        "or above it"
    )
    table = Table("preferred_ranks", columns(rows), caption)
    return Result("preferred-ranks", (table,), data.warnings, data.provenance)


def _rows(panel: Panel, topic: int) -> list[dict[str, Any]]:
    """The largest preferred rank of a topic, and how many documents of each level stand at or above it."""
    hits, _ = plain(panel.codes, panel.offsets, panel.pool, panel.grade, topic, topic + 1, low=1, condensed=False)
    lists = [slice(start, stop) for start, stop in zip(hits.start, hits.stop, strict=True)]
    preferred = [int(hits.rank[own][np.argmax(hits.grade[own])]) if own.stop > own.start else 0 for own in lists]
    system = int(np.argmax(preferred))  # of equal ranks the first system's
    rank = preferred[system]
    above = hits.grade[lists[system]][hits.rank[lists[system]] <= rank]
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


def findings(result: Result) -> list[str]:
    ranks = {row["topic"]: row["max_rank"] for row in rows_of(result["preferred_ranks"], "max_rank")}
    if not ranks:
        return ["No run retrieves a relevant document for any topic."]
    topic = max(ranks, key=lambda one: ranks[one])
    return [
        "In the median topic the run that makes users wait longest has its first document of the highest level at "
        f"rank {median(ranks.values()):g}; at worst at rank {ranks[topic]:,} (topic {safe(topic)})."
    ]
