"""Fewer judgments: nested random reductions of the judged documents (sakai2008incomplete).

Per topic one random order of the relevant documents and one of the nonrelevant ones; at a rate of j per cent the first
R_j = max(1, trunc(R·j/100)) and N_j = max(10, trunc(N·j/100)) remain, never more than there are. The orders depend on
the seed, the trial, the topic and its judged documents alone, so adding a run moves nothing.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from irassay.compute.executor import Plan
from irassay.errors import InputError, check_seed
from irassay.panel.grades import UNPOOLED
from irassay.panel.panel import Panel
from irassay.scoring.lanes import LANES
from irassay.streams import (
    NONRELEVANT_JUDGMENTS,
    RELEVANT_JUDGMENTS,
    SECOND_NONRELEVANT_JUDGMENTS,
    SECOND_RELEVANT_JUDGMENTS,
)
from irassay.vary._judgment_draws import draw_keys, take_judgments
from irassay.vary.blocks import LanePlan
from irassay.vary.lane_scores import LaneScores
from irassay.vary.variation import Observed, Variation

LEAST_RELEVANT, LEAST_NONRELEVANT = 1, 10  # judged documents that every topic keeps
STREAMS = (
    (RELEVANT_JUDGMENTS, NONRELEVANT_JUDGMENTS),
    (SECOND_RELEVANT_JUDGMENTS, SECOND_NONRELEVANT_JUDGMENTS),
)
BLOCK = 1 << 16  # trials of one stream
Rows = NDArray[np.uint8]
Keys = NDArray[np.uint64]


def remaining(count: int, rate: int, least: int) -> int:
    """How many of `count` documents remain at a rate in per cent, in integer arithmetic."""
    return min(count, max(least, count * rate // 100))


def take_away(grade: NDArray[np.int8], relevant: NDArray[np.int64], nonrelevant: NDArray[np.int64], rate: int) -> None:
    """Leave the first documents of each order judged; the others look as if nobody had pooled them."""
    for order, least in ((relevant, LEAST_RELEVANT), (nonrelevant, LEAST_NONRELEVANT)):
        grade[order[remaining(len(order), rate, least) :]] = UNPOOLED


def _keys(panel: Panel, topic: int, entries: int, trial: int, trials: int, *, seed: int, stream: int) -> Keys:
    """The numbers by which so many of a topic's documents are put in order [trials, entries]."""
    # the topic's own name picks its words, so that other topics in the call change nothing
    name = hashlib.sha256(panel.topics[topic].encode("utf-8", "surrogateescape")).digest()
    place = int.from_bytes(name[:6], "big") << 16 | (trial % BLOCK)
    keys = np.empty((trials, entries), dtype=np.uint64)
    draw_keys(keys, np.uint64(seed), np.uint64(place), np.uint32(stream + 16 * (trial // BLOCK)))
    return keys


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
        orders = []
        for stream, entries in zip(STREAMS[0], (np.flatnonzero(grade >= 1), np.flatnonzero(grade == 0)), strict=True):
            keys = _keys(panel, topic, len(entries), self.trial, 1, seed=self.seed, stream=stream)
            orders.append(entries[np.argsort(keys[0], kind="stable")])
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


@dataclass(frozen=True)
class JudgmentLanes:
    """Trials 0, 1, … of `JudgmentPlan` at one rate, 32 at a time; `independent` is another set of them."""

    seed: int
    replicates: int
    rate: int
    independent: int = 0

    def __post_init__(self) -> None:
        check_seed(self.seed)

    @property
    def gpu(self) -> bool:
        return False

    def rows(self, first: int) -> None:
        """Topics share nothing."""

    def of_topic(self, panel: Panel, rows: None, first: int, topic: int) -> tuple[Rows, Rows]:
        grade = panel.grade[panel.pool[topic] : panel.pool[topic + 1]]
        copies = np.ones(len(grade) * LANES, dtype=np.uint8)
        judged = copies.copy()
        for stream, entries, least in zip(
            STREAMS[self.independent],
            (np.flatnonzero(grade >= 1), np.flatnonzero(grade == 0)),
            (LEAST_RELEVANT, LEAST_NONRELEVANT),
            strict=True,
        ):
            kept = remaining(len(entries), self.rate, least)
            if kept < len(entries):
                keys = _keys(panel, topic, len(entries), first, LANES, seed=self.seed, stream=stream)
                # 64 bits: no two documents of a topic have the same number
                take_judgments(judged, entries, keys, np.partition(keys, kept - 1, axis=1)[:, kept - 1].copy())
        return copies, judged


@dataclass(frozen=True, kw_only=True)
class Judgments(Variation):
    """A random part of the judgments."""

    keep: int = 50  # per cent
    name = "judgments"
    kind = "scenario"
    mechanism = "a random part of each topic's judgments, the same for all systems"
    limits = "Judgments are only removed, never added: documents that nobody judged stay unknown."

    def __post_init__(self) -> None:
        if not 1 <= self.keep <= 99:
            raise InputError(f"{self.keep}% of the judgments are kept", hint="give --keep from 1 to 99, such as 50")

    @property
    def label(self) -> str:
        return f"{self.name} {self.keep}%"

    def sd_scale(self, topics: int) -> float:
        # the spread over halves is that of a bootstrap sample of the judgments
        return sqrt(self.keep / (100 - self.keep))

    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        panel = observed.lists
        lanes = JudgmentLanes(self.seed, self.replicates, self.keep, independent)
        scores = LaneScores(panel.minimal, observed.systems, observed.bases, lanes)
        return LanePlan(scores, range(len(panel.topics)))
