"""Panel x measures x replicates with other documents or judgments: 32 replicates at a time, side by side.

Two rows of bytes say what a replicate is: how many copies of each document it holds, and how many of these are judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from irassay.measures import Measure
from irassay.panel.grades import from_grade
from irassay.panel.panel import Panel
from irassay.scoring import fold
from irassay.scoring.lane_sums import LaneSums
from irassay.scoring.lanes import LANES, Lists, count_judged, cut, mark
from irassay.scoring.ready_measures import Batches, ReadyMeasures
from irassay.scoring.score_panel import View
from irassay.scoring.sum_walker import SumWalker
from irassay.streams import CORPUS_DRAWS

if TYPE_CHECKING:
    from irassay.scoring.gpu.images import GpuImages
    from irassay.vary.documents import ImagePlan

ALL_RANKS = 2**31 - 1
NO_LIMITS = np.empty(0, dtype=np.int64)
Listed = list[tuple[int, list[int], fold.Batch]]  # lowest relevant grade, places in the output, measures
Rows = NDArray[np.uint8]


class Lanes(Protocol):
    """Replicates of the documents or judgments of a panel: a frozen dataclass."""

    @property
    def replicates(self) -> int: ...

    @property
    def gpu(self) -> bool:
        """Whether a GPU can draw them."""
        ...

    def rows(self, first: int) -> Any:
        """What all topics of replicates first to first + 31 share."""
        ...

    def of_topic(self, panel: Panel, rows: Any, first: int, topic: int) -> tuple[Rows, Rows]:
        """Of each entry of a topic's pool the copies in 32 replicates [entries, 32], flat, and the judged ones."""
        ...


