"""Scores on bootstrap corpora in blocks: what is computed for one group of topics."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.executor import CHUNK, Plan
from irassay.compute.threads import parallel_for
from irassay.scoring.lanes import LANES
from irassay.vary.image_scores import CorpusScores

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Block:
    """Scores on some bootstrap corpora, where they were made."""

    scores: Any  # [base measure, topic, corpus, system]; NumPy or CuPy
    unanswered: NDArray[np.int64]  # corpora in which each topic has no relevant document
    gpu: bool = False

    @property
    def xp(self) -> Any:
        """The module of its arrays."""
        if not self.gpu:
            return np
        from irassay.compute.gpu import cupy

        return cupy()

    def to_host(self, array: Any) -> NDArray[Any]:
        """One of its arrays as NumPy's."""
        if not self.gpu:
            return np.asarray(array)
        from irassay.compute.gpu import to_host

        return to_host(array)

    def scores_on_host(self) -> Array:
        # a GPU has the systems before the corpora: turned here, it needs no copy of its own
        return np.swapaxes(self.to_host(self.scores.swapaxes(-1, -2)), -1, -2)


@dataclass(frozen=True, eq=False)
class TopicGroup(Plan):
    """The scores of all bootstrap corpora on some topics."""

    scores: CorpusScores
    document: NDArray[np.int32]  # of the panel: what is drawn depends on it
    topics: range
    chunk = CHUNK
    threads_inside = True
    gpu = True

    @property
    def units(self) -> int:
        return self.scores.plan.images

    def block(self, part: range, jobs: int) -> Block:
        lanes = range(0, len(part), LANES)
        shape = len(self.scores.measures), len(self.topics), len(lanes) * LANES, len(self.scores.systems)
        out = np.empty(shape)
        unanswered = np.zeros((len(self.topics), len(lanes)), dtype=np.int64)

        def score(low: int) -> None:
            answerable = self.scores.score(part.start + low, self.topics, out[:, :, low : low + LANES])
            unanswered[:, low // LANES] = (~answerable[:, : len(part) - low]).sum(axis=1)

        parallel_for(score, lanes, jobs)
        return Block(out[:, :, : len(part)], unanswered.sum(axis=1))

    @property
    def gpu_chunk(self) -> int:
        return self.scores.on_gpu.tile(len(self.topics))

    def gpu_block(self, part: range, jobs: int) -> Block:
        from irassay.compute.gpu import to_host

        gpu, plan = self.scores.on_gpu, self.scores.plan
        counts = gpu.counts(part.start, plan.totals(part.start, len(part)))
        scores, answerable = gpu.scores(counts, len(part), self.topics.start, len(self.topics))
        return Block(scores.swapaxes(-1, -2), to_host((~answerable).sum(axis=1)), gpu=True)
