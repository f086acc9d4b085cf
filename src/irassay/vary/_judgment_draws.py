"""Random numbers that put judged documents in an order, in several reductions at a time."""

import numpy as np

from irassay.compute.kernel import kernel
from irassay.compute.philox import HALF, four_words
from irassay.scoring.lanes import LANES


@kernel
def draw_keys(keys, seed, place, stream):
    """`keys[i, e]`: 64 bits for document e in the reduction at `place` + i, two documents a counter step."""
    reductions, entries = keys.shape
    for i in range(reductions):
        for step in range((entries + 1) >> 1):
            a, b, c, d = four_words(step, place + np.uint64(i), stream, seed)
            keys[i, 2 * step] = np.uint64(a) << HALF | np.uint64(b)
            if 2 * step + 1 < entries:
                keys[i, 2 * step + 1] = np.uint64(c) << HALF | np.uint64(d)


@kernel
def take_judgments(judged, entries, keys, last):
    """Rows of judged copies become 0 where a document comes behind the last one that is kept, in 32 reductions."""
    for e in range(entries.shape[0]):
        for lane in range(LANES):
            if keys[lane, e] > last[lane]:
                judged[entries[e] * LANES + lane] = 0
