"""Scores and tests of a panel with some of its judgments, one set of judgments after the other."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from irassay.ask.significance import paired
from irassay.compute.executor import Plan, Rows, State, execute
from irassay.measures import Measure
from irassay.panel.panel import Panel
from irassay.vary.topics import TopicPlan


@dataclass(frozen=True, eq=False)
class ReducedJudgments(Plan):
    """Scores of all systems and tests of the `tested` ones; a unit of work is one set of judgments."""

    panel: Panel
    measures: Sequence[Measure]
    tested: Sequence[int]
    samples: TopicPlan
    alpha: float
    threads_inside = True

    @abstractmethod
    def grade(self, unit: int) -> NDArray[np.int8]:
        """The grades that remain in one set of judgments."""

    def block(self, part: range, jobs: int) -> State:
        return {name: array[None] for name, array in self.statistics(self.grade(part.start), jobs).items()}

    def statistics(self, grade: NDArray[np.int8], jobs: int) -> State:
        """By measure: scores, which pairs are significant, the required difference; and judged documents by topic."""
        reduced = replace(self.panel, grade=grade)
        scores, counts, tested = reduced.score(self.measures, jobs=jobs), self.samples.counts(), list(self.tested)
        tests = [paired(scores[m].tested()[1][tested], counts, (self.alpha,), jobs=jobs) for m in scores]
        return {
            "means": np.stack([scores[m].means() for m in scores]),
            "significant": np.stack([test.asl < self.alpha for test in tests]),
            "required": np.array([test.required[:, 0].max() for test in tests]),
            "judged_counts": reduced.judged_counts(),
        }

    def run(self, name: str, jobs: int) -> list[State]:
        """The statistics with all judgments, and then with those of each unit."""
        full = self.statistics(self.panel.grade, jobs)
        rows = execute(name, self, Rows(self.units), jobs=jobs)
        return [full, *({key: array[i] for key, array in rows.items()} for i in range(self.units))]
