"""What is kept of scores on bootstrap corpora: sums, quantiles of topics, and the scores of every system.

Memory is set by the chunk and by the memory limit: quantiles of single topics need every score, so topics are gone over
in groups whose scores fit, and the same corpora are drawn again for each. Where not even one topic fits, fine
histograms take their place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.spread import Histogram, Moments, outside, row_quantiles
from irassay.compute.executor import Accumulator, State, execute
from irassay.compute.gpu import beside, to_host
from irassay.compute.threads import parallel_for
from irassay.measures import Measure
from irassay.measures.core.summaries import summarise
from irassay.studies.corpus.memory import MemoryBudget
from irassay.vary.blocks import Block, LanePlan
from irassay.vary.lane_scores import LaneScores

Array = NDArray[np.float64]
Cell = tuple[int, int]  # a base measure and a topic, counted within the group
QUARTILES, TAILS = (0.25, 0.5, 0.75), (0.025, 0.975)
SUMMARIES = ("scores", "both")  # of all topics, and of resampled ones


@dataclass(frozen=True, eq=False)
class CorpusStatistics:
    """Over all bootstrap corpora; `base` measures are those under any summary."""

    mean: dict[Measure, Array]  # base: [systems, topics]
    sd: dict[Measure, Array]
    quartiles: dict[Measure, Array]  # base: [3, systems, topics]
    tails: dict[Measure, Array]  # base: [2, systems, topics]
    triples: dict[Measure, Array]  # base: deviations of all pairs' differences on all topics [topics, pairs]
    outside: dict[tuple[Measure, str], NDArray[np.int64]]  # (base, interval): pairs below, in, above [topics, 3]
    scores: dict[Measure, Array]  # measure: every system's score on every corpus [images, systems]
    both: dict[Measure, Array]  # measure: the same on resampled topics, where wanted
    unanswered: NDArray[np.int64]  # corpora in which each topic has no relevant document
    exact: bool  # False: quartiles of topics come from histograms
    groups: int


def corpus_statistics(
    scores: LaneScores,
    measures: Sequence[Measure],
    root: Mapping[Measure, Array],
    *,
    memory_limit: int,
    intervals: Sequence[str] = (),
    weights: NDArray[np.int32] | None = None,
    jobs: int = 1,
) -> CorpusStatistics:
    """`root` are scores of the measures' bases [systems, topics], `weights` samples of topics [images, topics]."""
    kept_scores = len(measures) * (1 if weights is None else 2)
    budget = MemoryBudget(memory_limit, len(root), kept_scores, len(scores.systems), scores.plan.replicates)
    total = len(scores.panel.topics)
    groups = budget.groups(total, measures, intervals)
    by_topic: list[State] = []
    summaries: State = {}
    for topics in groups:
        under_way = budget.parts_under_way(len(topics))
        plan = LanePlan(scores, topics, scores.panel.document, most_under_way=under_way)
        kept = GroupStatistics(
            topics,
            tuple(measures),
            dict(root),
            tuple(intervals),
            scores.plan.replicates,
            weights,
            budget.exact,
            None if budget.exact else _bins(plan, jobs),
            summaries,
        )
        name = "images" if len(groups) == 1 else f"images, topics {topics.start + 1}-{topics.stop} of {total}"
        final = execute(name, plan, kept, jobs=jobs)
        summaries = {name: final[name] for name in SUMMARIES if name in final}
        by_topic.append({name: array for name, array in final.items() if name not in SUMMARIES})

    def joined(name: str, axis: int) -> dict[Measure, Any]:
        return dict(zip(root, np.concatenate([state[name] for state in by_topic], axis), strict=True))

    outside_counts = {kind: joined(f"outside_{kind}", 1) for kind in intervals}
    return CorpusStatistics(
        joined("mean", 2),
        joined("sd", 2),
        joined("quartiles", 3),
        joined("tails", 3),
        joined("triples", 1),
        {(base, kind): outside_counts[kind][base] for base in root for kind in intervals},
        dict(zip(measures, summaries["scores"], strict=True)),
        {} if weights is None else dict(zip(measures, summaries["both"], strict=True)),
        np.concatenate([state["unanswered"] for state in by_topic]),
        budget.exact,
        len(groups),
    )


