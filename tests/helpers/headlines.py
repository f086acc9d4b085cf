"""Results that fill the first screen of a page, with scores and documents of topics to look into."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irassay.result import Column, Concern, Headline, Notes, Result, Table

MEASURES = ("AP", "nDCG@10", "RR")
VARIATIONS = (("topics", "sampling"), ("judgments 50%", "scenario"), ("documents", "sampling"), ("ties", "model"))
TITLE = "A collection: 12 systems, 10 topics"
VERDICT = {
    "threat": "Judgments are few: half of them would leave 60% of the pairs as they are.",
    "first": "System 0 is first by all measures, and no test tells it from system 1.",
    "trust": "Trust differences from 0.03 in AP and from 0.1 in RR.",
}
CONCERNS = tuple(Concern(0.2 * place, f"Concern {place}", f"It is {place} bad.") for place in range(5))
DEEP = 20  # documents of a list


def headlined(names: Sequence[str], collections: Sequence[str] = (), topics: int = 10) -> Result:
    """A result with a full headline, of systems with these names; random scores, the same ones every time."""
    tables = (
        Table("budget", _budget(collections), "The budget."),
        Table("leaderboard", _leaderboard(names, collections), "Systems by mean score.", {"mean": 3}),
        Table("topic_scores", _topic_scores(names, collections, topics), "Scores."),
        Table("top_documents", _documents(names, collections, topics), "Documents."),
    )
    headline = Headline(TITLE, VERDICT, {table.name: table.name for table in tables}, CONCERNS)
    return Result(
        "uncertainty",
        tables,
        findings=("A finding.",),
        notes=Notes("What would change?"),
        details=("leaderboard", "topic_scores", "top_documents"),
        headline=headline,
    )


def _rows(names: Sequence[str], rows: Sequence[tuple[object, ...]], collections: Sequence[str]) -> dict[str, Column]:
    """Columns of some rows, which all collections have."""
    if collections:
        names = ("collection", *names)
        rows = [(collection, *row) for collection in collections for row in rows]
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def _budget(collections: Sequence[str]) -> dict[str, Column]:
    rng = np.random.default_rng(1)
    ways = [f"verdicts_{way}" for way in ("lost", "gained", "opposite")]
    columns = ("measure", "variation", "kind", "pairs_resolved", "surviving_difference", *ways)
    rows = [(m, v, kind, *rng.random(2), *(rng.random(3) / 5)) for m in MEASURES for v, kind in VARIATIONS]
    return _rows(columns, [*rows, ("AP", "total", "sampling", *[None] * 5)], collections)


def _leaderboard(names: Sequence[str], collections: Sequence[str]) -> dict[str, Column]:
    rng = np.random.default_rng(2)
    rows = []
    for measure in MEASURES:
        for place, (name, mean) in enumerate(zip(names, sorted(rng.random(len(names)), reverse=True), strict=True)):
            low = max(1, place - 2)
            rows.append((measure, name, mean, mean - 0.05, mean + 0.05, "ab"[place % 2], low, place + 3, 0.1, 0.9))
    columns = ("measure", "system", "mean", "mean_low", "mean_high", "letters", "rank_low", "rank_high")
    return _rows((*columns, "share_first", "judged_at_10"), rows, collections)


def _topic_scores(names: Sequence[str], collections: Sequence[str], topics: int) -> dict[str, Column]:
    rng = np.random.default_rng(3)
    rows = [(m, name, f"t{t}", rng.random()) for m in MEASURES for name in names for t in range(topics)]
    return _rows(("measure", "system", "topic", "score"), rows, collections)


def _documents(names: Sequence[str], collections: Sequence[str], topics: int) -> dict[str, Column]:
    """List `n` has the documents n, n + 1, …; the grade of a document is its number modulo 4, of 3 it is unknown."""
    rows = []
    for number, name in enumerate(names):
        for topic in range(topics):
            for rank in range(1, DEEP + 1):
                document = number + rank
                grade = document % 4 if document % 4 < 3 else None
                rows.append((name, f"t{topic}", rank, f"d{document}", grade))
    return _rows(("system", "topic", "rank", "document", "grade"), rows, collections)
