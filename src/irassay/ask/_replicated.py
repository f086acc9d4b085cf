"""The t-test of every pair of systems on every replicate of their scores, and the largest statistics of each pair.

The statistic is kept as x = M1² / M2 with M1 = Σz, M2 = Σz² over n topics: monotone in |t|, no root and no division by
zero (t² = (n-1)·x / (n-x)). By the one tolerance rule x >= n(1 - 1e-12) is infinite, kept as n, and M2 = 0 gives 0.
"""

import numpy as np

from irassay.ask._verdicts import difference_sums
from irassay.compute.kernel import helper, kernel
from irassay.tolerance import NO_SPREAD


@kernel
def pair_statistics(scores, x, bound, topics, weights, sums, statistic, difference, rejected):
    """Pairs (x, y), y > x, on scores [replicates, topics, systems]: statistic and |mean difference| [y, replicates].

    `rejected` counts statistics above `bound`. `topics` are all, `weights` 1; `sums` is scratch [2, systems].
    """
    replicates, n, systems = scores.shape
    one, two = sums[0], sums[1]
    rejected[:] = 0
    for b in range(replicates):
        difference_sums(scores[b], topics, weights, n, x, one, two)
        for y in range(x + 1, systems):
            value = one[y] * one[y] / two[y] if two[y] > 0.0 else 0.0
            if value >= n * (1.0 - NO_SPREAD):
                value = float(n)
            p = y - x - 1
            statistic[p, b] = value
            difference[p, b] = abs(one[y]) / n
            rejected[p] += value > bound


@helper
def smaller(a, a2, b, b2):
    return a < b or (a == b and a2 < b2)


@kernel
def keep_largest(statistic, difference, held, kept, kept_difference):
    """Keep the k largest of each pair's (statistic, difference), the smallest of them first (a heap).

    What is kept does not depend on the order in which replicates come. `held` says how many each pair has so far.
    """
    k = kept.shape[1]
    for p in range(statistic.shape[0]):
        keys = kept[p]
        values = kept_difference[p]
        n = held[p]
        for b in range(statistic.shape[1]):
            x = statistic[p, b]
            d = difference[p, b]
            if n < k:
                i = n
                n += 1
                while i > 0 and smaller(x, d, keys[(i - 1) >> 1], values[(i - 1) >> 1]):
                    keys[i] = keys[(i - 1) >> 1]
                    values[i] = values[(i - 1) >> 1]
                    i = (i - 1) >> 1
                keys[i] = x
                values[i] = d
            elif smaller(keys[0], values[0], x, d):
                i = np.int64(0)
                while 2 * i + 1 < k:
                    child = 2 * i + 1
                    if child + 1 < k and smaller(keys[child + 1], values[child + 1], keys[child], values[child]):
                        child += 1
                    if not smaller(keys[child], values[child], x, d):
                        break
                    keys[i] = keys[child]
                    values[i] = values[child]
                    i = child
                keys[i] = x
                values[i] = d
        held[p] = n
