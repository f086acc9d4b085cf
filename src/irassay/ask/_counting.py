"""Counts and sums over all replicates and pairs of systems: swaps, margins reached, concordant pairs, ranks, moments.

Only counts and sums leave the kernels: nothing of the size replicates x pairs is stored. Sums of integers are the same
however replicates or pairs are shared out. One tolerance decides everywhere (CONTRACTS, Arithmetic).
"""

import numpy as np

from irassay.compute.kernel import helper, kernel
from irassay.tolerance import EQUAL


@helper
def sign(difference):
    """-1, 0 or 1. Equal means of different topics differ by rounding: without a tolerance its sign would decide."""
    return np.int64(difference > EQUAL) - np.int64(difference < -EQUAL)


@kernel
def count_swaps(first, second, width, ties, comparisons, swaps):
    """Fig. 19 of sakai2007bootstrap on [replicates, systems]: adds to the counts of each bin; the last one is open.

    With `ties` a pair that is equal in either set is a swap, without (Algorithm 1 of yang2018variance) it is none.
    """
    replicates, systems = first.shape
    last = comparisons.shape[0] - 1
    for b in range(replicates):
        for x in range(systems):
            for y in range(x + 1, systems):
                difference = first[b, x] - first[b, y]
                place = (abs(difference) + EQUAL) / width
                k = np.int64(place) if place < last else last
                comparisons[k] += 1
                swaps[k] += sign(difference) * sign(second[b, x] - second[b, y]) < np.int64(ties)


@helper
def margins_reached(difference, larger, fuzziness):
    """How many of the ascending fuzziness values have a margin that |difference| reaches: those leave no tie."""
    low, high = np.int64(0), np.int64(fuzziness.shape[0])
    while low < high:
        middle = (low + high) >> 1
        if difference >= fuzziness[middle] * larger - EQUAL:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def count_leads(scores, x, fuzziness, leads, minority, ties):
    """Fig. 16 of sakai2007bootstrap for the pairs (x, y), y > x, on [systems, replicates]; fuzziness ascends.

    Adds Σ min(GT(X,Y), GT(Y,X)) and Σ EQ(X,Y) for each fuzziness value. `leads` is scratch [2, fuzziness + 1]: how
    often X, or Y, is ahead by exactly so many margins.
    """
    systems, replicates = scores.shape
    values = fuzziness.shape[0]
    for y in range(x + 1, systems):
        leads[:] = 0
        for b in range(replicates):
            difference = scores[x, b] - scores[y, b]
            ahead = sign(difference)
            if ahead > 0:
                leads[0, margins_reached(difference, scores[x, b], fuzziness)] += 1
            elif ahead < 0:
                leads[1, margins_reached(-difference, scores[y, b], fuzziness)] += 1
        above_x = np.int64(0)
        above_y = np.int64(0)
        for i in range(values - 1, -1, -1):
            above_x += leads[0, i + 1]
            above_y += leads[1, i + 1]
            minority[i] += min(above_x, above_y)
            ties[i] += replicates - above_x - above_y


@kernel
def concordance(a, b, out):
    """out[r] = pairs in the same order less pairs in opposite orders, in rows r of int32 levels a and b.

    A pair tied in either row adds nothing. Only integers are summed, so the order of the work cannot show.
    """
    replicates, n = a.shape
    for r in range(replicates):
        total = np.int64(0)
        for i in range(1, n):
            x = a[r, i]
            y = b[r, i]
            row = np.int32(0)  # as wide as the levels: the compiler takes several pairs at a time
            for j in range(i):
                same = np.int32(x > a[r, j]) - np.int32(x < a[r, j])
                row += same * (np.int32(y > b[r, j]) - np.int32(y < b[r, j]))
            total += row
        out[r] = total


@kernel
def add_leads(scores, leads):
    """Adds to `leads` [pair] the rows of scores [replicate, system] in which x is above y less those in which below."""
    replicates, systems = scores.shape
    for b in range(replicates):
        row = scores[b]
        first = np.int64(0)  # the pair (x, x + 1)
        for x in range(systems - 1):
            own = row[x]
            for y in range(x + 1, systems):
                leads[first + y - x - 1] += sign(own - row[y])
            first += systems - 1 - x


@kernel
def pair_squares(scores, centre, sums, squares):
    """Sums and sums of squares over scores [replicate, system] of z = x - y - centre [pair].

    From the differences themselves: near-copies would lose all digits in a difference of variances.
    """
    replicates, systems = scores.shape
    sums[:] = 0.0
    squares[:] = 0.0
    first = np.int64(0)  # the pair (x, x + 1)
    for x in range(systems - 1):
        last = first + systems - 1 - x
        shift, one, two = centre[first:last], sums[first:last], squares[first:last]
        for b in range(replicates):
            own = scores[b, x]
            others = scores[b, x + 1 :]
            for k in range(systems - 1 - x):
                z = own - others[k] - shift[k]
                one[k] += z
                two[k] += z * z
        first = last


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
def difference_squares(sums, cross, count, squares):
    """Σ (d_x - d_y)² less its part by the mean, of each pair x before y, from `add_moments` over `count` rows."""
    systems = sums.shape[0]
    n = np.int64(0)
    for x in range(systems - 1):
        for y in range(x + 1, systems):
            apart = sums[x] - sums[y]
            squares[n] = (cross[x, x] + cross[y, y] - 2.0 * cross[y, x]) - apart * apart / count
            n += 1


@kernel
def count_levels(levels, sizes, counts):
    """Adds to `counts[system, r]` the replicates in which its average rank is 1 + r/2; level 0 is the worst."""
    replicates, systems = levels.shape
    for b in range(replicates):
        sizes[:] = 0
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
