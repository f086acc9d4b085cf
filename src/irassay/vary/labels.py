"""Other labels: the labels of systems are permuted within topics, as if all systems were equal.

All measures see the same signs and permutations. Signs depend on the seed, the number of topics and the replicate,
permutations on the number of systems too: adding a run gives others.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.compute.executor import CHUNK, Plan, Rows, State, execute
from irassay.streams import PERMUTATIONS, SIGNS
from irassay.vary.topics import ReplicatePlan

TOPICS = 64  # whose permutations are drawn together
EXACT = 16  # up to so many topics all patterns of signs are gone through


class LabelPlan(ReplicatePlan):
    """`replicates` ways to permute the labels on `topics` topics."""

    kind = "randomisation"

    @property
    def exact(self) -> bool:
        """Whether the topics are so few that every pattern of signs is there."""
        return self.topics <= EXACT

    def signs(self) -> Iterator[NDArray[np.int16]]:
        """Signs of the topics' differences, in chunks [replicates, topics].

        Where `exact`, every pattern with a plus for the last topic: the others are their mirror images.
        """
        from irassay.ask._permutations import draw_signs, patterns

        if self.exact:
            yield from patterns(self.topics, CHUNK)
            return
        for low in range(0, self.replicates, CHUNK):
            out = np.empty((min(CHUNK, self.replicates - low), self.topics), dtype=np.int16)
            draw_signs(out, np.uint64(self.seed), np.uint32(SIGNS), np.int64(low))
            yield out

    def ranges(self, scores: NDArray[np.float64], *, jobs: int = 1) -> NDArray[np.float64]:
        """The range of the systems' means [replicates] for scores [systems, topics] permuted within topics."""
        plan = _Ranges(np.ascontiguousarray(scores.T, dtype=np.float64), self.seed, self.replicates)
        return execute("permutations", plan, Rows(plan.units), jobs=jobs)["ranges"] / self.topics


@dataclass(frozen=True, eq=False)
class _Ranges(Plan):
    """Ranges of the systems' sums in permutations."""

    scores: NDArray[np.float64]  # [topics, systems]
    seed: int
    replicates: int
    chunk = CHUNK
    gpu = True

    @property
    def units(self) -> int:
        return self.replicates

    def block(self, part: range, jobs: int) -> State:
        from irassay.ask._permutations import permuted_ranges

        systems = self.scores.shape[1]
        scratch = np.empty((systems + 1, TOPICS), dtype=np.int32), np.empty((TOPICS, systems)), np.empty(systems)
        key = np.uint64(self.seed), np.uint32(PERMUTATIONS), np.int64(part.start)
        out = np.empty(len(part))
        permuted_ranges(self.scores, *scratch, *key, out)
        return {"ranges": out}

    def gpu_block(self, part: range, jobs: int) -> State:
        from irassay.ask.gpu.permutations import ranges_on_gpu

        return {"ranges": ranges_on_gpu(self.scores, part.stop, seed=self.seed, stream=PERMUTATIONS)[part.start :]}
