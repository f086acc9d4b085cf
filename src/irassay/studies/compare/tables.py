"""The tables and figures of `irassay compare`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.comparison import outcomes
from irassay.ask.letters import groups, letters, rank_intervals
from irassay.ask.methods import CORRECTIONS, INTERVALS, TESTS
from irassay.ask.t_statistic import moments
from irassay.result import Figure, Mark, Table, decimals
from irassay.studies.tables import columns
from irassay.tolerance import EQUAL

if TYPE_CHECKING:
    from irassay.studies.compare.run import Compared
    from irassay.studies.compare.settings import Compare
    from irassay.studies.subjects import Subjects

Array = NDArray[np.float64]
Rows = list[dict[str, Any]]
BETTER, WORSE = "↑", "↓"
MEANS_NOTE = "Intervals of means do not compare systems on the same topics: for that look at the differences."
LETTERS_NOTE = "Sharing a letter: no significant difference, which is not equivalence."


def tables_and_figures(
    study: Compare, found: list[Compared], data: Subjects, judged: Array | None, made: dict[str, object]
) -> tuple[tuple[Table, ...], tuple[Figure, ...]]:
    seen = [float(v) for v in judged] if judged is not None else [math.nan] * len(data.systems)
    if study.baseline is None:
        rows = [row for one in found for row in _by_letters(one, data, seen)]
    else:
        rows = [row for one in found for row in _by_baseline(one, data, seen, data.systems.index(study.baseline))]
    pairs = [row for one in found for row in _pairs(one, data)]
    tables = [
        Table("comparison", columns(rows), caption(made, len(data.topics)), _digits(rows)),
        Table(
            "pairs", columns(pairs), "Every comparison: difference x - y, with its interval and test", _digits(pairs)
        ),
        _topics(found, data),
    ]
    if study.baseline is not None:
        differences = _topic_differences(found, data, study.baseline)
        tables.append(differences)
        if study.losses is not None:
            tables.append(_losses(differences, study.losses, study.baseline))
    return tuple(tables), _figures(study)


def _by_baseline(one: Compared, data: Subjects, judged: list[float], base: int) -> Rows:
    """The baseline, then the others from the best on."""
    place = {int(x): p for p, x in enumerate(one.pairs[0])}
    means = one.means
    order = [base, *(s for s in np.argsort(-means, kind="stable").tolist() if s != base)]
    rows = []
    pairs = _pairs(one, data)
    undefined = dict.fromkeys(list(pairs[0])[3:], math.nan)
    for s in order:
        row = _mean(one, data, s)
        if s == base:
            row |= {**undefined, "won": None, "lost": None, "tied": None}
            marker = ""
        else:
            row |= {name: pairs[place[s]][name] for name in undefined}
            sign = BETTER if row["difference"] > 0 else WORSE
            marker = sign if one.significant[place[s]] else ""
        rows.append({**row, "judged_at_10": judged[s], "marker": marker})
    return rows


def _by_letters(one: Compared, data: Subjects, judged: list[float]) -> Rows:
    """All systems from the best on, with letters, ranks that they may have, and how often each is first."""
    systems = len(data.systems)
    different = np.zeros((systems, systems), dtype=bool)
    different[one.pairs] = one.significant
    different |= different.T
    means = one.means
    order = np.argsort(-means, kind="stable").tolist()
    held = groups(order, different)
    marks = letters(systems, held) if held is not None else [None] * systems
    low, high = rank_intervals(means, different)
    assert one.share_first is not None
    return [
        {
            **_mean(one, data, s), "letters": marks[s], "rank_low": int(low[s]), "rank_high": int(high[s]),
            "share_first": float(one.share_first[s]), "judged_at_10": judged[s],
        }
        for s in order
    ]  # fmt: skip


def _mean(one: Compared, data: Subjects, s: int) -> dict[str, Any]:
    error = float(moments(one.values[s]).sd) / math.sqrt(len(data.topics))
    return {
        "measure": one.measure, "system": data.systems[s], "mean": float(one.means[s]), "mean_error": error,
        "mean_low": float(one.mean_bounds[0][s]), "mean_high": float(one.mean_bounds[1][s]),
    }  # fmt: skip


def _pairs(one: Compared, data: Subjects) -> Rows:
    mean, sd, _ = moments(one.z)
    results = outcomes(one.z)
    rows = []
    for p, (x, y) in enumerate(zip(*(side.tolist() for side in one.pairs), strict=True)):
        won, lost, tied = results[p].tolist()
        row = {
            "measure": one.measure, "system_x": data.systems[x], "system_y": data.systems[y],
            "difference": float(mean[p]), "difference_error": float(sd[p]) / math.sqrt(len(data.topics)),
            "low": float(one.bounds[0][p]), "high": float(one.bounds[1][p]), "p_value": float(one.p[p]),
            "p_corrected": float(one.corrected[p]), "effect_size": float(one.effect[p]),
            "won": won, "lost": lost, "tied": tied,
        }  # fmt: skip
        if one.equivalence is not None:
            row["p_equivalence"] = float(one.equivalence[0][p])
            row["p_equivalence_corrected"] = float(one.equivalence[1][p])
        rows.append(row)
    return rows


def _digits(rows: Rows) -> dict[str, int]:
    """A mean and its bounds by the smallest error of a mean, a difference likewise, p-values 4, effects 2."""
    found = {"mean_error": 4, "difference_error": 4, "p_value": 4, "p_corrected": 4, "effect_size": 2}
    found |= {"p_equivalence": 4, "p_equivalence_corrected": 4, "share_first": 3, "judged_at_10": 2}
    for error, names in (
        ("mean_error", ("mean", "mean_low", "mean_high")),
        ("difference_error", ("difference", "low", "high")),
    ):
        errors = [row[error] for row in rows if error in row and not math.isnan(row[error])]
        found |= dict.fromkeys(names, max(map(decimals, errors), default=4))
    return {name: places for name, places in found.items() if name in rows[0]}


def _topics(found: list[Compared], data: Subjects) -> Table:
    """Every topic's best and worst system, from the largest gap on."""
    rows = []
    for one in found:
        best, worst = one.values.argmax(axis=0), one.values.argmin(axis=0)
        gap = one.values.max(axis=0) - one.values.min(axis=0)
        for t in np.argsort(-gap, kind="stable").tolist():
            rows.append(
                {
                    "measure": one.measure, "topic": data.topics[t], "range": float(gap[t]),
                    "mean": float(one.values[:, t].mean()),
                    "best": float(one.values[best[t], t]), "best_system": data.systems[best[t]],
                    "worst": float(one.values[worst[t], t]), "worst_system": data.systems[worst[t]],
                }
            )  # fmt: skip
    caption = "The topics where systems differ most: range is best - worst, mean is over all systems"
    return Table("topics", columns(rows), caption)


