"""What `irassay agreement` finds, in plain sentences."""

from __future__ import annotations

from irassay.result import Result
from irassay.studies.phrases import join, name, rows_of


def findings(result: Result) -> list[str]:
    rows = sorted(rows_of(result["agreement"]), key=lambda row: -row["tau"])
    most, least = rows[0], rows[-1]
    parts = [f"{name(most['measure_a'])} and {name(most['measure_b'])} rank systems most alike (tau {most['tau']:.2f})"]
    if most["tau"] > least["tau"]:
        parts.append(f"{name(least['measure_a'])} and {name(least['measure_b'])} least (tau {least['tau']:.2f})")
    sentences = [f"{join(parts)}, over {most['systems']} systems."]
    if "verdicts" not in result:
        return sentences
    verdicts = rows_of(result["verdicts"])
    worst = max(verdicts, key=lambda row: row["opposite"])
    if worst["opposite"] == 0:
        return [*sentences, "No two measures are ever both significant in opposite ways."]
    opposite, pairs = (sum(row[column] for row in verdicts) for column in ("opposite", "pairs"))
    return [
        *sentences,
        f"In {opposite:,} of {pairs:,} cases two measures are both significant in opposite ways, most often "
        f"{name(worst['measure_a'])} and {name(worst['measure_b'])} ({worst['opposite']:,}).",
    ]
