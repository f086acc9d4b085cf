"""Counting over all pairs of systems and all samples of topics: swaps, and who is ahead by more than a margin.

Only counts leave the kernels: nothing of the size replicates x pairs is stored, and sums of integers are the same
however replicates or pairs are shared out. One tolerance decides everywhere (CONTRACTS, Arithmetic).
"""

from __future__ import annotations

import numpy as np

from irassay.compute.kernel import helper, kernel
from irassay.tolerance import EQUAL


@helper
def sign(difference):
    """-1, 0 or 1. Equal means of different topics differ by rounding: without a tolerance its sign would decide."""
    return np.int64(difference > EQUAL) - np.int64(difference < -EQUAL)


@kernel
def count_swaps(first, second, width, comparisons, swaps):
    """Fig. 19 of sakai2007bootstrap on [replicates, systems]: adds to the counts of each bin; the last one is open."""
    replicates, systems = first.shape
    last = comparisons.shape[0] - 1
    for b in range(replicates):
        for x in range(systems):
            for y in range(x + 1, systems):
                difference = first[b, x] - first[b, y]
                place = (abs(difference) + EQUAL) / width
                k = np.int64(place) if place < last else last
                comparisons[k] += 1
                swaps[k] += sign(difference) * sign(second[b, x] - second[b, y]) <= 0


@kernel
def count_errors(raw, replicates, width, comparisons, errors):
    """Algorithm 1 of yang2018variance on raw [systems] and [replicates, systems]: adds to the counts of each bin."""
    last = comparisons.shape[0] - 1
    for b in range(replicates.shape[0]):
        for x in range(raw.shape[0]):
            for y in range(x + 1, raw.shape[0]):
                difference = replicates[b, x] - replicates[b, y]
                place = (abs(difference) + EQUAL) / width
                k = np.int64(place) if place < last else last
                comparisons[k] += 1
                errors[k] += sign(difference) * sign(raw[x] - raw[y]) < 0


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
        for k in range(values + 1):
            leads[0, k] = 0
            leads[1, k] = 0
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
