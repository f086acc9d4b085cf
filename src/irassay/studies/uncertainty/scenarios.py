"""What scenarios do to scores: shifts, agreement and verdicts, for scenarios are no sample and have no deviation."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from irassay.ask.order import agreement_with_observed
from irassay.ask.pairs import Array
from irassay.ask.ranks import ranks
from irassay.ask.replicates import Replicates
from irassay.tolerance import EQUAL

OWN_GROUP, DRAWN = "own group", "mean of all"  # of each system its own, and of replicates that are drawn
Row = dict[str, Any]
SOURCES = {
    "topics": "topic samples",
    "documents": "bootstrap corpora",
    "simulation": "simulated lists",
    "ties": "orders of tied documents",
    "pools": "shallower pools",
    "gains": "other gains",
    "judges": "other judges",
    "labels": "labels drawn again",
    "unjudged": "draws of the missing judgments",
}


def source_in_words(variation: str) -> str:
    """A source of variation in a sentence, such as "half of the judgments"."""
    name, _, topics = variation.partition("+")
    name, _, more = name.partition(" ")
    if name == "judgments":
        words = f"{'half' if more == '50%' else more} of the judgments"
    elif name == "topics" and more:  # "5", "5 without replacement" or "halves"
        size, _, rest = more.partition(" ")
        words = f"samples of {size} topics {rest}".rstrip() if size.isdigit() else "halves of the topics"
    else:
        words = SOURCES.get(name.rstrip(","), name)
    return f"{words} on {SOURCES['topics']}" if topics else words


def scenario_rows(
    replicates: Replicates, scenarios: Sequence[str], measure: int, members: Mapping[str, Sequence[str]] | None
) -> list[Row]:
    """A row for each scenario; one for all where they are drawn, or where each system has its own (`members`)."""
    shift = replicates.means[measure] - replicates.observed[measure]
    tau_b = agreement_with_observed(replicates, measure)[:, 1]
    if members is not None:
        own = np.empty(len(replicates.systems), dtype=np.int64)
        for group, systems in enumerate(members.values()):
            own[[replicates.systems.index(name) for name in systems]] = group
        everyone = np.arange(len(own))
        before = ranks(replicates.observed[measure])
        after = np.array([ranks(replicates.means[measure, group])[s] for s, group in enumerate(own)])
        row = _row(replicates, measure, OWN_GROUP, shift[own, everyone], tau_b, range(replicates.replicates))
        lost = after - before
        return [row | {"ranks_lost_median": float(np.median(lost)), "ranks_lost_most": float(lost.max())}]
    if replicates.random:
        return [_row(replicates, measure, DRAWN, shift.mean(axis=0), tau_b, range(replicates.replicates))]
    return [_row(replicates, measure, name, shift[k], tau_b[k : k + 1], [k]) for k, name in enumerate(scenarios)]


def _row(
    replicates: Replicates, measure: int, scenario: str, shift: Array, tau_b: Array, which: Sequence[int] | range
) -> Row:
    shift = np.where(np.abs(shift) <= EQUAL, 0.0, shift)  # of rounding alone no system has the largest
    largest = int(np.argmax(np.abs(shift)))
    verdicts: Array = np.full(3, np.nan)
    if replicates.tested[measure]:
        verdicts = replicates.changed[measure, list(which)].mean(axis=0) / replicates.verdicts.shape[1]
    lost, gained, opposite = verdicts.tolist()
    return {
        "variation": replicates.variation,
        "scenario": scenario,
        "mean_shift": float(shift.mean()),
        "median_shift": float(np.median(shift)),
        "largest_shift": float(shift[largest]),
        "system": replicates.systems[largest] if shift[largest] else None,
        "smallest_tau": float(tau_b.min()),
        "verdicts_lost": lost,
        "verdicts_gained": gained,
        "verdicts_opposite": opposite,
        "ranks_lost_median": None,
        "ranks_lost_most": None,
    }
