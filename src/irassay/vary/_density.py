r"""Hits of lists simulated from fitted densities: Gaussian kernels on the scores of each kind (yang2018variance).

A draw is a document's score, that document chosen at random, plus its kernel's width times a normal number. Of the
nonrelevant draws only the order among the relevant ones matters, so relevant scores x go to the chance
$$S(x) = \frac{1}{N}\sum_c Q\Big(\frac{x - c}{h}\Big)$$
that a nonrelevant one exceeds them, and nonrelevant draws are uniform there: counted in cells of equal mass, and looked
at one by one only in cells that also hold a relevant one. S is a table, exact to 1e-6 (`ERROR`);
`_density_draws.py` does without.
"""

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.kernel import helper, kernel
from irassay.compute.philox import four_words, normals, open_uniform
from irassay.scoring.hits import Hits
from irassay.scoring.score_panel import View
from irassay.streams import DENSITY_JITTER, DENSITY_PLACES
from irassay.vary._simulated_lists import CELLS, Scratch, SimulatedLists, copies_and_cells
from irassay.vary.sampled_lists import HitsAndCounts

WINDOW = 6  # kernel widths around a score beyond which its kernel is 0 or 1, to 1e-9
STEPS = 8  # nodes a kernel width: cubic interpolation between them errs by at most 1.381 / (384 · 8^4) = 8.8e-7
ROWS = 128  # offsets of a score between two nodes, with linear interpolation: 3e-8
ERROR = 1e-6
NODES = 1 << 15  # a table of more nodes is not worth making: such a list is drawn without


