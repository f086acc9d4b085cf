"""Other topics: samples of the topics with replacement (sakai2007bootstrap, Figs 2 and 6).

All systems and all measures see the same samples: they depend on the seed, the number of topics and the replicate.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from irassay.compute.draws import index_counts, random_indices
from irassay.errors import InputError, check_seed
from irassay.streams import SECOND_TOPICS, TOPIC_HALVES, TOPICS, UNPAIRED_TOPICS


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


class TopicPlan(ReplicatePlan):
    """`replicates` samples of `topics` topics."""

    kind = "bootstrap"

    def counts(self, *, second: bool = False, low: int = 0, high: int | None = None) -> NDArray[np.int32]:
        """How often each sample holds each topic [replicates, topics]; `second` is an independent set.

        `low` and `high` take a part of the samples only.
        """
        rows = (self.replicates if high is None else min(high, self.replicates)) - low
        stream = SECOND_TOPICS if second else TOPICS
        index = random_indices(rows, self.topics, self.topics, seed=self.seed, stream=stream, first=low)
        return index_counts(index, self.topics)

    def unpaired(self) -> NDArray[np.int32]:
        """2n positions in the concatenation of two systems' topics: the first n for X, the rest for Y (Fig 6)."""
        both = 2 * self.topics
        return random_indices(self.replicates, both, both, seed=self.seed, stream=UNPAIRED_TOPICS)

    def halves(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Disjoint halves of the topics as counts, without replacement (Voorhees & Buckley's swap method)."""
        keys = random_indices(self.replicates, self.topics, 2**31 - 1, seed=self.seed, stream=TOPIC_HALVES)
        order = np.argsort(keys, axis=1, kind="stable")
        half = self.topics // 2
        first, second = np.zeros((2, self.replicates, self.topics), dtype=np.int32)
        np.put_along_axis(first, order[:, :half], 1, axis=1)
        np.put_along_axis(second, order[:, half : 2 * half], 1, axis=1)
        return first, second
