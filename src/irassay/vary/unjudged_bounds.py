"""Bounds of scores and differences, whatever the unjudged documents are; where that is not known, scenarios.

A measure that depends on nothing but the list and its grades has exact bounds. Where R or the ideal list matters, the
smallest and the largest value of scenarios stand instead: no unjudged document is relevant, all are, or those that one
system retrieves are, for each system. "Relevant" is the grade with the largest gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Array, all_pairs
from irassay.ask.unjudged import Bounds, first_bounds, outer_bounds, sum_bounds
from irassay.compute.threads import parallel_for
from irassay.measures import Measure
from irassay.measures.core.summaries import summarise
from irassay.panel.panel import Panel
from irassay.scoring.grade_lanes import GradeRows
from irassay.scoring.lanes import LANES
from irassay.scoring.recipes import Recipe
from irassay.scoring.score_panel import prepare
from irassay.vary.regraded import Grades, RegradedScores
from irassay.vary.relevance import Ints
from irassay.vary.unjudged import unjudged_entries

NOBODY, EVERYBODY, OWN = 0, 1, 2  # scenarios: whose unjudged documents are relevant; from OWN on each system's
TOGETHER = 16  # topics whose pairs are in memory
How = Literal["exact", "outer", "scenario"]


class MeasureBounds(NamedTuple):
    """Bounds of all systems and of the differences of all pairs, and what kind of bounds these are."""

    systems: Bounds
    pairs: Bounds
    how: How
    how_pairs: How


@dataclass(frozen=True, eq=False)
class Scenarios(RegradedScores):
    """Scores where all unjudged documents of nobody, of everybody, or of one system after the other are relevant."""

    top: int = 1  # the grade of those that are relevant

    @property
    def units(self) -> int:
        return OWN + len(self.systems)

    @cached_property
    def entries(self) -> Ints:
        return unjudged_entries(self.panel)

    @cached_property
    def known(self) -> Grades:
        out = self.panel.grade.copy()
        out[self.entries] = 0
        return out

    def topic_grades(self, first: int, lanes: int, topic: int) -> GradeRows:
        low, high = int(self.panel.pool[topic]), int(self.panel.pool[topic + 1])
        rows = np.repeat(self.known[low:high, None], LANES, axis=1)
        missing = self.missing_of(topic)
        for lane in range(lanes):
            unit = first + lane
            if unit == EVERYBODY:
                rows[missing, lane] = self.top
            elif unit >= OWN:
                system = self.systems[unit - OWN]
                own = self.panel.codes[self.panel.offsets[topic, system] : self.panel.offsets[topic, system + 1]]
                rows[own[self.panel.grade[low + own.astype(np.int64)] < 0], lane] = self.top
        return rows

    def missing_of(self, topic: int) -> Ints:
        """The codes of a topic's unjudged documents."""
        low, high = self.panel.pool[topic], self.panel.pool[topic + 1]
        return np.asarray(self.entries[slice(*np.searchsorted(self.entries, (low, high)))] - low)

    def ranks(self, topic: int) -> NDArray[np.int32]:
        """The rank of each of them in each system's list [systems, documents], 0 where it has none."""
        missing = self.missing_of(topic)
        place = np.full(int(np.diff(self.panel.pool)[topic]), -1, dtype=np.int64)
        place[missing] = np.arange(len(missing))
        out = np.zeros((len(self.systems), len(missing)), dtype=np.int32)
        for row, system in enumerate(self.systems):
            column = place[self.panel.codes[self.panel.offsets[topic, system] : self.panel.offsets[topic, system + 1]]]
            inside = np.flatnonzero(column >= 0)
            out[row, column[inside]] = inside + 1
        return out

    def sizes(self, topic: int) -> Ints:
        """The lengths of the systems' lists."""
        return np.asarray(np.diff(self.panel.offsets[topic])[list(self.systems)])


def highest_grade(panel: Panel) -> int:
    """The grade of a document that is as relevant as any."""
    return max(panel.grades, default=1)