def _topic_differences(found: list[Compared], data: Subjects, baseline: str) -> Table:
    base = data.systems.index(baseline)
    rows = [
        {
            "measure": one.measure, "system": data.systems[s], "topic": topic, "score": float(one.values[s, t]),
            "baseline": float(one.values[base, t]), "difference": float(one.values[s, t] - one.values[base, t]),
        }
        for one in found for s in one.pairs[0].tolist() for t, topic in enumerate(data.topics)
    ]  # fmt: skip
    return Table("topic_differences", columns(rows), f"Every topic's difference to {baseline}")


def _losses(differences: Table, limit: float, baseline: str) -> Table:
    """From the largest loss on; a loss of just `limit` is not more than it."""
    rows = [row for row in differences.rows() if float(str(row[5])) < -limit - EQUAL]
    rows.sort(key=lambda row: float(str(row[5])))
    measures = list(dict.fromkeys(differences["measure"]))
    rows.sort(key=lambda row: measures.index(row[0]))
    what = f"Topics lost to {baseline} by more than {limit:g}"
    caption = what if rows else f"No topic is lost to {baseline} by more than {limit:g}"
    named = list(differences.columns)
    return Table("losses", {name: [row[k] for row in rows] for k, name in enumerate(named)}, caption)


def caption(made: dict[str, Any], topics: int) -> str:
    """What was done, and what may not be read out of it."""
    family, alpha = made["comparisons"], made["alpha"]
    test = TESTS[made["test"]]
    done = f"{test.label} on {topics} topics"
    if made["exact"]:
        done += ", exact"
    elif test.resampling:
        done += f", {made['resamples']} resamples"
    several = f"{family} comparisons" if family > 1 else "one comparison"
    if made["test"] == "tukey":
        done += ", for all pairs at once."
    elif made["correction"] == "none":
        done += f", not corrected for {several}." if family > 1 else "."
    else:
        done += f", p-values corrected {CORRECTIONS[made['correction']].label} for {several} a measure."
    done += f" Intervals at {made['confidence']:.4g} by {INTERVALS[made['interval']].label}; {_together(made, family)}."
    if made["difference_interval"] != test.interval:
        done += " They are not the test's own, so the two may disagree."
    if made["baseline"] is None:
        return f"{done} {LETTERS_NOTE} Level {alpha:g}. {MEANS_NOTE}"
    over = "the two-way residual sd" if made["test"] == "tukey" else "the sd of the differences"
    marks = f"{BETTER} {WORSE}: significantly better, worse than {made['baseline']} at {alpha:g}."
    return f"{done} {marks} Effect size: mean difference over {over}. {MEANS_NOTE}"


