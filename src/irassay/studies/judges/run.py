"""The work of `irassay judges`."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from irassay._version import __version__
from irassay.errors import InputError, emit
from irassay.read import Runs
from irassay.result import Result, Table
from irassay.settings import Execution
from irassay.studies.inputs import paired_values
from irassay.studies.judges.figures import figures
from irassay.studies.judges.group_tables import GroupTables
from irassay.studies.judges.label_tables import LabelTables, warn_of_labels
from irassay.studies.judges.labels import Labels, read_labels, sort_sources
from irassay.studies.judges.settings import Judges
from irassay.studies.judges.system_tables import SystemTables
from irassay.studies.judges.systems import JudgedScores, Systems, align_judges, warn_of_topics
from irassay.studies.phrases import join, safe, topics_evaluated
from irassay.studies.tables import columns


def run(study: Judges, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `judges` (what was given), `labels`, `grades`, `confusion` and `together` (agreement of labels).

    With runs also `order` (of systems, beside its ceiling), `robustness` (of measures), `verdicts`, `power`, `pairs`
    (whose verdict changes), `systems` (scores) and `ranks`; with groups `groups` (favouritism) and `documents`.
    With three judges or more `labels`, `order`, `verdicts` and `systems` also hold each against the majority of the
    others, which is their `reference` then.
    """
    sources, systems = sort_sources(study, runs)
    labels = read_labels(study, qrels, sources).with_majority()
    _check_common(labels, bool(systems))
    warnings = warn_of_labels(labels)
    aligned = align_judges(study, labels.with_others(), systems, execution) if systems else None
    tables = [_judges(labels)]
    judged = [] if aligned is None else [aligned.judged(judge) for judge in range(1, len(labels.judges))]
    groups = None if aligned is None or study.groups is None else GroupTables(study, aligned, judged)
    if any(labels.common(judge).any() for judge in range(1, len(labels.judges))):
        strata = [] if aligned is None else [aligned.strata(), *([] if groups is None else [groups.strata()])]
        tables += LabelTables(labels, study.coefficients, strata).tables()
    if aligned is not None:
        left_out, too_few = aligned.left_out
        warnings += [*aligned.selected[1].warnings, *warn_of_topics(judged), *too_few]
        for one in judged[0].reference.by_measure():
            warnings += paired_values(one, "")[1] if one.pairable else []
        tables += SystemTables(study, judged, left_out, labels.names[0], aligned.jobs).tables()
        tables += [] if groups is None else groups.tables()
    emit(warnings)
    warnings += [] if aligned is None else aligned.panel.warnings  # which alignment has emitted
    provenance = _provenance(study, labels, systems, aligned, judged)
    return Result("judges", tuple(tables), tuple(warnings), provenance, figures(tables, labels.names[0]))


def _topics_left(labels: Labels, judged: Sequence[JudgedScores]) -> list[str]:
    """Sentences where systems are not compared on all topics that somebody judged."""
    sentences = []
    if labels.topics and len(labels.topics) < labels.judged_topics:
        sentences.append(topics_evaluated(len(labels.topics), labels.judged_topics, ["are not among --topics"]))
    fewer: dict[tuple[int, int], list[str]] = {}
    for one in judged:
        common = len(np.unique(labels.topic[labels.common(one.place)]))
        if one.paired and len(one.judge.topics) < common:
            fewer.setdefault((len(one.judge.topics), common), []).append(one.name)
    for (topics, common), names in fewer.items():
        sentences.append(
            f"Systems are compared with {join([safe(name) for name in names])} on {topics:,} of {common:,} topics in "
            "common: the others have no relevant document by one of the two, or are answered by no run."
        )
    return sentences


def _provenance(
    study: Judges, labels: Labels, runs: Sequence[Any], aligned: Systems | None, judged: Sequence[JudgedScores]
) -> dict[str, object]:
    """How the result came about: what was taken for what, and all policies."""
    provenance: dict[str, object] = {
        "irassay": __version__,
        "qrels": labels.judges[0].qrels.path,
        "judges": [judge.qrels.path for judge in labels.judges[1:]],
        "runs": [path for source in runs for path in _paths(source)],
        "map": list(study.map),
        "scale": [0, labels.highest],
        "alpha": study.alpha,
        "seed": study.seed,
    }
    if aligned is None:
        return provenance | {"topics": list(labels.topics), "restrictions": _topics_left(labels, ())}
    return {
        **provenance,
        **aligned.panel.policy,
        "gains": aligned.panel.gains,
        "unanswerable": study.unanswerable,
        "systems": list(aligned.selected[0]),
        "restrictions": [*_topics_left(labels, judged), *aligned.selected[1].restrictions],
        "topics": list(aligned.panel.topics),
        "resamples": study.resamples,
        "groups": study.groups,
        "teams": study.teams,
        "permutations": study.permutations,
    }


def _paths(source: Any) -> list[str]:
    if isinstance(source, Runs):
        return [run.path for run in source]
    return [str(source)] if isinstance(source, (str, os.PathLike)) else [f"{type(source).__name__} in memory"]


def _judges(labels: Labels) -> Table:
    """What each judge labelled, and what of it the reference labelled too."""
    rows = []
    for judge, (name, source) in enumerate(labels.judges):
        grade, common = labels.grade[judge], labels.common(judge)
        rows.append(
            {
                "judge": name,
                "labels": int((grade >= 0).sum()),
                "topics": len(np.unique(labels.topic[grade >= 0])),
                "common_labels": int(common.sum()),
                "common_topics": len(np.unique(labels.topic[common])),
                "relevant": float((grade >= 1).sum() / max(1, (grade >= 0).sum())),
                "file": source.path,
            }
        )
    caption = "Judges, the reference first; common: labelled by the reference too; relevant: share of grades from 1"
    return Table("judges", columns(rows), caption, {"relevant": 2})


def _check_common(labels: Labels, runs: bool) -> None:
    """Judges that share topics and no document, or nothing where there are no runs to compare, are an error."""
    reference = labels.grade[0] >= 0
    judged = np.unique(labels.topic[reference])
    for judge, (name, source) in enumerate(labels.judges[1:], start=1):
        if labels.common(judge).any():
            continue
        own = np.unique(labels.topic[labels.grade[judge] >= 0])
        shared = np.intersect1d(own, judged)
        if len(shared):
            raise InputError(
                f"{name} and the reference share {len(shared)} topics, such as {labels.topics[shared[0]]}, but no "
                "document",
                source.path,
                "document ids must be equal as text",
            )
        if not runs:
            raise InputError(
                f"{name} shares no topic with the reference",
                source.path,
                "topic ids must be equal as text; judges of different topics can be compared by systems: give runs",
            )
