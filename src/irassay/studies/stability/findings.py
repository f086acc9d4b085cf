"""What `irassay stability` finds, in plain sentences."""

from __future__ import annotations

from irassay.result import Result
from irassay.studies.phrases import few, name, percent, rows_of


def findings(result: Result) -> list[str]:
    rows = rows_of(result["stability"])
    margin = min((row["fuzziness"] for row in rows), key=lambda fuzziness: abs(fuzziness - 0.05))
    rows = sorted((row for row in rows if row["fuzziness"] == margin), key=lambda row: row["minority_rate"])
    parts = [
        f"{name(row['measure'])} {percent(row['minority_rate'])} ({percent(row['proportion_of_ties'])} undecided)"
        for row in rows
    ]
    return [f"With a margin of {percent(margin)}, other topics contradict the usual order of a pair in: {few(parts)}."]
