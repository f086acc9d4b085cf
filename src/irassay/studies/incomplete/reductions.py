"""What measures say with fewer judgments: one reduction after the other, wherever it is worked on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from irassay.ask.significance import paired
from irassay.compute.executor import State, accumulate, threads
from irassay.measures import Measure
from irassay.panel.panel import Panel
from irassay.vary.judgments import JudgmentPlan
from irassay.vary.topics import TopicPlan

Reduction = tuple[int, int]  # trial, rate in per cent


@dataclass(eq=False)
class Reducer:
    """Scores and tests of a panel with some of its judgments; power is measured on the `tested` systems."""

    panel: Panel
    asked: Sequence[Measure]
    tested: Sequence[int]
    samples: TopicPlan
    alpha: float
    seed: int
    full: NDArray[np.bool_] | None = None  # what is significant with all judgments [measures, pairs]

    def grade(self, reduction: Reduction) -> NDArray[np.int8]:
        trial, rate = reduction
        return JudgmentPlan(self.seed, trial).grades(self.panel, [rate])[rate]

    def __call__(self, reduction: Reduction) -> State:
        return self.told(replace(self.panel, grade=self.grade(reduction)), threads())[0]

    def told(self, panel: Panel, jobs: int) -> tuple[State, NDArray[np.bool_]]:
        """What is told of one set of judgments, measure by measure, and which pairs are significant."""
        scores, counts = panel.score(self.asked, jobs=jobs), self.samples.counts()
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

    def all(self, reductions: Sequence[Reduction], jobs: int) -> list[State]:
        """What is told with all judgments, and then with those of each reduction."""
        first, significant = self.told(self.panel, jobs)
        found = {name: np.empty((len(reductions), *array.shape), array.dtype) for name, array in first.items()}

        def put(state: State, reduction: Reduction, told: State) -> None:
            place = reductions.index(reduction)
            for name, array in told.items():
                state[name][place] = array

        accumulate("reductions", replace(self, full=significant), reductions, found, put, jobs=jobs, coarse=True)
        return [first, *({name: array[i] for name, array in found.items()} for i in range(len(reductions)))]
