r"""Labels drawn again with the errors of a judge: from P(judge | reference), or from P(reference | judge).

Errors of one topic go together: a judge who misreads a topic errs on many of its documents, and errors that do not
depend on each other would average out. So in each replicate every topic takes the errors of some topic, its whole
confusion of grades, drawn with replacement; a grade that this topic does not have takes those of all topics. All
systems share the draws, which depend on the seed, the replicate, the topic and its judged documents alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.executor import Plan
from irassay.compute.philox import words
from irassay.errors import InputError
from irassay.panel.panel import Panel
from irassay.scoring.grade_lanes import GradeRows
from irassay.scoring.lanes import LANES
from irassay.streams import LABEL_GRADES, LABEL_TOPICS, SECOND_LABEL_GRADES, SECOND_LABEL_TOPICS
from irassay.vary.judges import Judged
from irassay.vary.regraded import Grades, RegradedScores
from irassay.vary.variation import Observed

STREAMS = ((LABEL_TOPICS, LABEL_GRADES), (SECOND_LABEL_TOPICS, SECOND_LABEL_GRADES))
DIRECTIONS, ERRORS = ("judge", "reference"), ("topics", "pooled")
SHARE = 2.0**-32


@dataclass(frozen=True, eq=False)
class RedrawnLabels(RegradedScores):
    """Scores under labels that are drawn again."""

    known: Grades  # the grades that errors start from, along the pools of the panel
    chances: NDArray[np.float64]  # cumulated, [topic, known grade, drawn grade]
    replicates: int
    seed: int
    independent: int

    @property
    def units(self) -> int:
        return self.replicates

    @cached_property
    def keys(self) -> list[int]:
        """A number for each topic, so that other topics in the call change nothing."""
        names = (topic.encode("utf-8", "surrogateescape") for topic in self.panel.topics)
        return [int.from_bytes(hashlib.sha256(name).digest()[:5], "big") for name in names]

    def topic_grades(self, first: int, lanes: int, topic: int) -> GradeRows:
        topics, drawn = STREAMS[self.independent]
        own = self.known[self.panel.pool[topic] : self.panel.pool[topic + 1]]
        judged = np.flatnonzero(own >= 0)
        rows = np.repeat(own[:, None], LANES, axis=1)
        for lane in range(lanes):
            replicate: dict[str, Any] = {"seed": self.seed, "replicate": self.keys[topic] << 24 | (first + lane)}
            source = int(words(1, stream=topics, **replicate)[0]) * len(self.chances) >> 32
            uniform = (words(len(judged), stream=drawn, **replicate) + 0.5) * SHARE
            limits = self.chances[source][own[judged]]
            rows[judged, lane] = (uniform[:, None] > limits).sum(axis=1)
        return rows


@dataclass(frozen=True, kw_only=True)
class Labels(Judged):
    """The labels again, with the errors of a judge."""

    direction: str = "judge"
    errors: str = "topics"
    name = "labels"
    kind = "model"
    mechanism = "labels drawn again with a judge's errors, those of a whole topic at a time, the same for all systems"
    limits = "Errors are taken not to depend on the system: a judge who favours a group is not in this model."

    def __post_init__(self) -> None:
        for what, value, known in (("direction", self.direction, DIRECTIONS), ("errors", self.errors, ERRORS)):
            if value not in known:
                raise InputError(f"{what} is {value!r}", hint=f"it is one of {', '.join(known)}")

    @property
    def label(self) -> str:
        return "labels, judge | reference" if self.direction == "judge" else "labels, reference | judge"

    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        panel = observed.lists
        judge = self.labels(observed)[0]
        both = (panel.grade >= 0) & (judge >= 0)
        first, second = (panel.grade, judge) if self.direction == "judge" else (judge, panel.grade)
        known = first if self.direction == "judge" else np.where(both, judge, panel.grade.clip(max=-1)).astype(np.int8)
        chances = self._chances(panel, first, second, both)
        return RedrawnLabels(
            panel.minimal, observed.systems, observed.bases, known, chances, self.replicates, self.seed, independent
        )

    def _chances(self, panel: Panel, first: Grades, second: Grades, both: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Cumulated chances [topic, known grade, drawn grade] of the topics that both labelled."""
        size, topics = max(panel.grades, default=0) + 1, len(panel.topics)
        topic = np.repeat(np.arange(topics), np.diff(panel.pool))[both]
        cells = (topic * size + first[both]) * size + second[both]
        counts = np.bincount(cells, minlength=topics * size * size).reshape(topics, size, size).astype(np.float64)
        pooled = counts.sum(axis=0)
        # a grade that nobody gave keeps itself
        pooled[pooled.sum(axis=1) == 0] = np.eye(size)[pooled.sum(axis=1) == 0]
        if self.errors == "pooled":
            counts = pooled[None]
        else:
            counts = counts[counts.any(axis=(1, 2))]
            counts = np.where(counts.sum(axis=2, keepdims=True) > 0, counts, pooled)
        limits = np.cumsum(counts, axis=2) / counts.sum(axis=2, keepdims=True)
        limits[..., -1] = 1.0
        return np.asarray(limits)
