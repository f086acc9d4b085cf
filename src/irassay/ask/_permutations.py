"""Randomisation: signs of differences flipped, and the labels of systems permuted within every topic.

Both are functions of (seed, stream, replicate) and sizes: nothing of the size replicates x pairs is ever stored.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from irassay.ask._paired import weighted_sums
from irassay.ask.constants import LANES
from irassay.compute._draws import below
from irassay.compute.kernel import kernel
from irassay.compute.philox import four_words


@kernel
def draw_signs(out, seed, stream, first):
    """`out[b]`: a sign for each topic of replicate first + b, one bit each, 128 a counter step."""
    for b in range(out.shape[0]):
        n = out.shape[1]
        for step in range((n + 127) >> 7):
            w0, w1, w2, w3 = four_words(step, first + b, stream, seed)
            for i in range(min(128, n - 128 * step)):
                word = w0 if i < 32 else w1 if i < 64 else w2 if i < 96 else w3
                bit = (np.uint64(word) >> np.uint64(i & 31)) & np.uint64(1)
                out[b, 128 * step + i] = 1 - 2 * np.int64(bit)


def patterns(topics: int, chunk: int) -> Iterator[NDArray[np.int16]]:
    """All patterns of signs with a plus for the last topic, in chunks; the others are their mirror images."""
    for low in range(0, 2 ** (topics - 1), chunk):
        number = np.arange(low, min(low + chunk, 2 ** (topics - 1)))
        yield (1 - 2 * ((number[:, None] >> np.arange(topics)) & 1)).astype(np.int16)


@kernel
def count_flips(z, bound, topic, sign, start, acc, hits):
    """Counts the replicates whose signed sum M of the differences z [topics, LANES] has M² >= bound."""
    for b in range(start.shape[0] - 1):
        weighted_sums(acc, z, topic, sign, start[b], start[b + 1])
        for j in range(LANES):
            hits[j] += np.int64(acc[j] * acc[j] >= bound[j])


@kernel
def permuted_ranges(scores, row, sums, seed, stream, first, out):
    """`out[b]`: largest less smallest sum of a system once every topic's scores are permuted among the systems.

    `scores` are [topics, systems]; a topic of a replicate has its own counter steps, two numbers each (Fisher and
    Yates). `row` and `sums` are scratch.
    """
    topics, systems = scores.shape
    steps = (systems + 1) >> 1
    for b in range(out.shape[0]):
        sums[:] = 0.0
        for t in range(topics):
            for s in range(systems):
                row[s] = scores[t, s]
            for step in range(steps):
                w0, w1, w2, w3 = four_words(t * steps + step, first + b, stream, seed)
                last = systems - 1 - 2 * step
                i = below(w0, w1, last + 1)
                sums[last] += row[i]
                row[i] = row[last]
                if last > 0:
                    last -= 1
                    i = below(w2, w3, last + 1)
                    sums[last] += row[i]
                    row[i] = row[last]
        low, high = sums[0], sums[0]
        for s in range(1, systems):
            low = min(low, sums[s])
            high = max(high, sums[s])
        out[b] = high - low
