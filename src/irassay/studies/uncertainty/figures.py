"""The figures of `irassay uncertainty`, and the table that the one of the budget draws."""

import math
from collections.abc import Sequence
from typing import Any

from irassay.ask.reversals import RATE
from irassay.report.text import undefined
from irassay.result import Figure, Mark, Table, python_values
from irassay.studies.phrases import rows_of
from irassay.studies.tables import columns
from irassay.studies.uncertainty.tables import TOTAL, Varied

# Kinds do not compare: the figure of the budget lists one after the other, and says what each is.
KINDS = {"sampling": "sample", "model": "model", "scenario": "scenario"}
WITHIN = 2  # Monte-Carlo errors to each side


def figures(tables: Sequence[Table], varied: Sequence[Varied]) -> tuple[Figure, ...]:
    """Those of the tables that there are."""
    by_name = {table.name: table for table in tables}
    drawn: list[Figure] = []
    if "budget_figure" in by_name:
        drawn.append(_budget(by_name["budget_figure"]))
    if "reversals" in by_name:
        drawn.append(_reversals(by_name["budget"]))
    return tuple(drawn)


def budget_table(tables: Sequence[Table], varied: Sequence[Varied]) -> tuple[Table, ...]:
    """What the figure of the budget draws: one row for each source and measure, grouped by kind."""
    budget = next(table for table in tables if table.name == "budget")
    if len(varied[0].replicates.systems) < 5:
        return ()
    listed = [row for row in rows_of(budget) if row["variation"] != TOTAL and not undefined(row["pairs_resolved"])]
    kinds = list(KINDS)
    listed.sort(key=lambda row: kinds.index(row["kind"]))  # stable: measures and sources keep their order
    rows: list[dict[str, Any]] = []
    for row in listed:
        share, error = row["pairs_resolved"], row["pairs_resolved_mc"]
        within = 0.0 if undefined(error) else WITHIN * error
        rows.append(
            {
                "source": f"{row['variation']} ({KINDS[row['kind']]})",
                "measure": row["measure"],
                "pairs_resolved": share,
                "lowest": max(0.0, share - within),
                "highest": min(1.0, share + within),
            }
        )
    caption = f"Share of pairs resolved by source and measure, ± {WITHIN} Monte-Carlo errors"
    return (Table("budget_figure", columns(rows), caption),) if rows else ()


def _budget(table: Table) -> Figure:
    lowest = min(float(str(value)) for value in python_values(table["lowest"]))
    return Figure(
        name="budget",
        kind="intervals",
        table="budget_figure",
        x="pairs_resolved",
        y="measure",
        low="lowest",
        high="highest",
        facet="source",
        order="table",
        labels={"x": "share of pairs resolved", "facet": ""},
        limits={"x": (min(math.floor(lowest * 10), 9) / 10, 1.0)},
        caption="The uncertainty budget: the share of pairs of systems that at most 5% of the replicates reverse, for "
        f"each source of variation (± {WITHIN} Monte-Carlo errors, where they are wider than the point). Samples, "
        "models (assumed mechanisms) and scenarios are different kinds of sources: compare measures within a small "
        "figure, not sources across kinds",
        alt="Points of the share of pairs resolved, one for each measure, in a small figure for each source",
    )


def _reversals(budget: Table) -> Figure:
    rows = rows_of(budget)
    first = rows[0]["variation"]
    surviving = {
        row["measure"]: row["surviving_difference"]
        for row in rows
        if row["variation"] == first and not undefined(row["surviving_difference"])
    }
    marks = [Mark("x", at, f"{first}: {at:.3f}", measure) for measure, at in surviving.items()]
    return Figure(
        name="reversals",
        kind="curve",
        table="reversals",
        x="difference",
        y="fitted",
        series="variation",
        facet="measure",
        labels={"x": "observed difference", "y": "share of reversals"},
        caption="How often replicates reverse a pair, by its observed difference (non-increasing fit). "
        + (f"Marked is the smallest difference that survives a change of {first}" if marks else ""),
        alt="Falling curves of the reversal rate over the observed difference, one for each variation",
        marks=(Mark("y", RATE, "5%"), *marks),
    )
