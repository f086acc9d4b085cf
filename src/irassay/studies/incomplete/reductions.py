"""Scores and tests with fewer judgments, one reduction after the other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from irassay.ask.significance import paired
from irassay.compute.executor import Plan, Rows, State, execute
from irassay.measures import Measure
from irassay.panel.panel import Panel
from irassay.vary.judgments import JudgmentPlan
from irassay.vary.topics import TopicPlan

Reduction = tuple[int, int]  # trial, rate in per cent


@dataclass(frozen=True, eq=False)
class Reductions(Plan):
    """Scores and tests of a panel with some of its judgments; power is measured on the `tested` systems."""

    panel: Panel
    measures: Sequence[Measure]
    tested: Sequence[int]
    samples: TopicPlan
    alpha: float
    seed: int
    reductions: Sequence[Reduction]
    full: NDArray[np.bool_] | None = None  # what is significant with all judgments [measures, pairs]
    threads_inside = True

    @property
    def units(self) -> int:
        return len(self.reductions)

    def grade(self, reduction: Reduction) -> NDArray[np.int8]:
        trial, rate = reduction
        return JudgmentPlan(self.seed, trial).grades(self.panel, [rate])[rate]

    def block(self, part: range, jobs: int) -> State:
        reduced = replace(self.panel, grade=self.grade(self.reductions[part.start]))
        statistics, _ = self.statistics(reduced, jobs)
        return {name: array[None] for name, array in statistics.items()}

    def statistics(self, panel: Panel, jobs: int) -> tuple[State, NDArray[np.bool_]]:
        """The statistics of one set of judgments, measure by measure, and which pairs are significant."""
        scores, counts = panel.score(self.measures, jobs=jobs), self.samples.counts()
        tested = list(self.tested)
        tests = [paired(scores[m].tested()[1][tested], counts, (self.alpha,), jobs=jobs) for m in scores]
        significant = np.stack([test.asl < self.alpha for test in tests])
        full = significant if self.full is None else self.full
        return {
            "means": np.stack([scores[m].means() for m in scores]),
            "significant": significant.sum(axis=1),
            # significant here but not with all judgments, whatever the direction (Table 5)
            "inconsistent": (significant & ~full).sum(axis=1),
            "required": np.array([test.required[:, 0].max() for test in tests]),
            "judged_counts": panel.judged_counts(),
        }, significant

    def run(self, jobs: int) -> list[State]:
        """The statistics with all judgments, and then with those of each reduction."""
        full, significant = self.statistics(self.panel, jobs)
        rows = execute("reductions", replace(self, full=significant), Rows(self.units), jobs=jobs)
        return [full, *({name: array[i] for name, array in rows.items()} for i in range(self.units))]
