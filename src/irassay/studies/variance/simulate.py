"""Simulated scores in chunks of samples, and what is kept of them."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.rejection import PairStatistics, Rejections, pair_statistics
from irassay.compute.executor import CHUNK, Accumulator, Plan, State
from irassay.compute.threads import parallel_for
from irassay.measures import Measure
from irassay.panel.grades import from_grade
from irassay.scoring import fold
from irassay.scoring.hits import Hits
from irassay.scoring.recipes import Recipe
from irassay.scoring.score_panel import compile_folds, group_by_hits, prepare
from irassay.vary._density import fitted_hits
from irassay.vary._density_draws import drawn_hits
from irassay.vary._simulated_lists import Scratch, SimulatedLists, View, resampled_hits

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Simulation(Plan):
    """One model's simulated scores of several measures; lists are topic-major."""

    lists: SimulatedLists
    systems: int
    measures: tuple[Measure, ...]
    grades: tuple[int, ...]
    gains: Mapping[int, float] | None
    kde: bool
    exact: bool = False
    fixed: bool = False
    samples: int = 0
    _local: Any = field(default_factory=threading.local, init=False, repr=False)
    chunk = CHUNK
    gpu_chunk = CHUNK
    threads_inside = True

    def __reduce__(self) -> tuple[object, ...]:
        fields = (self.lists, self.systems, self.measures, self.grades, self.gains, self.kde, self.exact, self.fixed)
        return Simulation, (*fields, self.samples)

    @property
    def units(self) -> int:
        return self.samples

    @property
    def gpu(self) -> bool:
        return not self.kde

    @property
    def topics(self) -> int:
        return len(self.lists) // self.systems

    def block(self, part: range, jobs: int) -> Array:
        return self.values(part.start, part.stop, jobs=jobs)

    def gpu_block(self, part: range, jobs: int) -> Array:
        return self.values(part.start, part.stop, jobs=jobs, gpu=True)

    def values(self, first: int, last: int, *, jobs: int = 1, gpu: bool = False) -> Array:
        """Simulated scores [measures, topics, systems, samples] of the samples [first, last)."""
        bases = tuple(dict.fromkeys(measure.base for measure in self.measures))
        longest = int(self.lists.length.max(initial=0))
        most = longest + int(self.lists.missed[:, 1:].sum(axis=1).max(initial=0))
        recipes = {
            base: prepare(base, grades=self.grades, gains=self.gains, longest=longest, most=most) for base in bases
        }
        compile_folds(recipe for _, _, recipe in recipes.values())
        # the scratch holds the hits of one view, so measures of one view follow each other
        wanted = sorted(group_by_hits(recipes).items(), key=lambda item: item[0])
        scores = {base: np.empty((len(self.lists), last - first)) for base in bases}
        if gpu:
            wanted = self._on_gpu(wanted, recipes, scores, first, last)
        batches = [fold.Batch([recipes[base][2] for base in of]) for _, of in wanted]

        def one(q: int) -> None:
            held: View | None = None
            for ((view, rel), of), batch in zip(wanted, batches, strict=True):
                if view != held:
                    held, (hits, judged_counts) = view, self._simulated(q, first, last, view)
                for base, values in zip(of, batch.values(hits, from_grade(judged_counts, rel)), strict=True):
                    scores[base][q] = values

        if wanted:
            parallel_for(one, range(len(self.lists)), jobs)
        shape = (self.topics, self.systems, last - first)
        return np.stack([scores[measure.base].reshape(shape) for measure in self.measures])

    def _on_gpu(
        self,
        wanted: list[tuple[tuple[View, int], list[Measure]]],
        recipes: Mapping[Measure, tuple[View, int, Recipe]],
        scores: dict[Measure, Array],
        first: int,
        last: int,
    ) -> list[tuple[tuple[View, int], list[Measure]]]:
        """Measures of relevant documents on whole lists, on the GPU; returns those left for the CPU."""
        from irassay.vary.gpu.simulated import GpuSimulatedLists

        mine = [(want, of) for want, of in wanted if want[0][0] >= 1 and not want[0][1]]
        bases = [base for _, of in mine for base in of]
        if bases:
            if getattr(self._local, "gpu", None) is None:
                folds = [
                    (view, rel, [(bases.index(base), recipes[base][2]) for base in of]) for (view, rel), of in mine
                ]
                self._local.gpu = GpuSimulatedLists(self.lists, folds, len(bases), self.fixed)
            for base, values in zip(bases, self._local.gpu.values(first, last), strict=True):
                scores[base][:] = values
        return [one for one in wanted if one not in mine]

    def _simulated(self, q: int, first: int, last: int, view: View) -> tuple[Hits, NDArray[np.int64]]:
        scratch: Scratch | None = getattr(self._local, "scratch", None)
        if scratch is None or scratch.samples != last - first:
            scratch = self._local.scratch = Scratch(last - first)
        simulated = None
        if not self.kde:
            simulated = resampled_hits(self.lists, q, first, view, scratch)
        elif view[0] >= 1 and not view[1] and not self.exact:
            simulated = fitted_hits(self.lists, q, first, view, scratch)
        hits, judged_counts = simulated or drawn_hits(self.lists, q, first, view, scratch)
        # one topic for all samples where R is fixed, else each sample has its own
        return hits, self.lists.whole[q : q + 1] if self.fixed else judged_counts


