"""The paired bootstrap test of all pairs of systems, in tiles of pairs that stay in the cache.

For a pair with centred differences w and a sample of topics with counts c, M1 = Σ c·w and M2 = Σ c·w² give
x = M1²/M2, which rises with |t*|: t*² = (n-1)·x / (n-x). Nothing of the size replicates x pairs is ever stored.
One tolerance decides everywhere (CONTRACTS, Arithmetic), so tiles, threads and GPUs cannot disagree.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.ask.constants import INFINITE
from irassay.ask.pairs import Array
from irassay.compute.kernel import helper, kernel
from irassay.tolerance import NO_SPREAD, TIE

NEAR = 1e-2  # pairs whose differences are smaller than this get their own sums: no digits are lost to cancelling


class Tile(NamedTuple):
    """Pairs that are tested together."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    x0: Array  # the observed x, with the tolerance in it
    shift: Array  # the sum of the observed differences
    near: bool  # whether a pair is so close that `w` is summed
    w: Array  # centred differences [topics, lanes]
    w2: Array  # their squares


class Samples(NamedTuple):
    """Samples of the topics: the sums of every system, and the topics that each holds, from `start[b]` on."""

    sums: Array  # [replicates, systems]
    topic: NDArray[Any]
    times: NDArray[Any]
    start: NDArray[np.int64]


class Kept(NamedTuple):
    """Of the replicates of a tile: how many reach x0, and x and |M1| of those that reach a bar."""

    hits: NDArray[np.int64]
    reached: NDArray[np.int64]  # replicates that reach the bar, also those for which there is no space
    x: Array  # [lanes, space]
    m: Array


@kernel
def differences(scores, first, second, mean, x0, w, w2):
    """Fill a tile: centred differences and their squares [topics, lanes]; returns whether a pair is nearly equal."""
    n = scores.shape[0]
    near = False
    for j in range(first.shape[0]):
        total = 0.0
        squares = 0.0
        for t in range(n):
            z = scores[t, first[j]] - scores[t, second[j]]
            total += z
            squares += z * z
        mean[j] = total / n
        x = 0.0 if squares == 0.0 else total * total / squares
        constant = squares == 0.0 or x >= n * (1.0 - NO_SPREAD)
        x0[j] = INFINITE if squares > 0.0 and constant else x
        spread = 0.0
        for t in range(n):
            # a constant difference varies by rounding alone: under H0 nothing is left of it
            z = 0.0 if constant else scores[t, first[j]] - scores[t, second[j]] - mean[j]
            w[t, j] = z
            w2[t, j] = z * z
            spread += z * z
        if not constant and spread < NEAR * NEAR:
            near = True
    return near


@helper
def weighted_sums(acc, rows, topic, count, start, stop):
    """acc[j] = Σ count·rows[topic, j], four topics at a time so that loads, not stores, set the pace."""
    lanes = acc.shape[0]
    for j in range(lanes):
        acc[j] = 0.0
    i = start
    while i + 4 <= stop:
        a, b, c, d = topic[i], topic[i + 1], topic[i + 2], topic[i + 3]
        ca, cb = np.float64(count[i]), np.float64(count[i + 1])
        cc, cd = np.float64(count[i + 2]), np.float64(count[i + 3])
        for j in range(lanes):
            acc[j] += (ca * rows[a, j] + cb * rows[b, j]) + (cc * rows[c, j] + cd * rows[d, j])
        i += 4
    while i < stop:
        a, ca = topic[i], np.float64(count[i])
        for j in range(lanes):
            acc[j] += ca * rows[a, j]
        i += 1


@kernel
def test_tile(tile, samples, bar, scratch, kept):
    """The tile's tests on some replicates: counts x >= x0 into `kept.hits`, keeps what reaches `bar` for `select`."""
    first, second = tile.first, tile.second
    acc1, acc2, x = scratch
    lanes, space = kept.x.shape
    limit = tile.w.shape[0] * (1.0 - NO_SPREAD)
    for b in range(samples.sums.shape[0]):
        begin, end = samples.start[b], samples.start[b + 1]
        weighted_sums(acc2, tile.w2, samples.topic, samples.times, begin, end)
        if tile.near:
            weighted_sums(acc1, tile.w, samples.topic, samples.times, begin, end)
        else:
            row = samples.sums[b]
            for j in range(lanes):
                acc1[j] = row[np.uint32(first[j])] - row[np.uint32(second[j])] - tile.shift[j]
        # Three plain loops over the lanes: each is vector instructions throughout.
        for j in range(lanes):
            x[j] = acc1[j] * acc1[j] / acc2[j] if acc2[j] > 0.0 else 0.0
        for j in range(lanes):
            x[j] = INFINITE if x[j] >= limit else x[j]
            kept.hits[j] += np.int64(x[j] >= tile.x0[j])
        for j in range(lanes):
            if x[j] >= bar[j]:
                k = kept.reached[j]
                if k < space:
                    kept.x[j, k] = x[j]
                    kept.m[j, k] = abs(acc1[j])
                kept.reached[j] = k + 1


@helper
def kth_largest(values, n, k):
    """The k-th largest of values[:n], which are reordered (Hoare)."""
    low, high = np.int64(0), n - 1
    target = k - 1
    while low < high:
        pivot = values[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while values[i] > pivot:
                i += 1
            while values[j] < pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if target <= j:
            high = j
        elif target >= i:
            low = i
        else:
            break
    return values[target]


@kernel
def set_bar(wanted, spare, bar, kept):
    """Put each lane's bar at the `wanted`-th largest x so far, and forget what does not reach it."""
    for j in range(bar.shape[0]):
        for i in range(kept.reached[j]):
            spare[i] = kept.x[j, i]
        bar[j] = kth_largest(spare, kept.reached[j], wanted)
        n = np.int64(0)
        for i in range(kept.reached[j]):
            if kept.x[j, i] >= bar[j]:
                kept.x[j, n] = kept.x[j, i]
                kept.m[j, n] = kept.m[j, i]
                n += 1
        kept.reached[j] = n


@kernel
def select(kept, ranks, topics, spare, critical, out):
    """For each lane and rank k the k-th largest x, and |mean*| of its replicate; ties by |mean*|."""
    for j in range(out.shape[0]):
        n = kept.reached[j]
        for r in range(ranks.shape[0]):
            k = ranks[r]
            for i in range(n):
                spare[i] = kept.x[j, i]
            bound = kth_largest(spare, n, k)
            critical[j, r] = bound
            top = bound * (1.0 + TIE)
            bottom = bound * (1.0 - TIE)
            larger = np.int64(0)
            ties = np.int64(0)
            for i in range(n):
                v = kept.x[j, i]
                if v > top:
                    larger += 1
                elif v >= bottom:
                    spare[ties] = kept.m[j, i]
                    ties += 1
            out[j, r] = kth_largest(spare, ties, k - larger) / topics
