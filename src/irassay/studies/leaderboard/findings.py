"""What a leaderboard says, in sentences: who is first, who cannot be told apart from it, and what decides the order."""

from __future__ import annotations

from typing import Any

from irassay.report.text import undefined
from irassay.result import Result
from irassay.studies.leaderboard.collection_tables import YES
from irassay.studies.leaderboard.inference import AS_IF
from irassay.studies.leaderboard.tables import DEPEND
from irassay.studies.phrases import SHOWN, join, percent, rows_of, safe
from irassay.studies.tables import Rows
from irassay.tolerance import EQUAL

ALIKE = 0.95  # correlation from which on two collections say much the same


def findings(result: Result) -> list[str]:
    provenance: dict[str, Any] = dict(result.provenance)
    rows = rows_of(result["leaderboard"])
    places = result["leaderboard"].digits["mean"]
    sentences = [_first(rows, len(provenance["collections"]), places)]
    sentences += [*_best_set(rows, sampled=provenance["sampled"]), *_ranks(rows), *_pairs(result, provenance)]
    if provenance["tasks"] == "weights":
        sentences += _weightings(result)
    elif provenance["tasks"] == "random":
        sentences.append(f"All of this holds {AS_IF}.")
    elif not rows_of(result["leaderboard"], "mean_low") or not provenance["sampled"]:
        sentences.append(
            "There are no intervals and no tests: with one score for each collection nothing says how much it would "
            "vary. Give scores per topic, or look at --tasks weights."
        )
    sentences += _collections(result) + _measures(provenance)
    return [*sentences, DEPEND]


def _first(rows: Rows, collections: int, places: int) -> str:
    known = [row for row in rows if not undefined(row["mean"])]
    if len(known) < len(rows):
        return (
            f"{len(rows) - len(known)} of {len(rows)} systems have results on some of the {collections} collections "
            "only; their ranks allow for the worst and the best score there."
        )
    top = [row for row in known if known[0]["mean"] - row["mean"] <= EQUAL]
    names = _names([row["system"] for row in top])
    are = "is first" if len(top) == 1 else "are first together"
    return f"{names} {are} on the mean over {collections} collections ({top[0]['mean']:.{places}f})."


def _best_set(rows: Rows, *, sampled: bool) -> list[str]:
    if undefined(rows[0]["best_set"]):
        return []
    best = [row["system"] for row in rows if row["best_set"] == YES]
    if not sampled:
        return [f"Whatever the missing results are, {_names(best)} {'is' if len(best) == 1 else 'may be'} first."]
    if len(best) == 1:
        others = "the other system" if len(rows) == 2 else f"all {len(rows) - 1} other systems"
        return [f"{safe(best[0])} alone is in the best set: the tests tell it from {others}."]
    return [
        f"{_names(best)} cannot be told apart from the first place; {len(best)} of {len(rows)} systems are in the best "
        "set."
    ]


def _ranks(rows: Rows) -> list[str]:
    widths = sorted(row["rank_high"] - row["rank_low"] + 1 for row in rows if not undefined(row["rank_low"]))
    if not widths:
        return []
    certain = sum(width == 1 for width in widths)
    middle = int(widths[len(widths) // 2])
    one = f"{certain} of {len(rows)} systems {'has' if certain == 1 else 'have'}" if certain else "No system has"
    return [
        f"{one} one rank that the tests do not exclude; a middling system has {middle} such rank{'s' * (middle > 1)}."
    ]


def _pairs(result: Result, provenance: dict[str, Any]) -> list[str]:
    tested = [p for p in result["pairs"]["p_corrected"] if not undefined(p)]
    if not tested:
        return []
    significant = sum(p < provenance["alpha"] for p in tested)
    return [
        f"{significant:,} of {len(tested):,} pairs differ significantly (Holm, alpha {provenance['alpha']:g}); a "
        "pair that does not is not shown to be equal."
    ]


def _weightings(result: Result) -> list[str]:
    rows = rows_of(result["weightings"])
    leader = max(rows, key=lambda row: row["share_first"])
    rivals = sum(row["share_first"] > 0 for row in rows) - 1
    others = f"; {rivals} other system{'s' * (rivals != 1)} can be first" if rivals else ", and no other ever is"
    return [
        f"{safe(leader['system'])} is first in {percent(leader['share_first'])} of all weightings of the collections"
        f"{others}. That is sensitivity, not confidence."
    ]


def _collections(result: Result) -> list[str]:
    sentences = []
    rows = rows_of(result["collections"], "tau_without")
    if rows:
        least = min(rows, key=lambda row: row["tau_without"])
        if least["tau_without"] < 1 - EQUAL:
            sentences.append(
                f"The order depends most on {safe(least['collection'])}: without it the order agrees with that "
                f"of all at a tau b of "
                f"{least['tau_without']:.2f}."
            )
        else:
            sentences.append("Leaving out any one collection leaves the order as it is.")
    if "without" in result:
        changed = [row for row in rows_of(result["without"]) if row["first_changes"] == YES]
        if changed:
            names = _names([row["collection"] for row in changed])
            firsts = join(list(dict.fromkeys(safe(row["first"]) for row in changed))[:SHOWN])
            sentences.append(f"Without {names} another system would be first: {firsts}.")
        else:
            first = safe(next(iter(result["leaderboard"]["system"])))
            sentences.append(f"{first} is first whichever collection is left out.")
    if "redundancy" in result:
        pairs = [
            row for row in rows_of(result["redundancy"], "correlation") if row["collection_x"] < row["collection_y"]
        ]
        alike = [row for row in pairs if row["correlation"] >= ALIKE]
        if alike:
            most = max(alike, key=lambda row: row["correlation"])
            sentences.append(
                f"{len(alike)} of {len(pairs)} pairs of collections order the systems almost alike (correlation "
                f"{ALIKE:g} or more), most of all {safe(most['collection_x'])} and {safe(most['collection_y'])} "
                f"({most['correlation']:.2f})."
            )
    return sentences


def _measures(provenance: dict[str, Any]) -> list[str]:
    measures = list(dict.fromkeys(provenance["measures"]))
    if len(measures) == 1:
        return []
    then = (
        "each collection is standardised over these systems"
        if provenance["standardise"]
        else "their mean has no unit (--standardise gives every collection the same weight)"
    )
    return [f"The collections are scored by {len(measures)} measures, {_names(measures)}: {then}."]


def _names(names: list[str]) -> str:
    shown = [safe(name) for name in names]
    return join(shown) if len(shown) <= SHOWN else f"{', '.join(shown[: SHOWN - 1])} and {len(shown) - SHOWN + 1} more"
