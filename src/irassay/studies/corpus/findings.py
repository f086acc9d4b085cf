"""What `irassay corpus` finds, in plain sentences."""

from __future__ import annotations

from statistics import median

from irassay.result import Result
from irassay.studies.phrases import few, name, rows_of


def findings(result: Result) -> list[str]:
    rows = rows_of(result["systems"], "sd")
    if not rows:
        return ["One bootstrap corpus shows no spread: draw more with --images."]
    spread = []
    for measure in dict.fromkeys(row["measure"] for row in rows):
        mine = [row for row in rows if row["measure"] == measure]
        places = median(row["rank_q97.5"] - row["rank_q2.5"] for row in mine)
        spread.append((median(row["sd"] for row in mine), name(measure), places))
    parts = [f"{one} {sd:.3f} (95% of its ranks lie within {places:.0f} places)" for sd, one, places in sorted(spread)]
    sentences = [
        f"Over bootstrap corpora the mean score of the median system has a standard deviation of: {few(parts)}."
    ]
    if "triples" not in result:  # of one system there are no differences
        return sentences
    pairs = sorted(rows_of(result["triples"], "mean_sd"), key=lambda row: float(row["mean_sd"]))
    if pairs:
        parts = [f"{name(row['measure'])} {row['mean_sd']:.3f}" for row in pairs]
        sentences.append(f"On a single topic the difference of two systems has a standard deviation of: {few(parts)}.")
    return sentences
