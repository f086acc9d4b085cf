"""Simulated scores in chunks of samples."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.executor import CHUNK, Plan
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
