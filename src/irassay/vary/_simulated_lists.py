"""Hits of simulated lists: relevant and nonrelevant documents drawn again, each kind from its own scores.

A list of L documents with r relevant ones becomes Poisson(r) relevant draws and nonrelevant ones up to L, sorted by
score; equal scores: nonrelevant first (yang2018variance). Resampling raw scores needs no sort: the order is that of the
list, so only how often each relevant document is drawn, and how many nonrelevant draws fall between two of them.
"""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from irassay.compute._draws import below
from irassay.compute.kernel import kernel
from irassay.compute.philox import four_words
from irassay.scoring.hits import Hits
from irassay.scoring.score_panel import View
from irassay.streams import SIMULATED_WITHIN
from irassay.vary._multinomial import draw_cells, draw_copies
from irassay.vary.sampled_lists import HitsAndCounts, Workspace

CELLS = 256  # of equal mass, in which a fitted density of nonrelevant scores is cut
PAD = 16  # columns that keep rows off the same cache sets


@dataclass(frozen=True, eq=False)
class SimulatedLists:
    """The lists to simulate, one after the other, as plain arrays: best scores first, nonrelevant before relevant."""

    relevant: NDArray[np.int64]  # where each list's relevant documents start, and the end
    relevant_score: NDArray[np.float64]
    relevant_grade: NDArray[np.int8]
    above: NDArray[np.int64]  # for each relevant document: nonrelevant ones that score as much or more
    other: NDArray[np.int64]  # where each list's nonrelevant documents start, and the end
    other_score: NDArray[np.float64]
    other_grade: NDArray[np.int8]  # 0 judged, below it not
    relevant_width: NDArray[np.float64]  # of the kernels of a fitted density; 0 resamples
    other_width: NDArray[np.float64]
    length: NDArray[np.int64]  # of the simulated list
    key: NDArray[np.uint64]  # of its random numbers
    whole: NDArray[np.int64]  # [lists, grades] judged documents of the topic
    missed: NDArray[np.int64]  # [lists, grades] of them, those the list does not hold

    def __len__(self) -> int:
        return len(self.length)


class Scratch(Workspace):
    """The arrays of so many samples at once."""

    def __init__(self, samples: int) -> None:
        super().__init__()
        self.samples = samples
        self.words = np.empty((4, samples), dtype=np.uint32)
        self.total, self.sums, self.wanted = (np.empty(samples, dtype=np.int32) for _ in range(3))

    def table(self, longest: int) -> NDArray[np.uint32]:
        """Room for the thresholds of any Poisson count of a list this long."""
        thresholds: NDArray[np.uint32] = self.of("table", (longest + 64 * int(longest**0.5) + 256,), np.uint32)
        return thresholds


@kernel
def draw_counts(mean, length, mass, cell_of, key, first, table, words, ones, copies, cells, total, sums, wanted):
    """Copies of the relevant documents, then nonrelevant draws by cell; returns all copies of all samples."""
    draw_copies(ones, length, key, first, table, words, copies, total)
    drawn = np.int64(0)
    for i in range(total.shape[0]):
        drawn += total[i]
        wanted[i] = length - total[i]
    if cell_of.shape[0] > 0:
        draw_cells(mass, cell_of, mean, wanted, key, first, table, words, cells, sums)
    else:
        cells[: mass.shape[0], : total.shape[0]] = 0
    return drawn


@kernel
def _relevant_hits(copies, cells, grades, low, n, rank, grade, start, judged_counts):
    """Hits from place n on; returns where they end."""
    start[0] = n
    for i in range(start.shape[0] - 1):
        r = np.int32(0)
        for j in range(grades.shape[0]):
            g = grades[j]
            c = copies[j, i]
            r += cells[j, i]
            judged_counts[i, g] += c
            if g >= low:
                # two written always, kept by moving on: most documents are drawn at most twice
                rank[n] = r + 1
                rank[n + 1] = r + 2
                grade[n] = g
                grade[n + 1] = g
                for k in range(2, c):
                    rank[n + k] = r + 1 + k
                    grade[n + k] = g
                n += c
            r += c
        start[i + 1] = n
    return n


