"""Kernels that draw samples of topics, count what was drawn, and sum scores over it."""

import numpy as np

from irassay.compute.kernel import helper, kernel
from irassay.compute.philox import HALF, four_words


@helper
def below(high, low, size):
    """A number from 0 to size - 1 from 64 random bits: the upper part of their product with the size, a 32-bit word."""
    size = np.uint64(np.uint32(size))
    return np.int64((np.uint64(high) * size + ((np.uint64(low) * size) >> HALF)) >> HALF)


@helper
def fill_row(row, size, replicate, seed, stream):
    """Numbers below `size` of one replicate, two a counter step."""
    n = row.shape[0]
    # whole steps and nothing else: the compiler takes several at a time
    for step in range(n >> 1):
        w0, w1, w2, w3 = four_words(step, replicate, stream, seed)
        row[2 * step] = below(w0, w1, size)
        row[2 * step + 1] = below(w2, w3, size)
    if n & 1:
        w0, w1, _, _ = four_words(n >> 1, replicate, stream, seed)
        row[n - 1] = below(w0, w1, size)


@kernel
def fill_indices(out, size, seed, stream, first):
    """`out[b]`: numbers below `size` of replicate first + b."""
    for b in range(out.shape[0]):
        fill_row(out[b], size, first + b, seed, stream)


@kernel
def fill_counts(counts, row, seed, stream, first):
    """`counts[b]`: how often each topic is among those that replicate first + b draws; `row` is scratch for them."""
    counts[:] = 0
    for b in range(counts.shape[0]):
        fill_row(row, counts.shape[1], first + b, seed, stream)
        for i in range(row.shape[0]):
            counts[b, np.uint32(row[i])] += 1


@kernel
def count_drawn(counts, sizes):
    """How many topics each sample holds."""
    for b in range(counts.shape[0]):
        drawn = 0
        for t in range(counts.shape[1]):
            drawn += counts[b, t] > 0
        sizes[b] = drawn


@kernel
def pack_rows(counts, topic, times, start):
    """Only the topics that were drawn, replicate after replicate; that of `b` starts at `start[b]`."""
    for b in range(counts.shape[0]):
        n, stop = np.uint64(start[b]), np.uint64(start[b + 1])  # unsigned: no index from the end to look out for
        for t in range(counts.shape[1]):
            if n == stop:
                break
            # written over by the next topic unless it was drawn: no branch that is often taken the wrong way
            topic[n] = t
            times[n] = counts[b, t]
            n += np.uint64(counts[b, t] > 0)


@helper
def side_by_side(tile, rows, low, begin):
    """Fill `tile` with entries [place, row] of rows from `low` on, places from `begin` on; returns how many of each."""
    places, here = min(tile.shape[0], rows.shape[1] - begin), min(tile.shape[1], rows.shape[0] - low)
    for k in range(here):
        for t in range(places):
            tile[t, k] = rows[low + k, begin + t]
    return places, here


@kernel
def sampled_sums(scores, counts, tile, acc, out):
    """`out[b, s]`: sum of column s of the scores [topics, columns] over the sample `counts[b]`, in the order of topics.

    Not a BLAS product: its threads would go on spinning on the cores that others need next. As many samples as `tile`
    has columns stand side by side, so that none waits for its own sum; `tile` holds their counts of some topics, `acc`
    their sums [columns, samples].
    """
    topics, systems = scores.shape
    lanes = tile.shape[1]
    for low in range(0, out.shape[0], lanes):
        here = 0
        acc[:] = 0.0
        for begin in range(0, topics, tile.shape[0]):
            n, here = side_by_side(tile, counts, low, begin)
            for s in range(systems):
                one = acc[s]
                t = 0
                while t + 4 <= n:  # at a time, so that loads and stores of `one` do not set the pace
                    a, b = scores[begin + t, s], scores[begin + t + 1, s]
                    c, d = scores[begin + t + 2, s], scores[begin + t + 3, s]
                    for k in range(lanes):
                        first = (one[k] + tile[t, k] * a) + tile[t + 1, k] * b
                        one[k] = (first + tile[t + 2, k] * c) + tile[t + 3, k] * d
                    t += 4
                while t < n:
                    a = scores[begin + t, s]
                    for k in range(lanes):
                        one[k] += tile[t, k] * a
                    t += 1
        for k in range(here):
            for s in range(systems):
                out[low + k, s] = acc[s, k]
