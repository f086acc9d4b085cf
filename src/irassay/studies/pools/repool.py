"""What measures say with the judgments of other pools, wherever that is worked on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import all_pairs
from irassay.ask.significance import paired
from irassay.compute.executor import State, accumulate, threads
from irassay.measures import Measure
from irassay.panel.panel import Panel
from irassay.scoring.scores import Scores
from irassay.vary.pools import PoolPlan
from irassay.vary.topics import TopicPlan


@dataclass(eq=False)
class Pooled:
    """Scores and tests of a panel whose judgments come from other pools."""

    plan: PoolPlan  # of a bare panel
    asked: Sequence[Measure]
    samples: TopicPlan
    alpha: float

    @property
    def panel(self) -> Panel:
        return self.plan.panel

    def told(self, grade: NDArray[np.int8], jobs: int) -> State:
        """The scores of all systems, which pairs are significant [measures, pairs], and what is judged."""
        reduced = replace(self.panel, grade=grade)
        scores, counts = reduced.score(self.asked, jobs=jobs), self.samples.counts()
        tests = [paired(scores[m].tested()[1], counts, (self.alpha,), jobs=jobs) for m in scores]
        return {
            "means": np.stack([scores[m].means() for m in scores]),
            "significant": np.stack([test.asl < self.alpha for test in tests]),
            "judged": np.array([(grade >= 0).sum(), reduced.judged_counts()[:, 1:].sum()]),
        }

    def __call__(self, depth: int) -> State:
        return self.told(self.plan.within(depth), threads())

    def all(self, depths: Sequence[int], jobs: int) -> list[State]:
        """What is told with all judgments, and then with those of each shallower pool."""
        first = self.told(self.panel.grade, jobs)
        found = {name: np.empty((len(depths), *array.shape), array.dtype) for name, array in first.items()}

        def put(state: State, depth: int, told: State) -> None:
            for name, array in told.items():
                state[name][depths.index(depth)] = array

        accumulate("pools", self, depths, found, put, jobs=jobs, coarse=True)
        return [first, *({name: array[i] for name, array in found.items()} for i in range(len(depths)))]


@dataclass(eq=False)
class LeftOut:
    """Systems when what only they, or their group, put into the pool is not judged."""

    pooled: Pooled
    units: Sequence[Sequence[int]]  # the systems that are left out together

    @cached_property
    def before(self) -> Scores:
        return self.pooled.panel.score(self.pooled.asked, jobs=threads())

    def __call__(self, unit: int) -> State:
        members, jobs, one = self.units[unit], threads(), self.pooled
        grade, unique = one.plan.without(members)
        before, after = self.before, replace(one.panel, grade=grade).score(one.asked, jobs=jobs)
        counts = one.samples.counts()
        means = np.stack([after[m].means() for m in after])
        verdicts = np.empty((len(members), len(means), 3), dtype=np.int64)
        for i, system in enumerate(members):
            for k, m in enumerate(after):
                old, new = (self._significant(scores, m, system, counts, jobs) for scores in (before, after))
                verdicts[i, k] = old.sum(), new.sum(), (old != new).sum()
        return {"unique": np.array(unique), "means": means, "verdicts": verdicts}

    def _significant(
        self, scores: Scores, measure: str, system: int, counts: NDArray[np.int32], jobs: int
    ) -> NDArray[np.bool_]:
        others = np.array([s for s in range(len(scores.systems)) if s != system], dtype=np.int64)
        pairs = (np.full(len(others), system, dtype=np.int64), others)
        tests = paired(scores[measure].tested()[1], counts, (self.pooled.alpha,), pairs=pairs, jobs=jobs)
        return np.asarray(tests.asl < self.pooled.alpha)

    def all(self, jobs: int) -> State:
        """Unit after unit: unique relevant documents, all systems' scores; member after member: verdicts.

        Verdicts are significant differences before and after, and how many changed [members, measures, 3].
        """
        systems, measures = len(self.pooled.panel.systems), len(self.pooled.asked)
        ends = np.cumsum([len(members) for members in self.units])
        found = {
            "unique": np.empty(len(self.units), dtype=np.int64),
            "means": np.empty((len(self.units), measures, systems)),
            "verdicts": np.empty((int(ends[-1]), measures, 3), dtype=np.int64),
        }

        def put(state: State, unit: int, told: State) -> None:
            state["unique"][unit], state["means"][unit] = told["unique"], told["means"]
            state["verdicts"][ends[unit] - len(self.units[unit]) : ends[unit]] = told["verdicts"]

        accumulate("left out", self, range(len(self.units)), found, put, jobs=jobs, coarse=True)
        return found


def pairs_of(system: int, systems: int) -> NDArray[np.bool_]:
    """Which of all pairs a system is in."""
    first, second = all_pairs(systems)
    return np.asarray((first == system) | (second == system))
