"""Groups of topics in `irassay compare`: scores and differences in each, and if differences depend on the group."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.ask.anova import Interaction, pair_interactions, system_interaction
from irassay.ask.comparison import student
from irassay.ask.intervals import student_interval
from irassay.ask.methods import CORRECTIONS, Correction
from irassay.ask.t_statistic import moments
from irassay.errors import InputError, Problem
from irassay.read.groups import read_members
from irassay.result import Table
from irassay.scoring.scores import Array, Scores
from irassay.studies.compare.settings import Compare, ComparePlan
from irassay.studies.compare.tables import Comparison, digits_of
from irassay.studies.tables import Rows, columns, records

SHOWN = 5  # topics that an error names
LEFT_OUT = {"unanswered-topics", "no-relevant"}  # warnings of topics that are not compared, which a file may still name


class TopicGroups(NamedTuple):
    """Names of groups in the order of the file, and the place of each topic's group among them."""

    names: tuple[str, ...]
    of_topic: NDArray[np.int64]

    def topics(self, place: int) -> NDArray[np.bool_]:
        return np.asarray(self.of_topic == place)


def read_topic_groups(path: Path, topics: Sequence[str], *, all_known: bool, what: str = "group") -> TopicGroups:
    """The groups or families of these topics. `all_known`: none was left out, so that the file may name no other."""
    members = read_members(path, "topic", what)
    hint = f"one line for each topic that is compared: topic {what}"
    known = set(topics)
    strays = [(name, member.line) for name, member in members.items() if name not in known]
    if strays and all_known:
        problems = [Problem(f"there is no topic {name}", f"{path}:{line}") for name, line in strays]
        raise InputError.of(_first(problems, path), hint)
    missing = [Problem(f"topic {name} has no {what}", str(path)) for name in topics if name not in members]
    if missing:
        raise InputError.of(_first(missing, path), hint)
    # groups are shown as in the file; families are drawn, so by their first topics, whatever the order of the lines
    order = [name for name in members if name in known] if what == "group" else topics
    names = tuple(dict.fromkeys(members[name].group for name in order))
    if len(names) < 2:
        raise InputError(f"all topics are in one {what}", str(path), "there are two at least")
    if what == "group" and len(names) == len(topics):
        raise InputError("every topic is a group of its own", str(path), "a group needs two topics or more")
    return TopicGroups(names, np.array([names.index(members[name].group) for name in topics], dtype=np.int64))


def _first(problems: list[Problem], path: Path) -> list[Problem]:
    more = len(problems) - SHOWN
    return [*problems[:SHOWN], Problem(f"and {more} more topics", str(path))] if more > 0 else problems


def group_tables(
    study: Compare, plan: ComparePlan, comparisons: list[Comparison], scores: Scores, groups: TopicGroups
) -> tuple[Table, ...]:
    """`groups`, `group_differences` and `group_interaction`."""
    # corrections for all pairs at once have no form for groups
    correction = CORRECTIONS["holm" if plan.test == "tukey" or plan.correction == "stepdown" else plan.correction]
    means = [row for one in comparisons for row in _means(one, scores, groups, plan.error)]
    differences = [row for one in comparisons for row in _differences(one, scores, groups, study, plan, correction)]
    interaction = [row for one in comparisons for row in _interaction(one, scores, groups, correction)]
    corrected = f"corrected {correction.label}" if correction.label else "not corrected"
    confidence = f"{1 - plan.error:.4g}"
    return (
        Table(
            "groups",
            columns(means),
            f"Mean scores in each group of topics, with intervals at {confidence} by Student's t, each on its own",
            digits_of(means, study.digits),
        ),
        Table(
            "group_differences",
            columns(differences),
            f"Differences A - B in each group of topics: Student's paired t test, {corrected} for all comparisons in "
            f"all groups of a measure. Intervals at {confidence} by Student's t; {correction.intervals}.",
            digits_of(differences, study.digits),
        ),
        Table(
            "group_interaction",
            columns(interaction),
            "Do differences depend on the group of topics? F tests of systems by groups, topics within groups; the row "
            f"without names is of all systems at once, the p-values of pairs are {corrected}. The tests take residuals "
            "for independent and normal with one variance in all groups.",
            {"f": 2, "p_value": 4, "p_corrected": 4},
        ),
    )


