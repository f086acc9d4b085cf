"""Samples of the topics with replacement (sakai2007bootstrap, Figs 2 and 6).

All systems and all measures see the same samples: they depend on the seed, the number of topics and the replicate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from irassay.compute.draws import random_counts, random_indices
from irassay.compute.executor import CHUNK, Plan
from irassay.errors import InputError, check_seed
from irassay.streams import SECOND_TOPICS, TOPIC_HALVES, TOPICS, UNPAIRED_TOPICS
from irassay.vary.variation import Observed, Variation

if TYPE_CHECKING:
    from irassay.vary.blocks import Block


@dataclass(frozen=True)
class ReplicatePlan:
    """`replicates` random variations of `topics` topics; `kind` is for messages."""

    seed: int
    topics: int
    replicates: int
    kind: ClassVar[str]

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if self.replicates < 1 or self.topics < 1:
            raise InputError(f"a {self.kind} needs at least one topic and one sample")


@dataclass(frozen=True)
class TopicPlan(ReplicatePlan):
    """`replicates` samples of `size` of the topics, None: as many as there are; with replacement or without."""

    size: int | None = None
    replacement: bool = True
    kind = "bootstrap"

    def __post_init__(self) -> None:
        super().__post_init__()
        size = self.topics if self.size is None else self.size
        if size < 1 + (self.size is not None) or not (self.replacement or size < self.topics):
            raise InputError(
                f"samples of {size} of {self.topics} topics"
                f"{'' if self.replacement else ' without replacement are all the same'}",
                hint="give a size of 2 or more; without replacement it is smaller than the number of topics",
            )

    def counts(
        self, *, second: bool = False, low: int = 0, high: int | None = None, jobs: int = 1
    ) -> NDArray[np.int32]:
        """How often each sample holds each topic [replicates, topics]; `second` is an independent set.

        `low` and `high` take a part of the samples only.
        """
        rows = (self.replicates if high is None else min(high, self.replicates)) - low
        stream, size = SECOND_TOPICS if second else TOPICS, self.topics if self.size is None else self.size
        if not self.replacement:
            return self._first_of(self._order(rows, stream, low), 0, size)
        return random_counts(rows, size, self.topics, seed=self.seed, stream=stream, first=low, jobs=jobs)

    def __len__(self) -> int:
        return self.replicates

    def __getitem__(self, part: slice, /) -> NDArray[np.int32]:
        """The counts of some samples: a plan stands wherever `compute.draws.Samples` are taken."""
        low, high, _ = part.indices(self.replicates)
        return self.counts(low=low, high=high)

    def unpaired(self, other: int | None = None) -> NDArray[np.int32]:
        """n + m positions in the concatenation of two systems' topics: the first n for X, the rest for Y (Fig 6).

        m is `other`, or n.
        """
        both = self.topics + (self.topics if other is None else other)
        return random_indices(self.replicates, both, both, seed=self.seed, stream=UNPAIRED_TOPICS)

    def halves(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Disjoint halves of the topics as counts, or sets of `size` (Voorhees & Buckley's swap method)."""
        half = self.topics // 2 if self.size is None else self.size
        if 2 * half > self.topics:
            raise ValueError(f"two disjoint sets of {half} do not fit into {self.topics} topics")
        order = self._order(self.replicates, TOPIC_HALVES, 0)
        return self._first_of(order, 0, half), self._first_of(order, half, 2 * half)

    def _order(self, rows: int, stream: int, first: int) -> NDArray[np.int64]:
        """The topics in random order, a row for each replicate."""
        keys = random_indices(rows, self.topics, 2**31 - 1, seed=self.seed, stream=stream, first=first)
        return np.argsort(keys, axis=1, kind="stable")

    def _first_of(self, order: NDArray[np.int64], low: int, high: int) -> NDArray[np.int32]:
        """The topics at places low to high - 1 of each order, as counts."""
        counts = np.zeros(order.shape, dtype=np.int32)
        np.put_along_axis(counts, order[:, low:high], 1, axis=1)
        return counts


@dataclass(frozen=True, eq=False)
class SampledTopics(Plan):
    """The same scores with weights: no topic is scored again."""

    values: NDArray[np.float64]  # [base measure, topic, 1, system]
    topics: TopicPlan
    second: bool
    chunk = CHUNK
    gpu = True
    gpu_chunk = 64 * CHUNK
    threads_inside = True

    @property
    def units(self) -> int:
        return self.topics.replicates

    def block(self, part: range, jobs: int) -> Block:
        from irassay.vary.blocks import Block

        return Block(self.values, self.topics.counts(second=self.second, low=part.start, high=part.stop, jobs=jobs))

    def gpu_block(self, part: range, jobs: int) -> Block:
        from irassay.compute.gpu import cupy

        return replace(self.block(part, jobs), scores=cupy().asarray(self.values), gpu=True)


@dataclass(frozen=True, eq=False)
class WithTopics(Plan):
    """The replicates of another plan, each with its own sample of the topics."""

    inner: Plan
    topics: TopicPlan
    second: bool = False

    def __post_init__(self) -> None:
        for name in ("chunk", "threads_inside"):
            object.__setattr__(self, name, getattr(self.inner, name))

    @property
    def units(self) -> int:
        return self.inner.units

    @property
    def gpu(self) -> bool:
        return self.inner.gpu

    @property
    def gpu_chunk(self) -> int:
        return self.inner.gpu_chunk

    def block(self, part: range, jobs: int) -> Block:
        return self._sampled(part, self.inner.block(part, jobs))

    def gpu_block(self, part: range, jobs: int) -> Block:
        return self._sampled(part, self.inner.gpu_block(part, jobs))

    def _sampled(self, part: range, block: Block) -> Block:
        return replace(block, weights=self.topics.counts(second=self.second, low=part.start, high=part.stop))


@dataclass(frozen=True, kw_only=True)
class Topics(Variation):
    """Samples of these topics."""

    size: int | None = None
    without_replacement: bool = False
    halves: bool = False  # half of the topics without replacement
    name = "topics"
    kind = "sampling"
    needs = "scores"
    mechanism = "topics drawn from these topics, the same for all systems"
    limits = "Fresh topics are taken to be like these; corpus and judgments stay as they are."

    @property
    def label(self) -> str:
        if self.halves:
            return f"{self.name} halves"
        size = "" if self.size is None else f" {self.size}"
        return f"{self.name}{size}{' without replacement' if self.without_replacement else ''}"

    def sd_scale(self, topics: int) -> float:
        # a sample with replacement varies by (n-1)/n of what fresh topics would
        return 1.0 if self.halves or self.without_replacement else sqrt(topics / (topics - 1))

    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        scores = observed.scores
        n = len(scores.topics)
        size = n // 2 if self.halves else self.size
        plan = TopicPlan(self.seed, n, self.replicates, size, not (self.halves or self.without_replacement))
        first = [observed.places.index(place) for place in range(max(observed.places) + 1)]
        values = scores.values.reshape(len(scores), len(scores.systems), n)[first]
        return SampledTopics(np.ascontiguousarray(np.swapaxes(values, 1, 2))[:, :, None], plan, independent > 0)
