"""Hits of lists whose tied documents are put in a random order.

A tied group of m documents has m places. Its judged and pooled documents draw theirs one after the other, each one of
the places left (Fisher and Yates), highest grades first: so a view that looks at relevant documents alone needs their
draws only, and all views of a sample see the same order. The k-th draw of a group is word `group + k` of the list's
random numbers, where the group starts at place `group`: no draw depends on another group. A place is the upper half of
word times places left, so that its chance errs by less than 2^-32.
"""

import numpy as np

from irassay.compute.kernel import helper, kernel
from irassay.compute.philox import HALF, four_words
from irassay.scoring.hits import Hits
from irassay.scoring.score_panel import View
from irassay.vary._tied_lists import TiedLists, as_they_stand, draws_of, group_end
from irassay.vary.sampled_lists import Workspace

PAD = 16  # columns that keep rows off the same cache sets
NOTHING = -128  # in a place: a document that no view looks at


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
    grade, group, size, low, condensed, cut, key, first, stream, words, picks, place, taken, at, still_rank,
    still_grade, varied, rank, hit,
):  # fmt: skip
    """Hits of one list in as many orders as `words` has columns, one after the other; returns how many each has.

    Groups that begin behind rank `cut` are left out.

    `varied` [groups, 5] is room for: documents [a, b) of a group whose order is seen, its size, what its ranks begin
    with, and how many of the other hits, which are the same in every order, stand before it.
    """
    step = np.int64(-1)
    judged = np.int32(0)
    still, groups, drawn, hits = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    a, stop = np.int64(0), np.int64(grade.shape[0])
    while a < stop and (np.int64(judged) if condensed else np.int64(group[a])) < cut:
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


def ordered_hits(
    lists: TiedLists, q: int, samples: range, view: View, cut: int, stream: int, workspace: Workspace
) -> Hits:
    """Hits of list q up to rank `cut`, and perhaps some more, in the orders of these samples."""
    low, condensed = view
    inside = slice(lists.start[q], lists.start[q + 1])
    grade, count, length = lists.grade[inside], len(samples), int(lists.length[q])
    n, of = len(grade), workspace.of
    place = of("place", (length,), np.int32)
    if place[-1] == 0:
        place[:] = np.arange(len(place))
        of("at", (length,), np.int8)[:] = NOTHING
    rank, hit = of("rank", (count * n + 1,), np.int32), of("hit", (count * n + 1,), np.int8)
    hits = hits_in_orders(
        grade,
        lists.group[inside],
        lists.size[inside],
        low,
        condensed,
        cut,
        lists.key[q],
        samples.start,
        np.uint32(stream),
        of("words", (4, count), np.uint32)[:, :count],
        of("picks", (n, count + PAD), np.int32),
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
    start = hits * np.arange(count + 1)
    return Hits(rank[: count * hits], hit[: count * hits], start, np.full(count, judged, dtype=np.int64))
