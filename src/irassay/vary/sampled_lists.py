"""Scores of lists that are drawn anew, one list (system and topic) at a time.

Every list has random numbers of its own: a draw depends on the seed, the names of the system and the topic and the
sample alone, so adding a run, a topic or a measure moves nothing else. Unlike topic samples and bootstrap corpora,
which all systems share, such draws are not paired across systems.
"""

import hashlib
import threading
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from irassay.compute.executor import CHUNK, Plan
from irassay.compute.philox import words
from irassay.compute.threads import parallel_for
from irassay.errors import InputError
from irassay.measures import Measure
from irassay.panel.grades import from_grade
from irassay.panel.panel import Panel
from irassay.scoring import fold
from irassay.scoring.hits import Hits
from irassay.scoring.recipes import NO_CUT, Recipe
from irassay.scoring.score_panel import View, compile_folds, group_by_hits, prepare
from irassay.vary.blocks import Block, replicate_chunk

TOGETHER, DOCUMENTS = 16, 1 << 15  # lists in one call, and documents of them all
Array = NDArray[np.float64]
HitsAndCounts = tuple[Hits, NDArray[np.int64]]  # of samples of lists: hits, and judged counts [samples or 1, grades]
Unvaried = tuple[NDArray[np.int64], Hits, NDArray[np.int64]]  # lists by number, hits, judged counts [lists, grades]
Recipes = Mapping[Measure, tuple[View, int, Recipe]]
Wanted = list[tuple[tuple[View, int], list[Measure]]]  # (view, lowest relevant grade), and the measures that want it


def list_key(system: str, topic: str, *, seed: int, stream: int) -> int:
    """The key of the random numbers of a system's list for a topic."""
    names = [name.encode("utf-8", "surrogateescape") for name in (system, topic)]
    # the length keeps ("a", "bc") and ("ab", "c") apart
    digest = hashlib.sha256(b"%d:" % len(names[0]) + b"".join(names)).digest()
    high, low = words(2, seed=seed, stream=stream, replicate=int.from_bytes(digest[:8], "big")).tolist()
    return int(high) << 32 | int(low)


def check_independent(independent: int) -> None:
    """There are two sets of samples."""
    if independent not in (0, 1):
        raise InputError(f"independent is {independent}", hint="0 is one set of samples, 1 another")


def kept_scores(panel: Panel) -> Array:
    """The retrieval scores along the panel's lists."""
    if panel.scores is None:
        raise InputError(
            "this panel was made without retrieval scores, and they are needed",
            hint="align runs with keep_scores=True",
        )
    return panel.scores


def lists_with_infinite_scores(panel: Panel) -> NDArray[np.bool_]:
    """Which lists have a retrieval score that is not a finite number [topics, systems]."""
    before = np.concatenate([[0], np.cumsum(~np.isfinite(kept_scores(panel)))])
    return np.asarray(before[panel.offsets[:, 1:]] > before[panel.offsets[:, :-1]])