@cache
def kernel_rows() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Q and the normal density at the nodes around a score, a row for each offset of the first node."""
    nodes = np.arange(2 * WINDOW * STEPS) / STEPS - WINDOW
    z = nodes + np.arange(ROWS + 1)[:, None] / (ROWS * STEPS)
    above = np.array([[0.5 * math.erfc(x / math.sqrt(2.0)) for x in row] for row in z.tolist()])
    return above, np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)


@kernel
def tabulate(score, width, origin, above, slope, before, rows, heights):
    """S and its derivative (times the step between nodes) at the nodes origin + k · width / STEPS."""
    nodes = above.shape[0]
    span = rows.shape[1]
    above[:] = 0.0
    slope[:] = 0.0
    before[:] = 0
    for c in range(score.shape[0]):
        place = ((score[c] - origin) / width - WINDOW) * STEPS
        b = np.int64(math.ceil(place))
        offset = (b - place) * ROWS
        row = np.int64(min(offset, ROWS - 1))
        w = offset - row
        v = 1.0 - w
        before[b] += 1
        for k in range(span):
            above[b + k] += v * rows[row, k] + w * rows[row + 1, k]
            slope[b + k] += v * heights[row, k] + w * heights[row + 1, k]
    full = np.int64(0)  # kernels that lie wholly above a node
    each = 1.0 / score.shape[0]
    for k in range(nodes - 1, -1, -1):
        above[k] = (above[k] + full) * each
        slope[k] *= -each / STEPS
        full += before[k]


@helper
def chance_above(x, origin, density, above, slope):
    """S(x), by cubic interpolation between nodes; without nodes all nonrelevant scores are `origin`."""
    if above.shape[0] == 0:
        return 1.0 if x <= origin else 0.0
    place = (x - origin) * density
    if place < 0.0:
        return 1.0
    if place >= above.shape[0] - 1:
        return 0.0
    k = np.int64(place)
    t = place - k
    s = 1.0 - t
    value = s * s * ((1.0 + 2.0 * t) * above[k] + t * slope[k]) + t * t * (
        (1.0 + 2.0 * s) * above[k + 1] - s * slope[k + 1]
    )
    return min(1.0, max(0.0, value))


@kernel
def chances(x, origin, density, above, slope, out):
    """`chance_above`, for tests."""
    for i in range(x.shape[0]):
        out[i] = chance_above(x[i], origin, density, above, slope)


@kernel
def _placed(
    copies, cells, total, score, grades, width, origin, density, above, slope, low, key, first, z, x, place,
    begin, free, sorted_x, sorted_place, sorted_grade, rank, grade, start, judged_counts,
):  # fmt: skip
    """Relevant copies take places among nonrelevant draws: cell by cell, best first, and single draws within a cell."""
    n = np.int64(0)
    start[0] = 0
    last = begin.shape[0] - 1  # as many cells
    for i in range(total.shape[0]):
        sample = np.uint64(first + i)
        m = np.int64(total[i])
        z[:m] = 0.0
        if width > 0.0:
            normals(z[:m], key, sample, DENSITY_JITTER)
        begin[:] = 0
        v = np.int64(0)
        for j in range(score.shape[0]):
            for _ in range(copies[j, i]):
                x[v] = score[j] + width * z[v]
                place[v] = chance_above(x[v], origin, density, above, slope) * last
                begin[min(np.int64(place[v]), last - 1) + 1] += 1
                v += 1
        for k in range(last):
            begin[k + 1] += begin[k]
            free[k] = begin[k]
        v = np.int64(0)
        for j in range(score.shape[0]):
            c = copies[j, i]
            g = grades[j]
            judged_counts[i, g] += c
            for _ in range(c):
                cell = min(np.int64(place[v]), last - 1)
                k = free[cell]
                free[cell] = k + 1
                while k > begin[cell] and sorted_x[k - 1] < x[v]:
                    sorted_x[k] = sorted_x[k - 1]
                    sorted_place[k] = sorted_place[k - 1]
                    sorted_grade[k] = sorted_grade[k - 1]
                    k -= 1
                sorted_x[k] = x[v]
                sorted_place[k] = place[v]
                sorted_grade[k] = g
                v += 1
        r = np.int64(0)
        word = np.int64(0)
        four = (np.uint32(0), np.uint32(0), np.uint32(0), np.uint32(0))
        k = np.int64(0)
        done = np.int64(0)
        while done < m:
            inside = np.int64(cells[k, i])
            end = begin[k + 1]
            if end > done:
                free[: end - done + 1] = 0  # nonrelevant draws before each copy
                for _ in range(inside):
                    if word & 3 == 0:
                        four = four_words(word >> 2, sample, DENSITY_PLACES, key)
                    at = k + open_uniform(four[word & 3])
                    word += 1
                    p = np.int64(0)
                    for t in range(done, end):
                        p += np.int64(sorted_place[t] < at)  # equal places: nonrelevant first
                    free[p] += 1
                for p in range(done, end):
                    r += free[p - done] + 1
                    rank[n] = r
                    grade[n] = sorted_grade[p]
                    n += np.int64(sorted_grade[p] >= low)
                r += free[end - done]
                done = end
            else:
                r += inside
            k += 1
        start[i + 1] = n
    return n


def fitted_hits(lists: SimulatedLists, q: int, first: int, view: View, scratch: Scratch) -> HitsAndCounts | None:
    """List q drawn from its fitted densities, relevant documents only; None where a table would be too large."""
    relevant = slice(lists.relevant[q], lists.relevant[q + 1])
    table = survival(lists, q)
    if table is None:
        return None
    others = int(lists.other[q + 1] - lists.other[q])
    drawn, copies, cells = copies_and_cells(lists, q, first, np.ones(CELLS, dtype=np.int64), np.arange(CELLS), scratch)
    most = int(scratch.total.max(initial=0)) + 1
    start = np.empty(scratch.samples + 1, dtype=np.int64)
    judged_counts = np.repeat(lists.missed[q : q + 1], scratch.samples, axis=0)
    rank, grade = scratch.of("rank", (drawn + 2,), np.int32), scratch.of("grade", (drawn + 2,), np.int8)
    hits = _placed(
        copies,
        cells,
        scratch.total,
        lists.relevant_score[relevant],
        lists.relevant_grade[relevant],
        float(lists.relevant_width[q]),
        *table,
        view[0],
        lists.key[q],
        first,
        *(scratch.of(name, (most,), np.float64) for name in ("normals", "x", "place")),
        scratch.of("begin", (CELLS + 1,), np.int64),
        scratch.of("free", (max(CELLS, most + 1),), np.int64),
        scratch.of("sorted_x", (most,), np.float64),
        scratch.of("sorted_place", (most,), np.float64),
        scratch.of("sorted_grade", (most,), np.int8),
        rank,
        grade,
        start,
        judged_counts,
    )
    judged_counts[:, 0] = lists.whole[q, 0]
    size = (scratch.total + (scratch.wanted if others else 0)).astype(np.int64)
    return Hits(rank[:hits], grade[:hits], start, size), judged_counts


def survival(lists: SimulatedLists, q: int) -> tuple[float, float, Any, Any] | None:
    """(origin, nodes per score, S, its slopes) of the nonrelevant scores of list q; None: too many nodes."""
    score = lists.other_score[lists.other[q] : lists.other[q + 1]]
    width = float(lists.other_width[q])
    nothing = np.empty(0)
    if len(score) == 0 or width == 0.0:
        # one score, or the same one many times; without any no draw compares with it
        return float(score[0]) if len(score) else 0.0, 1.0, nothing, nothing
    origin = float(score[-1]) - (WINDOW + 1) * width
    nodes = math.ceil((float(score[0]) - origin) / width * STEPS) + (WINDOW + 1) * STEPS
    if nodes > NODES:
        return None
    above, slope, before = np.empty(nodes), np.empty(nodes), np.empty(nodes, dtype=np.int64)
    tabulate(score, width, origin, above, slope, before, *kernel_rows())
    return origin, STEPS / width, above, slope
