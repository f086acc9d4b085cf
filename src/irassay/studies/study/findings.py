"""What `irassay study` finds, in plain sentences."""

from __future__ import annotations

from irassay.result import Result
from irassay.studies.phrases import join, name, rows_of


def findings(result: Result) -> list[str]:
    rows = rows_of(result["parts"])
    done = [name(row["part"]) for row in rows if row["done"]]
    failed = [f"{name(row['part'])} ({name(row['problem'])})" for row in rows if not row["done"]]
    sentences = [f"Done: {join(done or ['nothing'])}."]
    if failed:
        sentences.append(f"Failed: {'; '.join(failed)}.")
    return sentences
