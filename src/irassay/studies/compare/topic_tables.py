"""The tables of `irassay compare` that have a row for every topic."""

import math

import numpy as np

from irassay.ask.pairs import Pairs
from irassay.headers import Header
from irassay.result import Table
from irassay.scoring.scores import Array, Scores
from irassay.studies.phrases import join, rows_of
from irassay.studies.tables import columns, grouped, records
from irassay.tolerance import EQUAL

Values = list[tuple[str, Array]]  # scores [systems, topics] of each measure


def topics_table(values: Values, scores: Scores) -> Table:
    """Every topic's best and worst system, from the largest gap on."""
    rows = []
    for measure, x in values:
        best, worst = x.max(axis=0), x.min(axis=0)
        order = np.argsort(worst - best, kind="stable").tolist()
        means = [math.fsum(one) / len(x) for one in x.T.tolist()]  # whatever the order of systems
        rows += records(
            measure=[measure] * len(order),
            topic=[scores.topics[t] for t in order],
            range=(best - worst)[order],
            mean=[means[t] for t in order],
            best=best[order],
            best_system=[scores.systems[s] for s in x.argmax(axis=0)[order].tolist()],
            worst=worst[order],
            worst_system=[scores.systems[s] for s in x.argmin(axis=0)[order].tolist()],
        )
    return Table(
        "topics",
        columns(rows),
        "The topics where systems differ most: range is best - worst, mean is over all systems",
        headers={"mean": Header("mean", meaning="Mean score of all systems on the topic")},
    )


def topic_differences(values: Values, scores: Scores, pairs: Pairs) -> Table:
    """Of every pair (system, baseline)."""
    first, second = (side.tolist() for side in pairs)
    bases = list(dict.fromkeys(second))
    rows = [
        {
            "measure": measure,
            **({"against": scores.systems[base]} if len(bases) > 1 else {}),
            "system": scores.systems[s],
            "topic": topic,
            "score": float(x[s, t]),
            "baseline": float(x[base, t]),
            "difference": float(x[s, t] - x[base, t]),
        }
        for measure, x in values
        for s, base in zip(first, second, strict=True)
        for t, topic in enumerate(scores.topics)
    ]
    names = join([scores.systems[base] for base in bases])
    return Table("topic_differences", columns(rows), f"Every topic's difference to {names}")


def losses(differences: Table, limit: float, baselines: tuple[str, ...]) -> Table:
    """From the largest loss on; a loss of just `limit` is not more than it."""
    rows = [
        row
        for topics in grouped(rows_of(differences), "measure").values()
        for row in sorted(topics, key=lambda row: row["difference"])
        if row["difference"] < -limit - EQUAL
    ]
    start = "Topics lost" if rows else "No topic is lost"
    lost = {name: [row[name] for row in rows] for name in differences.columns}
    return Table("losses", lost, f"{start} to {join(baselines)} by more than {limit:g}")