class Workspace:
    """Arrays that kernels write into, for one thread; they grow as lists need them."""

    def __init__(self) -> None:
        self._held: dict[str, NDArray[Any]] = {}

    def of(self, name: str, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        """An array of at least this shape; what it held is gone."""
        held = self._held.get(name)
        if held is None or any(have < want for have, want in zip(held.shape, shape, strict=True)):
            sizes = shape if held is None else tuple(map(max, held.shape, shape))
            held = self._held[name] = np.zeros(sizes, dtype=dtype)
        return held


@dataclass(frozen=True, eq=False, kw_only=True)
class SampledLists(Plan):
    """Sampled scores of several measures; lists are topic-major: list `t * systems + s`."""

    lists: Any  # has a length, and in `length` those of its lists
    systems: int
    measures: tuple[Measure, ...]
    grades: tuple[int, ...]  # the relevant ones of the full judgments
    gains: Mapping[int, float] | None
    samples: int = 0
    chunk: int = CHUNK
    _local: Any = field(default_factory=threading.local, init=False, repr=False)  # what a thread keeps between lists
    threads_inside = True

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), **{one.name: getattr(self, one.name) for one in fields(self) if one.init}), ()

    @property
    def list_count(self) -> int:
        """All lists: systems times topics."""
        return len(self.lists)

    @property
    def longest(self) -> int:
        """No sampled list is longer."""
        return int(self.lists.length.max(initial=0))

    @property
    @abstractmethod
    def most_relevant(self) -> int:
        """No sampled topic has more relevant documents."""

    def together(self, view: View) -> NDArray[np.bool_]:
        """Which lists `hits` takes several of in one call."""
        return np.zeros(self.list_count, dtype=np.bool_)

    @abstractmethod
    def hits(self, numbers: NDArray[np.int64], first: int, last: int, view: View, cut: int = NO_CUT) -> HitsAndCounts:
        """Lists by number in the samples [first, last), one after the other: hits, and judged counts of each sample,
        or one row for all.

        Nothing looks at hits behind rank `cut`: they may be left out. The arrays may be used again for the next call of
        the same thread.
        """

    def unvaried(self, view: View, cut: int = NO_CUT) -> Unvaried | None:
        """The lists whose samples cannot differ in this view up to rank `cut`: they are scored once; None for none."""
        return None

    def gpu_values(self, wanted: Wanted, recipes: Recipes, first: int, last: int) -> dict[Measure, Any]:
        """Scores [lists, samples] of the measures that a GPU takes, which stay there."""
        return {}

    def in_small_blocks(self) -> Self:
        """The same samples, in blocks that stay small however many lists there are."""
        return replace(self, chunk=replicate_chunk(len(self.measures), self.topics, self.systems))

    @property
    def units(self) -> int:
        return self.samples

    @property
    def gpu_chunk(self) -> int:
        return self.chunk

    @property
    def topics(self) -> int:
        return self.list_count // self.systems

    def block(self, part: range, jobs: int) -> Block:
        return Block(np.swapaxes(self.values(part.start, part.stop, jobs=jobs), -1, -2))

    def gpu_block(self, part: range, jobs: int) -> Block:
        from irassay.compute.gpu import cupy, to_host

        scores = self._scores(part.start, part.stop, jobs, gpu=True)
        there = not any(isinstance(values, np.ndarray) for values in scores.values())
        if not there:  # some measures are the processor's: all go on here
            scores = {base: to_host(values) for base, values in scores.items()}
        return Block(self._by_measure(scores, cupy() if there else np).swapaxes(-1, -2), gpu=there)

    def values(self, first: int, last: int, *, jobs: int = 1) -> Array:
        """Scores [measures, topics, systems, samples] of the samples [first, last)."""
        values: Array = self._by_measure(self._scores(first, last, jobs), np)
        return values

    def _by_measure(self, scores: dict[Measure, Any], xp: Any) -> Any:
        shape = (self.topics, self.systems, -1)
        return xp.stack([scores[measure.base].reshape(shape) for measure in self.measures])

    def _scores(self, first: int, last: int, jobs: int, *, gpu: bool = False) -> dict[Measure, Any]:
        """Scores [lists, samples] of the measures under any summary."""
        recipes = {
            base: prepare(base, grades=self.grades, gains=self.gains, longest=self.longest, most=self.most_relevant)
            for base in dict.fromkeys(measure.base for measure in self.measures)
        }
        # hits of one view are in the same arrays, so measures of one view follow each other
        wanted = sorted(group_by_hits(recipes).items(), key=lambda item: item[0])
        scores = self.gpu_values(wanted, recipes, first, last) if gpu else {}
        wanted = [one for one in wanted if one[1][0] not in scores]
        scores |= {base: np.empty((self.list_count, last - first)) for _, of in wanted for base in of}
        compile_folds(recipes[base][2] for _, of in wanted for base in of)
        batches = [fold.Batch([recipes[base][2] for base in of]) for _, of in wanted]
        cuts = {
            view: max(recipes[base][2].cut for (other, _), of in wanted if other == view for base in of)
            for (view, _), _ in wanted
        }
        varies = self._score_unvaried(wanted, batches, cuts, scores)

        def score(numbers: NDArray[np.int64]) -> None:
            held: View | None = None
            for ((view, rel), of), batch in zip(wanted, batches, strict=True):
                if not varies[view][numbers].all():  # one list, or lists that all vary
                    continue
                if view != held:
                    held, (hits, judged_counts) = view, self.hits(numbers, first, last, view, cuts[view])
                for base, values in zip(of, batch.values(hits, from_grade(judged_counts, rel)), strict=True):
                    scores[base][numbers] = values.reshape(len(numbers), -1)

        if last > first:
            parallel_for(score, self._in_calls(varies, jobs), jobs)
        return scores

    def _in_calls(self, varies: dict[View, NDArray[np.bool_]], jobs: int) -> list[NDArray[np.int64]]:
        """The lists that are scored together: several where all views take several, for there Python has little to do,
        and while it does it for one thread the others wait."""
        together = np.logical_and.reduce([self.together(view) & varies[view] for view in varies])
        joint, single = np.flatnonzero(together), np.logical_or.reduce(list(varies.values())) & ~together
        most = max(1, min(TOGETHER, DOCUMENTS // max(1, self.longest), -(-len(joint) // (4 * jobs))))
        calls = [joint[low : low + most] for low in range(0, len(joint), most)]
        return calls + [np.array([q]) for q in np.flatnonzero(single).tolist()]

    def _score_unvaried(
        self, wanted: Wanted, batches: list[fold.Batch], cuts: dict[View, int], scores: dict[Measure, Array]
    ) -> dict[View, NDArray[np.bool_]]:
        """Score what is the same in all samples; says for each view which lists are left."""
        varies = {view: np.ones(self.list_count, dtype=np.bool_) for view in cuts}
        for view, cut in cuts.items():
            unvaried = self.unvaried(view, cut)
            if unvaried is None:
                continue
            numbers, hits, judged_counts = unvaried
            varies[view][numbers] = False
            for ((other, rel), of), batch in zip(wanted, batches, strict=True):
                if other == view:
                    for base, values in zip(of, batch.values(hits, from_grade(judged_counts, rel)), strict=True):
                        scores[base][numbers] = values[:, None]
        return varies
