"""What `irassay pools` finds, in plain sentences."""

from __future__ import annotations

from irassay.result import Result
from irassay.studies.phrases import few, name, rows_of


def findings(result: Result) -> list[str]:
    sentences = []
    shallow = [row for row in rows_of(result["summary"]) if row["pool"] != "full"]
    if shallow:
        pool = shallow[0]["pool"]
        rows = sorted((row for row in shallow if row["pool"] == pool), key=lambda row: -row["tau"])
        parts = [f"{name(row['measure'])} {row['tau']:.2f}" for row in rows]
        sentences.append(
            f"With a pool of {name(pool)} the ranking agrees with that of the full pool at a tau of: {few(parts)}."
        )
    left_out = rows_of(result["left_out"])
    worst = max(left_out, key=lambda row: abs(row["change"]))
    changed = sum(1 for row in left_out if row["rank_before"] != row["rank_after"])
    sentences.append(
        f"A system whose own contributions are not judged changes its score by at most {abs(worst['change']):.3f} "
        f"({name(worst['system'])}, {name(worst['measure'])}); in {changed:,} of {len(left_out):,} cases its rank "
        "changes."
    )
    return sentences
