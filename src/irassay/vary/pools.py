"""Other pools: judgments restricted to shallower pools, or to pools that somebody did not contribute to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irassay.panel.grades import UNPOOLED
from irassay.panel.panel import Panel
from irassay.scoring.lanes import LANES


@dataclass(frozen=True)
class PoolPlan:
    """Who contributed to the pool and how deep: system number to depth."""

    panel: Panel
    depths: Mapping[int, int]

    @cached_property
    def judged(self) -> NDArray[np.int64]:
        """The pool entries that have a judgment: only these can lose it."""
        return np.flatnonzero(self.panel.grade >= 0)

    @cached_property
    def rank(self) -> NDArray[np.int32]:
        """The rank of each judged entry in each contributing system's list [systems, judged], 0 where it has none."""
        panel, judged = self.panel, self.judged
        place = np.full(len(panel.grade), -1, dtype=np.int64)
        place[judged] = np.arange(len(judged))
        out = np.zeros((len(self.depths), len(judged)), dtype=np.int32)
        for row, system in enumerate(self.depths):
            for t in range(len(panel.topics)):
                low, high = int(panel.offsets[t, system]), int(panel.offsets[t, system + 1])
                column = place[panel.pool[t] + panel.codes[low:high].astype(np.int64)]
                known = np.flatnonzero(column >= 0)
                out[row, column[known]] = known + 1
        return out

    @cached_property
    def best_rank(self) -> NDArray[np.int32]:
        """The best rank of each judged entry in any contributing list; beyond all depths where no list has it."""
        return np.asarray(np.where(self.rank > 0, self.rank, np.iinfo(np.int32).max).min(axis=0))

    def _unjudged(self, lost: NDArray[np.bool_]) -> NDArray[np.int8]:
        grade = self.panel.grade.copy()
        grade[self.judged[lost]] = UNPOOLED
        return grade

    def within(self, depth: int) -> NDArray[np.int8]:
        """Grades when only the first `depth` documents of each contributing list had been pooled."""
        return self._unjudged(self.best_rank > depth)

    @cached_property
    def contributed(self) -> NDArray[np.bool_]:
        """Which contributing system put which judged entry into the pool [systems, judged]."""
        deep = np.array(list(self.depths.values()), dtype=np.int32)[:, None]
        return (self.rank > 0) & (self.rank <= deep)

    @cached_property
    def contributors(self) -> NDArray[np.int64]:
        """How many systems put each judged entry into the pool."""
        return np.asarray(self.contributed.sum(axis=0))

    def without(self, systems: Sequence[int]) -> tuple[NDArray[np.int8], int]:
        """Grades without what only these systems contributed, and how many relevant documents that is."""
        rows = np.isin(list(self.depths), list(systems))
        own = self.contributed[rows].sum(axis=0)
        alone = (own > 0) & (own == self.contributors)
        return self._unjudged(alone), int(np.count_nonzero(alone & (self.panel.grade[self.judged] >= 1)))


@dataclass(frozen=True)
class PoolLanes:
    """Pools of several depths, side by side."""

    pools: PoolPlan
    levels: Sequence[int]

    @property
    def replicates(self) -> int:
        return len(self.levels)

    def rows(self, first: int) -> NDArray[np.int64]:
        """The depths; lanes that are left over have every judgment."""
        depths = np.full(LANES, np.iinfo(np.int64).max)
        here = self.levels[first : first + LANES]
        depths[: len(here)] = here
        return depths

    def of_topic(
        self, panel: Panel, rows: NDArray[np.int64], first: int, topic: int
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        low, high = panel.pool[topic], panel.pool[topic + 1]
        copies = np.ones((high - low) * LANES, dtype=np.uint8)
        judged = copies.copy()
        here = slice(*np.searchsorted(self.pools.judged, (low, high)))
        entries = self.pools.judged[here] - low
        judged.reshape(-1, LANES)[entries] = self.pools.best_rank[here, None] <= rows
        return copies, judged
