"""The tables of `irassay compare`."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.comparison import outcomes
from irassay.ask.families import LEAST_TO_RESAMPLE
from irassay.ask.intervals import Bounds
from irassay.ask.letters import groups, letters, ranks_not_excluded
from irassay.ask.methods import ANY_INTERVAL, ANY_TEST, CORRECTIONS, JOINT_INTERVALS
from irassay.ask.pairs import Pairs
from irassay.ask.t_statistic import moments
from irassay.result import Table, column_decimals
from irassay.scoring.scores import Array, Scores
from irassay.studies.compare.settings import Compare, baselines
from irassay.studies.compare.topic_tables import losses, topic_differences, topics_table
from irassay.studies.tables import Rows, columns, records

BETTER, WORSE, DIFFERENT = "↑", "↓", "≠"
EQUIVALENCE = ("p_equivalence", "p_equivalence_corrected", "equivalence_low", "equivalence_high")
MEANS_NOTE = "Intervals of means do not compare systems on the same topics: for that look at the differences."
LETTERS_NOTE = "Sharing a letter: no significant difference, which is not equivalence."
RANKS_NOTE = "Ranks: those not excluded by the tests."
FIRST_NOTE = "First in: the share of topic samples in which a system is first, no probability of being best."


@dataclass(frozen=True, eq=False)
class Comparison:
    """One measure's comparisons; pairs are (x, y), differences x - y."""

    measure: str
    of_means: bool  # whether the test is one of means, so that a significant difference has a direction
    values: Array
    pairs: Pairs
    z: Array
    p: Array  # uncorrected; undefined where the test is for all pairs at once
    corrected: Array
    significant: NDArray[np.bool_]
    critical: float  # |t| that the last step of a step-down test wants; undefined elsewhere
    errors: Array  # standard errors of the mean differences
    mean_errors: Array
    bounds: Bounds
    mean_bounds: Bounds
    effect: Array
    share_first: Array | None
    equivalence: tuple[Array, ...] | None  # p-values, uncorrected and corrected; bounds at 1 - 2·alpha

    @property
    def means(self) -> Array:
        return np.asarray(self.values.mean(axis=1))


def comparison_tables(
    study: Compare, comparisons: list[Comparison], scores: Scores, judged: Array | None, provenance: dict[str, Any]
) -> tuple[Table, ...]:
    shares = [math.nan] * len(scores.systems) if judged is None else judged.tolist()
    bases = [scores.systems.index(name) for name in study.baselines]
    rows = [
        row
        for one in comparisons
        for row in (_by_baselines(one, scores, shares, bases) if bases else _by_letters(one, scores, shares))
    ]
    pairs = [row for one in comparisons for row in _pairs(one, scores)]
    tables = (
        Table("comparison", columns(rows), caption(provenance, len(scores.topics)), digits_of(rows, study.digits)),
        Table("pairs", columns(pairs), pairs_caption(provenance), digits_of(pairs, study.digits)),
        topics_table([(one.measure, one.values) for one in comparisons], scores),
    )
    if not bases:
        return tables
    differences = topic_differences([(one.measure, one.values) for one in comparisons], scores, comparisons[0].pairs)
    if study.losses is None:
        return (*tables, differences)
    return (*tables, differences, losses(differences, study.losses, study.baselines))


def _by_baselines(one: Comparison, scores: Scores, judged: list[float], bases: list[int]) -> Rows:
    """One block a baseline, named in `against` where there are several: itself, then the others from the best on."""
    if len(bases) == 1:
        return _by_baseline(one, scores, judged, bases[0])
    return [
        {"measure": one.measure, "against": scores.systems[base], **row}
        for base in bases
        if base in one.pairs[1]
        for row in _by_baseline(one, scores, judged, base)
    ]


