"""Hits of lists whose tied documents are put in a random order.

A tied group of m documents has m places. Its judged and pooled documents draw theirs one after the other, each one of
the places left (Fisher and Yates), highest grades first: so a view that looks at relevant documents alone needs their
draws only, and all views of a sample see the same order. The k-th draw of a group is word `group + k` of the list's
random numbers, where the group starts at place `group`: no draw depends on another group. A place is the upper half of
word times places left, so that its chance errs by less than 2^-32.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.compute.kernel import helper, kernel
from irassay.compute.philox import HALF, four_words
from irassay.scoring.hits import Hits
from irassay.scoring.score_panel import View
from irassay.vary.sampled_lists import Workspace

PAD = 16  # columns that keep rows off the same cache sets
NOTHING = -128  # in a place: a document that no view looks at


@dataclass(frozen=True, eq=False)
class TiedLists:
    """The judged and pooled documents of all lists, as plain arrays: by tied group, in it the highest grades first.

    A document that is tied with no other is a group of one.
    """

    start: NDArray[np.int64]  # where each list's documents start, and the end
    grade: NDArray[np.int8]  # -1: pooled, not judged
    group: NDArray[np.int32]  # the place, from 0, at which the document's group starts
    size: NDArray[np.int32]  # documents of the group, with those that stand not here
    length: NDArray[np.int64]  # documents of each list
    key: NDArray[np.uint64]  # of its random numbers

    def __len__(self) -> int:
        return len(self.length)


@kernel
def count_documents(codes, offsets, pool, grades, systems, start):
    """`start` of `TiedLists`."""
    q = np.int64(0)
    start[0] = 0
    for t in range(offsets.shape[0]):
        for s in systems:
            n = np.int64(0)
            for i in range(offsets[t, s], offsets[t, s + 1]):
                n += np.int64(grades[pool[t] + codes[i]] >= -1)
            start[q + 1] = start[q] + n
            q += 1


@kernel
def group_documents(codes, offsets, pool, grades, scores, systems, highest, grade, group, size):
    """The documents of `TiedLists`: a group is a run of neighbours with equal scores."""
    n = np.int64(0)
    for t in range(offsets.shape[0]):
        for s in systems:
            begin, end = offsets[t, s], offsets[t, s + 1]
            a = begin
            while a < end:
                b = a + 1
                while b < end and scores[b] == scores[a]:
                    b += 1
                for g in range(highest if b > a + 1 else np.int64(grades[pool[t] + codes[a]]), -2, -1):
                    for i in range(a, b):
                        if grades[pool[t] + codes[i]] == g:
                            grade[n] = g
                            group[n] = a - begin
                            size[n] = b - a
                            n += 1
                    if b == a + 1:
                        break
                a = b


@helper
def group_end(group, a, stop):
    b = a + 1
    while b < stop and group[b] == group[a]:
        b += 1
    return b


@helper
def draws_of(grade, a, b, size, low, condensed):
    """How many of the group's documents [a, b) must draw a place; 0 where no order changes what the view sees."""
    floor = min(low, 0) if condensed else low
    k = np.int64(0)
    while a + k < b and grade[a + k] >= floor:
        k += 1
    if k == 0 or grade[a] < low:
        return np.int64(0)
    # hits of one grade, and nothing else that has a rank
    alike = grade[a] == grade[a + k - 1]
    if alike and (condensed or k == size):
        return np.int64(0)
    return k


@kernel
def vary_lists(start, grade, group, size, low, condensed, varies):
    """Which lists have a group whose order the view sees."""
    for q in range(varies.shape[0]):
        varies[q] = False
        a, stop = start[q], start[q + 1]
        while a < stop:
            b = group_end(group, a, stop)
            if draws_of(grade, a, b, size[a], low, condensed) > 0:
                varies[q] = True
                break
            a = b


@helper
def as_they_stand(grade, group, a, b, low, condensed, judged, rank, hit, n):
    """Hits of the documents [a, b) of a group whose order the view does not see; returns (judged, n) after them."""
    for j in range(a, b):
        judged += np.int32(grade[j] >= 0)
        # written always, kept by moving on
        rank[n] = judged if condensed else group[a] + np.int32(j - a + 1)
        hit[n] = grade[j]
        n += np.int64(grade[j] >= low)
    return judged, n


@kernel
def hits_as_they_stand(lists, begin, grade, group, low, condensed, rank, hit, start, judged_size):
    """Hits of lists whose order the view does not see; ranks have room for one more."""
    n = np.int64(0)
    start[0] = 0
    for i in range(lists.shape[0]):
        judged = np.int32(0)
        a, stop = begin[lists[i]], begin[lists[i] + 1]
        while a < stop:
            b = group_end(group, a, stop)
            judged, n = as_they_stand(grade, group, a, b, low, condensed, judged, rank, hit, n)
            a = b
        start[i + 1] = n
        judged_size[i] = judged
    return n


@helper
def pick_places(size, count, group, key, first, stream, words, step, picks):
    """picks[j] = j + a number below size - j, for all samples; returns the counter step whose words are held."""
    for j in range(count):
        word = np.int64(group) + j
        if word >> 2 != step:
            step = word >> 2
            for i in range(words.shape[1]):
                w0, w1, w2, w3 = four_words(step, np.uint64(first) + np.uint64(i), stream, key)
                words[0, i] = w0
                words[1, i] = w1
                words[2, i] = w2
                words[3, i] = w3
        left = np.uint64(size - j)
        row = words[word & 3]
        for i in range(words.shape[1]):
            picks[j, i] = np.int32(j) + np.int32((np.uint64(row[i]) * left) >> HALF)
    return step


