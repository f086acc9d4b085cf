"""What single unjudged documents would do to scores: the judgments that are worth most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Array
from irassay.ask.unjudged import worth
from irassay.compute.threads import parallel_for
from irassay.measures import Measure
from irassay.scoring.lanes import LANES
from irassay.vary.relevance import Ints
from irassay.vary.unjudged import Missing
from irassay.vary.unjudged_bounds import BoundedScores

CANDIDATES = 20_000  # documents whose effect is looked at where every one is scored


class Next(NamedTuple):
    """Documents to judge, the most valuable first."""

    entries: Ints  # places along the pools
    probability: Array
    value: Array
    total: float  # of all documents that were looked at


@dataclass(frozen=True, eq=False)
class Effects:
    """What one more relevant document of each topic adds to the scores of the systems."""

    bounded: BoundedScores
    missing: Missing

    @cached_property
    def _shares(self) -> Array:
        return self.missing.shares

    def worth(self, m: int, pairs: Array) -> Next:
        """The documents by what they are worth to pairs of systems, which have weights [systems, systems]."""
        measure, bounded = self.bounded.measures[m], self.bounded
        summed = measure.rises == "sum"
        places = np.arange(len(self.missing.entries)) if summed else self._likely(np.flatnonzero(pairs.any(axis=0)))
        value = np.zeros(len(self.missing.entries))
        panel = bounded.panel
        bounded.plan.lists.prepare()
        scale = 1.0 if measure.summary_with_params()[0].name == "sum" else float(len(bounded.topics)) ** 2

        def of_topic(topic: int) -> None:
            low, high = int(panel.pool[topic]), int(panel.pool[topic + 1])
            entries = self.missing.entries[places]
            mine = places[slice(*np.searchsorted(entries, (low, high)).tolist())]
            if len(mine):
                codes = self.missing.entries[mine] - low
                arguments = topic, mine, codes
                effects = self._summed(measure, *arguments) if summed else self._scored(m, *arguments)
                value[mine] = worth(self.missing.probability[mine], effects, pairs) / scale

        parallel_for(of_topic, bounded.topics, bounded.jobs)
        order = np.argsort(-value, kind="stable")
        order = order[value[order] > 0]
        return Next(self.missing.entries[order], self.missing.probability[order], value[order], float(value.sum()))

    def _likely(self, systems: Ints) -> Ints:
        """The documents that are most likely to matter, where there are many: likely ones at the top of these lists."""
        plan = self.bounded.plan
        best = np.zeros(len(self.missing.entries))
        for topic in self.bounded.topics:
            low, high = self.bounded.panel.pool[topic], self.bounded.panel.pool[topic + 1]
            here = slice(*np.searchsorted(self.missing.entries, (low, high)).tolist())
            column = np.searchsorted(plan.missing_of(topic), self.missing.entries[here] - low)
            ranks = plan.ranks(topic)[np.ix_(systems, column)]
            best[here] = np.where(ranks > 0, 1.0 / np.maximum(ranks, 1), 0.0).max(axis=0)
        p = self.missing.probability
        order = np.argsort(-p * (1 - p) * best, kind="stable")[:CANDIDATES]
        return np.sort(order[best[order] > 0])

    def _summed(self, measure: Measure, topic: int, places: Ints, codes: Ints) -> Array:
        gains = self.bounded.gains(measure)
        gain = np.array([gains.get(grade, 0.0) for grade in self.missing.level.tolist()]) @ self._shares[:, places]
        column = np.searchsorted(self.bounded.plan.missing_of(topic), codes)
        return np.asarray(gain[:, None] * self.bounded.weights(measure, topic)[:, column].T)

    def _scored(self, m: int, topic: int, places: Ints, codes: Ints) -> Array:
        """Every document added alone, 32 side by side."""
        plan, bounded = self.bounded.plan, self.bounded
        base = bounded.bases.index(bounded.measures[m].base)
        known = plan.known[bounded.panel.pool[topic] : bounded.panel.pool[topic + 1]]
        nobody = bounded.ends[0, base, :, list(bounded.topics).index(topic)]
        out = np.zeros((len(codes), len(plan.systems)))
        for first in range(0, len(codes), LANES):
            here = slice(first, first + LANES)
            lanes = np.arange(len(codes[here]))
            for grade, share in zip(self.missing.level.tolist(), self._shares, strict=True):
                rows: NDArray[np.int8] = np.repeat(known[:, None], LANES, axis=1)
                rows[codes[here], lanes] = grade
                values = plan.lists.values(topic, rows, len(lanes))[base]
                out[here] += share[places[here], None] * (values - nobody)
        return out