def _by_baseline(one: Comparison, scores: Scores, judged: list[float], base: int) -> Rows:
    pairs = _pairs(one, scores)
    names = list(pairs[0])[3:]
    undefined = dict.fromkeys(names, math.nan) | dict.fromkeys(("won", "lost", "tied"))
    to_baseline = {base: {**undefined, "judged_at_10": judged[base], "marker": ""}}
    first, second = (side.tolist() for side in one.pairs)
    for s, other, pair, significant in zip(first, second, pairs, one.significant.tolist(), strict=True):
        if other == base:
            direction = (BETTER if pair["difference"] > 0 else WORSE) if one.of_means else DIFFERENT
            marker = direction if significant else ""
            to_baseline[s] = {**{name: pair[name] for name in names}, "judged_at_10": judged[s], "marker": marker}
    best = np.argsort(-one.means, kind="stable").tolist()
    order = [base, *(s for s in best if s != base and s in to_baseline)]
    return [_mean(one, scores, s) | to_baseline[s] for s in order]


def _by_letters(one: Comparison, scores: Scores, judged: list[float]) -> Rows:
    """All systems from the best on, with letters, ranks not excluded by the tests, and how often each is first."""
    systems = len(scores.systems)
    different = np.zeros((systems, systems), dtype=bool)
    different[one.pairs] = one.significant
    different |= different.T
    means = one.means
    order = np.argsort(-means, kind="stable").tolist()
    shared = groups(order, different)
    marks = letters(systems, shared) if shared is not None else [None] * systems
    low, high = ranks_not_excluded(means, different)
    assert one.share_first is not None
    return [
        {
            **_mean(one, scores, s),
            "letters": marks[s],
            "rank_low": int(low[s]) if one.of_means else None,
            "rank_high": int(high[s]) if one.of_means else None,
            "share_first": float(one.share_first[s]),
            "judged_at_10": judged[s],
        }
        for s in order
    ]


def _mean(one: Comparison, scores: Scores, s: int) -> dict[str, Any]:
    return {
        "measure": one.measure,
        "system": scores.systems[s],
        "mean": float(one.means[s]),
        "mean_error": float(one.mean_errors[s]),
        "mean_low": float(one.mean_bounds[0][s]),
        "mean_high": float(one.mean_bounds[1][s]),
    }


def _pairs(one: Comparison, scores: Scores) -> Rows:
    mean = moments(one.z).mean
    low, high = one.bounds
    won, lost, tied = outcomes(one.z).T
    equivalence = zip(EQUIVALENCE, one.equivalence or (), strict=False)
    first, second = one.pairs
    return records(
        measure=[one.measure] * len(mean),
        system_x=[scores.systems[x] for x in first],
        system_y=[scores.systems[y] for y in second],
        difference=mean,
        difference_error=one.errors,
        low=low,
        high=high,
        p_value=one.p,
        p_corrected=one.corrected,
        effect_size=one.effect,
        won=won,
        lost=lost,
        tied=tied,
        **dict(equivalence),
    )


def digits_of(rows: Rows, chosen: int | None) -> dict[str, int]:
    """A mean and its bounds by the smallest error of a mean, a difference likewise, p-values 4, effects 2."""
    digits = {"mean_error": 4, "difference_error": 4, "p_value": 4, "p_corrected": 4, "effect_size": 2}
    digits |= {"p_equivalence": 4, "p_equivalence_corrected": 4, "share_first": 3, "judged_at_10": 2}
    for error, middle, bounds in (
        ("mean_error", "mean", ("mean_low", "mean_high")),
        ("difference_error", "difference", ("low", "high", *EQUIVALENCE[2:])),
    ):
        ends = (row[name] for row in rows for name in bounds if name in row)
        places = column_decimals((row[error] for row in rows if error in row), ends) if chosen is None else chosen
        digits |= dict.fromkeys((middle, *bounds), places)
    return {name: places for name, places in digits.items() if name in rows[0]}


def in_families(provenance: dict[str, Any]) -> str:
    return f" in {provenance['topic_families']} families" if "topic_families" in provenance else ""


