"""Kernels that draw samples of topics, and count what was drawn."""

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
            counts[b, row[i]] += 1


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
        n = start[b]
        for t in range(counts.shape[1]):
            if n == start[b + 1]:
                break
            # written over by the next topic unless it was drawn: no branch that is often taken the wrong way
            topic[n] = t
            times[n] = counts[b, t]
            n += counts[b, t] > 0
