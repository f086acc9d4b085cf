"""The running maximum of the step-down test, in tiles of pairs that stay in the cache."""

from irassay.ask._paired import weighted_sums
from irassay.ask.constants import INFINITE
from irassay.compute.kernel import helper, kernel
from irassay.tolerance import EQUAL, NO_SPREAD


@helper
def differences_under_h0(scores, first, second, w, w2):
    """Fill a tile: differences with mean 0 and their squares [topics, lanes].

    Topics with equal scores stay equal, and the others are centred among themselves. Where these all differ by one
    value nothing would be left of them, and all topics are centred.
    """
    n = scores.shape[0]
    w[:] = 0.0
    for j in range(first.shape[0]):
        total, squares, differing = 0.0, 0.0, 0
        for t in range(n):
            z = scores[t, first[j]] - scores[t, second[j]]
            if abs(z) > EQUAL:
                total += z
                squares += z * z
                differing += 1
        one_value = total * total >= squares * differing * (1.0 - NO_SPREAD)
        if one_value and differing == n:
            continue  # a constant difference varies by rounding alone
        mean = total / n if one_value else total / differing
        for t in range(n):
            z = scores[t, first[j]] - scores[t, second[j]]
            if one_value or abs(z) > EQUAL:
                w[t, j] = z - mean
    for t in range(n):
        for j in range(w.shape[1]):
            w2[t, j] = w[t, j] * w[t, j]


@kernel
def count_maxima(scores, first, second, bound, topic, count, start, w, w2, rows, hits, largest):
    """Adds to `hits` [pairs] the replicates in which x of the pair, or of one after it, reaches its bound.

    `scores` are [topics, systems]; the pairs come from the largest |t| down, so the running maximum goes from the last
    one up. `topic`, `count` and `start` are samples of the topics as in `_paired.test_tile`. `largest`: x of each
    replicate over all pairs, INFINITE where |t*| is. `w`, `w2`, `rows` are scratch.
    """
    limit = scores.shape[0] * (1.0 - NO_SPREAD)
    lanes = w.shape[1]
    acc1, acc2, x = rows[0], rows[1], rows[2]
    largest[:] = 0.0
    for low in range((first.shape[0] - 1) // lanes * lanes, -1, -lanes):
        reach, tile = bound[low : low + lanes], hits[low : low + lanes]
        differences_under_h0(scores, first[low : low + lanes], second[low : low + lanes], w, w2)
        for b in range(largest.shape[0]):
            weighted_sums(acc1, w, topic, count, start[b], start[b + 1])
            weighted_sums(acc2, w2, topic, count, start[b], start[b + 1])
            for j in range(lanes):
                x[j] = acc1[j] * acc1[j] / acc2[j] if acc2[j] > 0.0 else 0.0
            highest = 0.0
            for j in range(lanes):
                x[j] = INFINITE if x[j] >= limit else x[j]
                highest = max(highest, x[j])
            best = largest[b]
            if highest <= best:  # the maximum is that of the tiles after this one
                for j in range(tile.shape[0]):
                    tile[j] += best >= reach[j]
                continue
            for j in range(tile.shape[0] - 1, -1, -1):
                best = max(best, x[j])
                tile[j] += best >= reach[j]
            largest[b] = best
