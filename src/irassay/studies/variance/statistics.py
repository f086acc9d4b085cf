"""What is kept of simulated scores, chunk after chunk of samples."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.ask.rejection import PairStatistics, Rejections, largest, pair_statistics
from irassay.compute.executor import Accumulator, State
from irassay.compute.memory import empty
from irassay.measures import Measure
from irassay.vary.blocks import Block

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SimulatedStatistics(Accumulator):
    """Statistics of simulated scores; all arrays begin with the measures."""

    measures: tuple[Measure, ...]
    systems: int
    topics: int
    samples: int
    alpha: float

    def start(self) -> State:
        topics = (len(self.measures), self.systems, self.topics)
        kept = [Rejections(self.systems, self.samples, self.alpha).state for _ in self.measures]
        return {
            "means": empty((len(self.measures), self.samples, self.systems), of="samples"),
            "mean": np.zeros(topics),
            "squares": np.zeros(topics),
            **{name: np.stack([arrays[name] for arrays in kept]) for name in kept[0]},
        }

    def add(self, part: range, block: Block, jobs: int) -> State:
        by_measure = zip(self.measures, np.swapaxes(block.scores_on_host(), -1, -2), strict=True)
        parts = [self._one(measure, values, jobs) for measure, values in by_measure]
        return {name: np.stack([arrays[name] for arrays in parts]) for name in parts[0]}

    def _one(self, measure: Measure, values: Array, jobs: int) -> State:
        by_sample = np.ascontiguousarray(values.transpose(2, 1, 0))
        mean = values.mean(axis=2)
        assert measure.paired is not None  # others were refused before any work
        tests = pair_statistics(measure.paired.forward(by_sample).transpose(0, 2, 1), self.alpha, jobs=jobs)
        tests = largest(tests, self.systems, self.samples, self.alpha, jobs=jobs)
        return {
            "means": measure.summarise(by_sample),
            "mean": mean.T,
            "squares": np.square(values - mean[:, :, None]).sum(axis=2).T,
            "statistic": tests.statistic,
            "difference": tests.difference,
            "rejected": tests.rejected,
        }

    def merge(self, state: State, part: range, other: State, jobs: int) -> None:
        state["means"][:, part.start : part.stop] = other["means"]
        step = other["mean"] - state["mean"]  # two sets of samples together (Chan, Golub & LeVeque)
        state["squares"] += other["squares"] + step * step * (part.start * len(part) / part.stop)
        state["mean"] += step * (len(part) / part.stop)
        for k in range(len(self.measures)):
            tests = PairStatistics(other["statistic"][k], other["difference"][k], other["rejected"][k])
            self.rejections(state, k, part.start).add(tests, jobs=jobs)

    def deviations(self, state: State) -> Array:
        """Over all samples [measure, system, topic]; undefined for one."""
        return (
            np.sqrt(state["squares"] / (self.samples - 1)) if self.samples > 1 else np.full_like(state["mean"], np.nan)
        )

    def rejections(self, state: State, k: int, seen: int) -> Rejections:
        """Of one measure, on the arrays of a state into which so many samples were merged."""
        arrays = {name: state[name][k] for name in Rejections.ARRAYS}
        return Rejections(self.systems, self.samples, self.alpha, arrays, seen)