@dataclass(frozen=True, eq=False)
class LaneScores:
    """Scores of some systems on replicates; `depth` cuts the lists on each, as it did the runs.

    Copies of a document stand next to each other in its place, absent documents drop out, and what is judged is counted
    again. A topic without a relevant document in a replicate scores 0 there. Measures are those under any summary.
    """

    panel: Panel
    systems: Sequence[int]
    measures: Sequence[Measure]
    plan: Lanes
    depth: int | None = None
    _lists: dict[View, Lists] = field(default_factory=dict, init=False, repr=False)
    _ready: ReadyMeasures = field(init=False, repr=False)
    _works: dict[tuple[View, int, int], tuple[LaneSums, Listed]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ready", ReadyMeasures(self.measures, self.panel.grades, self.panel.gains))
        longest = int(np.diff(self.panel.offsets, axis=1).max(initial=0))
        for view, _ in self.batches(longest, int(self.panel.judged_counts()[:, 1:].sum(axis=1).max(initial=0))):
            if view not in self._lists:
                self._lists[view] = lists_of(self.panel, self.systems, view)

    def __reduce__(self) -> tuple[Any, ...]:
        # lists and compiled measures are made where they are needed
        return LaneScores, (self.panel, self.systems, self.measures, self.plan, self.depth)

    def batches(self, longest: int, most: int) -> Batches:
        """The measures made ready for lists and relevant documents up to these numbers, by the hits they want."""
        return self._ready.batches(longest, most)

    @property
    def grades(self) -> int:
        """How many grades there are, 0 included."""
        return max(self.panel.grades, default=0) + 1

    def score(self, first: int, topics: Sequence[int], out: NDArray[np.float64]) -> NDArray[np.int64]:
        """Scores on replicates first to first + 31: fills `out` [measures, topics, 32, systems].

        Returns the judged documents by grade [topics, 32, grades].
        """
        rows = self.plan.rows(first)
        walker = SumWalker(len(self.systems))
        judged_counts = np.empty((len(topics), LANES, self.grades), dtype=np.int64)
        for k, topic in enumerate(topics):
            copies, judged = self.plan.of_topic(self.panel, rows, first, topic)
            judged_counts[k] = self.topic(walker, topic, copies, judged, out[:, k])
        return judged_counts

    def topic(
        self, walker: SumWalker, topic: int, copies: Rows, judged: Rows, out: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """One topic's scores [measures, 32, systems]; `judged` has the copies of documents whose judgment is known.

        Returns how many these are, by grade [32, grades].
        """
        grades = self.panel.grade[self.panel.pool[topic] : self.panel.pool[topic + 1]]
        judged_counts = np.empty((LANES, self.grades), dtype=np.int64)
        count_judged(grades, judged, judged_counts)
        most = int(judged_counts[:, 1:].sum(axis=1).max(initial=0))
        by_rel = {rel: from_grade(judged_counts, rel) for _, rel in self.batches(self._usual, most)}
        for view in self._lists:
            self._view(walker, view, topic, (copies, judged), grades, by_rel, most, out)
        return judged_counts

    @cached_property
    def _usual(self) -> int:
        """No list of a bootstrap corpus is longer, as a rule; one that is has tables of its own."""
        longest = int(np.diff(self.panel.offsets, axis=1).max(initial=0))
        return min(self.depth or ALL_RANKS, 1 << (2 * longest + 64).bit_length())

    def _view(
        self,
        walker: SumWalker,
        view: View,
        topic: int,
        rows: tuple[Rows, Rows],
        grades: NDArray[np.int8],
        judged_counts: dict[int, NDArray[np.int64]],
        most: int,
        out: NDArray[np.float64],
    ) -> None:
        """The scores of the measures that want one topic's hits of one kind; `rows` are copies and judged ones."""
        copies, judged = rows
        lists, length = self._lists[view], self._usual
        advance = judged if view[1] else copies
        limits = NO_LIMITS
        if view[1] and self.depth is not None:
            limits = self._condensed_limits(walker, topic, copies, judged, walker.sizes(lists, topic, advance))
        while True:
            sums, listed = self._work(view, length, most)
            if not sums.any:
                break
            longest = walker.values(sums, lists, topic, advance, judged, grades, limits, judged_counts, out)
            if longest <= length or length == self.depth:
                break
            length = min(self.depth or ALL_RANKS, 1 << longest.bit_length())
        if not listed:
            return
        hits = walker.hits(lists, topic, advance, judged, grades)
        if self.depth is not None:
            limit = limits if view[1] else np.full(hits.lists, self.depth, dtype=np.int64)
            cut(hits.rank, hits.start, hits.stop, hits.size, limit)
        longest = int(hits.size.max(initial=0))
        if longest > length:
            listed = self._work(view, 1 << longest.bit_length(), most)[1]
        for rel, places, batch in listed:
            for place, values in zip(places, batch.values(hits, judged_counts[rel]), strict=True):
                out[place] = values.reshape(LANES, len(self.systems))

    def _work(self, view: View, length: int, most: int) -> tuple[LaneSums, Listed]:
        """The measures of a view that are sums while lists are gone down, and those that need the hits."""
        key = view, length, 1 << max(most, 1).bit_length()
        if key not in self._works:
            batches = [(rel, of) for (other, rel), of in self.batches(length, most).items() if other == view]
            sums = LaneSums(
                [
                    (place, rel, recipe)
                    for rel, (places, batch) in batches
                    for place, recipe in zip(places, batch.recipes, strict=True)
                ],
                length,
                view[0],
            )
            listed = []
            for rel, (places, batch) in batches:
                kept = [k for k, place in enumerate(places) if place in sums.listed]
                if kept:
                    listed.append((rel, [places[k] for k in kept], fold.Batch([batch.recipes[k] for k in kept])))
            self._works[key] = sums, listed
        return self._works[key]

    def _condensed_limits(
        self, walker: SumWalker, topic: int, copies: Rows, judged: Rows, size: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        assert self.depth is not None
        panel, chosen = self.panel, np.asarray(self.systems, dtype=np.int64)
        first, last = panel.offsets[topic, chosen], panel.offsets[topic, chosen + 1]
        grades = panel.grade[panel.pool[topic] : panel.pool[topic + 1]]
        return walker.condensed_limits(panel.codes, first, last, copies, judged, grades, self.depth, size)

    @cached_property
    def on_gpu(self) -> GpuImages:
        """The same on a GPU."""
        from irassay.scoring.gpu.images import GpuImages, GpuLists
        from irassay.scoring.gpu.scores import program

        panel, plan = self.panel, cast("ImagePlan", self.plan)  # only bootstrap corpora are drawn there
        longest = int(np.diff(panel.offsets, axis=1).max(initial=0))
        most = int(panel.judged_counts()[:, 1:].sum(axis=1).max(initial=0))
        hits = max(int(np.diff(lists.start, axis=1).max(initial=0)) for lists in self._lists.values())
        # far more than any corpus has; that it is enough is checked on the GPU all the same
        most_hits = min(self.depth or ALL_RANKS, 3 * hits + 64)
        batches = self.batches(min(self.depth or ALL_RANKS, 3 * longest + 64), 3 * most + 64)
        wanted = [
            (view, rel, list(zip(places, batch.recipes, strict=True)))
            for (view, rel), (places, batch) in batches.items()
        ]
        views = []
        topic_of = np.repeat(np.arange(len(panel.topics)), np.diff(panel.pool))
        for (low, condensed), lists in self._lists.items():
            if condensed:  # whole, so that the depth can be counted
                lists = lists_of(panel, self.systems, (max(low, 0), False))
            base = np.repeat(panel.pool[:-1], lists.offsets[:, -1] - lists.offsets[:, 0])
            hit_base = np.repeat(panel.pool[:-1], lists.start[:, -1] - lists.start[:, 0])
            document = panel.document[base + lists.codes]
            if condensed:
                document = np.where(panel.grade[base + lists.codes] >= 0, document, ~document)
            level = panel.grade[hit_base + lists.code]
            views.append(GpuLists(document, lists.offsets, lists.at, level, lists.start))
        judged = np.flatnonzero(panel.grade >= 0)
        start = np.searchsorted(topic_of[judged], np.arange(len(panel.topics) + 1))
        return GpuImages(
            plan.active,
            plan.seed,
            CORPUS_DRAWS,
            program(wanted, grades=self.grades, capacity=most_hits, most=3 * most + 64),
            views,
            (panel.document[judged], panel.grade[judged], start.astype(np.int64)),
            len(self.measures),
            len(self.systems),
            len(panel.topics),
            self.depth,
        )


def lists_of(panel: Panel, systems: Sequence[int], view: View) -> Lists:
    """The lists of some systems with their hits marked, unjudged entries left out where condensed."""
    low, condensed = view
    chosen = np.asarray(systems, dtype=np.int64)
    topics = len(panel.topics)
    entries = int(np.diff(panel.offsets, axis=1)[:, chosen].sum())
    codes, code = np.empty(entries, dtype=panel.codes.dtype), np.empty(entries, dtype=panel.codes.dtype)
    at = np.empty(entries, dtype=np.int64)
    offsets, start = np.zeros((2, topics, len(chosen) + 1), dtype=np.int64)
    n = hits = 0
    for t in range(topics):
        grades = panel.grade[panel.pool[t] : panel.pool[t + 1]]
        offsets[t, 0], start[t, 0] = n, hits
        least = 0 if condensed else np.iinfo(np.int8).min
        n, hits = mark(panel.codes, panel.offsets, chosen, t, grades, low, least, codes, at, code, offsets[t], start[t])
    return Lists(codes[:n], offsets, at[:hits].copy(), code[:hits].copy(), start)
