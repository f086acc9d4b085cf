"""What `irassay check` finds, in plain sentences."""

from __future__ import annotations

from irassay.result import Result
from irassay.studies.phrases import few, name, rows_of


def findings(result: Result) -> list[str]:
    counts = {row["what"]: row["value"] for row in rows_of(result["collection"])}
    relevant = next(row for row in rows_of(result["judgments"]) if str(row["per_topic"]).startswith("R "))
    problems: dict[str, int] = {}
    for row in rows_of(result["problems"]):
        problems[name(row["code"])] = problems.get(name(row["code"]), 0) + 1
    listed = [f"{code} ({count:,})" for code, count in sorted(problems.items(), key=lambda item: -item[1])]
    return [
        f"{counts['runs']:,} runs on {counts['topics evaluated']:,} topics, with {relevant['mean']:.1f} relevant "
        f"documents a topic ({relevant['min']:,} to {relevant['max']:,}).",
        f"Potential problems: {few(listed)}." if listed else "No problem was found.",
    ]