@kernel
def _resample(
    chosen, relevant, relevant_grade, above, other, length, key, first, low, mass, cell_of, table, words, ones,
    copies, cells, total, sums, wanted, rank, grade, start, size, judged_counts,
):  # fmt: skip
    """Relevant documents of some lists drawn again: hits, list after list, in the samples from `first` on."""
    n = np.int64(0)
    samples = total.shape[0]
    for p in range(chosen.shape[0]):
        q = chosen[p]
        begin, end = relevant[q], relevant[q + 1]
        r, others = end - begin, other[q + 1] - other[q]
        before = np.int64(0)
        for j in range(r + 1):
            here = above[begin + j] if j < r else others
            mass[j] = here - before
            cell_of[before:here] = j
            before = here
        draw_counts(
            float(max(0, length[q] - r)), length[q], mass[: r + 1], cell_of[:others], key[q], first, table, words,
            ones[:r], copies, cells, total, sums, wanted,
        )  # fmt: skip
        at = p * samples
        grades, mine = relevant_grade[begin:end], start[at : at + samples + 1]
        n = _relevant_hits(copies, cells, grades, low, n, rank, grade, mine, judged_counts[at : at + samples])
        for i in range(samples):
            size[at + i] = total[i] + (wanted[i] if others > 0 else 0)
    return n


@kernel
def _all_hits(
    copies, cells, grades, above, other_grade, low, condensed, key, first, times, rank, grade, start, size,
    judged_counts,
):  # fmt: skip
    """Nonrelevant draws get a place each within their gap, so that judged and unjudged ones are told apart."""
    n = np.int64(0)
    start[0] = 0
    for i in range(start.shape[0] - 1):
        r = np.int64(0)
        word = np.int64(0)
        c0 = np.uint32(0)
        d = np.uint32(0)
        begin = np.int64(0)
        for j in range(grades.shape[0] + 1):
            end = above[j] if j < grades.shape[0] else np.int64(other_grade.shape[0])
            for _ in range(cells[j, i]):
                if word & 1 == 0:
                    a, b, c0, d = four_words(word >> 1, first + i, SIMULATED_WITHIN, key)
                    times[begin + below(a, b, end - begin)] += 1
                else:
                    times[begin + below(c0, d, end - begin)] += 1
                word += 1
            for p in range(begin, end):
                c = times[p]
                if c > 0:
                    times[p] = 0
                    g = other_grade[p]
                    if g == 0:
                        judged_counts[i, 0] += c
                    for _ in range(c):
                        r += np.int64(g >= 0 or not condensed)
                        rank[n] = r
                        grade[n] = g
                        n += np.int64(g >= low)
            begin = end
            if j < grades.shape[0]:
                g = grades[j]
                judged_counts[i, g] += copies[j, i]
                for _ in range(copies[j, i]):
                    r += 1
                    rank[n] = r
                    grade[n] = g
                    n += np.int64(g >= low)
        start[i + 1] = n
        size[i] = r
    return n


