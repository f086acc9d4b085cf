"""A kernel that finds values of given ranks among many, without sorting them all."""

import numpy as np

from irassay.compute.kernel import helper, kernel

BUCKETS = 512
FEW = 64  # values that are soon sorted
GAPS = (301, 132, 57, 23, 10, 4, 1)


@helper
def ascends(values, first, last):
    for i in range(first + 1, last):
        if values[i] < values[i - 1]:
            return False
    return True


@helper
def sort_part(values, first, last):
    """Sorts `values[first:last]`, which are few (Shell's way)."""
    for gap in GAPS:
        for i in range(first + gap, last):
            value = values[i]
            k = i
            while k >= first + gap and values[k - gap] > value:
                values[k] = values[k - gap]
                k -= gap
            values[k] = value


@kernel
def select_ranks(values, wanted, found, counts, slot, out, done):
    """`out[i, k]` is the value of rank `wanted[k]`, which ascend, among those of row i.

    Values go to buckets between the smallest and the largest one, and only buckets with wanted ranks are sorted. Rows
    where that does not help are not `done`. `found` is scratch for a row, `counts` and `slot` for the buckets.
    """
    rows, n = values.shape
    many = FEW + 4 * n // BUCKETS
    for i in range(rows):
        row = values[i]
        low, high, gap = row[0], row[0], 0.0
        for k in range(n):
            low, high = min(low, row[k]), max(high, row[k])
            gap += row[k] - row[k]
        scale = (BUCKETS - 1) / (high - low)
        done[i] = gap == 0.0 and scale < 1e300  # all are numbers, and not all the same
        if not done[i]:
            continue
        counts[:] = 0
        for k in range(n):
            counts[np.int64((row[k] - low) * scale)] += 1
        slot[:] = -1
        below = np.int64(0)  # values in the buckets before
        end = np.int64(0)  # of what is found
        k = 0
        for b in range(BUCKETS):
            first = end
            while k < wanted.shape[0] and wanted[k] < below + counts[b]:
                out[i, k] = float(first + wanted[k] - below)  # its place in `found`, for now
                slot[b] = first
                end = first + counts[b]
                k += 1
            below += counts[b]
        for k in range(n):
            b = np.int64((row[k] - low) * scale)
            if slot[b] >= 0:
                found[slot[b]] = row[k]
                slot[b] += 1
        for b in range(BUCKETS):
            if slot[b] >= 0 and not ascends(found, slot[b] - counts[b], slot[b]):
                if counts[b] > many:
                    done[i] = False
                    break
                sort_part(found, slot[b] - counts[b], slot[b])
        for k in range(wanted.shape[0]):
            out[i, k] = found[np.int64(out[i, k])]
