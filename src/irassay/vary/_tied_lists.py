"""Tied groups of lists, and the hits of lists whose order no view sees."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.compute.kernel import helper, kernel
from irassay.scoring.hits import Hits
from irassay.scoring.score_panel import View


@dataclass(frozen=True, eq=False)
class TiedLists:
    """The judged and pooled documents of all lists, as plain arrays: by tied group, in it the highest grades first.

    A document that is tied with no other is a group of one.
    """

    start: NDArray[np.int64]  # where each list's documents start, and the end
    grade: NDArray[np.int8]  # -1: pooled, not judged
    group: NDArray[np.int32]  # the place, from 0, at which the document's group starts
    size: NDArray[np.int32]  # all documents of the group, also those that are not here
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
                top = highest if b > a + 1 else np.int64(grades[pool[t] + codes[a]])
                for g in range(top, -2, -1):
                    for i in range(a, b):
                        if grades[pool[t] + codes[i]] == g:
                            grade[n] = g
                            group[n] = a - begin
                            size[n] = b - a
                            n += 1
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
def vary_lists(start, grade, group, size, low, condensed, cut, varies):
    """Which lists have a group whose order the view sees up to rank `cut`."""
    for q in range(varies.shape[0]):
        varies[q] = False
        judged = np.int64(0)
        a, stop = start[q], start[q + 1]
        while a < stop and (judged if condensed else np.int64(group[a])) < cut:
            b = group_end(group, a, stop)
            for j in range(a, b):
                judged += np.int64(grade[j] >= 0)
            if draws_of(grade, a, b, size[a], low, condensed) > 0:
                varies[q] = True
                break
            a = b


@helper
def as_they_stand(grade, group, a, b, low, condensed, judged, rank, hit, n):
    """Hits of the documents [a, b) of a group whose order the view does not see; returns (judged, n) after them.

    A group that begins behind the cut comes here too: its ranks are all behind the cut, whichever document has them.
    """
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


def unvaried_hits(lists: TiedLists, numbers: NDArray[np.int64], view: View) -> Hits:
    """Hits of these lists, whose order the view does not see."""
    low, condensed = view
    entries = int((lists.start[numbers + 1] - lists.start[numbers]).sum())
    rank, hit = np.empty(entries + 1, dtype=np.int32), np.empty(entries + 1, dtype=np.int8)
    start, judged = np.empty(len(numbers) + 1, dtype=np.int64), np.empty(len(numbers), dtype=np.int64)
    n = hits_as_they_stand(numbers, lists.start, lists.grade, lists.group, low, condensed, rank, hit, start, judged)
    return Hits(rank[:n], hit[:n], start, judged if condensed else lists.length[numbers])
