"""Scores of replicates in blocks: what every variation makes, and every accumulator takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from irassay.compute.executor import CHUNK, Plan
from irassay.compute.gpu import to_host
from irassay.compute.threads import parallel_for
from irassay.scoring.lanes import LANES
from irassay.vary.lane_scores import Lanes, LaneScores
from irassay.vary.variation import Observed

if TYPE_CHECKING:
    from irassay.vary.documents import ImagePlan

Array = NDArray[np.float64]
BLOCK_BYTES = 1 << 28
UNDER_WAY_BYTES = 1 << 30  # of blocks that several threads work on, unless a part of them needs more


def replicate_chunk(measures: int, topics: int, systems: int) -> int:
    """Replicates of a block, so that it stays small however many topics and systems there are.

    It follows from the sizes alone, never from the memory of a machine, because sums are grouped by it.
    """
    fitting = BLOCK_BYTES // (8 * measures * topics * systems)
    return max(LANES, min(CHUNK, fitting // LANES * LANES))


@dataclass(frozen=True, eq=False)
class Block:
    """Scores of some replicates, where they were made."""

    scores: Any  # [base measure, topic, replicate, system], or one replicate for all; NumPy or CuPy
    weights: NDArray[np.int32] | None = None  # how often each replicate has each topic [replicate, topic]; None: once
    unanswered: Any = None  # replicates in which each topic has no relevant document; where the scores are
    judged_counts: NDArray[np.int64] | None = None  # judged documents by grade [topic, replicate, grade]
    gpu: bool = False

    @property
    def xp(self) -> Any:
        """The module of its arrays."""
        if not self.gpu:
            return np
        from irassay.compute.gpu import cupy

        return cupy()

    def scores_on_host(self) -> Array:
        # a GPU has the systems before the replicates: turned here, it needs no copy of its own
        return np.swapaxes(to_host(self.scores.swapaxes(-1, -2)), -1, -2)


@dataclass(frozen=True, eq=False)
class LanePlan(Plan):
    """The scores of all replicates of documents or judgments on some topics."""

    scores: LaneScores
    topics: range
    document: NDArray[np.int32] | None = None  # of the panel, where what is drawn depends on it
    chunk: int = CHUNK
    most_under_way: int | None = field(default=None, compare=False)  # parts that memory allows; None: by the default
    threads_inside = True

    @classmethod
    def of(
        cls,
        observed: Observed,
        lanes: Lanes,
        *,
        depth: int | None = None,
        document: NDArray[np.int32] | None = None,
    ) -> Self:
        """All topics of a panel, and the systems and measures that were observed."""
        panel = observed.lists.minimal
        scores = LaneScores(panel, observed.systems, observed.bases, lanes, depth)
        chunk = replicate_chunk(len(observed.bases), len(panel.topics), len(observed.systems))
        return cls(scores, range(len(panel.topics)), document, chunk)

    @property
    def units(self) -> int:
        return self.scores.plan.replicates

    @property
    def gpu(self) -> bool:
        from irassay.scoring.gpu.folds import all_translatable

        return self.scores.plan.gpu and all_translatable(self.scores.measures)

    def under_way(self, jobs: int) -> int:
        # a part has work for few threads; others begin the next ones, and one more while the last is added up
        most, scores = self.most_under_way, self.scores
        if most is None:
            block = 8 * len(scores.measures) * len(self.topics) * self.chunk * len(scores.systems)
            most = UNDER_WAY_BYTES // max(1, block)
        return max(1, min(most, 2 + jobs * LANES // self.chunk))

    def block(self, part: range, jobs: int) -> Block:
        lanes = range(0, len(part), LANES)
        shape = len(self.scores.measures), len(self.topics), len(lanes) * LANES, len(self.scores.systems)
        out = np.empty(shape)
        counts = np.empty((*shape[1:3], self.scores.grades), dtype=np.int64)

        def score(low: int) -> None:
            here = slice(low, low + LANES)
            counts[:, here] = self.scores.score(part.start + low, self.topics, out[:, :, here])

        parallel_for(score, lanes, jobs)
        counts = counts[:, : len(part)]
        unanswered = (~counts[:, :, 1:].any(axis=2)).sum(axis=1)
        return Block(out[:, :, : len(part)], unanswered=unanswered, judged_counts=counts)

    @property
    def gpu_chunk(self) -> int:
        return self.scores.on_gpu.tile(len(self.topics))

    def gpu_block(self, part: range, jobs: int) -> Block:
        gpu, plan = self.scores.on_gpu, cast("ImagePlan", self.scores.plan)
        counts = gpu.counts(plan.number(part.start), plan.totals(part.start, len(part)))
        scores, answerable = gpu.scores(counts, len(part), self.topics.start, len(self.topics))
        return Block(scores.swapaxes(-1, -2), unanswered=(~answerable).sum(axis=1), gpu=True)
