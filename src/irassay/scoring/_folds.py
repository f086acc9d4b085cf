"""Kernels from hits to numbers: one for all weights, one driver for all folds.

A context is what the lists of one topic share: its counts of judged documents by grade. Lists are context-major.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from irassay.compute.kernel import PLAIN, helper, kernel
from irassay.scoring.recipes import PER_CUT, PER_IDEAL, PER_MIN, PER_R, PER_SIZE

# rank, grade, n, gain, ideal, judged, size, par: what `Traits` in measures/core/record.py says of a fold
FOLD = types.float64(
    types.int32[::1],
    types.int8[::1],
    types.int64,
    types.float64[::1],
    types.float64[::1],
    types.int64[::1],
    types.int64,
    types.float64[::1],
)
DRIVER = types.void(
    types.FunctionType(FOLD) if PLAIN else types.int64,
    types.int32[::1],
    types.int8[::1],
    types.int64[::1],
    types.int64[::1],
    types.int64[::1],
    types.int64[::1],
    types.int64[:, ::1],
    types.int64[::1],
    types.float64[::1],
    types.float64[::1],
    types.int64,
    types.int64,
    types.boolean,
    types.boolean,
    types.boolean,
    types.float64[::1],
    types.int8[::1],
    types.int32[::1],
    types.int8[::1],
    types.int64[::1],
    types.float64[::1],
)


@intrinsic
def call_address(typing, address, rank, grade, n, gain, ideal, judged, size, par):
    """Call the compiled fold at an address.

    numba's own first-class functions do the same, but unpickle the signature at every call of the driver: a tenth of a
    millisecond, more than the work.
    """

    def generate(context, builder, signature, args):
        function = ir.FunctionType(
            context.get_value_type(FOLD.return_type), [context.get_value_type(one) for one in FOLD.args]
        )
        return builder.call(builder.inttoptr(args[0], function.as_pointer()), args[1:])

    return FOLD.return_type(types.int64, *FOLD.args), generate


@helper
def call_function(fold, rank, grade, n, gain, ideal, judged, size, par):
    """`call_address` without LLVM."""
    return fold(rank, grade, n, gain, ideal, judged, size, par)


call_fold = call_function if PLAIN else call_address


@helper
def within(rank, start, stop, cut):
    """How many of the hits [start, stop) have a rank up to the cut."""
    if stop == start or rank[stop - 1] <= cut:
        return stop - start
    low, high = start, stop
    while low < high:
        middle = (low + high) >> 1
        if rank[middle] <= cut:
            low = middle + 1
        else:
            high = middle
    return low - start


@helper
def divisor(per, relevant, cut):
    """What all lists of a topic are divided by, as far as it does not depend on the measure or the list."""
    if per == PER_R:
        return float(relevant)
    if per == PER_MIN:
        return float(min(relevant, cut))
    if per == PER_CUT:
        return float(cut)
    return 1.0


@kernel
def divisors(judged_counts, best, gain, weight, cut, per, scale):
    """What the lists of each context are divided by; 0 where no document is relevant."""
    for c in range(judged_counts.shape[0]):
        relevant = np.int64(0)
        for k in range(best.shape[0]):
            relevant += judged_counts[c, best[k]]
        value = divisor(per, relevant, cut)
        if per == PER_IDEAL:
            value = 0.0
            r = 0
            for k in range(best.shape[0]):
                for _ in range(judged_counts[c, best[k]]):
                    r += 1
                    if r > cut:
                        break
                    value += gain[best[k]] * weight[r]
        scale[c] = value if relevant > 0 else 0.0


@kernel
def weigh(rank, grade, start, stop, size, gain, weight, cut, sized, scale, out):
    """Four weights in one pass over the hits: `gain` is [grade, 4], `weight` [rank, 4], 0 behind a weight's cut-off."""
    lists = start.shape[0] // scale.shape[1]
    for i in range(start.shape[0]):
        a = start[i]
        n = within(rank, a, stop[i], cut)
        s0 = 0.0
        s1 = 0.0
        s2 = 0.0
        s3 = 0.0
        for j in range(np.uint64(a), np.uint64(a + n)):
            # unsigned: with nothing to count from the end, the compiler takes the four at once
            g = np.uint64(grade[j])
            r = np.uint64(rank[j])
            s0 += gain[g, 0] * weight[r, 0]
            s1 += gain[g, 1] * weight[r, 1]
            s2 += gain[g, 2] * weight[r, 2]
            s3 += gain[g, 3] * weight[r, 3]
        out[0, i] = s0
        if out.shape[0] > 1:
            out[1, i] = s1
        if out.shape[0] > 2:
            out[2, i] = s2
        if out.shape[0] > 3:
            out[3, i] = s3
    for k in range(out.shape[0]):
        for c in range(scale.shape[1]):
            relevant = scale[k, c] > 0.0
            for i in range(c * lists, (c + 1) * lists):
                by = float(min(size[i], sized[k])) if relevant and sized[k] > 0 else scale[k, c]
                out[k, i] = out[k, i] / by if by > 0.0 else 0.0


def drive(
    fold, rank, grade, start, stop, counts, size, judged_counts, best, gain, par, cut, per, flat, empty, ideal_read,
    ideal, ones, ideal_rank, ideal_grade, judged, out,
):  # fmt: skip
    """The fold's value of each list; from `ideal` on scratch, long enough for the longest list and all hits.

    `counts`, where it is not empty: how many hits, up to the cut, a list has of which the first alone is there.
    """
    contexts = judged_counts.shape[0]
    lists = start.shape[0] // contexts
    for c in range(contexts):
        relevant = np.int64(0)
        for k in range(best.shape[0]):
            g = best[k]
            if not ideal_read:
                relevant += judged_counts[c, g]
                continue
            for _ in range(judged_counts[c, g]):
                ideal_rank[relevant] = relevant + 1
                ideal_grade[relevant] = g
                ideal[relevant + 1] = ideal[relevant] + gain[1 if flat else g]
                relevant += 1
        if ideal_read:
            ideal[relevant + 1 :] = ideal[relevant]
        if flat:
            judged[0] = judged_counts[c, 0]
            judged[1] = relevant
        else:
            for g in range(judged.shape[0]):
                judged[g] = judged_counts[c, g]
        scale = divisor(per, relevant, cut)
        if per == PER_IDEAL:
            n = min(relevant, cut)
            grades = ones if flat else ideal_grade
            scale = call_fold(fold, ideal_rank[:n], grades[:n], n, gain, ideal, judged, n, par)
        for i in range(c * lists, (c + 1) * lists):
            value = 0.0
            length = min(size[i], cut)
            if per == PER_SIZE:
                scale = float(length)
            if (relevant > 0 or empty) and scale > 0.0:
                a = start[i]
                n = counts[i] if counts.shape[0] > 0 else within(rank, a, stop[i], cut)
                end = stop[i] if counts.shape[0] > 0 else a + n
                grades = ones[: end - a] if flat else grade[a:end]
                value = call_fold(fold, rank[a:end], grades, n, gain, ideal, judged, length, par) / scale
            out[i] = value
