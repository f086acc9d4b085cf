"""What `irassay swap` finds, in plain sentences."""

from __future__ import annotations

from irassay.report.text import undefined
from irassay.result import Result
from irassay.studies.phrases import few, join, name, percent, rows_of


def findings(result: Result) -> list[str]:
    rows = rows_of(result["swap"])
    reached = [row for row in rows if not undefined(row["required_difference"])]
    reached.sort(key=lambda row: -row["share_satisfied"])
    parts = [
        f"{row['required_difference']:.2f} in {name(row['measure'])} ({percent(row['share_satisfied'])}"
        + (" of comparisons reach it)" if row is reached[0] else ")")
        for row in reached
    ]
    never = [name(row["measure"]) for row in rows if undefined(row["required_difference"])]
    sentences = []
    if parts:
        sentences.append(f"So that other topics rarely reverse the order, a difference must be at least {few(parts)}.")
    if never:
        sentences.append(f"For {join(never)} no difference was large enough.")
    return sentences
