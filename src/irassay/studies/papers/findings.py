"""What `irassay paper` finds, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable

from irassay.result import Result
from irassay.studies.phrases import few, name, percent, rows_of


def findings(result: Result) -> list[str]:
    rows = rows_of(result["contents"])
    missing = [f"{name(row['item'])} ({name(row['note'])})" for row in rows if not row["delivered"]]
    sentences = [
        f"{len(rows) - len(missing)} of the {len(rows)} tables and figures of {name(result.study)} were made from "
        "these data; each has the paper's number.",
        *_headline(result),
    ]
    if missing:
        sentences.append(f"Could not be made: {'; '.join(missing)}.")
    return sentences


def _headline(result: Result) -> Iterable[str]:
    """What the first table shows that compares measures by their power or deviation."""
    for table in result.tables:
        if "measure" not in table.columns or "system" in table.columns or not table.name.startswith("T"):
            continue
        for column, label, show in (
            ("discriminative_power", "share of pairs that it separates", percent),
            ("mean_sd", "deviation of a difference on one topic", "{:.3f}".format),
        ):
            if column in table.columns:
                first: dict[str, float] = {}
                for row in rows_of(table, column):
                    first.setdefault(name(row["measure"]), float(row[column]))  # the first level of several
                parts = [f"{measure} {show(value)}" for measure, value in first.items()]
                return [f"Table {table.name[1:]}, {label}: {few(parts)}."] if parts else []
    return []
