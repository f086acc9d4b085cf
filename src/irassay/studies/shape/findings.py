"""What `irassay shape` finds, in plain sentences."""

from __future__ import annotations

from irassay.result import Result
from irassay.studies.phrases import few, name, percent, rows_of


def findings(result: Result) -> list[str]:
    rows = rows_of(result["shape"])
    sizes = {row["R"] for row in rows}
    relevant = 10 if 10 in sizes else min(sizes)
    last = min(10, max(row["rank"] for row in rows))
    scores = {(row["measure"], row["rank"]): row["score"] for row in rows if row["R"] == relevant}
    worth = {
        measure: scores[measure, last] / scores[measure, 1]
        for measure in dict.fromkeys(row["measure"] for row in rows)
        if scores[measure, 1] > 0
    }
    if last == 1 or not worth:
        return ["There are no two ranks at which a relevant document could be compared."]
    parts = [f"{name(measure)} {percent(worth[measure])}" for measure in sorted(worth, key=lambda one: worth[one])]
    return [
        f"A relevant document at rank {last} is worth this share of one at rank 1 (R = {relevant}): {few(parts)}. "
        "The less, the more top-heavy."
    ]
