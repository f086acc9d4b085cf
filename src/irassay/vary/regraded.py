"""The same lists with other grades in every replicate: other judges, labels drawn again, judgments that are missing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.executor import CHUNK, Plan
from irassay.compute.threads import parallel_for
from irassay.measures import Measure
from irassay.panel.panel import Panel
from irassay.scoring.grade_lanes import GradeRows, RegradedLists
from irassay.scoring.lanes import LANES
from irassay.vary.blocks import Block

Grades = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class RegradedScores(Plan, ABC):
    """The same lists scored with other grades in each unit, 32 of them side by side."""

    panel: Panel
    systems: Sequence[int]
    measures: Sequence[Measure]
    chunk = CHUNK
    threads_inside = True

    @abstractmethod
    def topic_grades(self, first: int, lanes: int, topic: int) -> GradeRows:
        """The grades of a topic's pool in units first to first + lanes - 1 [entries, 32]; other columns mean nothing.

        `first` is a multiple of 32.
        """

    def grades_of(self, unit: int) -> Grades:
        """The grades along the pools of the panel in one unit."""
        first, lane = unit - unit % LANES, unit % LANES
        rows = [self.topic_grades(first, lane + 1, topic)[:, lane] for topic in range(len(self.panel.topics))]
        return np.concatenate(rows)

    @cached_property
    def lists(self) -> RegradedLists:
        return RegradedLists(self.panel, self.systems, self.measures)

    def __getstate__(self) -> dict[str, Any]:
        # lists and compiled measures are made where they are needed
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def block(self, part: range, jobs: int) -> Block:
        topics = range(len(self.panel.topics))
        out = np.empty((len(self.measures), len(topics), len(part), len(self.systems)))
        self.lists.prepare()

        def score(place: tuple[int, int]) -> None:
            first, topic = place
            lanes = min(LANES, part.stop - first)
            rows = self.topic_grades(first, lanes, topic)
            low = first - part.start
            out[:, topic, low : low + lanes] = self.lists.values(topic, rows, lanes)

        parallel_for(score, [(first, topic) for first in part[::LANES] for topic in topics], jobs)
        return Block(out)
