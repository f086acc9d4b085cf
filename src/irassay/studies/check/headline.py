"""What `check` finds in the data that could mislead, from the worst on: one concern for what many runs share."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from irassay.result import Concern, Headline, Result
from irassay.studies.check.problems import HARMLESS
from irassay.studies.concerns import SCORES_FROM_RANKS, bounded, few_topics
from irassay.studies.phrases import join, percent, rows_of, safe
from irassay.studies.tables import grouped

FEW_JUDGED = 0.9  # of the first ten documents: with fewer, unjudged ones may decide
NOTICED = 0.005  # of a score: what ties move by less, no table shows
NAMED = 2  # runs that a sentence names


class Kind(NamedTuple):
    """What problems with a code mean: how bad they are, and a sentence about them; {runs} says which runs have it."""

    title: str
    severity: float
    text: str
    more: float = 0.0  # severity, where all runs have it


ORDERS, MISSING, SIZE = "Orders that disagree", "Missing topics", "Documents and corpus"
KINDS = {
    "constant-scores": Kind(
        "Ties", 0.7, "In {runs} all documents have the same score: ties decide the whole order.", 0.2
    ),
    "rank-order": Kind(ORDERS, 0.45, "In {runs} ranks and scores disagree: the order of {order} counts.", 0.2),
    "file-order": Kind(ORDERS, 0.15, "In {runs} scores and lines disagree: the order of {order} counts."),
    "rank-file-order": Kind(ORDERS, 0.1, "In {runs} ranks and lines disagree: the order of {order} counts."),
    "rank-derived-scores": Kind(
        SCORES_FROM_RANKS, 0.15, "The scores of {runs} say no more than the rank: their size tells nothing.", 0.15
    ),
    "duplicates": Kind(
        "Repeated documents", 0.4, "In {runs} documents stand twice in a list: the better-ranked one counts.", 0.2
    ),
    "outside-pool": Kind(
        "Unjudged documents",
        0.2,
        "In {runs} documents within the depth of the pool are not judged: these runs may not have contributed to it.",
        0.2,
    ),
    "ranks": Kind("Ranks that are no numbers", 0.1, "In {runs} ranks are no whole numbers."),
    "tags": Kind("Names of systems", 0.1, "In {runs} tags are not constant: files name these systems."),
    "groups": Kind("Groups", 0.1, "{What}."),
    "corpus-size": Kind(SIZE, 0.6, "{What}."),
    "no-relevant": Kind("Topics without relevant documents", 0.3, "{What}."),
    "unanswered-topics": Kind(MISSING, 0.3, "{What}."),
    "unjudged-topics": Kind("Topics without judgments", 0.05, "{What}."),
    "skipped-files": Kind("Files left out", 0.2, "{What}."),
}
COUNTED = {"rank": "ranks", "file": "lines"}  # what decides on the order of a list; else scores
UNKNOWN = 0.15  # severity of a problem that has no sentence here


def headline(result: Result) -> Headline:
    return Headline(concerns=tuple(concerns(result)))


def concerns(result: Result) -> list[Concern]:
    """From the worst on."""
    topics: Any = result.provenance.get("topics", ())
    single = (few_topics(len(topics)), _ties(result), _few_judged(result), _missing(result))
    listed = [*(one for one in single if one is not None), *_problems(result)]
    return sorted(listed, key=lambda one: -one.severity)


def _ties(result: Result) -> Concern | None:
    """How far the order of tied documents moves the system that it moves most, by the measure that shows it."""
    moved = rows_of(result["ties"])
    measures = [name.removesuffix(" worst") for name in result["ties"].columns if name.endswith(" worst")]
    spreads = {
        (row["system"], measure): (row[f"{measure} worst"], row[f"{measure} best"])
        for row in moved
        for measure in measures
    }
    if not spreads:
        return None
    (system, measure), (low, high) = max(spreads.items(), key=lambda item: item[1][1] - item[1][0])
    if high - low < NOTICED:
        return None
    seen = {name for (name, _), (worst, best) in spreads.items() if best - worst >= NOTICED} - {system}
    others = f"; it moves {_many(len(seen), 'more run')} by {NOTICED:g} or more" if seen else ""
    text = (
        f"The order of tied documents decides whether {safe(system)} scores {low:.2f} or {high:.2f} by "
        f"{safe(measure)}{others}."
    )
    return Concern(bounded(min(0.9, 3 * (high - low))), "Ties", text)


def _few_judged(result: Result) -> Concern | None:
    """Systems with unjudged documents among the first ten, which count as not relevant."""
    rows = rows_of(result["systems"], "judged@10")
    few = sorted((row for row in rows if row["judged@10"] < FEW_JUDGED), key=lambda row: row["judged@10"])
    if not few:
        return None
    worst = few[0]
    severity = bounded(0.75 * (1 - worst["judged@10"]) + 0.25 * len(few) / len(rows))
    share, others = percent(worst["judged@10"]), _many(len(few) - 1, "more run")
    more = f", and of {others} less than {percent(FEW_JUDGED)}" if len(few) > 1 else ""
    text = (
        f"Of {safe(worst['system'])} only {share} of the first 10 documents are judged{more}: unjudged ones count as "
        "not relevant."
    )
    return Concern(severity, "Few judged documents", text)


def _missing(result: Result) -> Concern | None:
    """Runs without some of the topics."""
    evaluated = next(row["value"] for row in rows_of(result["collection"]) if row["what"] == "topics evaluated")
    missing = sorted(
        (row for row in rows_of(result["systems"]) if row["topics"] < evaluated), key=lambda r: r["topics"]
    )
    if not missing:
        return None
    worst = missing[0]
    lacks = evaluated - worst["topics"]
    others = f"; topics are missing from {_many(len(missing) - 1, 'more run')}" if len(missing) > 1 else ""
    text = f"{safe(worst['system'])} has no documents for {lacks} of {evaluated} topics, and scores 0 there{others}."
    return Concern(bounded(0.3 + 0.6 * lacks / evaluated), MISSING, text)


def _problems(result: Result) -> Iterator[Concern]:
    """What the table of problems lists, in one concern for each code."""
    systems = {row["file"]: row["system"] for row in rows_of(result["systems"])}
    problems = [
        row for row in rows_of(result["problems"]) if row["code"] != "missing-topics" and HARMLESS not in row["what"]
    ]
    order = COUNTED.get(str(result.provenance.get("order")), "scores")
    for (code,), rows in grouped(problems, "code").items():
        kind = KINDS.get(code, Kind(code.replace("-", " ").capitalize(), UNKNOWN, "{What}."))
        names = list(dict.fromkeys(_system(row["where"], systems) for row in rows))
        what = safe(rows[0]["what"]).rstrip(".")
        text = kind.text.format(runs=_runs(names), order=order, What=what[:1].upper() + what[1:])
        yield Concern(bounded(kind.severity + kind.more * len(names) / max(1, len(systems))), kind.title, text)


def _system(where: str, systems: dict[str, str]) -> str:
    """The system whose file a place is in; of another place the place."""
    path, _, line = where.rpartition(":")
    return systems.get(path if line.isdigit() and path in systems else where, where)


def _runs(names: list[str]) -> str:
    """Which runs: one by name, of many how many they are and the first ones."""
    shown = [safe(name) for name in names[:NAMED]]
    if len(names) <= NAMED:
        return join(shown)
    return f"{len(names)} runs, such as {join(shown)},"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
