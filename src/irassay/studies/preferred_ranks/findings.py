"""What `irassay preferred-ranks` finds, in plain sentences."""

from __future__ import annotations

from statistics import median

from irassay.result import Result
from irassay.studies.phrases import name, rows_of


def findings(result: Result) -> list[str]:
    ranks = {row["topic"]: row["max_rank"] for row in rows_of(result["preferred_ranks"], "max_rank")}
    if not ranks:
        return ["No run retrieves a relevant document for any topic."]
    topic = max(ranks, key=lambda one: ranks[one])
    return [
        "In the median topic the run that makes users wait longest has its first document of the highest level at "
        f"rank {median(ranks.values()):g}; at worst at rank {ranks[topic]:,} (topic {name(topic)})."
    ]
