"""Fewer judgments: nested random reductions of the judged documents (sakai2008incomplete).

Per topic one random order of the relevant documents and one of the nonrelevant ones; at a rate of j per cent the first
R_j = max(1, trunc(R·j/100)) and N_j = max(10, trunc(N·j/100)) remain, never more than there are. The orders depend on
the seed, the trial, the topic and its judged documents alone, so adding a run moves nothing.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.compute.philox import words
from irassay.errors import InputError
from irassay.panel.grades import UNPOOLED
from irassay.panel.panel import Panel
from irassay.streams import NONRELEVANT_JUDGMENTS, RELEVANT_JUDGMENTS


def remaining(count: int, rate: int, least: int) -> int:
    """How many of `count` documents remain at a rate in per cent, in integer arithmetic."""
    return min(count, max(least, count * rate // 100))


def take_away(grade: NDArray[np.int8], relevant: NDArray[np.int64], nonrelevant: NDArray[np.int64], rate: int) -> None:
    """Leave the first documents of each order judged; the others look as if nobody had pooled them."""
    for order, least in ((relevant, 1), (nonrelevant, 10)):
        grade[order[remaining(len(order), rate, least) :]] = UNPOOLED


@dataclass(frozen=True)
class JudgmentPlan:
    """Reductions of a panel's judgments, nested over rates; `trial` numbers independent ones."""

    seed: int
    trial: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**64 or self.trial < 0:
            raise InputError("seed and trial are whole numbers from 0")

    def orders(self, panel: Panel, topic: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The topic's relevant and nonrelevant pool entries, each in its random order."""
        grade = panel.grade[panel.pool[topic] : panel.pool[topic + 1]]
        # the topic's own name picks its words, so that other topics in the call change nothing
        name = hashlib.sha256(panel.topics[topic].encode("utf-8", "surrogateescape")).digest()
        place = int.from_bytes(name[:6], "big") << 16 | (self.trial & 0xFFFF)
        orders = []
        for stream, entries in (
            (RELEVANT_JUDGMENTS, np.flatnonzero(grade >= 1)),
            (NONRELEVANT_JUDGMENTS, np.flatnonzero(grade == 0)),
        ):
            key = words(2 * len(entries), seed=self.seed, stream=stream + 16 * (self.trial >> 16), replicate=place)
            both = key[0::2].astype(np.uint64) << np.uint64(32) | key[1::2].astype(np.uint64)
            orders.append(entries[np.argsort(both, kind="stable")])
        return orders[0], orders[1]

    def grades(self, panel: Panel, rates: Sequence[int]) -> dict[int, NDArray[np.int8]]:
        """A grade array for each rate: what is no longer judged counts as not pooled."""
        out = {rate: panel.grade.copy() for rate in rates}
        for topic in range(len(panel.topics)):
            base = int(panel.pool[topic])
            relevant, nonrelevant = self.orders(panel, topic)
            for rate, grade in out.items():
                take_away(grade, base + relevant, base + nonrelevant, rate)
        return out
