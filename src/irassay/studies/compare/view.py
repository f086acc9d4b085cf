"""A comparison laid out for a screen or a paper: one text cell for a number and its interval, few columns.

Every number has the digits that its own standard error justifies; `comparison` keeps them all.
"""

from typing import Any

from irassay.report.text import undefined
from irassay.result import Result, Table, decimals
from irassay.studies.phrases import rows_of
from irassay.studies.tables import columns, grouped

DIGITS = {"effect": 2, "share_first": 3, "Judged@10": 2}
LEAST = 0.0001  # a p-value below this is shown as below it
SCREENFUL = 5  # topics of a measure, and systems all pairs of which are shown


def view(result: Result, settings: object) -> list[Table]:
    """The tables for a screen; details only where they are few."""
    provenance: dict[str, Any] = dict(result.provenance)
    # with a baseline, `comparison` shows the pairs
    few_pairs = not provenance["baseline"] and len(provenance["systems"]) <= SCREENFUL
    hidden = set(result.details) - ({"pairs"} if few_pairs else set())
    layouts = {"comparison": paper, "pairs": pairs, "topics": first_topics}
    tables = [table for table in result.tables if table.name not in hidden]
    return [layouts[table.name](result) if table.name in layouts else table for table in tables]


def paper(result: Result) -> Table:
    """The table `comparison` of a result of `compare` for readers."""
    provenance: dict[str, Any] = dict(result.provenance)
    interval = _interval_name(provenance)
    rows = [
        _letters(row, interval) if "letters" in row else _baseline(row, interval, provenance)
        for row in rows_of(result["comparison"])
    ]
    return _readable("comparison", rows, result["comparison"].caption)


def _interval_name(provenance: dict[str, Any]) -> str:
    return f"{100 * provenance['confidence']:.4g}% CI"


def first_topics(result: Result) -> Table:
    """The first rows of each measure in the table `topics`."""
    table = result["topics"]
    by_measure = grouped(rows_of(table), "measure").values()
    rows = [row for topics in by_measure for row in topics[:SCREENFUL]]
    more = f"; the first {SCREENFUL}" if max(map(len, by_measure)) > SCREENFUL else ""
    return Table("topics", columns(rows), f"{table.caption}{more}")


def _baseline(row: dict[str, Any], interval: str, provenance: dict[str, Any]) -> dict[str, Any]:
    return {
        "measure": row["measure"],
        "system": row["system"],
        f"mean [{interval}]": _spread(row["mean"], row["mean_low"], row["mean_high"], row["mean_error"]),
        f"difference [{interval}]": _difference(row),
        **_tests(row, provenance),
        "Judged@10": row["judged_at_10"],
        **_equivalent(row, provenance),
    }


def _letters(row: dict[str, Any], interval: str) -> dict[str, Any]:
    return {
        "measure": row["measure"],
        "system": row["system"],
        f"mean [{interval}]": _spread(row["mean"], row["mean_low"], row["mean_high"], row["mean_error"]),
        "letters": row["letters"] or "",
        "ranks": f"{row['rank_low']}-{row['rank_high']}",
        "share_first": row["share_first"],
        "Judged@10": row["judged_at_10"],
    }


def pairs(result: Result) -> Table:
    """The table `pairs` for readers."""
    provenance: dict[str, Any] = dict(result.provenance)
    rows = [
        {
            "measure": row["measure"],
            "system_x": row["system_x"],
            "system_y": row["system_y"],
            f"x - y [{_interval_name(provenance)}]": _difference(row),
            **_tests(row, provenance),
            **_equivalent(row, provenance),
        }
        for row in rows_of(result["pairs"])
    ]
    return _readable("pairs", rows, result["pairs"].caption)


def _tests(row: dict[str, Any], provenance: dict[str, Any]) -> dict[str, Any]:
    """The p-values, the effect, and topics won and lost."""
    several = provenance["correction"] != "none"
    # alone, the corrected p-value of Tukey's test is the p-value
    p, corrected = (row["p_value"], row["p_corrected"]) if several else (row["p_corrected"], None)
    return {
        "p": _p(p),
        f"p ({provenance['correction']})": _p(corrected),
        "effect": row["effect_size"],
        "won/lost/tied": None if row["won"] is None else f"{row['won']}/{row['lost']}/{row['tied']}",
    }


def _readable(name: str, rows: list[dict[str, Any]], caption: str) -> Table:
    """Without the columns that say nothing."""
    several = len({row["measure"] for row in rows}) > 1
    kept = [
        column
        for column in rows[0]
        if (column != "measure" or several) and any(not undefined(row[column]) and row[column] != "" for row in rows)
    ]
    digits = {column: places for column, places in DIGITS.items() if column in kept}
    caption = caption if several else f"{rows[0]['measure']}. {caption}"
    return Table(name, {column: [row[column] for row in rows] for column in kept}, caption, digits)


def _equivalent(row: dict[str, Any], provenance: dict[str, Any]) -> dict[str, str | None]:
    if "p_equivalence" not in row:
        return {}
    return {f"p (within ±{provenance['equivalence']:g})": _p(row["p_equivalence_corrected"])}


def _difference(row: dict[str, Any]) -> str | None:
    difference = _spread(row["difference"], row["low"], row["high"], row["difference_error"], sign="+")
    return f"{difference} {row['marker']}" if row.get("marker") else difference


def _spread(value: Any, low: Any, high: Any, error: Any, *, sign: str = "") -> str | None:
    if undefined(value):
        return None
    places = decimals(error)
    middle = _number(value, places, sign=sign)
    return f"{middle} [{_number(low, places, sign=sign)}, {_number(high, places, sign=sign)}]"


def _number(value: Any, places: int, *, sign: str = "") -> str:
    text = f"{value:{sign}z.{places}f}"
    # what rounds to nothing has no sign
    return text if text.strip("+0.") else text.lstrip("+")


def _p(value: Any) -> str | None:
    if undefined(value):
        return None
    return f"<{LEAST}" if value < LEAST / 2 else f"{value:.4f}"
