"""Rank correlations of many rankings with one reference ranking.

Rankings are int32 levels, 0 for the worst, equal ones tied (`ask.agreement.levels`).
"""

import math

import numpy as np

from irassay.compute.kernel import helper, kernel

ORDER, ABOVE, SIZE, COUNTS, START = range(5)  # rows of the scratch of one ranking


@helper
def place_systems(levels, places):
    """Fills `places` [5, system]: systems best first; for each how many are above its tie, and in it.

    Returns the number of pairs that are not tied.
    """
    n = levels.shape[0]
    counts, start = places[COUNTS], places[START]
    counts[:] = 0
    for s in range(n):
        counts[levels[s]] += 1
    untied = np.int64(n) * np.int64(n - 1) // 2
    ahead = np.int64(n)
    for level in range(n):
        untied -= counts[level] * (counts[level] - 1) // 2
        ahead -= counts[level]
        start[level] = ahead
    for s in range(n):
        places[ABOVE, s] = start[levels[s]]
        places[SIZE, s] = counts[levels[s]]
    for s in range(n):
        places[ORDER, start[levels[s]]] = s
        start[levels[s]] += 1
    return untied


@helper
def include_depth(places, d, shares):
    """Of the tie at depth d, k of g systems are among the first d, so each is there by k/g."""
    s = places[ORDER, d - 1]
    above, size = places[ABOVE, s], places[SIZE, s]
    for k in range(above, above + size):
        shares[places[ORDER, k]] = (d - above) / size


@helper
def overlap_missing(one, two, discount, shares):
    """Σ_d (1 - X_d / d) p^(d-1): summed as what is missing, so that equal orders without ties give exactly 0."""
    n = one.shape[1]
    first, second = shares[0], shares[1]
    first[:] = 0.0
    second[:] = 0.0
    missing = 0.0
    for d in range(1, n + 1):
        include_depth(one, d, first)
        include_depth(two, d, second)
        # four sums, so that no addition waits for the one before it
        a, b, c, e = 0.0, 0.0, 0.0, 0.0
        for s in range(0, n - n % 4, 4):
            a += first[s] * second[s]
            b += first[s + 1] * second[s + 1]
            c += first[s + 2] * second[s + 2]
            e += first[s + 3] * second[s + 3]
        for s in range(n - n % 4, n):
            a += first[s] * second[s]
        missing += (1.0 - ((a + b) + (c + e)) / d) * discount[d - 1]
    return missing


@kernel
def compare_orders(reference, rankings, p, discount, places, shares, out):
    """`out` [replicate, 4]: tau, tau_b, tau_AP and RBO of rankings [replicate, system] with a reference.

    `reference` is [1, system], one for all rankings, or [replicate, system]. `discount` are p^(d-1) of the depths
    d = 1, 2, ...; `places` [2, 5, system] and `shares` [2, system] are scratch. A system's surplus is how many of those
    above it the reference has above it too, less those it has below. All surpluses together are pairs in the same order
    less pairs in opposite orders.
    """
    replicates, n = rankings.shape
    pairs = np.int64(n) * np.int64(n - 1) // 2
    untied_reference = np.int64(0)
    for r in range(replicates):
        ranking = rankings[r]
        truth = reference[min(r, reference.shape[0] - 1)]
        if r < reference.shape[0]:
            untied_reference = place_systems(truth, places[0])
        untied = place_systems(ranking, places[1])
        total = np.int64(0)
        weighted = 0.0
        for i in range(n):
            x = truth[i]
            y = ranking[i]
            surplus = np.int32(0)  # as wide as the levels: the compiler takes several systems at a time
            for j in range(n):
                ahead = np.int32(truth[j] > x) - np.int32(truth[j] < x)
                surplus += np.int32(ranking[j] > y) * ahead
            total += surplus
            above, size = places[1, ABOVE, i], places[1, SIZE, i]
            if above > 0:
                part = 0.0
                for k in range(above, above + size):
                    part += surplus / k
                weighted += part / size
        out[r, 0] = total / pairs
        # in doubles: the product of two counts of pairs may not fit an integer
        possible = math.sqrt(np.float64(untied_reference) * np.float64(untied))
        out[r, 1] = total / possible if possible > 0.0 else np.nan
        out[r, 2] = weighted / (n - 1)
        out[r, 3] = 1.0 - (1.0 - p) * overlap_missing(places[0], places[1], discount, shares)
