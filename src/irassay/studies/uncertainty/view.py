"""What of `irassay uncertainty` fits a screen: the budget in short columns, a table for each kind of variation."""

from dataclasses import replace
from typing import Any

from irassay.result import Result, Table
from irassay.studies.phrases import rows_of
from irassay.studies.tables import columns
from irassay.studies.uncertainty.scenarios import DRAWN, OWN_GROUP
from irassay.studies.uncertainty.settings import Uncertainty

KINDS = {
    "sampling": ("Samples: sd is the standard error of a difference (median pair)", {"sd_difference": "sd"}),
    "model": (
        "Under an assumed mechanism: sd is no standard error; simulated lists are not paired across systems",
        {"sd_difference": "sd"},
    ),
    "scenario": (
        "Scenarios, not a sample: shift of a difference (median pair); judgments and pools only remove, never add",
        {"bias_difference": "shift"},
    ),
}
SHORT = {"pairs_resolved": "resolved", "surviving_difference": "survives", "tau_observed": "tau"}
VERDICTS = ("verdicts_lost", "verdicts_gained", "verdicts_opposite")
MEANING = (
    "resolved: share of pairs that at most 5% of replicates reverse\n"
    "survives: smallest difference that replicates reverse at most 5% of the time\n"
    "tau:      agreement with the observed order (tau b)\n"
    "changed:  share of pairs whose verdict (paired t at .05, not corrected) is lost, gained or reversed"
)


def view(result: Result, settings: Uncertainty) -> list[Table]:
    """The budget by kind, scenarios, then the other tables that are not details."""
    budget = result["budget"]
    others = [
        _brief(table) if table.name == "scenarios" else table
        for table in result.tables
        if table.name not in ("budget", *result.details)
    ]
    if "pairs" in result and not rows_of(budget, "tau_observed"):  # too few systems: all that is known are the pairs
        return [_few_pairs(result["pairs"]), *others]
    tables = [Table("budget", {}, MEANING)]  # without rows: a text
    for kind, (title, own) in KINDS.items():
        rows = [_short(row, SHORT | own) for row in rows_of(budget) if row["kind"] == kind]
        if rows:
            digits = {new: min(3, budget.digits[name]) for name, new in (SHORT | own).items()} | {"changed": 3}
            tables.append(Table("budget", columns(rows), title, digits))
    return tables + others


def _few_pairs(table: Table) -> Table:
    """Pairs in short columns."""
    short = {"measure": "measure", "variation": "varies", "system_x": "A", "system_y": "B"}
    short |= {"observed_difference": "A - B", "sd": "sd", "reversed": "rate"}
    caption = "Pairs: the difference A - B, its sd over replicates, and the rate at which they reverse it"
    digits = {"A - B": 3, "sd": 3, "rate": 2}
    return Table("pairs", {new: table.columns[name] for name, new in short.items()}, caption, digits)


def _short(row: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    short = {"measure": row["measure"], "varies": row["variation"], **{new: row[name] for name, new in names.items()}}
    return short | {"changed": sum(row[name] for name in VERDICTS)}


def _brief(table: Table) -> Table:
    """Scenarios in a line each."""
    rows = [
        {
            "measure": row["measure"],
            "scenario": _name(row["variation"], row["scenario"]),
            "shift": row["mean_shift"],
            "largest": row["largest_shift"],
            "system": row["system"],
            "tau": row["smallest_tau"],
        }
        for row in rows_of(table)
    ]
    caption = "Scenarios: mean and largest shift of a system's score, that system, and tau b with the observed order"
    return replace(table, columns=columns(rows), caption=caption, digits={"shift": 3, "largest": 3, "tau": 3})


def _name(variation: str, scenario: str) -> str:
    if scenario == OWN_GROUP:
        return "own group left out"
    return variation if scenario == DRAWN else f"{variation} {scenario}"
