"""Kernels that draw samples of topics, and count what was drawn."""

import numpy as np

from irassay.compute.kernel import helper, kernel
from irassay.compute.philox import HALF, four_words


@helper
def below(high, low, size):
    """A number from 0 to size - 1 from 64 random bits: the upper part of their product with the size."""
    a = np.uint64(high) * np.uint64(size)
    b = np.uint64(low) * np.uint64(size)
    return np.int64((a + (b >> HALF)) >> HALF)


@kernel
def fill_indices(out, size, seed, stream, first):
    """`out[b]`: numbers below `size` of replicate first + b, two a counter step."""
    for b in range(out.shape[0]):
        n = out.shape[1]
        for step in range((n + 1) >> 1):
            w0, w1, w2, w3 = four_words(step, first + b, stream, seed)
            out[b, 2 * step] = below(w0, w1, size)
            if 2 * step + 1 < n:
                out[b, 2 * step + 1] = below(w2, w3, size)


@kernel
def count_indices(index, counts):
    """How often each topic was drawn."""
    counts[:] = 0
    for b in range(index.shape[0]):
        for i in range(index.shape[1]):
            counts[b, index[b, i]] += 1


@kernel
def pack_rows(counts, topic, times, start):
    """Only the topics that were drawn, replicate after replicate."""
    n = np.int64(0)
    start[0] = 0
    for b in range(counts.shape[0]):
        for t in range(counts.shape[1]):
            if counts[b, t] > 0:
                topic[n] = t
                times[n] = counts[b, t]
                n += 1
        start[b + 1] = n
    return n
