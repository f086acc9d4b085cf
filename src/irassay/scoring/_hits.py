"""Kernels that find the hits of ranked lists."""

import numpy as np

from irassay.compute.kernel import kernel


@kernel
def find(codes, offsets, pool, grades, first, last, least, low, place, rank, judged, grade, start, size, judged_size):
    n = np.uint64(0)
    systems = offsets.shape[1] - 1
    start[0] = 0
    for t in range(first, last):
        of_code = grades[pool[t] : pool[t + 1]]
        for s in range(systems):
            codes_here = codes[offsets[t, s] : offsets[t, s + 1]]
            length = np.int32(codes_here.shape[0])
            candidates = np.uint64(0)
            # Written always, kept by moving on: hits come at random, and a wrongly guessed branch costs more.
            for i in range(length):
                place[candidates] = i
                candidates += np.uint64(of_code[codes_here[i]] >= least)
            seen = np.int32(0)
            for k in range(np.int64(candidates)):
                i = place[k]
                g = of_code[codes_here[i]]
                seen += np.int32(g >= 0)
                rank[n] = i + np.int32(1)
                judged[n] = seen
                grade[n] = g
                n += np.uint64(g >= low)
            position = (t - first) * systems + s
            start[position + 1] = n
            size[position] = length
            judged_size[position] = seen
    return n


@kernel
def narrow(rank, grade, start, stop, low, kept_rank, kept_grade, first):
    n = np.uint64(0)
    first[0] = 0
    for i in range(start.shape[0]):
        for j in range(start[i], stop[i]):
            kept_rank[n] = rank[j]
            kept_grade[n] = grade[j]
            n += np.uint64(grade[j] >= low)
        first[i + 1] = n
    return n
