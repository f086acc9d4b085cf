"""Other labels: which system a score belongs to is dealt anew within topics, as if all systems were equal.

All measures see the same signs and permutations. Signs depend on the seed, the number of topics and the replicate,
permutations on the number of systems too: adding a run gives others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.ask._permutations import draw_signs, patterns, permuted_ranges
from irassay.compute.executor import State, accumulate
from irassay.errors import InputError, check_seed
from irassay.streams import PERMUTATIONS, SIGNS

EXACT = 16  # up to so many topics all patterns of signs are gone through
CHUNK = 256  # replicates done together


@dataclass(frozen=True)
class LabelPlan:
    """`replicates` ways to deal the labels on `topics` topics."""

    seed: int
    topics: int
    replicates: int

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if self.replicates < 1 or self.topics < 1:
            raise InputError("a randomisation needs at least one topic and one sample")

    @property
    def exact(self) -> bool:
        """Whether the topics are so few that every pattern of signs is there."""
        return self.topics <= EXACT

    def signs(self) -> Iterator[NDArray[np.int16]]:
        """Signs of the topics' differences, in chunks [replicates, topics].

        Where `exact`, every pattern with a plus for the last topic: the others are their mirror images.
        """
        if self.exact:
            yield from patterns(self.topics, CHUNK)
            return
        for low in range(0, self.replicates, CHUNK):
            out = np.empty((min(CHUNK, self.replicates - low), self.topics), dtype=np.int16)
            draw_signs(out, np.uint64(self.seed), np.uint32(SIGNS), np.int64(low))
            yield out

    def ranges(self, scores: NDArray[np.float64], *, jobs: int = 1) -> NDArray[np.float64]:
        """The range of the systems' means [replicates] for scores [systems, topics] dealt anew within topics."""
        work = _Ranges(np.ascontiguousarray(scores.T, dtype=np.float64), self.seed, self.replicates)
        found = {"ranges": np.empty(self.replicates)}
        accumulate(
            "permutations", work, range(0, self.replicates, CHUNK), found, _put, jobs=jobs, gpu=work.on_gpu,
            units=self.replicates,
        )  # fmt: skip
        return found["ranges"] / self.topics


@dataclass(frozen=True, eq=False)
class _Ranges:
    """Ranges of the systems' sums in one chunk of permutations, named by its first."""

    scores: NDArray[np.float64]  # [topics, systems]
    seed: int
    replicates: int

    def __call__(self, low: int) -> NDArray[np.float64]:
        systems = self.scores.shape[1]
        out = np.empty(min(CHUNK, self.replicates - low))
        permuted_ranges(
            self.scores, np.empty(systems), np.empty(systems), np.uint64(self.seed), np.uint32(PERMUTATIONS),
            np.int64(low), out,
        )  # fmt: skip
        return out

    def on_gpu(self) -> State:
        from irassay.ask.gpu.permutations import ranges_on_gpu

        return {"ranges": ranges_on_gpu(self.scores, self.replicates, seed=self.seed, stream=PERMUTATIONS)}


def _put(state: State, low: int, ranges: NDArray[np.float64]) -> None:
    state["ranges"][low : low + len(ranges)] = ranges
