"""Randomisation: signs of differences flipped, and the labels of systems permuted within every topic.

Both are functions of (seed, stream, replicate) and sizes: nothing of the size replicates x pairs is ever stored.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from irassay.compute._draws import below, side_by_side
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
def count_flips(z, bound, signs, tile, acc, hits):
    """Counts the replicates whose signed sum M of the differences z [pairs, topics] has M² >= bound.

    `signs` are [replicates, topics]; as many replicates as `tile` has columns stand side by side. It holds their signs
    of some topics, a multiple of four, and `acc` their sums [pairs, columns], four topics added at a time.
    """
    pairs, topics = z.shape
    lanes = tile.shape[1]
    for low in range(0, signs.shape[0], lanes):
        here = 0
        acc[:] = 0.0
        for begin in range(0, topics, tile.shape[0]):
            n, here = side_by_side(tile, signs, low, begin)
            for p in range(pairs):
                one, row = acc[p], z[p, begin : begin + n]
                t = 0
                while t + 4 <= n:
                    a, b, c, d = row[t], row[t + 1], row[t + 2], row[t + 3]
                    for k in range(lanes):
                        one[k] += (tile[t, k] * a + tile[t + 1, k] * b) + (tile[t + 2, k] * c + tile[t + 3, k] * d)
                    t += 4
                while t < n:
                    a = row[t]
                    for k in range(lanes):
                        one[k] += tile[t, k] * a
                    t += 1
        for p in range(pairs):
            for k in range(here):
                hits[p] += np.int64(acc[p, k] * acc[p, k] >= bound[p])


@kernel
def permuted_ranges(scores, places, rows, sums, seed, stream, first, out):
    """`out[b]`: largest less smallest sum of a system once every topic's scores are permuted among the systems.

    `scores` are [topics, systems]; a topic of a replicate has its own counter steps, two numbers each (Fisher and
    Yates). Scratch for some topics at a time: `places` for the numbers [numbers, topics], `rows` for the scores
    [topics, systems]; `sums` for systems.
    """
    topics, systems = scores.shape
    steps = (systems + 1) >> 1
    for b in range(out.shape[0]):
        sums[:] = 0.0
        for begin in range(0, topics, rows.shape[0]):
            n = min(rows.shape[0], topics - begin)
            for step in range(steps):
                last = systems - 1 - 2 * step
                for t in range(n):  # one step of many topics: the compiler takes several at a time
                    w0, w1, w2, w3 = four_words((begin + t) * steps + step, first + b, stream, seed)
                    places[2 * step, t] = below(w0, w1, last + 1)
                    places[2 * step + 1, t] = below(w2, w3, last)
            for t in range(n):
                for s in range(systems):
                    rows[t, s] = scores[begin + t, s]
            for k in range(systems):
                last = systems - 1 - k
                total = sums[last]
                for t in range(n):
                    i = np.uint32(places[k, t])  # unsigned: no index from the end to look out for
                    total += rows[t, i]
                    rows[t, i] = rows[t, np.uint32(last)]
                sums[last] = total
        low, high = sums[0], sums[0]
        for s in range(1, systems):
            low = min(low, sums[s])
            high = max(high, sums[s])
        out[b] = high - low
