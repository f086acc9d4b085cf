"""What `irassay gains` finds, in plain sentences."""

from __future__ import annotations

from irassay.result import Result
from irassay.studies.phrases import name, percent, rows_of


def findings(result: Result) -> list[str]:
    rows = rows_of(result["gains"])
    default = rows[0]["scheme"]
    others = [row for row in rows if row["scheme"] != default]
    if not others:
        return [f"There is one gain scheme only, {name(default)}."]
    least = min(others, key=lambda row: row["tau_with_default"])
    by_measure: dict[str, list[float]] = {}
    for row in rows:
        by_measure.setdefault(row["measure"], []).append(row["discriminative_power"])
    measure, shares = max(by_measure.items(), key=lambda item: max(item[1]) - min(item[1]))
    return [
        f"The ranking of systems agrees with that by {name(default)} at a tau of at least "
        f"{least['tau_with_default']:.2f} ({name(least['measure'])} with {name(least['scheme'])}).",
        f"The share of pairs that {name(measure)} separates varies most with the gains, from {percent(min(shares))} to "
        f"{percent(max(shares))}.",
    ]
