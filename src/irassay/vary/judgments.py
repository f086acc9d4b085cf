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
from irassay.vary.variation import Observed, Variation

LEAST_RELEVANT, LEAST_NONRELEVANT = 1, 10  # judged documents that every topic keeps
STREAMS = (
    (RELEVANT_JUDGMENTS, NONRELEVANT_JUDGMENTS),
    (SECOND_RELEVANT_JUDGMENTS, SECOND_NONRELEVANT_JUDGMENTS),
)
BLOCK = 1 << 16  # trials of one stream
Rows = NDArray[np.uint8]
Keys = NDArray[np.uint64]


def remaining(count: int, rate: NDArray[np.int64], least: int) -> NDArray[np.int64]:
    """How many of `count` documents remain at rates in per cent, in integer arithmetic."""
    return np.minimum(count, np.maximum(least, count * rate // 100))


def _keys(panel: Panel, topic: int, entries: int, trial: NDArray[np.int64], *, seed: int, stream: int) -> Keys:
    """The numbers by which so many of a topic's documents are put in order in each trial [trials, entries]."""
    # the topic's own name picks its words, so that other topics in the call change nothing
    name = int.from_bytes(hashlib.sha256(panel.topics[topic].encode("utf-8", "surrogateescape")).digest()[:6], "big")
    low, high = int(trial.min()), int(trial.max()) + 1
    keys = np.empty((high - low, entries), dtype=np.uint64)
    for block in range(low // BLOCK, -(-high // BLOCK)):
        first, last = max(low, block * BLOCK), min(high, (block + 1) * BLOCK)
        place = np.uint64(name << 16 | first % BLOCK)
        draw_keys(keys[first - low : last - low], np.uint64(seed), place, np.uint32(stream + 16 * block))
    return keys[trial - low]


@dataclass(frozen=True)
class JudgmentLanes:
    """Reductions of a panel's judgments, 32 at a time; those of one trial are nested.

    `independent` is another set of them.
    """

    seed: int
    reductions: Sequence[tuple[int, int]]  # trial, rate in per cent
    independent: int = 0

    def __post_init__(self) -> None:
        check_seed(self.seed)

    @property
    def replicates(self) -> int:
        return len(self.reductions)

    @property
    def gpu(self) -> bool:
        return False

    def rows(self, first: int) -> NDArray[np.int64]:
        """Trials and rates [2, 32]; lanes that are left over repeat the last one."""
        here = list(self.reductions[first : first + LANES])
        return np.array(here + (LANES - len(here)) * here[-1:]).T

    def of_topic(self, panel: Panel, rows: NDArray[np.int64], first: int, topic: int) -> tuple[Rows, Rows]:
        grade = panel.grade[panel.pool[topic] : panel.pool[topic + 1]]
        copies = np.ones(len(grade) * LANES, dtype=np.uint8)
        judged = copies.copy()
        trial, rate = rows
        for stream, entries, least in zip(
            STREAMS[self.independent],
            (np.flatnonzero(grade >= 1), np.flatnonzero(grade == 0)),
            (LEAST_RELEVANT, LEAST_NONRELEVANT),
            strict=True,
        ):
            kept = remaining(len(entries), rate, least)
            if (kept < len(entries)).any():
                keys = _keys(panel, topic, len(entries), trial, seed=self.seed, stream=stream)
                # 64 bits: no two documents of a topic have the same number
                ordered = np.partition(keys, np.unique(kept) - 1, axis=1)
                take_judgments(judged, entries, keys, ordered[np.arange(LANES), kept - 1])
        return copies, judged

    def grades(self, panel: Panel, reduction: int) -> NDArray[np.int8]:
        """The grades that are left: what is no longer judged counts as not pooled."""
        first, lane = reduction - reduction % LANES, reduction % LANES
        rows = self.rows(first)
        judged = [self.of_topic(panel, rows, first, topic)[1][lane::LANES] for topic in range(len(panel.topics))]
        return np.where((np.concatenate(judged) == 0) & (panel.grade >= 0), np.int8(UNPOOLED), panel.grade)


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

    def unusable(self, observed: Observed) -> str:
        relevant = observed.lists.judged_counts(1)[observed.topics, 1:].sum(axis=1)
        if (remaining(relevant, np.array(self.keep), LEAST_RELEVANT) < relevant).any():
            return ""
        return f"no relevant document would lose its judgment at {self.keep}%, because every topic keeps at least one"

    def sd_scale(self, topics: int) -> float:
        # the spread over halves is that of a bootstrap sample of the judgments
        return sqrt(self.keep / (100 - self.keep))

    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        reductions = [(trial, self.keep) for trial in range(self.replicates)]
        return LanePlan.of(observed, JudgmentLanes(self.seed, reductions, independent))
