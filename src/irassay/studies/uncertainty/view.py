"""What of `irassay uncertainty` fits a screen: the budget in short columns, a table for each kind of variation."""

from dataclasses import replace

from irassay.result import Result, Table
from irassay.studies.phrases import rows_of
from irassay.studies.tables import columns
from irassay.studies.uncertainty.settings import Uncertainty

SHORT = {
    "measure": "measure",
    "variation": "varies",
    "pairs_resolved": "resolved",
    "surviving_difference": "survives",
    "sd_difference": "sd",
    "bias_difference": "bias",
    "tau_observed": "tau",
    "verdicts_lost": "lost",
    "verdicts_gained": "gained",
    "verdicts_opposite": "opposite",
}
KINDS = {
    "sampling": "Samples (sd is a standard error)",
    "model": "Under an assumed mechanism",
    "scenario": "Scenarios, not a sample",
}
MEANING = (
    "resolved: share of pairs that at most 5% of replicates reverse; survives: smallest difference that they hardly "
    "ever reverse; sd, bias: of a difference, median over pairs; lost, gained, opposite: share of verdicts that change"
)


def view(result: Result, settings: Uncertainty) -> list[Table]:
    """The budget by kind, then the other tables that are not details."""
    budget = result["budget"]
    tables: list[Table] = []
    for kind, title in KINDS.items():
        rows = [row for row in rows_of(budget) if row["kind"] == kind]
        if rows:
            short = [{new: row[name] for name, new in SHORT.items()} for row in rows]
            digits = {new: min(3, budget.digits[name]) for name, new in SHORT.items() if name in budget.digits}
            caption = f"{title}. {MEANING}" if not tables else title
            tables.append(
                replace(budget, name=f"budget_{kind}", columns=columns(short), caption=caption, digits=digits)
            )
    return tables + [t for t in result.tables if t.name not in ("budget", *result.details)]
