"""Other pools: judgments restricted to shallower pools, or to pools that somebody did not contribute to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irassay.compute.executor import Plan
from irassay.panel.panel import Panel
from irassay.scoring.lanes import LANES
from irassay.settings import depths
from irassay.vary.blocks import LanePlan
from irassay.vary.variation import Observed, Variation

ALL = np.iinfo(np.int32).max  # a depth at which everything that is judged stays judged


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
        return np.asarray(np.where(self.rank > 0, self.rank, ALL).min(axis=0))

    def below(self, depth: int) -> NDArray[np.bool_]:
        """The judged entries that no contributing list has among its first `depth` documents."""
        return np.asarray(self.best_rank > depth)

    def lanes(self, lost: Sequence[NDArray[np.bool_]]) -> "PoolLanes":
        """Several pools side by side, by the judged entries that each of them loses."""
        return PoolLanes(self.judged, np.stack(lost))

    @cached_property
    def contributed(self) -> NDArray[np.bool_]:
        """Which contributing system put which judged entry into the pool [systems, judged]."""
        deep = np.array(list(self.depths.values()), dtype=np.int32)[:, None]
        return (self.rank > 0) & (self.rank <= deep)

    @cached_property
    def contributors(self) -> NDArray[np.int64]:
        """How many systems put each judged entry into the pool."""
        return np.asarray(self.contributed.sum(axis=0))

    def only_from(self, systems: Sequence[int]) -> NDArray[np.bool_]:
        """The judged entries that these systems contributed, and nobody else."""
        own = self.contributed[np.isin(list(self.depths), list(systems))].sum(axis=0)
        return np.asarray((own > 0) & (own == self.contributors))


@dataclass(frozen=True)
class PoolLanes:
    """Several pools side by side: what each of them loses."""

    judged: NDArray[np.int64]  # the pool entries that have a judgment
    lost: NDArray[np.bool_]  # [pools, judged]

    @property
    def replicates(self) -> int:
        return len(self.lost)

    @property
    def gpu(self) -> bool:
        return False

    def rows(self, first: int) -> NDArray[np.uint8]:
        """What stays judged [judged, 32]; lanes that are left over keep everything."""
        kept = np.ones((len(self.judged), LANES), dtype=np.uint8)
        here = self.lost[first : first + LANES]
        kept[:, : len(here)] = ~here.T
        return kept

    def of_topic(
        self, panel: Panel, rows: NDArray[np.uint8], first: int, topic: int
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        low, high = panel.pool[topic], panel.pool[topic + 1]
        copies = np.ones((high - low) * LANES, dtype=np.uint8)
        judged = copies.copy()
        here = slice(*np.searchsorted(self.judged, (low, high)))
        judged.reshape(-1, LANES)[self.judged[here] - low] = rows[here]
        return copies, judged


@dataclass(frozen=True, kw_only=True)
class Pools(Variation):
    """Shallower pools of the runs."""

    depths: str = "5,10,20,50"
    name = "pools"
    kind = "scenario"
    random = False
    mechanism = "only the first documents of each run had been pooled, at each depth in turn"
    limits = "All runs are taken to have contributed; no judgment is added."

    def __post_init__(self) -> None:
        _ = self.levels  # a slip in them is an error before any work

    @property
    def levels(self) -> tuple[int, ...]:
        return depths(self.depths, "depths", "write 5,10,20: whole numbers from 1")

    def scenarios(self, observed: Observed) -> tuple[str, ...]:
        return tuple(f"depth {level}" for level in self.levels)

    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        panel = observed.lists.minimal
        everyone = PoolPlan(panel, dict.fromkeys(range(len(panel.systems)), max(self.levels)))
        return LanePlan.of(observed, everyone.lanes([everyone.below(level) for level in self.levels]))


@dataclass(frozen=True, kw_only=True)
class LeftOut(Variation):
    """A system and its group had not contributed to the pool, one group after the other."""

    pool_depth: int = 100
    members: Mapping[str, Sequence[str]]  # the systems of each group
    name = "left out"
    kind = "scenario"
    random = False
    mechanism = "what only one group put into the pool is not judged, for each group in turn"
    limits = "All runs are taken to have contributed down to the pool's depth."

    def scenarios(self, observed: Observed) -> tuple[str, ...]:
        return tuple(self.members)

    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        panel = observed.lists.minimal
        everyone = PoolPlan(panel, dict.fromkeys(range(len(panel.systems)), self.pool_depth))
        places = {name: place for place, name in enumerate(panel.systems)}
        groups = [[places[name] for name in names] for names in self.members.values()]
        return LanePlan.of(observed, everyone.lanes([everyone.only_from(group) for group in groups]))
