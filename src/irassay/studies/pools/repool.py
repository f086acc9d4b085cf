"""Scores and tests with the judgments of other pools."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import all_pairs
from irassay.ask.significance import paired
from irassay.compute.executor import Plan, Rows, State, execute
from irassay.measures import Measure
from irassay.scoring.scores import Scores
from irassay.studies.reduced_judgments import ReducedJudgments
from irassay.vary.pools import PoolPlan
from irassay.vary.topics import TopicPlan


@dataclass(frozen=True, eq=False)
class ShallowPools(ReducedJudgments):
    """The judgments of shallower pools."""

    pools: PoolPlan  # of the bare panel
    depths: Sequence[int]

    @property
    def units(self) -> int:
        return len(self.depths)

    def grade(self, unit: int) -> NDArray[np.int8]:
        return self.pools.within(self.depths[unit])


@dataclass(frozen=True, eq=False)
class LeftOut(Plan):
    """Systems when what only they, or their group, put into the pool is not judged."""

    pools: PoolPlan
    measures: Sequence[Measure]
    samples: TopicPlan
    alpha: float
    groups: Sequence[Sequence[int]]  # the systems that are left out together
    threads_inside = True

    @property
    def units(self) -> int:
        return len(self.groups)

    @cached_property
    def before(self) -> Scores:
        return self.pools.panel.score(self.measures, jobs=1)

    def block(self, part: range, jobs: int) -> State:
        """Unique relevant documents and all systems' scores without the group's contributions.

        And for each of its members the significant differences before and after, and how many of them changed
        [members, measures, 3].
        """
        members = self.groups[part.start]
        grade, unique = self.pools.without(members)
        after = replace(self.pools.panel, grade=grade).score(self.measures, jobs=jobs)
        counts = self.samples.counts()
        verdicts = np.zeros((max(map(len, self.groups)), len(self.measures), 3), dtype=np.int64)
        for i, system in enumerate(members):
            for k, m in enumerate(after):
                old, new = (self._significant(scores, m, system, counts, jobs) for scores in (self.before, after))
                verdicts[i, k] = old.sum(), new.sum(), (old != new).sum()
        means = np.stack([after[m].means() for m in after])
        return {"unique": np.array([unique]), "means": means[None], "verdicts": verdicts[None]}

    def _significant(
        self, scores: Scores, measure: str, system: int, counts: NDArray[np.int32], jobs: int
    ) -> NDArray[np.bool_]:
        others = np.array([s for s in range(len(scores.systems)) if s != system], dtype=np.int64)
        pairs = (np.full(len(others), system, dtype=np.int64), others)
        tests = paired(scores[measure].tested()[1], counts, (self.alpha,), pairs=pairs, jobs=jobs)
        return np.asarray(tests.asl < self.alpha)

    def run(self, jobs: int) -> State:
        return execute("left out", self, Rows(self.units), jobs=jobs)


def pairs_of(system: int, systems: int) -> NDArray[np.bool_]:
    """Which of all pairs a system is in."""
    first, second = all_pairs(systems)
    return np.asarray((first == system) | (second == system))
