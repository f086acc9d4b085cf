"""Lists whose documents have other grades in each of up to 32 replicates, side by side: ranks stay, hits differ.

Rows of grades are [pool entry, 32], flat. Where a document is a hit in every replicate its grades are copied in one go;
where it is one in some of them, the bits of a word say in which.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irassay.compute.instructions import trailing_zeros
from irassay.compute.kernel import kernel
from irassay.measures import Measure
from irassay.panel.grades import from_grade
from irassay.panel.panel import Panel
from irassay.scoring.hits import Hits
from irassay.scoring.lanes import LANES
from irassay.scoring.ready_measures import ReadyMeasures

ONE = np.uint64(1)
NONE = np.uint64(0)
GradeRows = NDArray[np.int8]


@kernel
def mark_lanes(grades, low, lanes, hit, judged):
    """Bits of the replicates in which each entry is a hit, and in which it is judged."""
    for e in range(hit.shape[0]):
        hits = NONE
        known = NONE
        for lane in range(lanes):
            g = grades[e * LANES + lane]
            hits |= np.uint64(g >= low) << np.uint64(lane)
            known |= np.uint64(g >= 0) << np.uint64(lane)
        hit[e] = hits
        judged[e] = known


@kernel
def count_lane_hits(hit, lists, out):
    """How many hits the lists of each replicate have; `lists[e]`: how many lists hold entry e."""
    out[:] = 0
    for e in range(hit.shape[0]):
        bits = hit[e] if lists[e] > 0 else NONE
        while bits != NONE:
            out[np.int64(trailing_zeros(bits))] += lists[e]
            bits &= bits - ONE


@kernel
def count_lane_grades(grades, lanes, out):
    """Judged documents of each replicate by grade [lanes, grades]."""
    out[:] = 0
    for e in range(grades.shape[0] // LANES):
        for lane in range(lanes):
            g = grades[e * LANES + lane]
            if g >= 0:
                out[lane, g] += 1


@kernel
def walk_grades(
    codes, offsets, systems, grades, hit, judged, lanes, condensed, ranks, fill, rank, grade, start, stop, size
):
    """Hits of one topic's lists, replicate after replicate: list `lane * systems + s`.

    `rank` and `grade` hold an equal part for each replicate, long enough for its hits.
    """
    count = systems.shape[0]
    part = rank.shape[0] // lanes
    every = (ONE << np.uint64(lanes)) - ONE
    for lane in range(lanes):
        fill[lane] = lane * part
    for s in range(count):
        first, last = offsets[systems[s]], offsets[systems[s] + 1]
        for lane in range(lanes):
            ranks[lane] = 0
            start[lane * count + s] = fill[lane]
        for i in range(first, last):
            c = np.int64(codes[i])
            if condensed:
                known = judged[c]
                while known != NONE:
                    ranks[np.int64(trailing_zeros(known))] += 1
                    known &= known - ONE
            bits = hit[c]
            if bits == every and not condensed:
                for lane in range(lanes):
                    place = fill[lane]
                    rank[place] = i - first + 1
                    grade[place] = grades[c * LANES + lane]
                    fill[lane] = place + 1
            else:
                while bits != NONE:
                    lane = np.int64(trailing_zeros(bits))
                    place = fill[lane]
                    rank[place] = ranks[lane] if condensed else i - first + 1
                    grade[place] = grades[c * LANES + lane]
                    fill[lane] = place + 1
                    bits &= bits - ONE
        for lane in range(lanes):
            stop[lane * count + s] = fill[lane]
            size[lane * count + s] = ranks[lane] if condensed else last - first


@dataclass(frozen=True, eq=False)
class RegradedLists:
    """The lists of some systems, to be scored with other grades; measures are those under any summary."""

    panel: Panel
    systems: Sequence[int]
    measures: Sequence[Measure]

    @cached_property
    def _ready(self) -> ReadyMeasures:
        return ReadyMeasures(self.measures, self.panel.grades, self.panel.gains)

    @cached_property
    def _chosen(self) -> NDArray[np.int64]:
        return np.asarray(self.systems, dtype=np.int64)

    @cached_property
    def _lists(self) -> list[NDArray[np.int64]]:
        """How many of the systems' lists hold each entry of a topic's pool."""
        out = []
        for t, size in enumerate(np.diff(self.panel.pool).tolist()):
            bounds = self.panel.offsets[t]
            parts = [self.panel.codes[bounds[s] : bounds[s + 1]] for s in self._chosen]
            out.append(np.bincount(np.concatenate(parts), minlength=size))
        return out

    def prepare(self) -> None:
        """Make what threads share, before they start."""
        longest = int(np.diff(self.panel.offsets, axis=1).max(initial=0))
        most = int(self.panel.judged_counts()[:, 1:].sum(axis=1).max(initial=0))
        _ = self._ready.batches(longest, most), self._chosen, self._lists

    def values(self, topic: int, rows: GradeRows, lanes: int = LANES) -> NDArray[np.float64]:
        """One topic's scores [measures, lanes, systems] with the grades of its pool [entries, 32]."""
        count = len(self._chosen)
        judged_counts = np.empty((lanes, max(self.panel.grades, default=0) + 1), dtype=np.int64)
        flat = rows.reshape(-1)
        count_lane_grades(flat, lanes, judged_counts)
        longest = int(np.diff(self.panel.offsets[topic]).max(initial=0))
        most = int(judged_counts[:, 1:].sum(axis=1).max(initial=0))
        out = np.empty((len(self.measures), lanes, count))
        hits: dict[tuple[int, bool], Hits] = {}
        for (view, rel), (places, batch) in self._ready.batches(longest, most).items():
            if view not in hits:
                hits[view] = self._hits(topic, flat, lanes, *view)
            for place, values in zip(places, batch.values(hits[view], from_grade(judged_counts, rel)), strict=True):
                out[place] = values.reshape(lanes, count)
        return out

    def _hits(self, topic: int, grades: GradeRows, lanes: int, low: int, condensed: bool) -> Hits:
        lists = self._lists[topic]
        hit, judged = np.empty((2, len(lists)), dtype=np.uint64)
        mark_lanes(grades, low, lanes, hit, judged)
        ranks, fill = np.empty((2, LANES), dtype=np.int64)
        count_lane_hits(hit, lists, fill)
        part = int(fill[:lanes].max(initial=0))
        rank = np.empty(lanes * part, dtype=np.int32)
        grade = np.empty(lanes * part, dtype=np.int8)
        start, stop, size = np.empty((3, lanes * len(self._chosen)), dtype=np.int64)
        walk_grades(
            self.panel.codes,
            self.panel.offsets[topic],
            self._chosen,
            grades,
            hit,
            judged,
            lanes,
            condensed,
            ranks,
            fill,
            rank,
            grade,
            start,
            stop,
            size,
        )
        return Hits(rank, grade, start, size, stop)
