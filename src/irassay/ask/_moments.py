"""Sums of scores and of their products over replicates: what means, deviations and covariances are made of."""

from __future__ import annotations

import numpy as np

from irassay.compute.kernel import kernel


@kernel
def add_moments(scores, shift, moved, sums, cross):
    """Adds Σ d_i to `sums` and Σ d_i d_j, j <= i, to `cross`, over the rows d = scores - shift of one chunk.

    Shifted by each system's own score, so that little is lost when squares of sums are taken off sums of squares.
    Row after row, and in each the products of one system with all others: fixed order, and no call of a library whose
    threads would decide it. Four rows at a time, so that every sum is read and written once for them. `moved` is
    scratch [4, systems].
    """
    rows, systems = scores.shape
    first = 0
    while first < rows:
        for k in range(4):
            for i in range(systems):
                moved[k, i] = scores[first + k, i] - shift[i] if first + k < rows else 0.0
                sums[i] += moved[k, i]
        a, b, c, d = moved[0], moved[1], moved[2], moved[3]
        for i in range(systems):
            ai, bi, ci, di = a[i], b[i], c[i], d[i]
            row = cross[i]
            for j in range(i + 1):
                row[j] = (((row[j] + ai * a[j]) + bi * b[j]) + ci * c[j]) + di * d[j]
        first += 4


@kernel
def count_levels(levels, sizes, counts):
    """Adds to `counts[system, r]` the replicates in which its average rank is 1 + r/2; level 0 is the worst."""
    replicates, systems = levels.shape
    for b in range(replicates):
        for s in range(systems + 1):
            sizes[s] = 0
        for s in range(systems):
            sizes[levels[b, s]] += 1
        # from the worst level on: how many stand above, turned into twice the average rank less two
        above = np.int64(systems)
        for level in range(systems):
            tied = sizes[level]
            above -= tied
            sizes[level] = 2 * above + tied - 1
        for s in range(systems):
            counts[s, sizes[levels[b, s]]] += 1
