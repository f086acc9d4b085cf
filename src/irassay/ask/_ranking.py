"""Pairs of systems that two rankings order the same way or opposite ways, for many rankings at once."""

from __future__ import annotations

import numpy as np

from irassay.compute.kernel import kernel


@kernel
def concordance(a, b, first, last, out):
    """out[r] = pairs in the same order less pairs in opposite orders, in rows [first, last) of int32 levels a and b.

    A pair tied in either row adds nothing. Only integers are summed, so the order of the work cannot show.
    """
    n = a.shape[1]
    for r in range(first, last):
        total = np.int64(0)
        for i in range(1, n):
            x = a[r, i]
            y = b[r, i]
            row = np.int32(0)  # as wide as the levels: the compiler takes several pairs at a time
            for j in range(i):
                same = np.int32(x > a[r, j]) - np.int32(x < a[r, j])
                row += same * (np.int32(y > b[r, j]) - np.int32(y < b[r, j]))
            total += row
        out[r] = total
