"""What `irassay power` finds, in plain sentences."""

from __future__ import annotations

from irassay.report.text import undefined
from irassay.result import Result
from irassay.studies.phrases import few, name, percent, rows_of


def findings(result: Result) -> list[str]:
    rows = rows_of(result["power"])
    alpha = max(row["alpha"] for row in rows)
    test = "paired" if any(row["test"] == "paired" for row in rows) else rows[0]["test"]
    rows = [row for row in rows if row["alpha"] == alpha and row["test"] == test]
    rows.sort(key=lambda row: -row["discriminative_power"])
    best = rows[0]
    shares = [f"{name(row['measure'])} {percent(row['discriminative_power'])}" for row in rows]
    shares[0] = (
        f"{name(best['measure'])} separates {percent(best['discriminative_power'])} of the {best['pairs']:,} "
        f"pair{'s' * (best['pairs'] != 1)} of systems"
    )
    sentences = [f"{few(shares)} (bootstrap test, {test}, alpha {alpha:g} per comparison, {best['topics']} topics)."]
    if not undefined(best["estimated_difference"]):
        sentences.append(
            f"In {name(best['measure'])} a difference of {best['estimated_difference']:.2f} was enough for every pair, "
            f"{best['ed_median']:.2f} for half of them."
        )
    return sentences
