"""What fewer judgments do, in sentences."""

from math import comb

from irassay.result import Result
from irassay.studies.phrases import FEWEST_PAIRS, few, per_comparison, percent, rows_of, safe, too_few_pairs


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

    order = [(mean(one, least, "tau_with_full"), safe(one)) for one in measures]
    shares = [
        (mean(one, most, "discriminative_power"), mean(one, least, "discriminative_power"), safe(one))
        for one in measures
    ]
    reductions = f"mean of {trials} reductions" if trials > 1 else "one reduction"
    ranked, tested = (comb(sum(map(bool, result["systems"][column])), 2) for column in ("in_tau", "in_power"))
    sentences = []
    if ranked >= FEWEST_PAIRS:
        sentences.append(_order(order, least, reductions))
    if tested >= FEWEST_PAIRS:
        sentences.append(_separated(shares, least, per_comparison(result.provenance["alpha"])))
    few_pairs = min(ranked, tested)
    return sentences + ([too_few_pairs(few_pairs)] if few_pairs < FEWEST_PAIRS else [])


def _order(taus: list[tuple[float, str]], rate: int, reductions: str) -> str:
    """How the order of systems survives, by measure."""
    parts = [f"{measure} (tau {tau:.2f})" for tau, measure in sorted(taus, key=lambda one: -one[0])]
    worst = f" and worst in {parts[-1]}" if len(parts) > 1 else ""
    return f"With {rate}% of the judgments the order of systems survives best in {parts[0]}{worst}, {reductions}."


def _separated(shares: list[tuple[float, float, str]], rate: int, test: str) -> str:
    """The share of pairs that each measure separates before and after, the smallest loss first."""
    shares.sort(key=lambda one: one[0] - one[1])
    parts = [f"{measure} {percent(before)} and {percent(after)}" for before, after, measure in shares]
    return (
        f"The share of pairs that a measure separates, with all and with {rate}% of the judgments ({test}): "
        f"{few(parts)}."
    )
