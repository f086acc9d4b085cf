"""Simulated scores in chunks of samples: plain arrays and settings, so that any worker can take any chunk."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.rejection import pair_statistics
from irassay.compute.device import on_gpu
from irassay.compute.executor import threads
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
CHUNK = 256  # samples whose sums are made together: fixed, so that blocks and jobs cannot change a number


@dataclass(frozen=True, eq=False)
class Simulation:
    """One model's simulated scores of several measures; `chunk` depends on its arguments alone.

    `raw` and everything per topic are [systems, topics]; lists are topic-major.
    """

    lists: SimulatedLists
    systems: int
    measures: tuple[Measure, ...]
    grades: tuple[int, ...]
    gains: Mapping[int, float] | None
    kde: bool
    exact: bool = False
    fixed: bool = False
    alpha: float = 0.05
    _local: Any = field(default_factory=threading.local, init=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        fields = (self.lists, self.systems, self.measures, self.grades, self.gains, self.kde, self.exact, self.fixed)
        return Simulation, (*fields, self.alpha)

    @property
    def topics(self) -> int:
        return len(self.lists) // self.systems

    def values(self, first: int, last: int, *, jobs: int = 1) -> Array:
        """Simulated scores [measures, topics, systems, samples] of the samples [first, last)."""
        bases = tuple(dict.fromkeys(measure.base for measure in self.measures))
        longest = int(self.lists.length.max(initial=0))
        most = longest + int(self.lists.missed[:, 1:].sum(axis=1).max(initial=0))
        recipes = {
            base: prepare(base, grades=self.grades, gains=self.gains, longest=longest, most=most) for base in bases
        }
        compile_folds(recipe for _, _, recipe in recipes.values())
        # the scratch has room for the hits of one view, so measures of one view follow each other
        wanted = sorted(group_by_hits(recipes).items(), key=lambda item: item[0])
        found = {base: np.empty((len(self.lists), last - first)) for base in bases}
        if on_gpu() and not self.kde:
            wanted = self._on_gpu(wanted, recipes, found, first, last)
        batches = [fold.Batch([recipes[base][2] for base in of]) for _, of in wanted]

        def one(q: int) -> None:
            held: View | None = None
            for ((view, rel), of), batch in zip(wanted, batches, strict=True):
                if view != held:
                    held, (hits, judged_counts) = view, self._simulated(q, first, last, view)
                for base, values in zip(of, batch.values(hits, from_grade(judged_counts, rel)), strict=True):
                    found[base][q] = values

        if wanted:
            parallel_for(one, range(len(self.lists)), jobs)
        shape = (self.topics, self.systems, last - first)
        return np.stack([found[measure.base].reshape(shape) for measure in self.measures])

    def _on_gpu(
        self,
        wanted: list[tuple[tuple[View, int], list[Measure]]],
        recipes: Mapping[Measure, tuple[View, int, Recipe]],
        found: dict[Measure, Array],
        first: int,
        last: int,
    ) -> list[tuple[tuple[View, int], list[Measure]]]:
        """Measures of relevant documents on whole lists, on the GPU; returns those left for the processor."""
        from irassay.vary.gpu.simulated import GpuSimulatedLists

        mine = [(want, of) for want, of in wanted if want[0][0] >= 1 and not want[0][1]]
        bases = [base for _, of in mine for base in of]
        if bases:
            if getattr(self._local, "gpu", None) is None:
                asked = [
                    (view, rel, [(bases.index(base), recipes[base][2]) for base in of]) for (view, rel), of in mine
                ]
                self._local.gpu = GpuSimulatedLists(self.lists, asked, len(bases), self.fixed)
            for base, values in zip(bases, self._local.gpu.values(first, last), strict=True):
                found[base][:] = values
        return [one for one in wanted if one not in mine]

    def _simulated(self, q: int, first: int, last: int, view: View) -> tuple[Hits, NDArray[np.int64]]:
        scratch: Scratch | None = getattr(self._local, "scratch", None)
        if scratch is None or scratch.samples != last - first:
            scratch = self._local.scratch = Scratch(last - first)
        made = None
        if not self.kde:
            made = resampled_hits(self.lists, q, first, view, scratch)
        elif view[0] >= 1 and not view[1] and not self.exact:
            made = fitted_hits(self.lists, q, first, view, scratch)
        hits, judged_counts = made or drawn_hits(self.lists, q, first, view, scratch)
        # one topic for all samples where R is fixed, else each sample has its own
        return hits, self.lists.whole[q : q + 1] if self.fixed else judged_counts

    def chunk(self, first: int, last: int, *, jobs: int = 1) -> dict[str, NDArray[Any]]:
        """Of each measure k: `means:k` [samples, systems], moments per list, and the t-tests of all pairs."""
        out: dict[str, NDArray[Any]] = {}
        for k, (measure, values) in enumerate(zip(self.measures, self.values(first, last, jobs=jobs), strict=True)):
            by_sample = np.ascontiguousarray(values.transpose(2, 1, 0))
            out[f"means:{k}"] = measure.summarise(by_sample)
            mean = values.mean(axis=2)
            out[f"mean:{k}"] = mean.T
            out[f"squares:{k}"] = np.square(values - mean[:, :, None]).sum(axis=2).T
            assert measure.paired is not None  # others were refused before any work
            tests = pair_statistics(measure.paired.forward(by_sample).transpose(0, 2, 1), self.alpha, jobs=jobs)
            out[f"statistic:{k}"], out[f"difference:{k}"] = tests.statistic, tests.difference
            out[f"rejected:{k}"] = tests.rejected
        return out


@dataclass(frozen=True, eq=False)
class Chunks:
    """The samples of a simulation in fixed chunks, each named by its first sample."""

    simulation: Simulation
    samples: int

    def __call__(self, first: int) -> dict[str, NDArray[Any]]:
        return self.simulation.chunk(first, min(first + CHUNK, self.samples), jobs=threads())


class RunningMoments:
    """Mean and standard deviation over chunks, merged in order (Chan, Golub & LeVeque)."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.count = 0
        self.mean, self.squares = np.zeros(shape), np.zeros(shape)

    def add(self, count: int, mean: Array, squares: Array) -> None:
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
