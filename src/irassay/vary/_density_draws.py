"""Hits of lists simulated from fitted densities where every document is drawn and sorted (yang2018variance).

Slower than `_density.py`, without its table: for measures that look at nonrelevant documents, and for narrow kernels.
"""

import numpy as np
from numpy.typing import NDArray

from irassay.compute._draws import below
from irassay.compute.kernel import kernel
from irassay.compute.philox import normals
from irassay.scoring.hits import Hits
from irassay.scoring.score_panel import View
from irassay.streams import DENSITY_JITTER, DENSITY_NOISE, DENSITY_PICKS
from irassay.vary._multinomial import pair_of
from irassay.vary._simulated_lists import Scratch, SimulatedLists, copies_and_cells
from irassay.vary.sampled_lists import HitsAndCounts


@kernel
def _draw_scores(
    copies, total, wanted, score, grades, width, other_score, other_grade, other_width, key, first, z, negative, grade
):
    """Every draw of every sample, nonrelevant first: minus its score, and its grade; infinity behind the last one."""
    for i in range(total.shape[0]):
        sample = np.uint64(first + i)
        m = np.int64(wanted[i]) if other_score.shape[0] > 0 else np.int64(0)
        if other_width > 0.0:
            normals(z[:m], key, sample, DENSITY_NOISE)
        for v in range(m):
            a, b = pair_of(v, key, sample, DENSITY_PICKS)
            p = below(a, b, other_score.shape[0])
            negative[i, v] = -(other_score[p] + other_width * z[v]) if other_width > 0.0 else -other_score[p]
            grade[i, v] = other_grade[p]
        count = np.int64(total[i])
        if width > 0.0:
            normals(z[:count], key, sample, DENSITY_JITTER)
        v = np.int64(0)
        for j in range(score.shape[0]):
            for _ in range(copies[j, i]):
                negative[i, m + v] = -(score[j] + width * z[v]) if width > 0.0 else -score[j]
                grade[i, m + v] = grades[j]
                v += 1
        negative[i, m + count :] = np.inf


@kernel
def hits_of_order(order, entries, size, low, condensed, rank, grade, start, judged_counts):
    """Hits of sorted lists: `size` goes in as their length, and comes out without unjudged entries where condensed.

    `judged_counts` go in as those of documents that no list holds.
    """
    n = np.int64(0)
    start[0] = 0
    for i in range(size.shape[0]):
        r = np.int64(0)
        for k in range(size[i]):
            g = entries[i, order[i, k]]
            if g >= 0:
                judged_counts[i, g] += 1
            r += np.int64(g >= 0 or not condensed)
            rank[n] = r
            grade[n] = g
            n += np.int64(g >= low)
        start[i + 1] = n
        size[i] = r
    return n


def drawn_hits(lists: SimulatedLists, q: int, first: int, view: View, scratch: Scratch) -> HitsAndCounts:
    """List q drawn from its fitted densities, every document of it, and sorted."""
    relevant = slice(lists.relevant[q], lists.relevant[q + 1])
    other = slice(lists.other[q], lists.other[q + 1])
    nothing = np.zeros(0, dtype=np.int64)
    _, copies, _ = copies_and_cells(lists, q, first, nothing, nothing, scratch)
    shape = scratch.samples, max(1, int(lists.length[q]))
    negative, grades = np.empty(shape), np.empty(shape, dtype=np.int8)
    _draw_scores(
        copies,
        scratch.total,
        scratch.wanted,
        lists.relevant_score[relevant],
        lists.relevant_grade[relevant],
        float(lists.relevant_width[q]),
        lists.other_score[other],
        lists.other_grade[other],
        float(lists.other_width[q]),
        lists.key[q],
        first,
        scratch.of("normals", shape[1:], np.float64),
        negative,
        grades,
    )
    size = (scratch.total + (scratch.wanted if lists.other[q + 1] > lists.other[q] else 0)).astype(np.int64)
    return sorted_hits(negative, grades, size, lists.missed[q], view)


def sorted_hits(
    negative: NDArray[np.float64],
    grades: NDArray[np.int8],
    size: NDArray[np.int64],
    missed: NDArray[np.int64],
    view: View,
) -> HitsAndCounts:
    """Hits of lists from minus their scores [lists, entries]; of equal scores the one that stands first is first."""
    low, condensed = view
    order = np.argsort(negative, axis=1, kind="stable")
    capacity = int(size.sum()) + 1
    rank, grade = np.empty(capacity, dtype=np.int32), np.empty(capacity, dtype=np.int8)
    start, judged_counts = np.empty(len(size) + 1, dtype=np.int64), np.repeat(missed[None], len(size), axis=0)
    hits = int(hits_of_order(order, grades, size, low, condensed, rank, grade, start, judged_counts))
    return Hits(rank[:hits], grade[:hits], start, size), judged_counts
