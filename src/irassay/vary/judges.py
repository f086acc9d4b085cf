"""Other judges: the same lists, with the labels of another judge in place of the reference's."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from irassay.compute.executor import Plan
from irassay.errors import InputError
from irassay.panel.grades import UNPOOLED
from irassay.panel.panel import Panel
from irassay.read import Qrels, read_qrels
from irassay.read.files import stem
from irassay.read.vocabulary import text
from irassay.scoring.grade_lanes import GradeRows
from irassay.scoring.lanes import LANES
from irassay.vary.regraded import Grades, RegradedScores
from irassay.vary.variation import Observed, Variation

NO_JUDGE = "no other judgments are given (--judge FILE)"
NOTHING_COMMON = "and the judgments have no document in common"


def name_of(source: Any, otherwise: str = "judge") -> str:
    """What a judge is called: by its file."""
    if isinstance(source, Qrels):
        return stem(Path(source.path))
    return stem(Path(source)) if isinstance(source, (str, os.PathLike)) else otherwise


def labels_on(panel: Panel, name: str, qrels: Qrels) -> Grades:
    """A judge's grades along the pools of a panel: of the documents that are judged there, and by this judge."""
    topics = [text(topic) for topic in qrels.vocabulary.topics]
    by_topic: dict[str, dict[str, int]] = {}
    names = qrels.vocabulary.names(np.arange(len(qrels)))
    for number, document, grade in zip(qrels.vocabulary.topic.tolist(), names, qrels.grade.tolist(), strict=True):
        by_topic.setdefault(topics[number], {})[text(document)] = grade
    out = np.full(len(panel.grade), UNPOOLED, dtype=np.int8)
    for t, topic in enumerate(panel.topics):
        own, low = by_topic.get(topic, {}), int(panel.pool[t])
        documents = panel.documents(topic)
        for place in np.flatnonzero(panel.grade[low : int(panel.pool[t + 1])] >= 0).tolist():
            out[low + place] = own.get(documents[place], UNPOOLED)
    beyond = sorted(set(np.unique(out[out > 0]).tolist()) - set(panel.grades))
    if beyond:
        raise InputError(
            f"{name} has grade {beyond[-1]}, and the reference has {', '.join(map(str, panel.grades))}",
            qrels.path,
            "both need one scale: map the grades of one of the files",
        )
    return np.maximum(out, np.int8(UNPOOLED))


@dataclass(frozen=True, eq=False)
class JudgeScenarios(RegradedScores):
    """Scores under one judge after the other."""

    grades: Sequence[Grades]

    @property
    def units(self) -> int:
        return len(self.grades)

    def topic_grades(self, first: int, lanes: int, topic: int) -> GradeRows:
        here = slice(int(self.panel.pool[topic]), int(self.panel.pool[topic + 1]))
        rows = np.empty((here.stop - here.start, LANES), dtype=np.int8)
        for lane, grades in enumerate(self.grades[first : first + lanes]):
            rows[:, lane] = grades[here]
        return rows


@dataclass(frozen=True, kw_only=True)
class Judged(Variation):
    """What variations with further judges share."""

    judges: Sequence[Any] = ()

    @cached_property
    def read(self) -> list[tuple[str, Qrels]]:
        """The judges by name."""
        sources = (self.judges,) if isinstance(self.judges, (str, os.PathLike, Qrels)) else self.judges
        return [(name_of(one), one if isinstance(one, Qrels) else read_qrels(one)) for one in sources]

    def labels(self, observed: Observed) -> list[Grades]:
        """What each judge gives the documents that are judged in the panel."""
        return [labels_on(observed.lists, name, qrels) for name, qrels in self.read]

    def unusable(self, observed: Observed) -> str:
        if not self.judges:
            return NO_JUDGE
        empty = [name for (name, _), own in zip(self.read, self.labels(observed), strict=True) if not (own >= 0).any()]
        return f"{empty[0]} {NOTHING_COMMON}" if empty else ""


@dataclass(frozen=True, kw_only=True)
class Judges(Judged):
    """Another judge, one after the other."""

    name = "judges"
    kind = "scenario"
    random = False
    mechanism = "the labels of another judge, each judge in turn"
    limits = "What a judge did not label is unjudged, and documents that only a judge labelled are left out."

    def scenarios(self, observed: Observed) -> tuple[str, ...]:
        return tuple(name for name, _ in self.read)

    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        return JudgeScenarios(observed.lists.minimal, observed.systems, observed.bases, self.labels(observed))
