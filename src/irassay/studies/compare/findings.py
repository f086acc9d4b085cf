"""What `irassay compare` finds, in plain sentences."""

from __future__ import annotations

from irassay.result import Result
from irassay.studies.phrases import few, name, percent, rows_of


def findings(result: Result) -> list[str]:
    alpha = float(str(result.provenance["alpha"]))
    parts = []
    rows = rows_of(result["pairs"])
    for measure in dict.fromkeys(row["measure"] for row in rows):
        mine = [row for row in rows if row["measure"] == measure]
        different = sum(row["p_corrected"] < alpha for row in mine)
        parts.append(f"{name(measure)} {different:,} of {len(mine):,}")
    sentences = [
        f"Comparisons with a significant difference (alpha {alpha:g}, corrected for their number): {few(parts)}."
    ]
    best = rows_of(result["comparison"])[0]
    if isinstance(best.get("share_first"), float):  # without a baseline
        share = percent(best["share_first"])
        sentences.append(
            f"In {name(best['measure'])} {name(best['system'])} is first in {share} of the samples of topics."
        )
    return sentences
