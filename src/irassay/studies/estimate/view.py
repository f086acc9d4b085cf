"""What of `irassay estimate` fits a screen: one row a system, with its intervals from both."""

from typing import Any

from irassay.report.text import undefined
from irassay.result import Result, Table
from irassay.studies.estimate.settings import Estimate
from irassay.studies.estimate.tables import ALONE, TUNED
from irassay.studies.phrases import rows_of
from irassay.studies.tables import columns, grouped


def view(result: Result, settings: Estimate) -> list[Table]:
    """The tables for a screen, without details."""
    shown = {"gain": _gain, "estimates": estimates}
    return [shown[table.name](result) for table in result.tables if table.name in shown]


def _gain(result: Result) -> Table:
    table = result["gain"]
    names = ("measure", "of", "trusted_topics", "cheap_topics", "rho", "lambda", "width_ratio", "worth")
    shown = {name: table.columns[name] for name in names}
    caption = (
        "What the cheap judge adds, medians: ρ between both judges' scores over topics; λ, its weight in PPI++; "
        "width of intervals over that from the trusted topics only; worth so many trusted topics alone"
    )
    return Table("gain", shown, caption, {name: digits for name, digits in table.digits.items() if name in shown})


def estimates(result: Result) -> Table:
    """One row a system, best first within a measure."""
    table = result["estimates"]
    places = table.digits["mean"]
    level = 100 * (1 - float(str(result.provenance["alpha"])))
    rows = []
    for own in grouped(rows_of(table), "measure").values():
        by_system = grouped(own, "system")
        lines = [{row["method"]: row for row in methods} for methods in by_system.values()]
        for line in sorted(lines, key=lambda line: -line[TUNED]["mean"]):
            tuned = line[TUNED]
            rows.append(
                {
                    "measure": tuned["measure"],
                    "system": tuned["system"],
                    **{f"{method} [{level:.4g}% CI]": _cell(line[method], places) for method in (ALONE, TUNED)},
                    "rho": tuned["rho"],
                    "width_ratio": tuned["width_ratio"],
                }
            )
    return Table("estimates", columns(rows), table.caption, {"rho": 2, "width_ratio": 2})


def _cell(row: dict[str, Any], places: int) -> str | None:
    if undefined(row["mean"]):
        return None
    return f"{row['mean']:z.{places}f} [{row['low']:z.{places}f}, {row['high']:z.{places}f}]"
