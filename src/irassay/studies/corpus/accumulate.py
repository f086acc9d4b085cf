"""Scores of all images, chunk after chunk and topic group after topic group, brought down to what is asked of them.

Memory is set by the chunk and by `room`: quantiles of single topics need every score, so topics are gone over in groups
whose scores fit, and the same images drawn again for each. Where not even one topic fits, fine histograms take their
place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from irassay.ask.spread import Histogram, Moments, outside, sorted_quantiles
from irassay.compute.device import on_gpu
from irassay.compute.executor import State, accumulate
from irassay.compute.threads import parallel_for
from irassay.errors import InputError
from irassay.measures import Measure
from irassay.scoring.lanes import LANES
from irassay.studies.corpus.chunks import CHUNK, Asked, Images
from irassay.vary.image_scores import Imager

if TYPE_CHECKING:
    from irassay.scoring.gpu.images import GpuImages

Array = NDArray[np.float64]
QUARTILES = (0.25, 0.5, 0.75)


@dataclass
class Gathered:
    """What all images say; `base` measures are those under any summary, systems and topics as in the root scores."""

    mean: dict[Measure, Array]  # base: [systems, topics]
    sd: dict[Measure, Array]
    quartiles: dict[Measure, Array]  # base: [3, systems, topics]
    triples: dict[Measure, Array]  # base: deviations of all pairs' differences on all topics
    outside: dict[tuple[Measure, str], NDArray[np.int64]]  # (base, interval): pairs below, in, above [topics, 3]
    scores: dict[Measure, Array]  # asked: every system's score in every image [images, systems]
    both: dict[Measure, Array]  # asked: the same on other topics, where wanted
    unanswered: NDArray[np.int64]  # images in which each topic has no relevant document
    exact: bool  # False: quartiles of topics come from histograms
    groups: int = 1


@dataclass
class Gatherer:
    """How images are scored and what is kept of them."""

    imager: Imager
    asked: Sequence[Measure]
    root: dict[Measure, Array]  # base: [systems, topics]
    intervals: Sequence[str]
    room: int
    jobs: int
    counts: NDArray[np.int32] | None = None  # other topics in each image [images, topics]
    found: Gathered = field(init=False)

    def __post_init__(self) -> None:
        shape = next(iter(self.root.values())).shape
        self.found = Gathered(
            {base: np.empty(shape) for base in self.root},
            {base: np.empty(shape) for base in self.root},
            {base: np.empty((len(QUARTILES), *shape)) for base in self.root},
            {base: np.empty((shape[1], shape[0] * (shape[0] - 1) // 2)) for base in self.root},
            {(base, kind): np.zeros((shape[1], 3), dtype=np.int64) for base in self.root for kind in self.intervals},
            {},
            {},
            np.zeros(shape[1], dtype=np.int64),
            exact=self._per_topic(exact=True) <= self._left(),
        )
        if "percentile" in self.intervals and not self.found.exact:
            needed = _megabytes(self.room - self._left() + self._per_topic(exact=True))
            hint = f"give --memory {needed}M, or fewer images"
            raise InputError("percentile intervals need the scores of all images, which do not fit", hint=hint)

    def _per_topic(self, *, exact: bool) -> int:
        """Bytes that one topic takes."""
        systems, images = len(self.imager.systems), self.imager.plan.images
        kept = 8 * max(images, LANES) if exact else 8 * CHUNK + 4 * Histogram.BINS
        return len(self.root) * systems * (8 * systems + kept)

    def _left(self) -> int:
        """Bytes for topics, what every image's mean takes taken off."""
        means = 8 * len(self.asked) * self.imager.plan.images * len(self.imager.systems)
        means *= 1 if self.counts is None else 2
        left = self.room - means
        least = min(self._per_topic(exact=True), self._per_topic(exact=False))
        if left < least:
            needed = _megabytes(means + least)
            raise InputError(
                f"{self.imager.plan.images} images of {len(self.imager.systems)} systems need {needed} MB at least",
                hint=f"give --memory {needed}M, or fewer images, systems or measures",
            )
        return left

    def gather(self) -> Gathered:
        topics = list(range(len(self.imager.panel.topics)))
        size = max(1, self._left() // self._per_topic(exact=self.found.exact))
        groups = [topics[first : first + size] for first in range(0, len(topics), size)]
        self.found.groups = len(groups)
        self._whole(groups)
        gpu = self.imager.gpu() if on_gpu() else None
        space = self._space(len(groups[0]))
        done: State | None = None
        for group in groups:
            what = "images" if len(groups) == 1 else f"images, topics {group[0] + 1}-{group[-1] + 1} of {len(topics)}"
            done = self._group(group, space[:, : len(group)], what, gpu, done)
        return self.found

    def _group(self, group: list[int], room: Array, what: str, gpu: GpuImages | None, done: State | None) -> State:
        """All images of one group of topics; `done` are the groups before it, whose sums over topics go on."""
        images = self.imager.plan.images
        state = self._state(group, room)
        self._go_on(state, done)
        work = Images(self.imager, self.imager.panel.document, tuple(group))
        work.space = room
        # other inputs than the images have: their own part of what says whether saved work is the same
        asked = Asked(work, tuple(map(str, self.asked)), self.root, tuple(self.intervals), self.counts)

        def on_gpu_() -> State:
            assert gpu is not None
            self._go_on(state, done)
            return self._on_gpu(gpu, group, room, what)

        final = accumulate(
            what, asked, range(0, images, CHUNK), state, partial(self._add, group), jobs=self.jobs, coarse=True,
            gpu=on_gpu_, finish=partial(self._finished, group, room), units=images,
        )  # fmt: skip
        self._take(group, final)
        return final

    def _state(self, group: list[int], room: Array) -> State:
        bases, systems, images = len(self.root), len(self.imager.systems), self.imager.plan.images
        cells = bases, len(group), systems
        state: State = {
            "sums": np.zeros(cells),
            "cross": np.zeros((*cells, systems)),
            "last": np.zeros(cells),
            "unanswered": np.zeros(len(group), dtype=np.int64),
            "scores": np.zeros((len(self.asked), images, systems)),
        }
        if self.counts is not None:
            state["both"] = np.zeros(state["scores"].shape)
        if self.found.exact:
            state["kept"] = room
        else:
            state |= {"low": np.zeros(cells), "width": np.zeros(cells)}
            state["counts"] = np.zeros((*cells, Histogram.BINS), dtype=np.int32)
        return state

    def _go_on(self, state: State, done: State | None) -> None:
        """Sums over topics go on where the groups before have left them."""
        if done is not None:
            for name in {"scores", "both"} & set(state):
                state[name][...] = done[name]
        self._show(state)

    def _show(self, state: State) -> None:
        self.found.scores = dict(zip(self.asked, state["scores"], strict=True))
        if self.counts is not None:
            self.found.both = dict(zip(self.asked, state["both"], strict=True))

    def _add(self, group: list[int], state: State, first: int, chunk: tuple[Array, NDArray[np.int64]]) -> None:
        """The scores of one chunk of images."""
        scores, missing = chunk
        if "kept" in state:
            kept = state["kept"][:, :, first : first + scores.shape[2]]
            if not np.may_share_memory(kept, scores):  # from another machine
                kept[...] = scores
        state["unanswered"] += missing
        state["last"][...] = scores[:, :, -1]
        self._means(first, group, scores)
        parallel_for(partial(self._cell, state, group, first, scores), self._cells(group), self.jobs)

    def _cell(
        self, state: State, group: list[int], first: int, scores: Array, cell: tuple[int, Measure, int, int]
    ) -> None:
        b, _, k, _ = cell
        self._moments(state, cell, 0).add(scores[b, k])
        if "kept" not in state:
            if first == 0:
                made = Histogram.around(scores[b, k].T)
                state["low"][b, k], state["width"][b, k] = made.low, made.width
            _histogram(state, b, k).add(scores[b, k].T)

    def _moments(self, state: State, cell: tuple[int, Measure, int, int], count: int) -> Moments:
        b, base, k, t = cell
        return Moments(np.ascontiguousarray(self.root[base][:, t]), count, state["sums"][b, k], state["cross"][b, k])

    def _on_gpu(self, gpu: GpuImages, group: list[int], room: Array, what: str) -> State:
        """The same at once; sums over topics and kept scores are already in place."""
        from irassay.studies.corpus.accumulate_gpu import gathered_on_gpu

        self.found.unanswered[group] = 0
        done = gathered_on_gpu(self, gpu, group, room if self.found.exact else None, what, CHUNK)
        cells = [[(base, t) for t in group] for base in self.root]
        state = {
            "sums": np.array([[done.moments[cell].sums for cell in row] for row in cells]),
            "cross": np.array([[done.moments[cell].cross for cell in row] for row in cells]),
            "last": done.last,
            "unanswered": self.found.unanswered[group],
        }
        if not self.found.exact:
            for name in ("low", "width", "counts"):
                state[name] = np.array([[getattr(done.histograms[cell], name) for cell in row] for row in cells])
        return state

    def _finished(self, group: list[int], room: Array, state: State) -> State:
        """What is told of a group of topics: far less than the scores it is made of."""
        parallel_for(partial(self._finish, state, room), self._cells(group), self.jobs)
        found = self.found
        told = {
            "mean": np.stack([found.mean[base][:, group] for base in self.root]),
            "sd": np.stack([found.sd[base][:, group] for base in self.root]),
            "quartiles": np.stack([found.quartiles[base][:, :, group] for base in self.root]),
            "triples": np.stack([found.triples[base][group] for base in self.root]),
        }
        for kind in self.intervals:
            told[f"outside_{kind}"] = np.stack([found.outside[base, kind][group] for base in self.root])
        return told | {name: state[name] for name in ("unanswered", "scores", "both") if name in state}

    def _take(self, group: list[int], told: State) -> None:
        """Put what is told of a group in its place; it may have been saved earlier."""
        for b, base in enumerate(self.root):
            self.found.mean[base][:, group], self.found.sd[base][:, group] = told["mean"][b], told["sd"][b]
            self.found.quartiles[base][:, :, group] = told["quartiles"][b]
            self.found.triples[base][group] = told["triples"][b]
            for kind in self.intervals:
                self.found.outside[base, kind][group] = told[f"outside_{kind}"][b]
        self.found.unanswered[group] = told["unanswered"]
        self._show(told)

    def _whole(self, groups: list[list[int]]) -> None:
        """A summary of all topics at once needs them at once."""
        for measure in self.asked:
            if measure.summary_with_params()[0].whole is not None and len(groups) > 1:
                each = self._per_topic(exact=self.found.exact)
                needed = _megabytes(self.room - self._left() + len(self.imager.panel.topics) * each)
                raise InputError(
                    f"{measure} takes all topics at once, and their scores do not fit the memory given",
                    hint=f"give --memory {needed}M, or fewer images",
                )

    def _space(self, topics: int) -> Array:
        """For scores [base measures, topics, images, systems]: of all images where they fit, else of one chunk."""
        images = self.imager.plan.images if self.found.exact else min(CHUNK, self.imager.plan.images)
        return np.empty((len(self.root), topics, -(-images // LANES) * LANES, len(self.imager.systems)))

    def _means(self, first: int, group: list[int], scores: Array) -> None:
        """Every system's score in each image, topic after topic."""
        places = {base: b for b, base in enumerate(self.root)}
        images = slice(first, first + scores.shape[2])
        total = len(self.imager.panel.topics)
        for measure in self.asked:
            summary, params = measure.summary_with_params()
            values = scores[places[measure.base]]
            out = self.found.scores[measure][images]
            both = self.found.both[measure][images] if self.counts is not None else None
            if summary.whole is not None:
                self.whole(measure, images, values)
                continue
            for k, t in enumerate(group):
                moved = measure.forward(values[k])
                out += moved
                if both is not None and self.counts is not None:
                    both += self.counts[images, t, None] * moved
            if group[-1] == total - 1:
                for array in (out,) if both is None else (out, both):
                    array /= total
                    if summary.inverse is not None:
                        array[:] = summary.inverse(array, **params)

    def whole(self, measure: Measure, images: slice, values: Array) -> None:
        """A summary of all topics at once; `values` are [topics, images, systems]."""
        summary, params = measure.summary_with_params()
        assert summary.whole is not None
        self.found.scores[measure][images] = summary.whole(np.moveaxis(values, 0, -1), **params)
        if self.counts is not None:
            for i, counts in enumerate(self.counts[images]):
                drawn = np.repeat(np.arange(len(counts)), counts)
                found = summary.whole(np.ascontiguousarray(values[drawn, i].T), **params)
                self.found.both[measure][images.start + i] = found

    def _cells(self, group: list[int]) -> list[tuple[int, Measure, int, int]]:
        return [(b, base, k, t) for b, base in enumerate(self.root) for k, t in enumerate(group)]

    def _finish(self, state: State, scores: Array, cell: tuple[int, Measure, int, int]) -> None:
        b, base, k, t = cell
        one, last = self._moments(state, cell, self.imager.plan.images), state["last"]
        self.found.mean[base][:, t], self.found.sd[base][:, t] = one.mean, one.sd
        self.found.triples[base][t] = one.pair_sd
        # each system's scores next to each other: a copy, in which they are sorted
        values = np.ascontiguousarray(scores[b, k, : one.count].T) if self.found.exact else None
        if one.count > 2:
            for kind in self.intervals:
                others = None if values is None else values[:, :-1]
                self.found.outside[base, kind][t] = outside(one, last[b, k], kind, others)
        if values is not None:
            values.sort(axis=-1)
            self.found.quartiles[base][:, :, t] = sorted_quantiles(values, QUARTILES)
        else:
            self.found.quartiles[base][:, :, t] = _histogram(state, b, k).quantiles(QUARTILES)


def _histogram(state: State, b: int, k: int) -> Histogram:
    return Histogram(state["low"][b, k], state["width"][b, k], state["counts"][b, k])


def _megabytes(size: int) -> int:
    return -(-size // 2**20)