class SeveralLists(NamedTuple):
    """The arrays of some lists' samples, list after list."""

    rank: NDArray[np.int32]
    grade: NDArray[np.int8]
    start: NDArray[np.int64]
    size: NDArray[np.int64]
    judged_counts: NDArray[np.int64]  # those that the lists do not hold, to begin with

    @classmethod
    def of(cls, lists: SimulatedLists, chosen: NDArray[np.int64], scratch: Scratch) -> Self:
        n = scratch.samples
        # no sample has more hits than documents; what is not used of it takes no memory
        most = n * int(lists.length[chosen].sum()) + 2
        rank, grade = scratch.of("rank", (most,), np.int32), scratch.of("grade", (most,), np.int8)
        start, size = np.empty(n * len(chosen) + 1, dtype=np.int64), np.empty(n * len(chosen), dtype=np.int64)
        return cls(rank, grade, start, size, np.repeat(lists.missed[chosen], n, axis=0))

    def hits(self, lists: SimulatedLists, chosen: NDArray[np.int64], n: int) -> HitsAndCounts:
        """The first n. Nonrelevant draws were counted, not looked at: the topic's own stand in for them."""
        self.judged_counts[:, 0] = np.repeat(lists.whole[chosen, 0], len(self.size) // len(chosen))
        return Hits(self.rank[:n], self.grade[:n], self.start, self.size), self.judged_counts


def most_of(starts: NDArray[np.int64], chosen: NDArray[np.int64]) -> int:
    """The most documents of some lists that start there."""
    return int((starts[chosen + 1] - starts[chosen]).max())


def resampled_lists(
    lists: SimulatedLists, chosen: NDArray[np.int64], first: int, low: int, scratch: Scratch
) -> HitsAndCounts:
    """Relevant hits of some lists drawn again from their own scores; in one call, as calls of several threads take
    turns."""
    r, others = most_of(lists.relevant, chosen), most_of(lists.other, chosen)
    longest = int(lists.length[chosen].max())
    columns, out = scratch.samples + PAD, SeveralLists.of(lists, chosen, scratch)
    n = _resample(
        chosen,
        lists.relevant,
        lists.relevant_grade,
        lists.above,
        lists.other,
        lists.length,
        lists.key,
        first,
        low,
        scratch.of("mass", (r + 1,), np.int64),
        scratch.of("cell_of", (others,), np.int64),
        scratch.table(longest),
        scratch.words,
        np.ones(r, dtype=np.int64),
        scratch.of("copies", (r, columns), np.int32),
        scratch.of("cells", (r + 1, columns), np.int32),
        scratch.total,
        scratch.sums,
        scratch.wanted,
        *out,
    )
    return out.hits(lists, chosen, n)


def resampled_hits(lists: SimulatedLists, q: int, first: int, view: View, scratch: Scratch) -> HitsAndCounts:
    """List q drawn again from its own scores: hits of the samples from `first` on, and the judged counts of each."""
    low, condensed = view
    if low >= 1 and not condensed:
        return resampled_lists(lists, np.array([q]), first, low, scratch)
    relevant = slice(lists.relevant[q], lists.relevant[q + 1])
    others = int(lists.other[q + 1] - lists.other[q])
    above, grades = lists.above[relevant], lists.relevant_grade[relevant]
    mass = np.diff(above, prepend=0, append=others)
    _, copies, cells = copies_and_cells(lists, q, first, mass, np.repeat(np.arange(len(mass)), mass), scratch)
    n = scratch.samples
    judged_counts = np.repeat(lists.missed[q : q + 1], n, axis=0)
    start, size = np.empty(n + 1, dtype=np.int64), np.empty(n, dtype=np.int64)
    capacity = n * (int(lists.length[q]) + 1) + 1
    rank, grade = scratch.of("rank", (capacity,), np.int32), scratch.of("grade", (capacity,), np.int8)
    hits = _all_hits(
        copies,
        cells,
        grades,
        above,
        lists.other_grade[lists.other[q] : lists.other[q + 1]],
        low,
        condensed,
        lists.key[q],
        first,
        scratch.of("times", (others + 1,), np.int64),
        rank,
        grade,
        start,
        size,
        judged_counts,
    )
    return Hits(rank[:hits], grade[:hits], start, size), judged_counts


def copies_and_cells(
    lists: SimulatedLists, q: int, first: int, mass: NDArray[np.int64], cell_of: NDArray[np.int64], scratch: Scratch
) -> tuple[int, NDArray[np.int32], NDArray[np.int32]]:
    """Copies [relevant documents, samples] and nonrelevant draws [cells, samples]; the totals are in the scratch."""
    r = int(lists.relevant[q + 1] - lists.relevant[q])
    length = int(lists.length[q])
    width = scratch.samples + PAD
    copies, cells = scratch.of("copies", (r, width), np.int32), scratch.of("cells", (len(mass), width), np.int32)
    drawn = draw_counts(
        float(max(0, length - r)),
        length,
        mass,
        cell_of,
        lists.key[q],
        first,
        scratch.table(length),
        scratch.words,
        np.ones(r, dtype=np.int64),
        copies,
        cells,
        scratch.total,
        scratch.sums,
        scratch.wanted,
    )
    return int(drawn), copies, cells