def caption(provenance: dict[str, Any], topics: int) -> str:
    """What was tested, and what may not be read out of it."""
    family, alpha = provenance["comparisons"], provenance["alpha"]
    test, correction = ANY_TEST[provenance["test"]], CORRECTIONS[provenance["correction"]]
    text = f"{test.label} on {topics} topics{in_families(provenance)}"
    if provenance["exact"]:
        text += ", exact"
    elif test.resampling or correction.joint is not None:
        text += f", {provenance['resamples']} resamples"
    several = f"{family} comparisons" if family > 1 else "one comparison"
    if test.simultaneous:
        text += ", for all pairs at once."
    elif not correction.label:
        text += f", not corrected for {several}." if family > 1 else "."
    else:
        text += f", p-values corrected {correction.label} for {several} a measure."
    text += f" {test.note}" if test.note else ""
    by = ANY_INTERVAL[provenance["interval"]].label
    text += f" Intervals at {provenance['confidence']:.4g} by {by}; {_together(provenance, family)}."
    if provenance["difference_interval"] != (correction.interval or test.interval):
        text += " They are not the test's own, so the two may disagree."
    text += _equivalence(provenance)
    if provenance["baseline"] is None:
        notes = [LETTERS_NOTE, *([] if test.note else [RANKS_NOTE]), FIRST_NOTE + _families_drawn(provenance)]
        return f"{text} {' '.join(notes)} Level {alpha:g}. {MEANS_NOTE}"
    over = "the two-way residual sd" if provenance["test"] == "tukey" else "the sd of the differences"
    names = baselines(provenance["baseline"])
    base = names[0] if len(names) == 1 else "the system that it is against"
    marks = f"{BETTER} {WORSE}: significantly better, worse than {base} at {alpha:g}."
    if test.note:
        marks = f"{DIFFERENT}: significantly different from {base} at {alpha:g}, which of the means is higher or not."
    return f"{text} {marks} Effect size: mean difference over {over}. {MEANS_NOTE}"


def _families_drawn(provenance: dict[str, Any]) -> str:
    """What `share_first` is where topics are in families."""
    if "topic_families" not in provenance:
        return ""
    if provenance["topic_families"] < LEAST_TO_RESAMPLE:
        return f" It is undefined with fewer than {LEAST_TO_RESAMPLE} families of topics."
    return " Whole families are sampled."


def _equivalence(provenance: dict[str, Any]) -> str:
    """What the columns of two one-sided tests hold."""
    margin, alpha = provenance["equivalence"], provenance["alpha"]
    if margin is None:
        return ""
    label = CORRECTIONS[equivalence_correction(provenance)].label
    corrected = f", p-values corrected {label}" if label and provenance["comparisons"] > 1 else ""
    alone = ", each on its own" if corrected else ""
    return (
        f" Equivalence within ±{margin:g}: two one-sided t tests{corrected}; their intervals at 1 - 2·alpha = "
        f"{1 - 2 * alpha:.4g}{alone}."
    )


def equivalence_correction(provenance: dict[str, Any]) -> str:
    """The correction of equivalence tests, which are t tests: those for all pairs at once have none for them."""
    correction: str = provenance["correction"]
    return "holm" if provenance["test"] == "tukey" or CORRECTIONS[correction].joint is not None else correction


def pairs_caption(provenance: dict[str, Any]) -> str:
    test = ANY_TEST[provenance["test"]]
    text = f"Every comparison: difference A - B, with its interval and p-value ({test.label})."
    return f"{text} {test.note}" if test.note else text


def _together(provenance: dict[str, Any], family: int) -> str:
    """How far the intervals of differences hold."""
    if provenance["difference_interval"] in JOINT_INTERVALS:
        return JOINT_INTERVALS[provenance["difference_interval"]].together
    if family == 1:
        return CORRECTIONS["none"].intervals
    return CORRECTIONS["bonferroni" if provenance["test"] == "tukey" else provenance["correction"]].intervals
