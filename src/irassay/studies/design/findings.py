"""What `irassay design` finds, in plain sentences."""

from __future__ import annotations

from irassay.report.text import undefined
from irassay.result import Result
from irassay.studies.phrases import few, name, rows_of


def findings(result: Result) -> list[str]:
    tests = [row for row in rows_of(result["design"]) if row["design"] == "t test"]
    parts = [f"{name(row['measure'])} {_topics(row['topics_needed'])}" for row in tests]
    power = [f"{name(row['measure'])} {row['power_at_hand']:.2f}" for row in tests]
    coefficients = [
        f"{name(row['measure'])} {row['e_rho2']:.2f}" for row in rows_of(result["generalizability"], "e_rho2")
    ]
    settings = result.provenance
    topics = tests[0]["topics"]
    sentences = [
        f"To find a true difference of {settings['min_difference']:g} with a power of {settings['power']:g} (paired t "
        f"test, alpha {settings['alpha']:g}) it takes this many topics: {few(parts)}.",
        f"With the {topics:,} topics at hand the power is: {few(power)}.",
    ]
    if coefficients:
        sentences.append(
            f"Differences between systems on {topics:,} topics generalise to other topics with a coefficient (E-rho²) "
            f"of: {few(coefficients)}."
        )
    return sentences


def _topics(needed: int | None) -> str:
    return "more than any collection has" if undefined(needed) else f"{needed:,}"
