"""The work of `irassay preferred-ranks`."""

from statistics import median
from typing import Any

import numpy as np

from irassay.errors import InputError
from irassay.panel.panel import Panel
from irassay.result import Figure, Result, Table
from irassay.scoring.hits import Hits, plain
from irassay.settings import Execution
from irassay.studies.inputs import load_panel
from irassay.studies.phrases import rows_of, safe
from irassay.studies.preferred_ranks.settings import PreferredRanks
from irassay.studies.tables import columns

QUARTILES = ("min", "q25", "q50", "q75", "max")
FIGURE = Figure(
    "distribution",
    "boxes",
    "distribution",
    x="topic",
    low="min",
    lower="q25",
    y="q50",
    upper="q75",
    high="max",
    labels={"y": "preferred rank"},
    caption="Preferred ranks over runs: quartiles, whiskers from the smallest to the largest",
    alt="Boxes of the preferred ranks of all runs, one for each topic",
)


def run(study: PreferredRanks, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `preferred_ranks`, one row per topic and level; `distribution`, the preferred ranks of all runs."""
    data = load_panel(study, qrels, runs, execution)
    rows, spread = [], []
    for topic in range(len(data.panel.topics)):
        hits, preferred = _preferred(data.panel, topic)
        rows += _rows(data.panel, topic, hits, preferred)
        spread.append({"topic": data.panel.topics[topic], **_distribution(preferred)})
    if not rows:
        raise InputError("no judged document is relevant", hint="preferred ranks need grades of 1 or more")
    caption = (
        "The largest preferred rank over runs (the rank of the first document of the highest level that a run "
        "retrieves), and how many of all judged documents of each level stand at or above it"
    )
    table = Table("preferred_ranks", columns(rows), caption)
    distribution = Table(
        "distribution",
        columns(spread),
        "Preferred ranks of the runs that retrieve a relevant document for the topic: quartiles and extremes. Runs "
        "that retrieve none are only counted.",
        dict.fromkeys(QUARTILES, 1),
    )
    return Result("preferred-ranks", (table, distribution), data.warnings, data.provenance, (FIGURE,))


def _preferred(panel: Panel, topic: int) -> tuple[Hits, list[int]]:
    """The hits of all lists of a topic, and each list's preferred rank; 0 where it has nothing relevant."""
    hits, _ = plain(panel.codes, panel.offsets, panel.pool, panel.grade, topic, topic + 1, low=1, condensed=False)
    lists = [slice(start, stop) for start, stop in zip(hits.start, hits.stop, strict=True)]
    ranks = [int(hits.rank[own][np.argmax(hits.grade[own])]) if own.stop > own.start else 0 for own in lists]
    return hits, ranks


def _distribution(preferred: list[int]) -> dict[str, Any]:
    ranks = [rank for rank in preferred if rank]
    values = np.quantile(ranks, (0.0, 0.25, 0.5, 0.75, 1.0)).tolist() if ranks else [None] * len(QUARTILES)
    return {"runs": len(ranks), "none": len(preferred) - len(ranks), **dict(zip(QUARTILES, values, strict=True))}


def _rows(panel: Panel, topic: int, hits: Hits, preferred: list[int]) -> list[dict[str, Any]]:
    """The largest preferred rank of a topic, and how many documents of each level stand at or above it."""
    lists = [slice(start, stop) for start, stop in zip(hits.start, hits.stop, strict=True)]
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
        "A user who wants one document of the highest level that a run retrieves has to go down to its preferred rank. "
        f"In the median topic the run with the largest has it at rank {median(ranks.values()):g}.",
        f"At worst it is at rank {ranks[topic]:,} (topic {safe(topic)}).",
    ]
