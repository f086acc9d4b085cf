"""What of `irassay pools` fits a screen: the pools, what only one contributor has, and who changes when left out."""

from dataclasses import replace
from typing import Any

from irassay.result import Result, Table
from irassay.studies.phrases import rows_of, safe
from irassay.studies.pools.settings import Pools
from irassay.studies.tables import Row, columns

MOST_AFFECTED = 10  # rows of systems without their own contributions


def view(result: Result, settings: Pools) -> list[Table]:
    """The main tables, those of contributors from the largest change on."""
    tables = [table for table in result.tables if table.name not in result.details]
    return [*(_first(table) if table.name == "uniques" else table for table in tables), _most_affected(result)]


def _first(uniques: Table) -> Table:
    """The contributors with the most documents of their own."""
    if len(uniques) <= MOST_AFFECTED:
        return uniques
    kept = {name: column[:MOST_AFFECTED] for name, column in uniques.columns.items()}
    return replace(uniques, columns=kept, caption=f"{uniques.caption}; {MOST_AFFECTED} of {len(uniques)}")


def _most_affected(result: Result) -> Table:
    """Those whose rank, and then whose score, changes most when their own contributions are not judged."""
    table = result["left_out"]
    rows = sorted(rows_of(table), key=lambda row: (-_ranks_lost(row), row["change"]))
    alone = all(row["left_out"] == row["system"] for row in rows)
    short: list[dict[str, Any]] = [
        {
            **({} if alone else {"left_out": row["left_out"]}),
            "system": row["system"],
            "measure": row["measure"],
            "score": row["score_before"],
            "change": row["change"],
            "rank": row["rank_before"],
            "rank_after": row["rank_after"],
            "ranks_lost": row["rank_after"] - row["rank_before"],
            "verdicts_changed": row["verdicts_changed"],
        }
        for row in rows[:MOST_AFFECTED]
    ]
    worst = rows[0]
    places = f"{_ranks_lost(worst)} rank{'s' * (_ranks_lost(worst) != 1)}"
    who = f"{safe(worst['system'])} changes most, by {places} in {safe(worst['measure'])}"
    if _ranks_lost(worst) == 0:
        who = "no rank changes"
    what = "its own contributions are" if alone else "what its group alone contributed is"
    caption = f"When {what} not judged {who}; the {len(short)} most affected"
    return Table("left_out", columns(short), caption, {"change": table.digits["change"]})


def _ranks_lost(row: Row) -> int:
    return abs(int(row["rank_after"]) - int(row["rank_before"]))
