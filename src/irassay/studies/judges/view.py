"""What of `irassay judges` fits a screen: values with half of their intervals, without strata of single topics.

Numbers have the decimals of the tables that they come from.
"""

from typing import Any

from irassay.report.text import undefined
from irassay.result import Result, Table
from irassay.studies.judges.label_tables import ALL, IN_NO_LIST, LEFT_OUT
from irassay.studies.judges.labels import MAJORITY, OTHERS
from irassay.studies.judges.settings import Judges
from irassay.studies.phrases import rows_of
from irassay.studies.tables import Rows, columns, grouped

MOST_JUDGES = 4  # whose grades are shown
MOST_ROWS = 24  # of groups
MEANING = (
    "on draws: the judge's order on samples of the topics, against the reference's on all topics\n"
    "ceiling:  the reference's own order on the same samples, against the same\n"
    "          (without a common topic: one judge on disjoint sets of topics)"
)
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
    shown = {"judges": _judges, "labels": _labels, "grades": _grades, "order": _order, "power": _power}
    shown |= {"groups": _groups, "documents": _documents, "verdicts": _verdicts}
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
    return [Table("judges", short, caption, {"relevant": table.digits["relevant"]})]


def _labels(table: Table) -> list[Table]:
    """All documents; each judge against the majority of the others; and documents by rank, of a few judges."""
    names = [name for name in SHORT if name in table.columns]
    whole: dict[str, Rows] = {}
    by_rank: Rows = []
    for row in rows_of(table):
        values = {SHORT[name]: with_half(row, name, table.digits[name]) for name in names}
        if row["stratum"] in (ALL, LEFT_OUT) and not row["judge"].startswith(f"{MAJORITY} without"):
            whole.setdefault(row["reference"], []).append({"judge": row["judge"]} | values)
        elif row["stratum"].startswith("ranks ") or row["stratum"] == IN_NO_LIST:
            short = {name: values[name] for name in ("agree", "quadratic", "bias")}
            by_rank.append({"judge": row["judge"], "documents": row["stratum"], "n": row["n"]} | short)
    tables = [Table("labels", columns(rows), f"Labels against {what} ({HALF})") for what, rows in whole.items()]
    if by_rank and len({row["judge"] for row in by_rank}) <= MOST_JUDGES:
        caption = f"Labels against the reference, by the best rank of a document in any list ({HALF})"
        tables.insert(1, Table("labels", columns(by_rank), caption))
    return tables


def _grades(table: Table) -> list[Table]:
    if len(set(table.columns["judge"])) > MOST_JUDGES:
        return []
    rows = [
        {name: row[name] for name in ("judge", "grade")}
        | {name: with_half(row, name, table.digits[name]) for name in ("precision", "recall")}
        for row in rows_of(table)
    ]
    return [Table("grades", columns(rows), f"Each grade: precision and recall against the reference ({HALF})")]


def _order(table: Table) -> list[Table]:
    rows: dict[bool, Rows] = {}
    places = table.digits["tau"]
    for row in rows_of(table):
        rows.setdefault(row["reference"] == OTHERS, []).append(
            {
                "measure": row["measure"],
                "judge": row["judge"],
                "tau": row["tau"],
                "95%": f"{row['tau_low']:z.{places}f} to {row['tau_high']:z.{places}f}",
                "on draws": row["tau_on_draws"],
                "ceiling": row["tau_ceiling"],
                "tau AP": row["tau_ap"],
                "top": row["tau_top"],
                "RBO": row["rbo"],
            }
        )
    tables = [Table("order", {}, MEANING)]  # without rows: a text
    for others, own in rows.items():
        short = columns(own)
        if all(undefined(value) for value in short["on draws"]):
            del short["on draws"]
        digits: dict[str, int] = {
            name: places for name in ("tau", "on draws", "ceiling", "tau AP", "top", "RBO") if name in short
        }
        who = f"the {OTHERS}" if others else "the reference"
        caption = f"Order of systems by {who} and by each judge, on documents that both labelled"
        tables.append(Table("order", short, caption, digits))
    return tables


