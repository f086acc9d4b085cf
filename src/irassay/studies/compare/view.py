"""A comparison laid out for a screen or a paper: one text cell for a number and its interval, few columns.

The numbers of a column have the digits of the table that they come from; its file keeps them all.
"""

from typing import Any

from irassay.report.text import undefined
from irassay.result import Result, Table
from irassay.studies.phrases import add_sentences, rows_of
from irassay.studies.tables import columns, grouped
from irassay.tolerance import EQUAL

DIGITS = {"effect": 2, "share_first": 3, "Judged@10": 2}
LEAST = 0.0001  # a p-value below this is shown as below it
NOT_TESTABLE = "not testable"
SCREENFUL = 5  # topics of a measure, and systems all pairs of which are shown


def view(result: Result, settings: object) -> list[Table]:
    """The tables for a screen; details only where they are few."""
    provenance: dict[str, Any] = dict(result.provenance)
    # with a baseline, `comparison` shows the pairs
    few_pairs = not provenance["baseline"] and len(provenance["systems"]) <= SCREENFUL
    hidden = set(result.details) - ({"pairs"} if few_pairs else set())
    layouts = {"comparison": paper, "pairs": pairs, "topics": first_topics, "groups": groups}
    tables = [table for table in result.tables if table.name not in hidden]
    return [layouts[table.name](result) if table.name in layouts else table for table in tables]


def paper(result: Result) -> Table:
    """The table `comparison` of a result of `compare` for readers."""
    provenance: dict[str, Any] = dict(result.provenance)
    table = result["comparison"]
    interval = _interval_name(provenance)
    rows = []
    for row in rows_of(table):
        mean = _spread(row["mean"], row["mean_low"], row["mean_high"], table.digits["mean"])
        named: dict[str, Any] = {name: row[name] for name in ("measure", "against", "system") if name in row}
        named[f"mean [{interval}]"] = mean
        more = _letters(row) if "letters" in row else _baseline(row, interval, provenance, table.digits["difference"])
        rows.append(named | more)
    return _readable("comparison", rows, table.caption)


def _interval_name(provenance: dict[str, Any]) -> str:
    return f"{100 * provenance['confidence']:.4g}% CI"


def first_topics(result: Result) -> Table:
    """The first rows of each measure in the table `topics`."""
    table = result["topics"]
    by_measure = grouped(rows_of(table), "measure").values()
    rows = [row for topics in by_measure for row in topics[:SCREENFUL]]
    most = max(map(len, by_measure))
    more = [f"Shown are the first {SCREENFUL} of {most:,} topics for each measure."] if most > SCREENFUL else []
    return Table("topics", columns(rows), add_sentences(table.caption, more), headers=table.headers)


def groups(result: Result) -> Table:
    """The table `groups` for readers."""
    table = result["groups"]
    interval = _interval_name(dict(result.provenance))
    rows = [
        {
            **{name: row[name] for name in ("measure", "group", "topics", "system")},
            f"mean [{interval}]": _spread(row["mean"], row["mean_low"], row["mean_high"], table.digits["mean"]),
        }
        for row in rows_of(table)
    ]
    return _readable("groups", rows, table.caption)


def _baseline(row: dict[str, Any], interval: str, provenance: dict[str, Any], places: int) -> dict[str, Any]:
    return {
        f"difference [{interval}]": _difference(row, places),
        **_tests(row, provenance),
        "Judged@10": row["judged_at_10"],
        **_equivalent(row, provenance, places),
    }


def _letters(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "letters": row["letters"] or "",
        "ranks not excluded": None if undefined(row["rank_low"]) else f"{row['rank_low']}-{row['rank_high']}",
        "share_first": row["share_first"],
        "Judged@10": row["judged_at_10"],
    }


def pairs(result: Result) -> Table:
    """The table `pairs` for readers."""
    provenance: dict[str, Any] = dict(result.provenance)
    places = result["pairs"].digits["difference"]
    rows = [
        {
            "measure": row["measure"],
            "system_x": row["system_x"],
            "system_y": row["system_y"],
            f"difference [{_interval_name(provenance)}]": _difference(row, places),
            **_tests(row, provenance),
            **_equivalent(row, provenance, places),
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
        f"p ({provenance['correction']})": NOT_TESTABLE if several and _untested(row) else _p(corrected),
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


def _untested(row: dict[str, Any]) -> bool:
    """Whether a pair has a p-value of its own, but is in no family."""
    return undefined(row["p_corrected"]) and not undefined(row["p_value"])


def _equivalent(row: dict[str, Any], provenance: dict[str, Any], places: int) -> dict[str, str | None]:
    if "p_equivalence" not in row:
        return {}
    low, high = row["equivalence_low"], row["equivalence_high"]
    return {
        f"p (within ±{provenance['equivalence']:g})": _p(row["p_equivalence_corrected"]),
        f"{100 - 200 * provenance['alpha']:.4g}% CI": None if undefined(low) else _bounds(low, high, places, "+"),
    }


def _difference(row: dict[str, Any], places: int) -> str | None:
    difference = _spread(row["difference"], row["low"], row["high"], places, sign="+")
    return f"{difference} {row['marker']}" if row.get("marker") else difference


def _spread(value: Any, low: Any, high: Any, places: int, *, sign: str = "") -> str | None:
    if undefined(value):
        return None
    middle = _number(value, places, sign)
    return middle if undefined(low) else f"{middle} {_bounds(low, high, places, sign)}"


def _bounds(low: float, high: float, places: int, sign: str) -> str:
    return f"[{_number(low, places, sign)}, {_number(high, places, sign)}]"


def _number(value: float, places: int, sign: str) -> str:
    # 0 has no sign; what rounds to 0 keeps it, so that a bound shows on which side of 0 it lies
    return f"{0.0:.{places}f}" if abs(value) <= EQUAL else f"{value:{sign}.{places}f}"


def _p(value: Any) -> str | None:
    if undefined(value):
        return None
    return f"<{LEAST}" if value < LEAST / 2 else f"{value:.4f}"
