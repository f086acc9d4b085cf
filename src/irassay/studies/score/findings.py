"""What `irassay score` finds, in plain sentences."""

from __future__ import annotations

from irassay.result import Result
from irassay.studies.phrases import few, name, rows_of


def findings(result: Result) -> list[str]:
    scores = result["scores"]
    if "system" not in scores.columns:  # wide: a column for each system
        return [f"Scores of {len(scores.columns) - len({'topic', 'measure'} & set(scores.columns))} systems."]
    means = rows_of(result["means"] if "topic" in scores.columns else scores, "score")
    best: dict[str, dict[str, object]] = {}
    for row in means:
        if row["measure"] not in best or row["score"] > best[row["measure"]]["score"]:
            best[row["measure"]] = row
    parts = [f"{name(measure)} {name(row['system'])} ({row['score']:.3f})" for measure, row in best.items()]
    return [f"The highest score of {len({row['system'] for row in means})} systems: {few(parts)}."]