@helper
def order_group(grade, picks, i, size, place, taken, at):
    """Sample i of a group: the documents' places and grades in their new order, into `taken` and `at`.

    `place` holds 0, 1, 2, … before and after; `at` NOTHING.
    """
    count = grade.shape[0]
    few = count * count <= 4 * size
    for j in range(count):
        p = picks[j, i]
        drawn = place[p]
        place[p] = place[j]
        if few:
            k = j
            while k > 0 and taken[k - 1, 0] > drawn:
                taken[k, 0] = taken[k - 1, 0]
                taken[k, 1] = taken[k - 1, 1]
                k -= 1
            taken[k, 0] = drawn
            taken[k, 1] = grade[j]
        else:
            at[drawn] = grade[j]
    for j in range(count):
        p = picks[j, i]
        place[p] = p
    if not few:
        k = np.int64(0)
        for p in range(size):
            g = at[p]
            at[p] = NOTHING
            if g != NOTHING:
                taken[k, 0] = p
                taken[k, 1] = g
                k += 1


@kernel
def hits_in_orders(
    grade, group, size, low, condensed, key, first, stream, words, picks, place, taken, at, still_rank, still_grade,
    varied, rank, hit,
):  # fmt: skip
    """Hits of one list in as many orders as `words` has columns, one after the other; returns how many each has.

    `varied` [groups, 5] is room for: documents [a, b) of a group whose order is seen, its size, what its ranks begin
    with, and how many of the other hits, which are the same in every order, stand before it.
    """
    step = np.int64(-1)
    judged = np.int32(0)
    still, groups, drawn, hits = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    a, stop = np.int64(0), np.int64(grade.shape[0])
    while a < stop:
        b = group_end(group, a, stop)
        count = draws_of(grade, a, b, size[a], low, condensed)
        if count == 0:
            judged, still = as_they_stand(grade, group, a, b, low, condensed, judged, still_rank, still_grade, still)
        else:
            step = pick_places(size[a], count, group[a], key, first, stream, words, step, picks[drawn:])
            drawn += count
            varied[groups, 0] = a
            varied[groups, 1] = a + count
            varied[groups, 2] = size[a]
            varied[groups, 3] = judged if condensed else group[a]
            varied[groups, 4] = still
            groups += 1
            for j in range(a, b):
                judged += np.int32(grade[j] >= 0)
                hits += np.int64(grade[j] >= low)
        a = b
    hits += still
    n = np.int64(0)
    for i in range(words.shape[1]):
        done, drawn = np.int64(0), np.int64(0)
        for v in range(groups):
            for j in range(done, varied[v, 4]):
                rank[n] = still_rank[j]
                hit[n] = still_grade[j]
                n += 1
            done = varied[v, 4]
            count = varied[v, 1] - varied[v, 0]
            r = np.int32(varied[v, 3])
            if count == 1:  # most groups: one relevant document; where condensed there is another
                rank[n] = r + picks[drawn, i] + np.int32(1)
                hit[n] = grade[varied[v, 0]]
                n += 1
            else:
                order_group(
                    grade[varied[v, 0] : varied[v, 1]], picks[drawn : drawn + count], i, varied[v, 2], place, taken, at
                )
                for j in range(count):
                    g = np.int8(taken[j, 1])
                    r += np.int32(condensed and g >= 0)
                    rank[n] = r if condensed else r + taken[j, 0] + np.int32(1)
                    hit[n] = g
                    n += np.int64(g >= low)
            drawn += count
        for j in range(done, still):
            rank[n] = still_rank[j]
            hit[n] = still_grade[j]
            n += 1
    return hits


def unvaried_hits(lists: TiedLists, numbers: NDArray[np.int64], view: View) -> Hits:
    """Hits of these lists, whose order the view does not see."""
    low, condensed = view
    entries = int((lists.start[numbers + 1] - lists.start[numbers]).sum())
    rank, hit = np.empty(entries + 1, dtype=np.int32), np.empty(entries + 1, dtype=np.int8)
    start, judged = np.empty(len(numbers) + 1, dtype=np.int64), np.empty(len(numbers), dtype=np.int64)
    n = hits_as_they_stand(numbers, lists.start, lists.grade, lists.group, low, condensed, rank, hit, start, judged)
    return Hits(rank[:n], hit[:n], start, judged if condensed else lists.length[numbers])


def ordered_hits(
    lists: TiedLists, q: int, first: int, last: int, view: View, stream: int, workspace: Workspace
) -> Hits:
    """Hits of list q in the orders of the samples [first, last)."""
    low, condensed = view
    inside = slice(lists.start[q], lists.start[q + 1])
    grade, samples, length = lists.grade[inside], last - first, int(lists.length[q])
    n, of = len(grade), workspace.of
    place = of("place", (length,), np.int32)
    if place[-1] == 0:
        place[:] = np.arange(len(place))
        of("at", (length,), np.int8)[:] = NOTHING
    rank, hit = of("rank", (samples * n + 1,), np.int32), of("hit", (samples * n + 1,), np.int8)
    hits = hits_in_orders(
        grade,
        lists.group[inside],
        lists.size[inside],
        low,
        condensed,
        lists.key[q],
        first,
        np.uint32(stream),
        of("words", (4, samples), np.uint32)[:, :samples],
        of("picks", (n, samples + PAD), np.int32),
        place,
        of("taken", (n + 1, 2), np.int32),
        of("at", (length,), np.int8),
        of("still_rank", (n + 1,), np.int32),
        of("still_grade", (n + 1,), np.int8),
        of("varied", (n, 5), np.int64),
        rank,
        hit,
    )
    judged = int(np.count_nonzero(grade >= 0)) if condensed else length
    start = hits * np.arange(samples + 1)
    return Hits(rank[: samples * hits], hit[: samples * hits], start, np.full(samples, judged, dtype=np.int64))
