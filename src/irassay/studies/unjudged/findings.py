"""Findings of `irassay unjudged`: plain sentences, the most important first."""

from typing import Any

from irassay.report.text import undefined
from irassay.result import Result
from irassay.studies.phrases import few, percent, rows_of, safe
from irassay.studies.unjudged.checks import DEEPER, LED

Rows = list[dict[str, Any]]


def findings(result: Result) -> list[str]:
    rows = rows_of(result["summary"])
    return [*_bounds(rows), _draws(result, rows), *_verdicts(rows), *_checks(result), *_next(result)]


def _of_pairs(count: int, row: dict[str, Any]) -> str:
    return f"{safe(row['measure'])} {count:,} of {row['pairs']:,}"


def _bounds(rows: Rows) -> list[str]:
    sentences = []
    bounded = [row for row in rows if not undefined(row["settled"])]
    if bounded:
        parts = few([_of_pairs(row["settled"], row) for row in bounded])
        sentences.append(f"Pairs of systems whose order no unjudged document can change: {parts}.")
    others = [safe(row["measure"]) for row in rows if undefined(row["settled"])]
    if others:
        are = "has no bounds" if len(others) == 1 else "have no bounds"
        sentences.append(f"{few(others)} {are} here, only scenarios: they depend on how many documents are relevant.")
    return sentences


def _draws(result: Result, rows: Rows) -> str:
    depths = rows_of(result["depths"])
    unjudged, expected, known = (sum(row[name] for row in depths) for name in ("unjudged", "expected", "relevant"))
    parts = few([_of_pairs(row["likely"], row) for row in rows])
    return (
        f"Of {unjudged:,} unjudged documents {expected:,.0f} would be relevant by their probabilities, beside "
        f"{known:,} that are known. At most 5% of the draws reverse these pairs: {parts}."
    )


def _verdicts(rows: Rows) -> list[str]:
    tested = [row for row in rows if not undefined(row["depending"])]
    if not tested:
        return []
    if not any(row["depending"] for row in tested):
        return ["No verdict of a paired t-test (.05 per comparison) depends on the missing judgments."]
    parts = few([_of_pairs(row["depending"], row) for row in tested])
    return [f"Verdicts (paired t-test, .05 per comparison) that change in more than 5% of the draws: {parts}."]


def _checks(result: Result) -> list[str]:
    if "checks" not in result:
        return ["The probabilities are those given: nothing here says how good they are."]
    sentences = []
    for row in rows_of(result["checks"]):
        what = {DEEPER: "deeper documents", LED: "documents that one group alone ranks high"}.get(row["check"])
        if what:
            sentences.append(
                f"Of {row['documents']:,} judged {what} the others lead to expect {row['expected']:,.0f} relevant "
                f"ones; {row['relevant']:,} are."
            )
    return sentences


def _next(result: Result) -> list[str]:
    rows = rows_of(result["judge_next"])
    if not rows:
        return []
    share = min(1.0, sum(row["share"] for row in rows))
    return [
        f"The {len(rows):,} documents to judge next carry {percent(share)} of what the unjudged ones leave open. "
        "Judgments chosen so are no random sample."
    ]