@dataclass(frozen=True, eq=False)
class BoundedScores:
    """Bounds by measure; `topics` are places in the panel."""

    panel: Panel
    systems: Sequence[int]
    measures: Sequence[Measure]  # with their summaries
    topics: Sequence[int]
    jobs: int = 1

    @cached_property
    def bases(self) -> list[Measure]:
        return list(dict.fromkeys(measure.base for measure in self.measures))

    @cached_property
    def plan(self) -> Scenarios:
        return Scenarios(self.panel.minimal, self.systems, self.bases, highest_grade(self.panel))

    @cached_property
    def ends(self) -> Array:
        """Scores of nobody's and everybody's scenario [scenario, base, system, topic]."""
        scores = self.plan.block(range(OWN), self.jobs).scores_on_host()
        return np.moveaxis(scores[:, list(self.topics)], (2, 3), (0, 2))

    @cached_property
    def means(self) -> list[Array]:
        """Systems' scores in every scenario, by measure [scenario, system]."""
        out: list[list[Array]] = [[] for _ in self.measures]
        for first in range(0, self.plan.units, LANES):
            part = range(first, min(first + LANES, self.plan.units))
            scores = self.plan.block(part, self.jobs).scores_on_host()[:, list(self.topics)]
            for m, measure in enumerate(self.measures):
                of_base = scores[self.bases.index(measure.base)]
                out[m].append(summarise(np.moveaxis(of_base, 0, -1), None, measure))
        return [np.concatenate(parts) for parts in out]

    def recipe(self, measure: Measure) -> Recipe:
        longest = int(np.diff(self.panel.offsets, axis=1).max(initial=0))
        return prepare(measure, grades=self.panel.grades, gains=self.panel.gains, longest=longest, most=1)[2]

    def rises(self, measure: Measure) -> str:
        """`Measure.rises`, unless the highest grade is not worth most: then only sums know what is."""
        gains = list(self.gains(measure).values())
        if measure.rises == "sum" or not gains or gains[-1] == max(gains):
            return measure.rises
        return ""

    def of(self, m: int) -> MeasureBounds:
        """The bounds of one measure."""
        measure = self.measures[m]
        rises, summary = self.rises(measure), measure.summary_with_params()[0].name
        if not rises:
            low, high = self.means[m].min(axis=0), self.means[m].max(axis=0)
            x, y = all_pairs(len(low))
            pairs = Bounds(*np.array([[np.inf], [-np.inf]]).repeat(len(x), axis=1))
            for scores in self.means[m]:
                np.minimum(pairs.low, scores[x] - scores[y], out=pairs.low)
                np.maximum(pairs.high, scores[x] - scores[y], out=pairs.high)
            return MeasureBounds(Bounds(low, high), pairs, "scenario", "scenario")
        low, high, sums = self._by_topic(measure, rises)
        systems = Bounds(summarise(low, None, measure), summarise(high, None, measure))
        if rises == "list" or summary not in ("mean", "sum"):
            return MeasureBounds(systems, outer_bounds(systems), "exact", "outer")
        topics = len(self.topics) if summary == "mean" else 1
        return MeasureBounds(systems, Bounds(sums[0] / topics, sums[1] / topics), "exact", "exact")

    def _by_topic(self, measure: Measure, rises: str) -> tuple[Array, Array, Array]:
        """Bounds of systems [system, topic], and sums over topics of those of pairs [2, pair].

        Pairs x topics need not fit into memory: topics go by a few at a time, in their order.
        """
        nobody, everybody = self.ends[:, self.bases.index(measure.base)]
        pairs = len(all_pairs(len(self.systems))[0])
        sums = np.zeros((2, pairs))
        if rises == "list":
            return nobody, everybody, sums
        low, high = np.empty_like(nobody), np.empty_like(nobody)
        top = max(self.gains(measure).values(), default=0.0)
        some = np.empty((TOGETHER, 2, pairs))

        def bound(k: int) -> None:
            fixed = np.ascontiguousarray(nobody[:, k])
            if rises == "sum":
                systems, of_pairs = sum_bounds(fixed, self.weights(measure, self.topics[k]) * top)
            else:
                systems, of_pairs = first_bounds(fixed, self._first_values(measure, self.topics[k], fixed))
            low[:, k], high[:, k] = systems
            some[k % TOGETHER] = of_pairs

        for first in range(0, len(self.topics), TOGETHER):
            here = range(first, min(first + TOGETHER, len(self.topics)))
            parallel_for(bound, here, self.jobs)
            sums += some[: len(here)].sum(axis=0)
        return low, high, sums

    def gains(self, measure: Measure) -> dict[int, float]:
        """The gain of each relevant grade that occurs."""
        recipe = self.recipe(measure)
        grades = (grade for grade in self.panel.grades if grade >= (measure.rel or 1))
        return {grade: float(recipe.gain[1 if recipe.flat else grade]) for grade in grades}

    def weights(self, measure: Measure, topic: int) -> Array:
        """What a gain of 1 of each unjudged document adds to the lists of a topic [systems, documents]."""
        recipe, ranks = self.recipe(measure), self.plan.ranks(topic)
        assert recipe.weight is not None
        table = np.where(np.arange(len(recipe.weight)) <= recipe.cut, recipe.weight, 0.0)
        out = np.where(ranks < len(table), table[np.minimum(ranks, len(table) - 1)], 0.0)
        if measure.per == "cut":
            return np.asarray(out / recipe.cut)
        if measure.per == "size":
            return np.asarray(out / np.maximum(np.minimum(self.plan.sizes(topic), recipe.cut), 1)[:, None])
        return out

    def _first_values(self, measure: Measure, topic: int, fixed: Array) -> list[Array]:
        """By grade, the scores of lists with one more relevant document [systems, documents]."""
        recipe, ranks = self.recipe(measure), self.plan.ranks(topic)
        assert recipe.fold is not None
        assert recipe.par is not None
        grades = [grade for grade in self.panel.grades if grade >= (measure.rel or 1)]
        longest = min(int(ranks.max(initial=0)), recipe.cut)
        tables = []
        for grade in grades:
            seen = 1 if recipe.flat else grade
            none = np.zeros(longest + 2)
            hit = (recipe.gain, none, np.zeros(len(recipe.gain), dtype=np.int64), longest, recipe.par)
            table = [0.0, *(recipe.fold([rank], [seen], 1, *hit) for rank in range(1, longest + 1))]
            if table not in tables:
                tables.append(table)
        above = self.first_ranks(measure, topic)
        earlier = (ranks > 0) & (ranks < above[:, None]) & (ranks <= longest)
        some = earlier.any(axis=0)
        ranks, earlier = ranks[:, some], earlier[:, some]
        return [np.where(earlier, np.asarray(table)[np.where(earlier, ranks, 0)], fixed[:, None]) for table in tables]

    def first_ranks(self, measure: Measure, topic: int) -> Ints:
        """The rank of the first judged relevant document of each list; beyond all ranks where there is none."""
        grades = self.plan.known[self.panel.pool[topic] : self.panel.pool[topic + 1]]
        out = np.full(len(self.systems), np.iinfo(np.int64).max)
        for row, system in enumerate(self.systems):
            codes = self.panel.codes[self.panel.offsets[topic, system] : self.panel.offsets[topic, system + 1]]
            hits = np.flatnonzero(grades[codes] >= (measure.rel or 1))
            if len(hits):
                out[row] = hits[0] + 1
        return out
