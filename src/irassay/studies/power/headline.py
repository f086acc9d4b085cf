"""What `power` says on the first screen: which differences a test finds."""

from typing import Any

from irassay.result import Headline, Result
from irassay.studies.phrases import FEWEST_PAIRS, join, rows_of, safe

NAMED = 2  # measures; the table has the others


def headline(result: Result) -> Headline:
    text = _trust(result)
    return Headline(verdict={"trust": text} if text else {})


def _trust(result: Result) -> str:
    """The difference that suffices for every pair, at the largest level."""
    rows = [row for row in rows_of(result["power"], "estimated_difference") if row["pairs"] >= FEWEST_PAIRS]
    if not rows:
        return ""
    alpha = max(row["alpha"] for row in rows)
    test = "paired" if any(row["test"] == "paired" for row in rows) else rows[0]["test"]
    rows = [row for row in rows if (row["alpha"], row["test"]) == (alpha, test)]
    measures: Any = result.provenance.get("measures", ())
    order = {name: place for place, name in enumerate(measures)}
    shown = sorted(rows, key=lambda row: order.get(row["measure"], len(order)))[:NAMED]
    parts = [f"{row['estimated_difference']:.3f} by {safe(row['measure'])}" for row in shown]
    return (
        f"Differences of at least {join(parts)} are enough for any two systems to be called different ({test} "
        f"bootstrap test, alpha {alpha:g})."
    )