def _together(made: dict[str, Any], family: int) -> str:
    """How far the intervals of differences hold."""
    if made["difference_interval"] == "tukey":
        return "those of differences come from the test's permutations and hold together"
    if family == 1:
        return CORRECTIONS["none"].intervals
    return CORRECTIONS["bonferroni" if made["test"] == "tukey" else made["correction"]].intervals


def _figures(study: Compare) -> tuple[Figure, ...]:
    found = [
        Figure(
            name="means", kind="intervals", table="comparison", x="system", y="mean", low="mean_low", high="mean_high",
            facet="measure", labels={"y": "mean score"}, caption=f"Means with their intervals. {MEANS_NOTE}",
            alt="Each system's mean score with its interval, one panel a measure",
        ),
        Figure(
            name="topics", kind="intervals", table="topics", x="topic", y="mean", low="worst", high="best",
            facet="measure", labels={"x": "topic, by range", "y": "score"},
            caption="Topics where systems differ most: mean over systems, worst and best system",
            alt="Each topic's mean score with its worst and best system, one panel a measure",
        ),
    ]  # fmt: skip
    if study.baseline is None:
        found.append(
            Figure(
                name="pairs", kind="matrix", table="pairs", x="system_y", y="system_x", value="p_corrected",
                facet="measure", labels={"value": "p-value"}, caption="p-values of all pairs, for all pairs at once"
                if study.correction != "none" else "p-values of all pairs, not corrected",
                alt="A matrix of p-values, one cell for each pair of systems, one panel a measure",
            )
        )  # fmt: skip
        return tuple(found)
    marks: tuple[Mark, ...] = (Mark("y", 0.0, study.baseline),)
    found.append(
        Figure(
            name="differences", kind="intervals", table="pairs", x="system_x", y="difference", low="low", high="high",
            facet="measure", labels={"x": "system", "y": f"difference to {study.baseline}"}, marks=marks,
            caption=f"Mean differences to {study.baseline} with their intervals",
            alt="Each system's mean difference to the baseline with its interval, one panel a measure",
        )
    )  # fmt: skip
    if study.losses is not None:
        marks = (*marks, Mark("y", -study.losses, f"lost by {study.losses:g}"))
    found.append(
        Figure(
            name="topic_differences", kind="points", table="topic_differences", x="topic", y="difference",
            series="system", facet="measure", labels={"y": f"difference to {study.baseline}"}, marks=marks,
            caption=f"Differences to {study.baseline} by topic: below 0 a topic is lost",
            alt="Per-topic differences to the baseline, one colour a system, one panel a measure",
        )
    )  # fmt: skip
    return tuple(found)
