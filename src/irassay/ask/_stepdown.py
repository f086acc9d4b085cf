"""The running maximum of the step-down test, over a few replicates at a time."""

import numpy as np

from irassay.ask._permutations import draw_signs
from irassay.compute.kernel import kernel

LANES = 16  # replicates gone through together: their sums stay in the cache


@kernel
def count_maxima(scores, first, second, weight, bound, seed, stream, low, signs, sums, hits, largest):
    """Adds to `hits` [pairs] the replicates in which x of the pair, or of one after it, reaches its bound.

    `scores` are centred [topics, systems]; the pairs come from the largest |t| down, so the running maximum goes from
    the last one up. `largest`: x of each replicate low, low + 1, … over all pairs. `signs`, `sums` are scratch.
    """
    topics, systems = scores.shape
    best = np.empty(LANES)
    for begin in range(0, largest.shape[0], LANES):
        count = min(LANES, largest.shape[0] - begin)
        draw_signs(signs[:count], seed, stream, low + begin)
        sums[:] = 0.0
        for t in range(topics):
            for s in range(systems):
                value = scores[t, s]
                for j in range(count):
                    sums[s, j] += signs[j, t] * value
        best[:] = 0.0
        for k in range(first.shape[0] - 1, -1, -1):
            x, y, w, limit = first[k], second[k], weight[k], bound[k]
            reached = 0
            for j in range(count):
                m = sums[x, j] - sums[y, j]
                best[j] = max(best[j], m * m * w)
                reached += best[j] >= limit
            hits[k] += reached
        for j in range(count):
            largest[begin + j] = best[j]
