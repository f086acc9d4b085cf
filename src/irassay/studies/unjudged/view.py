"""What of `irassay unjudged` fits a screen."""

from collections.abc import Mapping
from dataclasses import replace

from irassay.result import Column, Result, Table
from irassay.studies.phrases import rows_of
from irassay.studies.tables import columns
from irassay.studies.unjudged.settings import Unjudged

FIRST = 10  # systems of each measure, and documents to judge
TO_JUDGE = ("topic", "document", "probability", "share", "best_rank", "runs")
SHORT = ("measure", "system", "low", "observed", "high", "exact", "expected", "sd", "judged_at_10")


def view(result: Result, settings: Unjudged) -> list[Table]:
    """The tables without details; of bounds the best systems, of documents to judge the first ones."""
    listed = []
    for table in result.tables:
        if table.name == "bounds":
            listed.append(_best(table))
        elif table.name not in result.details and table.name != "calibration":
            listed.append(table)
    if len(result["judge_next"]):
        table = result["judge_next"]
        rows = [{name: row[name] for name in TO_JUDGE} for row in rows_of(table)[:FIRST]]
        listed.append(_only(table, columns(rows)))
    return listed


def _best(table: Table) -> Table:
    """The best systems of each measure as judged, in short columns."""
    by_measure: dict[str, list[dict[str, object]]] = {}
    for row in rows_of(table):
        by_measure.setdefault(row["measure"], []).append({name: row[name] for name in SHORT})
    rows = [
        row for own in by_measure.values() for row in sorted(own, key=lambda row: -float(str(row["observed"])))[:FIRST]
    ]
    fewer = len(rows) < len(table)
    caption = table.caption + (f"; the {FIRST} best systems of each measure" if fewer else "")
    return replace(_only(table, columns(rows)), caption=caption)


def _only(table: Table, own: Mapping[str, Column]) -> Table:
    """The table with these columns of its."""
    digits = {name: value for name, value in table.digits.items() if name in own}
    headers = {name: value for name, value in table.headers.items() if name in own}
    return replace(table, columns=own, digits=digits, headers=headers)
