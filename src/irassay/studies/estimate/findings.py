"""Findings of `irassay estimate`: plain sentences, the most important first."""

from pathlib import Path
from typing import Any

from irassay.report.text import undefined
from irassay.result import Result
from irassay.studies.estimate.tables import ALONE, DIFFERENCES, MEANS, TUNED
from irassay.studies.phrases import few, percent, rows_of, safe

GAIN = 0.95  # a ratio of widths from which on there is hardly a gain


def findings(result: Result) -> list[str]:
    """What is gained, what the best systems score, which pairs differ, the cheap judge's bias, what it all requires."""
    gains = rows_of(result["gain"])
    return [
        *_gain(result, [row for row in gains if row["of"] == MEANS], "the mean of a system"),
        *_best(result),
        *_gain(result, [row for row in gains if row["of"] == DIFFERENCES], "the difference of two systems"),
        *_significant(result),
        *_bias(result),
        _requirements(result),
    ]


def _gain(result: Result, rows: list[dict[str, Any]], what: str) -> list[str]:
    """The correlation and the width, which may be no gain."""
    if not rows:
        return []
    topics, others = rows[0]["trusted_topics"], rows[0]["cheap_topics"]
    gained = [row for row in rows if not undefined(row["width_ratio"]) and row["width_ratio"] < GAIN]
    rest = [row for row in rows if row not in gained]
    sentences = []
    if gained:
        parts = [
            f"{safe(row['measure'])} {row['width_ratio']:.2f} times as wide (correlation of the judges "
            f"{_number(row['rho'])}), as "
            f"{_worth(row['worth'])} trusted topics alone would give"
            for row in gained
        ]
        sentences.append(
            f"With {others:,} topics of the cheap judge beside {topics:,} trusted ones, the interval of {what} is, in "
            f"the median: {few(parts)}."
        )
    if rest:
        parts = [
            f"{safe(row['measure'])} (correlation {_number(row['rho'])}, {_width(row['width_ratio'])})" for row in rest
        ]
        sentences.append(f"The cheap judge adds hardly anything to {what} in {few(parts)}.")
    return sentences


def _worth(topics: int | None) -> str:
    return "more than any number of" if undefined(topics) else f"{topics:,}"


def _width(ratio: Any) -> str:
    return "widths not defined" if undefined(ratio) else f"{ratio:.2f} times as wide"


def _number(value: Any) -> str:
    return "undefined" if undefined(value) else f"{value:.2f}"


def _best(result: Result) -> list[str]:
    """The best system of the first measure by PPI++, beside the trusted topics only."""
    rows = rows_of(result["estimates"])
    rows = [row for row in rows if row["measure"] == rows[0]["measure"]]
    best = max((row for row in rows if row["method"] == TUNED), key=lambda row: row["mean"])
    alone = next(row for row in rows if row["method"] == ALONE and row["system"] == best["system"])
    return [
        f"In {safe(best['measure'])} {safe(best['system'])} has the highest estimate, {_interval(best)}; the trusted "
        f"topics alone say {_interval(alone)}."
    ]


def _interval(row: dict[str, Any]) -> str:
    return f"{row['mean']:z.3f} ({row['low']:z.3f} to {row['high']:z.3f})"


def _significant(result: Result) -> list[str]:
    """How many pairs differ, with the cheap judge and without, by measure."""
    if "differences" not in result:
        return []
    alpha = result.provenance["alpha"]
    rows = rows_of(result["differences"])
    parts = []
    for measure in dict.fromkeys(row["measure"] for row in rows):
        own = [row for row in rows if row["measure"] == measure]
        tuned, alone, corrected = (
            sum(row[name] < alpha for row in own) for name in ("p_value", "trusted_p_value", "p_corrected")
        )
        parts.append(f"{safe(measure)} {tuned:,} and {alone:,} of {len(own):,} ({corrected:,} after Holm's correction)")
    return [
        f"Comparisons that PPI++, and the trusted topics alone, call different (alpha {alpha:g} per comparison, not "
        f"corrected): {few(parts)}."
    ]


def _bias(result: Result) -> list[str]:
    """Whether the cheap judge alone would be off."""
    rows = rows_of(result["cheap"])
    parts = []
    for measure in dict.fromkeys(row["measure"] for row in rows):
        own = [row for row in rows if row["measure"] == measure]
        off = sum(row["bias_low"] > 0 or row["bias_high"] < 0 for row in own)
        worst = max(own, key=lambda row: abs(row["bias"]))
        most = f"most for {safe(worst['system'])} ({worst['bias']:+.3f})"
        parts.append(f"{safe(measure)} for {percent(off / len(own))} of systems, {most}")
    return [f"The cheap judge's own means are shown to be off (interval of the bias without 0) in: {few(parts)}."]


def _requirements(result: Result) -> str:
    trusted, cheap = (safe(Path(str(result.provenance[name])).name) for name in ("qrels", "cheap"))
    sampled = "with the probabilities given" if result.provenance["probabilities"] else "at random"
    return (
        f"All this estimates the mean score by {trusted} over topics like these, and requires that its topics were "
        f"chosen {sampled}, that {cheap} is one judge (model, prompt, version) with one pool depth on both kinds of "
        "topics, and that no prompt was tuned on the trusted topics."
    )
