"""Scores on bootstrap corpora in blocks: how many topics the memory limit allows in a group, and a group's scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.spread import Histogram
from irassay.compute.executor import CHUNK, Plan
from irassay.compute.threads import parallel_for
from irassay.errors import InputError
from irassay.measures import Measure
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


@dataclass(frozen=True)
class MemoryBudget:
    """Bytes that scores on bootstrap corpora take; `summaries` are the scores of each system that are kept for each."""

    limit: int
    bases: int
    summaries: int
    systems: int
    images: int

    def per_topic(self, *, exact: bool) -> int:
        """Bytes that one topic takes: products of systems, of all corpora and of a part, and scores or histograms."""
        scores = 8 * max(self.images, LANES) if exact else 8 * CHUNK + 2 * 4 * Histogram.BINS
        return self.bases * self.systems * (2 * 8 * self.systems + scores)

    @property
    def left(self) -> int:
        """Bytes for topics, without what the summaries take."""
        summaries = 8 * self.summaries * self.images * self.systems
        left = self.limit - summaries
        least = min(self.per_topic(exact=True), self.per_topic(exact=False))
        if left < least:
            needed = _megabytes(summaries + least)
            raise InputError(
                f"{self.images} images of {self.systems} systems need {needed} MB at least",
                hint=f"give --memory {needed}M, or fewer images, systems or measures",
            )
        return left

    @property
    def exact(self) -> bool:
        """Whether all scores of a topic can be kept, for quantiles; else histograms have to do."""
        return self.per_topic(exact=True) <= self.left

    def groups(self, topics: int, measures: Sequence[Measure], intervals: Sequence[str]) -> list[range]:
        """Topics that are worked on together; an error where that is too few for what is asked."""
        if "percentile" in intervals and not self.exact:
            raise InputError(
                "percentile intervals need the scores of all images, which do not fit",
                hint=f"give --memory {self._needed(1, exact=True)}M, or fewer images",
            )
        size = max(1, self.left // self.per_topic(exact=self.exact))
        for measure in measures:
            if measure.summary_with_params()[0].whole is not None and size < topics:
                raise InputError(
                    f"{measure} takes all topics at once, and their scores do not fit the memory given",
                    hint=f"give --memory {self._needed(topics, exact=self.exact)}M, or fewer images",
                )
        return [range(first, min(first + size, topics)) for first in range(0, topics, size)]

    def _needed(self, topics: int, *, exact: bool) -> int:
        return _megabytes(self.limit - self.left + topics * self.per_topic(exact=exact))


def _megabytes(size: int) -> int:
    return -(-size // 2**20)
