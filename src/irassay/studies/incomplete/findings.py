"""What `irassay incomplete` finds, in plain sentences."""

from __future__ import annotations

from irassay.result import Result
from irassay.studies.phrases import name, percent, rows_of


def findings(result: Result) -> list[str]:
    rows = rows_of(result["incomplete"])
    least, most = min(row["rate"] for row in rows), max(row["rate"] for row in rows)
    trials = len({row["trial"] for row in rows})
    measures = list(dict.fromkeys(row["measure"] for row in rows))

    def mean(measure: str, rate: int, column: str) -> float:
        values = [float(row[column]) for row in rows if row["measure"] == measure and row["rate"] == rate]
        return sum(values) / len(values)

    tau = {measure: mean(measure, least, "tau_with_full") for measure in measures}
    power = {measure: [mean(measure, rate, "discriminative_power") for rate in (most, least)] for measure in measures}
    by_tau = sorted(measures, key=lambda measure: -tau[measure])
    by_loss = sorted(measures, key=lambda measure: power[measure][0] - power[measure][1])
    survives = [f"{name(measure)} (tau {tau[measure]:.2f})" for measure in by_tau]
    falls = [f"{name(m)} (from {percent(power[m][0])} to {percent(power[m][1])})" for m in by_loss]
    reductions = f"mean of {trials} reductions" if trials > 1 else "one reduction"
    several = len(measures) > 1
    return [
        f"With {least}% of the judgments the order of systems survives best in {survives[0]}"
        f"{f' and worst in {survives[-1]}' if several else ''}, {reductions}.",
        f"The share of pairs that a measure separates falls least in {falls[0]}"
        f"{f' and most in {falls[-1]}' if several else ''}.",
    ]
