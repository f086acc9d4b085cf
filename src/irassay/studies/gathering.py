"""Scores of all images, chunk after chunk and topic group after topic group, brought down to what is asked of them.

Memory is set by the chunk and by `room`: quantiles of single topics need every score, so topics are gone over in groups
whose scores fit, and the same images drawn again for each. Where not even one topic fits, fine histograms take their
place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from irassay.ask.spread import Histogram, Moments, outside, sorted_quantiles
from irassay.engine.device import on_card
from irassay.engine.images import LANES
from irassay.engine.sharing import share_out
from irassay.errors import InputError
from irassay.imaging import Imager
from irassay.measures import Measure
from irassay.progress import announce

Array = NDArray[np.float64]
CHUNK = 256  # images whose sums are kept together (ARCHITECTURE, decision 3)
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
        images = self.imager.plan.images
        self.found = Gathered(
            {base: np.empty(shape) for base in self.root},
            {base: np.empty(shape) for base in self.root},
            {base: np.empty((len(QUARTILES), *shape)) for base in self.root},
            {base: np.empty((shape[1], shape[0] * (shape[0] - 1) // 2)) for base in self.root},
            {(base, kind): np.zeros((shape[1], 3), dtype=np.int64) for base in self.root for kind in self.intervals},
            {measure: np.zeros((images, shape[0])) for measure in self.asked},
            {measure: np.zeros((images, shape[0])) for measure in self.asked} if self.counts is not None else {},
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
        images = self.imager.plan.images
        card = self.imager.card() if on_card() else None
        space = self._space(len(groups[0]))
        for group in groups:
            room = space[:, : len(group)]
            what = "images" if len(groups) == 1 else f"images, topics {group[0] + 1}-{group[-1] + 1} of {len(topics)}"
            moments: dict[tuple[Measure, int], Moments]
            histograms: dict[tuple[Measure, int], Histogram] = {}
            if card is not None:
                from irassay.studies.gathering_on_card import gathered_on_card

                done = gathered_on_card(self, card, group, room if self.found.exact else None, what, CHUNK)
                moments, histograms, last = done.moments, done.histograms, done.last
            else:
                shifts = {(base, t): np.ascontiguousarray(self.root[base][:, t]) for base in self.root for t in group}
                moments = {cell: Moments.none(shift) for cell, shift in shifts.items()}
                for first in range(0, images, CHUNK):
                    announce(what, first, images)
                    scores = self._chunk(first, group, room[:, :, first:] if self.found.exact else room)
                    self._means(first, group, scores)
                    self._topics(first, group, scores, moments, histograms)
                last = scores[:, :, -1]
            share_out(partial(self._finish, moments, last, room, histograms), self._cells(group), self.jobs)
        return self.found

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

    def _chunk(self, first: int, group: list[int], out: Array) -> Array:
        """Scores of a chunk of images, in the first of `out` [base measures, topics, images, systems]."""
        count = min(CHUNK, self.imager.plan.images - first)
        blocks = range(0, count, LANES)

        def block(start: int) -> None:
            answerable = self.imager.block(first + start, group, out[:, :, start : start + LANES])
            missing[:, start // LANES] = (~answerable[:, : count - start]).sum(axis=1)

        missing = np.zeros((len(group), len(blocks)), dtype=np.int64)
        share_out(block, blocks, self.jobs)
        self.found.unanswered[group] += missing.sum(axis=1)
        return out[:, :, :count]

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

    def _topics(
        self,
        first: int,
        group: list[int],
        scores: Array,
        moments: dict[tuple[Measure, int], Moments],
        histograms: dict[tuple[Measure, int], Histogram],
    ) -> None:
        def one(cell: tuple[int, Measure, int, int]) -> None:
            b, base, k, t = cell
            values = scores[b, k]
            moments[base, t].add(values)
            if not self.found.exact:
                if first == 0:
                    histograms[base, t] = Histogram.around(values.T)
                histograms[base, t].add(values.T)

        share_out(one, self._cells(group), self.jobs)

    def _cells(self, group: list[int]) -> list[tuple[int, Measure, int, int]]:
        return [(b, base, k, t) for b, base in enumerate(self.root) for k, t in enumerate(group)]

    def _finish(
        self,
        moments: dict[tuple[Measure, int], Moments],
        last: Array,
        scores: Array,
        histograms: dict[tuple[Measure, int], Histogram],
        cell: tuple[int, Measure, int, int],
    ) -> None:
        b, base, k, t = cell
        one = moments[base, t]
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
            self.found.quartiles[base][:, :, t] = histograms[base, t].quantiles(QUARTILES)


def _megabytes(size: int) -> int:
    return -(-size // 2**20)