@dataclass
class RunningMoments:
    """Mean and standard deviation over chunks, merged in order (Chan, Golub & LeVeque)."""

    count: int
    mean: Array
    squares: Array

    def add(self, count: int, mean: Array, squares: Array) -> None:
        """One more chunk, into the arrays themselves."""
        total = self.count + count
        step = mean - self.mean
        self.squares += squares + step * step * (self.count * count / total)
        self.mean += step * (count / total)
        self.count = total

    @property
    def sd(self) -> Array:
        if self.count < 2:
            return np.full(self.mean.shape, np.nan)
        return np.sqrt(self.squares / (self.count - 1))


@dataclass(frozen=True, eq=False)
class SimulatedStatistics(Accumulator):
    """Statistics of blocks [measures, topics, systems, samples]; all arrays begin with the measures."""

    measures: tuple[Measure, ...]
    systems: int
    topics: int
    samples: int
    alpha: float

    def start(self) -> State:
        topics = (len(self.measures), self.systems, self.topics)
        kept = [Rejections(self.systems, self.samples, self.alpha).state for _ in self.measures]
        return {
            "means": np.empty((len(self.measures), self.samples, self.systems)),
            "mean": np.zeros(topics),
            "squares": np.zeros(topics),
            **{name: np.stack([arrays[name] for arrays in kept]) for name in kept[0]},
        }

    def add(self, part: range, block: Array, jobs: int) -> State:
        parts = [self._one(measure, values, jobs) for measure, values in zip(self.measures, block, strict=True)]
        return {name: np.stack([arrays[name] for arrays in parts]) for name in parts[0]}

    def _one(self, measure: Measure, values: Array, jobs: int) -> State:
        by_sample = np.ascontiguousarray(values.transpose(2, 1, 0))
        mean = values.mean(axis=2)
        assert measure.paired is not None  # others were refused before any work
        tests = pair_statistics(measure.paired.forward(by_sample).transpose(0, 2, 1), self.alpha, jobs=jobs)
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
        for k in range(len(self.measures)):
            RunningMoments(part.start, state["mean"][k], state["squares"][k]).add(
                len(part), other["mean"][k], other["squares"][k]
            )
            tests = PairStatistics(other["statistic"][k], other["difference"][k], other["rejected"][k])
            self.rejections(state, k, part.start).add(tests, jobs=jobs)

    def rejections(self, state: State, k: int, seen: int) -> Rejections:
        """Of one measure, on the arrays of a state into which so many samples were merged."""
        arrays = {name: state[name][k] for name in Rejections.ARRAYS}
        return Rejections(self.systems, self.samples, self.alpha, arrays, seen)
