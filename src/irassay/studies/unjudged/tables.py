"""The tables of `irassay unjudged`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from irassay.ask.pairs import Array, all_pairs
from irassay.ask.reversals import RATE, reversals
from irassay.ask.spread import pair_spread, replicate_quantiles, system_spread
from irassay.headers import Header
from irassay.result import Column, Table
from irassay.studies.tables import Rows, columns
from irassay.studies.unjudged.checks import learned
from irassay.tolerance import EQUAL
from irassay.vary.unjudged_bounds import MeasureBounds

if TYPE_CHECKING:
    from irassay.studies.unjudged.run import Asked

BANDS = (10, 30, 100, 300, 1000)
VERDICTS = {1: "better", -1: "worse", 0: "undecided"}
TO_JUDGE = {
    "pair": "for the pair asked for",
    "open": f"for the pairs that more than {RATE:.0%} of the draws reverse",
    "neighbours": "for systems next to each other, for no pair is open",
}
LOW = Header("lowest", meaning="Where the unjudged documents are as bad for this as they can be, or in a scenario")
HIGH = Header("highest", meaning="Where the unjudged documents are as good for this as they can be, or in a scenario")
EXPECTED = Header("expected", meaning="Mean over draws of the missing judgments")
SPREAD = Header("sd", meaning="Standard deviation over draws of the missing judgments")


def tables(asked: Asked) -> tuple[Table, ...]:
    """All tables, the most important first."""
    bounds = [asked.bounded.of(m) for m in range(len(asked.measures))]
    listed = [summary(asked, bounds), systems(asked, bounds), depths(asked), judge_next(asked), pairs(asked, bounds)]
    if asked.model is not None:
        listed += learned(*asked.model, with_groups=asked.settings.groups is not None)
    return tuple(listed)


def summary(asked: Asked, bounds: Sequence[MeasureBounds]) -> Table:
    """What the missing judgments leave open, by measure."""
    drawn, rows = asked.drawn, []
    for m, measure in enumerate(drawn.measures):
        count = len(drawn.verdicts[m])
        low, high = bounds[m].pairs
        rate = reversals(drawn.observed[m], drawn.means[m]).rate
        known = ~np.isnan(rate)
        lost, gained, opposite = drawn.changed[m].mean(axis=0).tolist()
        tested = drawn.tested[m]
        rows.append(
            {
                "measure": measure,
                "bounds": bounds[m].how_pairs,
                "pairs": count,
                "settled": None if bounds[m].how_pairs == "scenario" else int(((low > EQUAL) | (high < -EQUAL)).sum()),
                "likely": int((rate[known] <= RATE).sum()),
                "verdicts": int((drawn.verdicts[m] != 0).sum()) if tested else None,
                "depending": int((same_verdict(asked, m) < 1 - RATE).sum()) if tested else None,
                "lost": lost if tested else None,
                "gained": gained if tested else None,
                "opposite": opposite if tested else None,
                "shift": float((drawn.means[m].mean(axis=0) - drawn.observed[m]).mean()),
            }
        )
    caption = (
        "What the missing judgments leave open. settled: pairs whose order no relevance of unjudged documents can "
        f"change; likely: pairs that at most {RATE:.0%} of {drawn.replicates:,} draws reverse. verdicts: pairs that a "
        "paired t-test at .05, not corrected, calls different; depending: pairs whose verdict another one replaces in "
        f"more than {RATE:.0%} of the draws; lost, gained, opposite: mean number of verdicts by draw. For these "
        "systems and topics, all else fixed"
    )
    headers = {
        "bounds": Header("bounds", meaning="exact: reached; outer: they hold; scenario: no bounds, named cases alone"),
        "settled": Header("settled", meaning="Pairs whose order no relevance of unjudged documents can change"),
        "likely": Header("likely settled", "likely", "Pairs that at most 5% of the draws reverse"),
        "verdicts": Header("different pairs", "different", "Pairs that the paired t-test calls different as judged"),
        "depending": Header("verdict depends", "depends", "Pairs whose verdict changes in more than 5% of the draws"),
        "shift": Header("mean shift", "shift", "Mean over systems of the expected less the observed score"),
    }
    digits = {"lost": 1, "gained": 1, "opposite": 1, "shift": 3}
    return Table("summary", columns(rows), caption, digits, headers=headers)


def same_verdict(asked: Asked, m: int) -> Array:
    """The share of draws with the verdict of the judgments [pair]."""
    drawn = asked.drawn
    counts = np.stack([drawn.replicates - drawn.better[m] - drawn.worse[m], drawn.better[m], drawn.worse[m]])
    return np.asarray(counts[drawn.verdicts[m], np.arange(counts.shape[1])] / drawn.replicates)


def systems(asked: Asked, bounds: Sequence[MeasureBounds]) -> Table:
    drawn, rows = asked.drawn, []
    for m, measure in enumerate(drawn.measures):
        spread = system_spread(drawn, m)
        low, high = replicate_quantiles(drawn, drawn.means[m])
        for s, system in enumerate(drawn.systems):
            rows.append(
                {
                    "measure": measure,
                    "system": system,
                    "low": float(bounds[m].systems.low[s]),
                    "observed": float(drawn.observed[m, s]),
                    "high": float(bounds[m].systems.high[s]),
                    "exact": "yes" if bounds[m].how == "exact" else "no",
                    "expected": float(spread.mean[s]),
                    "sd": float(spread.sd[s]),
                    "expected_low": float(low[s]),
                    "expected_high": float(high[s]),
                    "judged_at_10": float(asked.judged[s]),
                }
            )
    caption = (
        "Scores, whatever the unjudged documents are: low and high are bounds where exact says yes, else the smallest "
        "and largest of scenarios (nobody's, everybody's, or one system's unjudged documents are relevant). expected, "
        "sd, and 95% of the draws: the missing judgments drawn by their probabilities"
    )
    headers = {
        "low": LOW,
        "high": HIGH,
        "expected": EXPECTED,
        "sd": SPREAD,
        "observed": Header("as judged", meaning="The score with unjudged documents not relevant"),
        "exact": Header("exact", meaning="yes: bounds that are reached; no: the ends of scenarios"),
        "expected_low": Header("95% of draws from", "draws from", "2.5% of the draws lie below"),
        "expected_high": Header("95% of draws to", "draws to", "2.5% of the draws lie above"),
    }
    scores = ("low", "observed", "high", "expected", "expected_low", "expected_high")
    digits = dict.fromkeys(scores, 3) | {"sd": 4, "judged_at_10": 2}
    return Table("bounds", columns(rows), caption, digits, headers=headers)


def pairs(asked: Asked, bounds: Sequence[MeasureBounds]) -> Table:
    drawn = asked.drawn
    x, y = all_pairs(len(drawn.systems))
    parts: dict[str, list[Any]] = {}
    for m, measure in enumerate(drawn.measures):
        spread = pair_spread(drawn, m)
        tested = drawn.tested[m]
        here: dict[str, Any] = {
            "measure": [measure] * len(x),
            "system_x": [drawn.systems[k] for k in x],
            "system_y": [drawn.systems[k] for k in y],
            "low": bounds[m].pairs.low,
            "observed": spread.difference,
            "high": bounds[m].pairs.high,
            "bounds": [bounds[m].how_pairs] * len(x),
            "expected": spread.difference + spread.bias,
            "sd": spread.sd,
            "share_reversed": reversals(drawn.observed[m], drawn.means[m]).rate,
            "verdict": [VERDICTS[v] if tested else None for v in drawn.verdicts[m].tolist()],
            "share_same_verdict": same_verdict(asked, m) if tested else np.full(len(x), np.nan),
        }
        for name, column in here.items():
            parts.setdefault(name, []).append(column)
    joined: dict[str, Column] = {
        name: np.concatenate(own) if isinstance(own[0], np.ndarray) else [value for part in own for value in part]
        for name, own in parts.items()
    }
    caption = (
        "Differences of pairs (system_x - system_y), whatever the unjudged documents are. bounds: exact, a document "
        "counts once wherever both lists have it; outer, each system as if the other did not matter; scenario, the "
        "smallest and largest of named cases. share_reversed, verdict: draws of the missing judgments, paired t at .05"
    )
    headers = {"low": LOW, "high": HIGH, "expected": EXPECTED, "sd": SPREAD}
    headers["observed"] = Header("as judged", meaning="The difference with unjudged documents not relevant")
    return Table("pairs", joined, caption, dict.fromkeys(("low", "observed", "high", "expected"), 3), headers=headers)


def depths(asked: Asked) -> Table:
    """What is judged and what is missing, by the best rank of a document."""
    panel, missing = asked.panel, asked.missing
    evidence = asked.variation.model(panel, asked.jobs)[0].whole
    band = np.searchsorted(BANDS, evidence.best, side="left")
    held = evidence.lists > 0
    probability = np.zeros(len(held))
    probability[missing.entries] = missing.probability
    rows: Rows = []
    for k in np.unique(band[held]).tolist():
        here = held & (band == k)
        judged, first = here & (evidence.grade >= 0), 1 if k == 0 else BANDS[k - 1] + 1
        rows.append(
            {
                "best_rank": f"{first} to {BANDS[k]}" if k < len(BANDS) else f"from {first} on",
                "documents": int(here.sum()),
                "judged": int(judged.sum()),
                "relevant": int((here & (evidence.grade >= 1)).sum()),
                "unjudged": int((here & ~judged).sum()),
                "expected": float(probability[here].sum()),
            }
        )
    caption = (
        "Documents by their best rank in any list: judged ones, relevant ones, unjudged ones, and how many of these "
        "are expected to be relevant; over all topics"
    )
    headers = {
        "best_rank": Header("best rank", meaning="The best rank of a document in any list"),
        "expected": Header("expected relevant", "expected", "Sum of the probabilities of the unjudged documents"),
    }
    return Table("depths", columns(rows), caption, {"expected": 0}, headers=headers)


def judge_next(asked: Asked) -> Table:
    most, chosen = asked.settings.judge_most, asked.next.documents
    panel, entries = asked.panel, chosen.entries[:most]
    evidence = asked.variation.model(panel, asked.jobs)[0].whole
    topic = np.searchsorted(panel.pool, entries, side="right") - 1
    documents = {t: panel.documents(panel.topics[t]) for t in np.unique(topic).tolist()}
    total = chosen.total or 1.0
    caption = (
        f"Judge these first {TO_JUDGE[asked.next.pairs]}, by {asked.next.measure}: value is p(1-p) times the "
        "squared change of the mean differences, share its part of that of all documents. Judgments chosen so are no "
        "random sample"
    )
    own: dict[str, Column] = {
        "topic": [panel.topics[t] for t in topic.tolist()],
        "document": [documents[t][e - panel.pool[t]] for t, e in zip(topic.tolist(), entries.tolist(), strict=True)],
        "probability": chosen.probability[:most],
        "value": chosen.value[:most],
        "share": chosen.value[:most] / total,
        "best_rank": evidence.best[entries],
        "runs": evidence.lists[entries],
    }
    headers = {
        "probability": Header("probability", meaning="Chance that the document is relevant"),
        "value": Header("value", meaning="Part of the variance of the differences that judging it takes away"),
        "share": Header("share of value", "share", "Its part of the value of all unjudged documents"),
        "best_rank": Header("best rank", meaning="The best rank of the document in any list"),
        "runs": Header("runs", meaning="How many runs retrieve it"),
    }
    return Table("judge_next", own, caption, {"probability": 3, "share": 4}, headers=headers)
