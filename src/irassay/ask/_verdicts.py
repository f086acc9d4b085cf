"""Paired t-tests of all pairs of systems on one set of topics after another: sums of differences, and what they decide.

The sums are taken from the differences themselves, topic after topic in a fixed order. Products of the scores (Gram
matrices) would need no fewer operations, lose up to ten digits on near-copies, and depend on the threads of a library.
"""

import numpy as np

from irassay.compute.kernel import helper, kernel


@helper(inline=True)
def difference_sums(scores, topics, weights, count, x, one, two):
    """one[y] = Σ w·z, two[y] = Σ w·z² of z = x - y, y > x, over the first `count` of `topics`; scores [topic, system].

    Four topics at a time, so that every sum is read and written once for them; added one after the other.
    """
    systems = scores.shape[1]
    for y in range(x + 1, systems):
        one[y] = 0.0
        two[y] = 0.0
    k = 0
    while k + 4 <= count:
        a, b, c, d = scores[topics[k]], scores[topics[k + 1]], scores[topics[k + 2]], scores[topics[k + 3]]
        wa, wb, wc, wd = weights[k], weights[k + 1], weights[k + 2], weights[k + 3]
        ax, bx, cx, dx = a[x], b[x], c[x], d[x]
        for y in range(x + 1, systems):
            za, zb, zc, zd = ax - a[y], bx - b[y], cx - c[y], dx - d[y]
            va, vb, vc, vd = wa * za, wb * zb, wc * zc, wd * zd
            one[y] = (((one[y] + va) + vb) + vc) + vd
            two[y] = (((two[y] + va * za) + vb * zb) + vc * zc) + vd * zd
        k += 4
    while k < count:
        row = scores[topics[k]]
        w = weights[k]
        own = row[x]
        for y in range(x + 1, systems):
            z = own - row[y]
            one[y] += w * z
            two[y] += w * z * z
        k += 1


@helper
def topics_drawn(weights, topics, counted):
    """The topics with a weight above 0, and these weights; returns how many."""
    count = np.int64(0)
    for t in range(weights.shape[0]):
        if weights[t] > 0:
            topics[count] = t
            counted[count] = weights[t]
            count += 1
    return count


@kernel
def count_verdicts(values, first, weights, bounds, observed, topics, counted, sums, better, worse, changed):
    """Adds the replicates with that verdict to `better` and `worse` [pair]; counts what `changed` [replicate, 3].

    `values` are [topic, all replicates or 1, system], those of these replicates from `first` on; `weights` are
    [replicate, topic], `bounds` [replicate] what x = (Σwz)² / Σwz² must exceed. Compared as a product: Σwz² = 0 decides
    nothing, and an infinite t (x = n) exceeds every bound. `topics`, `counted` [topic] and `sums` [2, system] are
    scratch.
    """
    replicates = weights.shape[0]
    systems = values.shape[2]
    one, two = sums[0], sums[1]
    for b in range(replicates):
        scores = values[:, first + b if values.shape[1] > 1 else 0]
        count = topics_drawn(weights[b], topics, counted)
        bound = bounds[b]
        lost = np.int64(0)
        gained = np.int64(0)
        opposite = np.int64(0)
        start = np.int64(0)  # the pair (x, x + 1)
        for x in range(systems - 1):
            difference_sums(scores, topics, counted, count, x, one, two)
            for y in range(x + 1, systems):
                total = one[y]
                rejected = total * total > bound * two[y]
                up = np.int64(rejected & (total > 0.0))
                down = np.int64(rejected & (total < 0.0))
                p = start + y - x - 1
                before = np.int64(observed[p])
                better[p] += up
                worse[p] += down
                now = up - down
                lost += (before != 0) & (now == 0)
                gained += (before == 0) & (now != 0)
                opposite += before * now < 0
            start += systems - 1 - x
        changed[b, 0] = lost
        changed[b, 1] = gained
        changed[b, 2] = opposite