def _means(one: Comparison, scores: Scores, groups: TopicGroups, error: float) -> Rows:
    rows: Rows = []
    for place, name in enumerate(groups.names):
        x = one.values[:, groups.topics(place)]
        low, high = _interval(x, error)
        rows += records(
            measure=[one.measure] * len(x),
            group=[name] * len(x),
            topics=[x.shape[1]] * len(x),
            system=scores.systems,
            mean=x.mean(axis=1),
            mean_error=_error(x),
            mean_low=low,
            mean_high=high,
        )
    return rows


def _differences(
    one: Comparison, scores: Scores, groups: TopicGroups, study: Compare, plan: ComparePlan, correction: Correction
) -> Rows:
    """One family: all comparisons in all groups; a group of one topic has no test and is in no family."""
    parts = [one.z[:, groups.topics(place)] for place in range(len(groups.names))]
    p = np.concatenate([student(z) if z.shape[1] > 1 else np.full(len(z), np.nan) for z in parts])
    corrected = adjusted(p, correction)
    tested = int(np.isfinite(p).sum())
    level = correction.interval_level(plan.error, tested, int((corrected < study.alpha).sum()))
    bounds = [_interval(z, level) for z in parts]
    pairs = len(one.z)
    return records(
        measure=[one.measure] * len(p),
        group=np.repeat(groups.names, pairs),
        topics=np.repeat([z.shape[1] for z in parts], pairs),
        system_x=[scores.systems[x] for x in one.pairs[0]] * len(parts),
        system_y=[scores.systems[y] for y in one.pairs[1]] * len(parts),
        difference=np.concatenate([z.mean(axis=1) for z in parts]),
        difference_error=np.concatenate([_error(z) for z in parts]),
        low=np.concatenate([low for low, _ in bounds]),
        high=np.concatenate([high for _, high in bounds]),
        p_value=p,
        p_corrected=corrected,
    )


def _interaction(one: Comparison, scores: Scores, groups: TopicGroups, correction: Correction) -> Rows:
    """All systems at once, then every pair."""
    by_name = sorted(range(len(scores.systems)), key=lambda s: scores.systems[s])
    first, second = one.pairs
    pairs = pair_interactions(one.z, groups.of_topic)
    names = [scores.systems[x] for x in first], [scores.systems[y] for y in second]
    all_systems = system_interaction(one.values[by_name], groups.of_topic)
    return [
        *_rows(one.measure, ([None], [None]), all_systems, all_systems.p_value),
        *_rows(one.measure, names, pairs, adjusted(pairs.p_value, correction)),
    ]


def _rows(measure: str, names: tuple[Sequence[Any], Sequence[Any]], tests: Interaction, corrected: Array) -> Rows:
    count = len(tests.f)
    return records(
        measure=[measure] * count,
        system_x=names[0],
        system_y=names[1],
        df=[tests.df] * count,
        df_error=[tests.df_error] * count,
        f=tests.f,
        p_value=tests.p_value,
        p_corrected=corrected,
    )


def adjusted(p: Array, correction: Correction) -> Array:
    """Corrected p-values, of those that are defined."""
    corrected = np.full(len(p), np.nan)
    there = np.isfinite(p)
    corrected[there] = correction.adjust(p[there])
    return corrected


def _error(x: Array) -> Array:
    topics = x.shape[1]
    return moments(x).sd / math.sqrt(topics) if topics > 1 else np.full(len(x), np.nan)


def _interval(x: Array, level: float) -> tuple[Array, Array]:
    undefined = np.full(len(x), np.nan)
    return student_interval(x, level) if x.shape[1] > 1 else (undefined, undefined)
