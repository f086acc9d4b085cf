"""What of `irassay judges` fits a screen: values with half of their intervals, without strata of single topics."""

from typing import Any

from irassay.result import Result, Table
from irassay.studies.judges.label_tables import ALL
from irassay.studies.judges.labels import MAJORITY
from irassay.studies.judges.settings import Judges
from irassay.studies.phrases import rows_of
from irassay.studies.tables import Rows, columns

MOST_JUDGES = 4  # whose grades are shown
HALF = "± half of the 95% interval"
SHORT = {
    "agreement": "agree",
    "kappa": "kappa",
    "kappa_quadratic": "quadratic",
    "alpha_ordinal": "alpha",
    "mean_grade_bias": "bias",
    "kappa_linear": "linear",
    "ac1": "AC1",
    "ac2": "AC2",
}


def view(result: Result, settings: Judges) -> list[Table]:
    """The tables in short columns, but those that are details."""
    shown = {"judges": _judges, "labels": _labels, "grades": _grades}
    tables: list[Table] = []
    for table in result.tables:
        if table.name in shown:
            tables += shown[table.name](table)
        elif table.name not in result.details:
            tables.append(table)
    return tables


def _judges(table: Table) -> list[Table]:
    short = {name: table.columns[name] for name in ("judge", "labels", "topics", "relevant")}
    short |= {"common": table.columns["common_labels"], "in topics": table.columns["common_topics"]}
    caption = (
        "Judges, the reference first; relevant: share of labels; common: documents that the reference labelled too"
    )
    return [Table("judges", short, caption, {"relevant": 2})]


def _labels(table: Table) -> list[Table]:
    names = [name for name in SHORT if name in table.columns]
    parts: dict[str, Rows] = {}
    for row in rows_of(table):
        if not row["stratum"].startswith("topic ") and not row["judge"].startswith(f"{MAJORITY} without"):
            what = row["reference"] if row["stratum"] == ALL else row["stratum"]
            values = {SHORT[name]: with_half(row, name) for name in names}
            parts.setdefault(what, []).append({"judge": row["judge"]} | values)
    return [Table("labels", columns(rows), f"Labels against {what} ({HALF})") for what, rows in parts.items()]


def _grades(table: Table) -> list[Table]:
    if len(set(table.columns["judge"])) > MOST_JUDGES:
        return []
    rows = [
        {name: row[name] for name in ("judge", "grade")}
        | {name: with_half(row, name) for name in ("precision", "recall")}
        for row in rows_of(table)
    ]
    return [Table("grades", columns(rows), f"Each grade: precision and recall against the reference ({HALF})")]


def with_half(row: dict[str, Any], name: str, digits: int = 2) -> str | None:
    """0.46 ± 0.05."""
    value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
    if value is None or value != value:
        return None
    half = "" if low is None or low != low else f" ± {(high - low) / 2:.{digits}f}"
    return f"{value:z.{digits}f}{half}"
