"""What fewer judgments do, in sentences."""

from math import comb
from typing import Any

from irassay.result import Result
from irassay.studies.phrases import FEWEST_PAIRS, extremes, per_comparison, percent, rows_of, safe, too_few_pairs


def findings(result: Result) -> list[str]:
    rows = rows_of(result["incomplete"])
    least, most = min(row["rate"] for row in rows), max(row["rate"] for row in rows)
    relevant = [
        {row["mean"] for row in rows_of(result["statistics"]) if (row["what"], row["rate"]) == ("R", rate)}
        for rate in (most, least)
    ]
    if relevant[0] == relevant[1]:
        return [
            f"No relevant document lost its judgment, also with {least}%: every topic keeps at least one. So nothing "
            "can be said about fewer judgments."
        ]
    trials = len({row["trial"] for row in rows})
    measures = list(dict.fromkeys(row["measure"] for row in rows))

    def mean(measure: str, rate: int, column: str) -> float:
        values = [float(row[column]) for row in rows if row["measure"] == measure and row["rate"] == rate]
        return sum(values) / len(values)

    by_measure = [
        {
            "measure": one,
            "tau": mean(one, least, "tau_with_full"),
            "before": mean(one, most, "discriminative_power"),
            "after": mean(one, least, "discriminative_power"),
        }
        for one in measures
    ]
    ranked, tested = (comb(sum(map(bool, result["systems"][column])), 2) for column in ("in_tau", "in_power"))
    sentences = []
    if ranked >= FEWEST_PAIRS:
        sentences.append(_order(by_measure, least))
    if tested >= FEWEST_PAIRS:
        sentences += _told_apart(by_measure, least, per_comparison(result.provenance["alpha"]))
    few_pairs = min(ranked, tested)
    if few_pairs < FEWEST_PAIRS:
        sentences.append(too_few_pairs(few_pairs))
    how = f"means of {trials} random reductions" if trials > 1 else "of one random reduction; others differ (--trials)"
    return [*sentences, f"These numbers are {how}."] if len(sentences) > 1 or few_pairs >= FEWEST_PAIRS else sentences


def _order(rows: list[dict[str, Any]], rate: int) -> str:
    """How the order of systems survives, by measure."""
    best, worst, _ = ends = extremes(rows, lambda row: float(row["tau"]))
    if worst is None:
        return (
            f"With {rate}% of the judgments the order of systems agrees with that by all judgments at a tau of "
            f"{best['tau']:.2f} by {ends.by}."
        )
    return (
        f"With {rate}% of the judgments {ends.by} keeps the order of systems best (tau {best['tau']:.2f} with that by "
        f"all judgments) and {safe(worst['measure'])} worst (tau {worst['tau']:.2f})."
    )


def _told_apart(rows: list[dict[str, Any]], rate: int, test: str) -> list[str]:
    """The share of pairs that a measure tells apart before and after, with the smallest and the largest loss."""
    best, worst, _ = ends = extremes(rows, lambda row: float(row["after"] - row["before"]))
    before, after = percent(best["before"]), percent(best["after"])
    shares = f"{before} of pairs apart with all judgments and {after} with {rate}% ({test})"
    if worst is None:
        return [f"{safe(best['measure'])} tells {shares}."]
    lost = f"{percent(worst['before'])} before and {percent(worst['after'])} after"
    return [
        f"{ends.by} changes least: it tells {shares}.",
        f"{safe(worst['measure'])} changes most: {lost}.{ends.table('incomplete')}",
    ]
