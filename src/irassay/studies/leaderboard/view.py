"""A leaderboard laid out for a screen or a paper."""

from typing import Any

from irassay.report.text import undefined
from irassay.result import Result, Table
from irassay.studies.phrases import rows_of
from irassay.studies.tables import columns


def view(result: Result, settings: object) -> list[Table]:
    """The leaderboard in short columns, and what the collections say."""
    provenance: dict[str, Any] = dict(result.provenance)
    tables = [_short(result, provenance)]
    if provenance["tasks"] == "weights":
        tables.append(result["weightings"])
    return [*tables, result["collections"]]


def _short(result: Result, provenance: dict[str, Any]) -> Table:
    table = result["leaderboard"]
    places = table.digits["mean"]
    level = f"{100 * (1 - provenance['alpha']):.4g}%" if provenance["sampled"] else "bounds"
    rows = []
    for row in rows_of(table):
        bounds = "" if undefined(row["mean_low"]) else f"[{row['mean_low']:.{places}f}, {row['mean_high']:.{places}f}]"
        mean = "" if undefined(row["mean"]) else f"{row['mean']:.{places}f}"
        short: dict[str, Any] = {"system": row["system"]}
        short["mean" if not bounds else f"mean [{level}]"] = f"{mean} {bounds}".strip()
        if not undefined(row["rank_low"]):
            short["ranks"] = f"{int(row['rank_low'])}-{int(row['rank_high'])}"
            short["best set"] = row["best_set"]
        rows.append(short | {"mean rank": row["mean_rank"], "Borda": row["borda"]})
    return Table("leaderboard", columns(rows), table.caption, {"mean rank": 2, "Borda": 1})
