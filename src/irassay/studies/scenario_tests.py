"""Scores and tests of the same systems in one scenario after the other: other judgments, pools or gains."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from irassay.ask.significance import paired
from irassay.compute.executor import Plan, Rows, State, execute
from irassay.scoring.lanes import LANES
from irassay.scoring.scores import Scores
from irassay.vary.blocks import Block
from irassay.vary.topics import TopicPlan


@dataclass(frozen=True, eq=False)
class ScenarioTests(Plan):
    """Scores of all systems and paired bootstrap tests of the `tested` ones; a unit of work is one scenario."""

    scenarios: Plan  # its blocks are scores on all topics
    observed: Scores
    places: Sequence[int]  # of the measures' bases in a block
    tested: Sequence[int]
    samples: TopicPlan
    alpha: float
    _held: dict[int, Block] = field(default_factory=dict, init=False, repr=False)  # the last block, by its first unit
    threads_inside = True

    @property
    def units(self) -> int:
        return self.scenarios.units

    def scores(self, unit: int, jobs: int) -> tuple[Scores, State]:
        """The scores in one scenario, and judged documents by topic where it changes them."""
        size = min(self.scenarios.chunk, LANES)  # scenarios that cost little more than one
        first = unit - unit % size
        block = self._held.get(first)
        if block is None:
            block = self.scenarios.block(range(first, min(first + size, self.units)), jobs)
            self._held.clear()
            self._held[first] = block
        values = np.swapaxes(block.scores[:, :, unit - first][list(self.places)], 1, 2)
        counts = {} if block.judged_counts is None else {"judged_counts": block.judged_counts[:, unit - first]}
        return replace(self.observed, values=values), counts

    def block(self, part: range, jobs: int) -> State:
        rows = [self.statistics(unit, jobs) for unit in part]
        return {name: np.stack([row[name] for row in rows]) for name in rows[0]}

    def statistics(self, unit: int, jobs: int) -> State:
        """By measure: scores, which pairs are significant, the required difference; and judged documents by topic."""
        scores, judged_counts = self.scores(unit, jobs)
        counts, tested = self.samples.counts(), list(self.tested)
        tests = [paired(one.tested()[1][tested], counts, (self.alpha,), jobs=jobs) for one in scores.by_measure()]
        return judged_counts | {
            "means": scores.means(),
            "significant": np.stack([test.asl < self.alpha for test in tests]),
            "required": np.array([test.required[:, 0].max() for test in tests]),
        }

    def run(self, name: str, jobs: int) -> list[State]:
        """The statistics of each scenario."""
        rows = execute(name, self, Rows(self.units), jobs=jobs)
        return [{key: array[unit] for key, array in rows.items()} for unit in range(self.units)]
