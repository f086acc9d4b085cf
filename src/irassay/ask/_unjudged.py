"""How far the difference of two systems can go, for all pairs of them on one topic."""

from irassay.compute.kernel import kernel


@kernel
def add_sum_bounds(weights, x, y, low, high):
    """Adds to `low` and `high` [pair] what documents with these weights [systems, documents] can do to x - y."""
    for k in range(x.shape[0]):
        a = weights[x[k]]
        b = weights[y[k]]
        more = 0.0
        less = 0.0
        for d in range(a.shape[0]):
            difference = a[d] - b[d]
            more += max(difference, 0.0)
            less += min(difference, 0.0)
        high[k] += more
        low[k] += less


@kernel
def widen_first_bounds(fixed, values, x, y, low, high):
    """Widens `low` and `high` [pair] of x - y to where one more document takes them.

    `values` [systems, documents] are those of a list in which the document is the only one more that is relevant.
    """
    for k in range(x.shape[0]):
        a = values[x[k]]
        b = values[y[k]]
        most = fixed[x[k]] - fixed[y[k]]
        least = most
        for d in range(a.shape[0]):
            difference = a[d] - b[d]
            most = max(most, difference)
            least = min(least, difference)
        high[k] = max(high[k], most)
        low[k] = min(low[k], least)
