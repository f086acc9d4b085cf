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

import numpy as np
from numpy.typing import NDArray

from irassay.compute.kernel import helper, kernel
from irassay.compute.philox import four_words, normals, open_uniform
from irassay.streams import DENSITY_JITTER, DENSITY_PLACES
from irassay.vary._simulated_lists import CELLS, PAD, Scratch, SeveralLists, SimulatedLists, draw_counts, most_of
from irassay.vary.sampled_lists import HitsAndCounts

WINDOW = 6  # kernel widths around a score beyond which its kernel is 0 or 1, to 1e-9
STEPS = 8  # nodes a kernel width: cubic interpolation between them errs by at most 1.381 / (384 · 8^4) = 8.8e-7
ROWS = 128  # offsets of a score between two nodes, with linear interpolation: 3e-8
ERROR = 1e-6
Tables = tuple[NDArray[np.int64], NDArray[np.float64]]
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
    begin, free, sorted_x, sorted_place, sorted_grade, n, rank, grade, start, judged_counts,
):  # fmt: skip
    """Relevant copies take places among nonrelevant draws: cell by cell, best first, and single draws within a cell.

    Hits from place n on; returns where they end.
    """
    start[0] = n
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


@kernel
def _fit(
    chosen, relevant, relevant_score, relevant_grade, relevant_width, other, other_score, other_width, length, key,
    first, low, nodes, origin, rows, heights, above, slope, before, mass, cell_of, table, words, ones, copies, cells,
    total, sums, wanted, z, x, place, begin, free, sorted_x, sorted_place, sorted_grade,
    rank, grade, start, size, judged_counts,
):  # fmt: skip
    """Some lists drawn from their fitted densities: hits, list after list, in the samples from `first` on."""
    n = np.int64(0)
    samples = total.shape[0]
    for p in range(chosen.shape[0]):
        q = chosen[p]
        r = relevant[q + 1] - relevant[q]
        scores, grades = relevant_score[relevant[q] : relevant[q + 1]], relevant_grade[relevant[q] : relevant[q + 1]]
        others, density = other_score[other[q] : other[q + 1]], 1.0
        here, slopes = above[: nodes[p]], slope[: nodes[p]]
        if nodes[p] > 0:
            tabulate(others, other_width[q], origin[p], here, slopes, before[: nodes[p]], rows, heights)
            density = STEPS / other_width[q]
        some = cell_of[: mass.shape[0] if others.shape[0] > 0 else 0]  # a list of relevant documents has no others
        draw_counts(
            float(max(0, length[q] - r)), length[q], mass, some, key[q], first, table, words, ones[:r], copies,
            cells, total, sums, wanted,
        )  # fmt: skip
        at = p * samples
        n = _placed(
            copies, cells, total, scores, grades, relevant_width[q], origin[p], density, here, slopes, low, key[q],
            first, z, x, place, begin, free, sorted_x, sorted_place, sorted_grade, n, rank, grade,
            start[at : at + samples + 1], judged_counts[at : at + samples],
        )  # fmt: skip
        for i in range(samples):
            size[at + i] = total[i] + (wanted[i] if others.shape[0] > 0 else 0)
    return n


def fitted_lists(
    lists: SimulatedLists, chosen: NDArray[np.int64], tables: Tables, first: int, low: int, scratch: Scratch
) -> HitsAndCounts:
    """Relevant hits of some lists, drawn from their fitted densities, that have tables; in one call, as calls of
    several threads take turns."""
    nodes, origin = (array[chosen] for array in tables)
    r, longest = most_of(lists.relevant, chosen), int(lists.length[chosen].max())
    columns, out = scratch.samples + PAD, SeveralLists.of(lists, chosen, scratch)
    most, width = longest + 1, int(nodes.max())
    n = _fit(
        chosen,
        lists.relevant,
        lists.relevant_score,
        lists.relevant_grade,
        lists.relevant_width,
        lists.other,
        lists.other_score,
        lists.other_width,
        lists.length,
        lists.key,
        first,
        low,
        nodes,
        origin,
        *kernel_rows(),
        *(scratch.of(name, (width,), np.float64) for name in ("above", "slope")),
        scratch.of("before", (width,), np.int64),
        np.ones(CELLS, dtype=np.int64),
        np.arange(CELLS),
        scratch.table(longest),
        scratch.words,
        np.ones(r, dtype=np.int64),
        *(scratch.of(name, (rows, columns), np.int32) for name, rows in (("copies", r), ("cells", CELLS))),
        scratch.total,
        scratch.sums,
        scratch.wanted,
        *(scratch.of(name, (most,), np.float64) for name in ("normals", "x", "place")),
        scratch.of("begin", (CELLS + 1,), np.int64),
        scratch.of("free", (max(CELLS, most + 1),), np.int64),
        scratch.of("sorted_x", (most,), np.float64),
        scratch.of("sorted_place", (most,), np.float64),
        scratch.of("sorted_grade", (most,), np.int8),
        *out,
    )
    return out.hits(lists, chosen, n)


def tables_of(lists: SimulatedLists) -> Tables:
    """How many nodes the table of each list's nonrelevant scores has, -1 for too many, and the first one's score.

    None where there is one score, or the same one many times, which stands for the first node's; without any no draw
    compares with it.
    """
    begin, end = lists.other[:-1], lists.other[1:]
    best, worst = (np.zeros(len(lists)) for _ in range(2))
    some = np.flatnonzero(end > begin)
    best[some], worst[some] = lists.other_score[begin[some]], lists.other_score[end[some] - 1]
    fitted = (lists.other_width > 0.0) & (end > begin)
    width = np.where(fitted, lists.other_width, 1.0)
    origin = np.where(fitted, worst - (WINDOW + 1) * width, best)
    nodes = np.ceil((best - origin) / width * STEPS) + (WINDOW + 1) * STEPS
    nodes = np.where(fitted, np.where(nodes > NODES, -1, nodes), 0)
    return nodes.astype(np.int64), origin
