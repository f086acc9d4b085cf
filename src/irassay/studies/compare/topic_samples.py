"""Samples of the topics, which all measures share: drawn chunk by chunk, and kept nowhere but as sums."""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from irassay.ask.letters import firsts
from irassay.compute.draws import sums_of_samples
from irassay.compute.executor import CHUNK
from irassay.compute.memory import empty
from irassay.compute.threads import parallel_for
from irassay.scoring.scores import Array
from irassay.vary.topics import TopicPlan


class TopicSamples:
    """Samples of the units of scores [measures, systems, units], which are topics, or sums of families of topics."""

    def __init__(self, plan: TopicPlan, scores: Array, jobs: int) -> None:
        self.plan, self.scores, self.jobs = plan, scores, jobs

    @cached_property
    def sums(self) -> Array:
        """Every system's sum over every sample [measures, samples, systems]."""
        measures, systems, _ = self.scores.shape
        sums = empty((measures, self.plan.replicates, systems), of="samples")

        def keep(low: int, part: Array) -> None:
            sums[:, low : low + CHUNK] = part

        self._each_chunk("sums of samples", keep)
        return sums

    @cached_property
    def shares_first(self) -> Array:
        """The share of samples in which each system is first [measures, systems]."""
        measures, systems, units = self.scores.shape
        chunks = np.empty((-(-self.plan.replicates // CHUNK), measures, systems))

        def count(low: int, part: Array) -> None:
            chunks[low // CHUNK] = [firsts(sums / units) for sums in part]

        self._each_chunk("samples of topics", count)
        return np.asarray(np.add.accumulate(chunks)[-1] / self.plan.replicates)  # added in the order of the samples

    def _each_chunk(self, name: str, work: Callable[[int, Array], None]) -> None:
        """Call `work` with the first sample of a chunk and its sums [measures, samples, systems]."""
        measures, systems, units = self.scores.shape
        columns = np.ascontiguousarray(self.scores.reshape(-1, units).T)

        def chunk(low: int) -> None:
            if "sums" in self.__dict__:
                work(low, self.sums[:, low : low + CHUNK])
                return
            sums = sums_of_samples(columns, self.plan[low : low + CHUNK]).reshape(-1, measures, systems)
            work(low, np.moveaxis(sums, 1, 0))

        parallel_for(chunk, range(0, self.plan.replicates, CHUNK), self.jobs, name)
