"""All systems from the best on: means with intervals, tiers, ranks, and in how many samples each is first."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.corrections import holm
from irassay.ask.intervals import Bounds, student_interval
from irassay.ask.letters import groups, letters, ranks_not_excluded, shorten
from irassay.ask.pairs import all_pairs
from irassay.ask.ranks import share_first
from irassay.ask.replicates import Replicates
from irassay.ask.verdicts import ALPHA
from irassay.panel.panel import Panel
from irassay.result import Table, column_decimals
from irassay.scoring.scores import Array, Scores
from irassay.studies.tables import Rows, columns, records

JUDGED = "Judged@10"
MOST_WITH_LETTERS = 200  # systems: with more, finding the letters takes long, and nobody reads them
TESTS = "paired t tests with Holm's correction over all pairs of a measure, at .05"


def judged_shares(panel: Panel, systems: Sequence[str], topics: Sequence[str], jobs: int) -> Array:
    """The share of each system's first ten documents that are judged."""
    return panel.score(JUDGED, jobs=jobs)[JUDGED].select(systems=systems, topics=topics).means()


def leaderboard(scores: Scores, observed: Replicates, topics: Replicates | None, judged: Array | None) -> Table:
    """The table `leaderboard`; `observed` has the tests of the scores as they are, `topics` samples of the topics."""
    rows: Rows = []
    errors: list[float] = []
    for m, one in enumerate(scores.by_measure()):
        means = observed.observed[m]
        low, high = mean_interval(one, ALPHA)
        values: dict[str, Any] = {"mean": means, "mean_low": low, "mean_high": high}
        values |= tiers(means, observed.p_values[m])
        if topics is not None:
            values["share_first"] = share_first(topics, m)
        if judged is not None:
            values["judged_at_10"] = judged
        listed = records(measure=[one.name] * len(means), system=scores.systems, **values)
        rows += [listed[s] for s in np.argsort(-means, kind="stable").tolist()]
        errors += one.standard_errors().tolist()
    places = column_decimals(errors, (row[name] for row in rows for name in ("mean_low", "mean_high")))
    digits = dict.fromkeys(("mean", "mean_low", "mean_high"), places) | {"share_first": 3, "judged_at_10": 2}
    kept = columns(rows)
    return Table("leaderboard", kept, _caption(kept), {name: k for name, k in digits.items() if name in kept})


def mean_interval(one: Scores, level: float) -> Bounds:
    """t intervals of systems' scores: of a geometric mean from those of the logarithms, of AREA none."""
    if not one.pairable:
        return np.full(len(one.systems), np.nan), np.full(len(one.systems), np.nan)
    low, high = student_interval(one.tested()[1], level)
    if one.measure is not None:
        summary, params = one.measure.summary_with_params()
        if summary.inverse is not None:
            return summary.inverse(low, **params), summary.inverse(high, **params)
    return low, high


def tiers(means: Array, p_values: Array) -> Mapping[str, Sequence[object]]:
    """Letters and the ranks that tests do not exclude, from the p-values of all pairs; nothing without a test."""
    systems = len(means)
    if np.isnan(p_values).any():
        return dict.fromkeys(("letters", "rank_low", "rank_high"), [None] * systems)
    different: NDArray[np.bool_] = np.zeros((systems, systems), dtype=np.bool_)
    x, y = all_pairs(systems)
    different[x, y] = different[y, x] = holm(p_values) < ALPHA
    shared = None
    if systems <= MOST_WITH_LETTERS:
        shared = groups(np.argsort(-means, kind="stable").tolist(), different)
    marks = [None] * systems if shared is None else [shorten(one) for one in letters(systems, shared)]
    low, high = ranks_not_excluded(means, different)
    return {"letters": marks, "rank_low": low.tolist(), "rank_high": high.tolist()}


def _caption(columns: Mapping[str, Sequence[object]]) -> str:
    text = "All systems from the best on, with 95% t intervals of their means over topics."
    if any(value is not None for value in columns["rank_low"]):
        text += f" Ranks from, to: those that {TESTS}, do not exclude."
    if any(columns["letters"]):
        text += (
            " Tier: systems that share a letter are not told apart by these tests, which is not equivalence; "
            "c-f is c, d, e and f."
        )
    elif any(value is not None for value in columns["rank_low"]):
        text += f" There are no tiers: more than {MOST_WITH_LETTERS} systems, or too many groups of them."
    if "share_first" in columns:
        text += " First in: the share of samples of these topics in which a system is first, no probability."
    return f"{text} Intervals do not compare systems on the same topics: the tests do."