def _bins(plan: LanePlan, jobs: int) -> tuple[Array, Array]:
    """The low ends and widths of histograms [base measures, topics, systems], from the first chunk of corpora."""
    by_system = np.swapaxes(plan.block(range(min(plan.chunk, plan.units)), jobs).scores, -1, -2)
    histogram = Histogram.around(by_system.reshape(-1, by_system.shape[-1]))
    return histogram.low.reshape(by_system.shape[:-1]), histogram.width.reshape(by_system.shape[:-1])


@dataclass(frozen=True, eq=False)
class GroupStatistics(Accumulator):
    """The statistics of one group of topics. Sums over topics go on where the group before has left them."""

    topics: range
    measures: tuple[Measure, ...]
    root: dict[Measure, Array]  # base: [systems, all topics]
    intervals: tuple[str, ...]
    images: int
    weights: NDArray[np.int32] | None  # multiplicities of all topics on each corpus [images, all topics]
    exact: bool
    bins: tuple[Array, Array] | None = field(compare=False)  # of histograms; None where all scores are kept
    before: State = field(compare=False)  # the summaries of the groups before this one, empty for the first

    @cached_property
    def shift(self) -> Array:
        """What is taken off the scores before they are summed [base measures, topics, systems]."""
        here = slice(self.topics.start, self.topics.stop)
        return np.stack([np.ascontiguousarray(values[:, here].T) for values in self.root.values()])

    @property
    def _cells(self) -> list[Cell]:
        return [(b, k) for b in range(len(self.root)) for k in range(len(self.topics))]

    @property
    def samples(self) -> dict[str, NDArray[np.int32] | None]:
        """How often each corpus has each topic in a summary; None: once."""
        every: dict[str, NDArray[np.int32] | None] = {"scores": None}
        return every if self.weights is None else every | {"both": self.weights}

    def start(self) -> State:
        summaries = (len(self.measures), self.images, self.shift.shape[-1])
        return {
            "last": np.zeros(self.shift.shape),
            "unanswered": np.zeros(len(self.topics), dtype=np.int64),
            **{name: np.zeros(summaries) for name in self.samples},
        }

    def on_gpu(self, state: State) -> State:
        from irassay.compute.gpu import held

        shape = self.shift.shape
        sums: State = {"sums": np.zeros(shape), "cross": np.zeros((*shape, shape[-1]))}
        if self.bins is not None:
            sums["counts"] = np.zeros((*shape, Histogram.BINS), dtype=np.int32)
        state = sums | state
        return held(state, [*sums, "last", "unanswered", *self.samples])

    def add(self, part: range, block: Block, jobs: int) -> State:
        here, measures = slice(part.start, part.stop), range(len(self.measures))
        state: State = {
            name: block.xp.stack([self._summary(name, m, here, block) for m in measures]) for name in self.samples
        }
        if block.gpu:
            state |= self._gpu_sums(block)
        elif self.bins is not None:
            state |= self._sums(block.scores, jobs)
        state |= {"unanswered": block.unanswered, "last": block.scores[:, :, -1].copy()}
        if self.bins is None:  # what sums are made of in the end, but for a GPU's: they need not travel
            state["kept and summed" if block.gpu else "kept"] = block.scores_on_host()
        return state

    def _sums(self, scores: Array, jobs: int) -> State:
        shape = self.shift.shape
        state: State = {
            "sums": np.zeros(shape),
            "cross": np.zeros((*shape, shape[-1])),
            "counts": np.zeros((*shape, Histogram.BINS), dtype=np.int32),
        }

        def add(cell: Cell) -> None:
            Moments(self.shift[cell], 0, state["sums"][cell], state["cross"][cell]).add(scores[cell])
            self._histogram(state, cell).add(scores[cell].T)

        parallel_for(add, self._cells, jobs)
        return state

    def _gpu_sums(self, block: Block) -> State:
        """The same; sums and histograms are made on the GPU, and stay there."""
        from irassay.scoring.gpu.sums import histograms_on_gpu, moments_on_gpu

        scores, put = block.scores.swapaxes(-1, -2), block.xp.asarray
        sums, cross = moments_on_gpu(scores, put(self.shift))
        state: State = {"sums": sums, "cross": cross}
        if self.bins is not None:
            low, width = map(put, self.bins)
            state["counts"] = histograms_on_gpu(scores, low, width, Histogram.BINS)
        return state

    def _summary(self, name: str, m: int, here: slice, block: Block) -> Any:
        """Topic after topic [corpora, systems]; before the last group sums, which the next one goes on from."""
        weights, total = self.samples[name], next(iter(self.root.values())).shape[1]
        if weights is not None:
            weights = weights[here, self.topics.start : self.topics.stop]
        summary, params = self.measures[m].summary_with_params()
        values = block.scores[list(self.root).index(self.measures[m].base)]
        if summary.whole is not None:  # of all topics, which are in one group
            return block.xp.asarray(summarise(np.moveaxis(to_host(values), 0, -1), weights, self.measures[m]))
        sums = block.xp.zeros_like(values[0])
        if self.before:
            sums += block.xp.asarray(self.before[name][m, here])
        forward = partial(summary.forward, **params) if summary.forward is not None else lambda scores: scores
        if block.gpu:  # all topics at once: few large steps
            moved = forward(values)
            sums += (moved if weights is None else block.xp.asarray(weights.T[:, :, None]) * moved).sum(axis=0)
        else:
            for k, scores in enumerate(values):
                sums += forward(scores) if weights is None else weights[:, k, None] * forward(scores)
        if self.topics.stop < total:
            return sums
        return sums / total if summary.inverse is None else summary.inverse(sums / total, **params)

    def merge(self, state: State, part: range, other: State, jobs: int) -> None:
        for name, array in other.items():
            if name in SUMMARIES:
                state[name][:, part.start : part.stop] = beside(state[name], array)
            elif name == "last":
                state[name] = array
            elif name.startswith("kept"):
                state[f"kept {part.start:010d}{name.removeprefix('kept')}"] = array
            elif name in state:
                state[name] += beside(state[name], array)
            else:
                state[name] = array

    def _moments(self, state: State, unsummed: Sequence[Array], cell: Cell) -> Moments:
        """Of one cell: what was summed where the scores were made, and the other chunks of scores in order."""
        systems = self.shift.shape[-1]
        total = Moments(self.shift[cell], self.images, np.zeros(systems), np.zeros((systems, systems)))
        if "cross" in state:
            total = Moments(self.shift[cell], self.images, state["sums"][cell].copy(), state["cross"][cell].copy())
        for chunk in unsummed:
            one = Moments(self.shift[cell], 0, np.zeros(systems), np.zeros((systems, systems)))
            one.add(chunk[cell])
            total.sums += one.sums
            total.cross += one.cross
        return total

    def finish(self, state: State, jobs: int) -> State:
        bases, topics, systems = self.shift.shape
        final: State = {
            "mean": np.empty((bases, systems, topics)),
            "sd": np.empty((bases, systems, topics)),
            "quartiles": np.empty((bases, len(QUARTILES), systems, topics)),
            "tails": np.empty((bases, len(TAILS), systems, topics)),
            "triples": np.empty((bases, topics, systems * (systems - 1) // 2)),
            **{f"outside_{kind}": np.zeros((bases, topics, 3), dtype=np.int64) for kind in self.intervals},
        }
        names = [name for name in sorted(state) if name.startswith("kept ")]
        kept, unsummed = [state[name] for name in names], [state[n] for n in names if not n.endswith("summed")]

        def finish(cell: Cell) -> None:
            b, k = cell
            moments = self._moments(state, unsummed, cell)
            final["mean"][b, :, k], final["sd"][b, :, k] = moments.mean, moments.sd
            final["triples"][cell] = moments.pair_sd
            values = None
            if self.exact:
                # each system's scores next to each other
                values = np.empty((systems, self.images))
                np.concatenate([chunk[cell].T for chunk in kept], axis=1, out=values)
            if self.images > 2:
                for kind in self.intervals:
                    others = None if values is None else values[:, :-1]
                    final[f"outside_{kind}"][cell] = outside(moments, state["last"][cell], kind, others)
            levels = (*QUARTILES, *TAILS)
            found = (
                row_quantiles(values, levels) if values is not None else self._histogram(state, cell).quantiles(levels)
            )
            final["quartiles"][b, :, :, k], final["tails"][b, :, :, k] = np.split(found, [len(QUARTILES)])

        parallel_for(finish, self._cells, jobs)
        return final | {name: state[name] for name in ("unanswered", *SUMMARIES) if name in state}

    def _histogram(self, state: State, cell: Cell) -> Histogram:
        assert self.bins is not None
        return Histogram(self.bins[0][cell], self.bins[1][cell], state["counts"][cell])