def _verdicts(table: Table) -> list[Table]:
    """Against the reference, and against the majority of the others."""
    tables = []
    for (reference,), rows in grouped(rows_of(table), "reference").items():
        short = columns(rows)
        del short["reference"]
        caption = f"The same by the {OTHERS} and each judge" if reference == OTHERS else table.caption
        tables.append(Table("verdicts", short, caption))
    return tables


def _power(table: Table) -> list[Table]:
    short = {"measure": "measure", "labels": "labels", "topics": "topics", "significant": "significant"}
    short |= {"discriminative_power": "share", "required_difference": "largest", "rd_median": "median"}
    rows = [{new: row[name] for name, new in short.items()} for row in rows_of(table)]
    digits = {new: table.digits[name] for name, new in short.items() if name in table.digits}
    unique = {(row["measure"], row["labels"], row["topics"]): row for row in rows}.values()
    caption = (
        "Significantly different pairs (paired t-test per comparison, not corrected), and the difference that one needs"
    )
    return [Table("power", columns(list(unique)), caption, digits)]


def _groups(table: Table) -> list[Table]:
    rows = [
        {
            "measure": row["measure"],
            "judge": row["judge"],
            "group": row["group"],
            "shift": with_half(
                row | {"shift_low": row["low"], "shift_high": row["high"]}, "shift", table.digits["shift"]
            ),
            "p (topics)": _level(row["p_value_holm"]),
            "p (teams)": _level(row["p_teams_holm"]),
        }
        for row in _striking(rows_of(table))
    ]
    which = "" if len(rows) == len(table) else "; of each judge the group with the smallest p, and all below .05"
    caption = (
        f"Shift of a group's score against the others, at equal reference scores ({HALF}); p corrected (Holm) over "
        f"groups: over topics, for these systems; over teams, for others like them{which}"
    )
    return [Table("groups", columns(rows), caption)]


def _striking(rows: Rows) -> Rows:
    """All rows of a short table; of a long one those that somebody would look for."""
    if len(rows) <= MOST_ROWS:
        return rows
    kept: Rows = []
    for own in grouped(rows, "measure", "judge").values():
        p = [1.0 if undefined(row["p_value_holm"]) else row["p_value_holm"] for row in own]
        least = min(range(len(own)), key=lambda k: (p[k], -abs(own[k]["shift"])))
        kept += [row for k, row in enumerate(own) if k == least or p[k] < 0.05]
    return kept


def _documents(table: Table) -> list[Table]:
    rows = [
        {
            "judge": row["judge"],
            "group": row["group"],
            "documents": row["documents"],
            "odds ratio": _range(row, "odds_ratio", table.digits["odds_ratio"]),
            "chance": with_half(row, "chance", table.digits["chance"]),
            "p": _level(row["p_value_holm"]),
        }
        for row in rows_of(table)
    ]
    caption = (
        "Documents that one group alone ranks high, against those that only others do, of the same topic and reference "
        f"grade: judged relevant, odds ratio and difference of chances (95% over topics; {HALF})"
    )
    return [Table("documents", columns(rows), caption)]


def _level(p: Any) -> str | None:
    return None if undefined(p) else "< 0.001" if p < 0.0005 else f"{p:.3f}"


def _range(row: dict[str, Any], name: str, digits: int) -> str | None:
    value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
    return None if undefined(value) else f"{value:z.{digits}f} ({low:z.{digits}f} to {high:z.{digits}f})"


def with_half(row: dict[str, Any], name: str, digits: int) -> str | None:
    """0.46 ± 0.05."""
    value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
    if undefined(value):
        return None
    half = "" if undefined(low) else f" ± {(high - low) / 2:.{digits}f}"
    return f"{value:z.{digits}f}{half}"
