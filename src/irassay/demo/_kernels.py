"""Random numbers, permutations and lists of the demo collection, from Philox words."""

import math

import numpy as np

from irassay.compute.kernel import helper, kernel
from irassay.compute.philox import HALF, LOW, four_words, normals, open_uniform, philox


@kernel
def fill_normals(out, seed, replicate, stream):
    """`normals`, called from Python."""
    normals(out, seed, replicate, stream)


@kernel
def permute(out, size, seed, replicate, stream):
    """`out[i]`: where a random permutation of 0..size-1 sends i (a Feistel network, walked until it lands inside)."""
    k0, k1 = np.uint32(seed & LOW), np.uint32(seed >> HALF)
    r0, r1 = np.uint32(replicate & LOW), np.uint32(replicate >> HALF)
    bits = np.uint64(1)
    while np.uint64(1) << (np.uint64(2) * bits) < np.uint64(size):
        bits += np.uint64(1)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    for i in range(out.shape[0]):
        x = np.uint64(i)
        while True:
            left, right = x >> bits, x & mask
            for turn in range(4):
                word, _, _, _ = philox(np.uint32(right), np.uint32(turn) ^ r0, r1, np.uint32(stream), k0, k1)
                left, right = right, left ^ (np.uint64(word) & mask)
            x = (left << bits) | right
            if x < np.uint64(size):
                break
        out[i] = np.int64(x)


@helper
def above(x):
    """The chance that a standard normal number exceeds x."""
    return 0.5 * math.erfc(x / math.sqrt(2.0))


@helper
def uniform(position, replicate, stream, seed):
    """Number `position` of (seed, replicate, stream), between 0 and 1."""
    word, _, _, _ = four_words(position, replicate, stream, seed)
    return open_uniform(word)


@kernel
def one_list(score, grade, others, depth, step, seed, replicate, stream, rank, hit_grade):
    """Ranks of relevant documents among `others` nonrelevant ones, without making those.

    `score` falls. Nonrelevant scores are standard normal, so only their order statistics are drawn, from the best on:
    p, the chance to exceed, goes from 0 to 1. Scores are rounded to multiples of `step` (0: not) and tied documents
    are in random order. Returns how many relevant documents are ranked down to `depth`, with their ranks in `rank` and
    their grades in `hit_grade`.
    """
    relevant = score.shape[0]
    used = np.int64(1)  # random numbers
    ranked = np.int64(0)
    hits = np.int64(0)
    left = np.int64(others)
    p = 0.0  # while any are left: of the next nonrelevant document
    if left > 0:
        p = 1.0 - math.exp(math.log(uniform(0, replicate, stream, seed)) / left)
    i = np.int64(0)
    while i < relevant and ranked < depth:
        j = i + 1
        if step > 0.0:
            bin_ = math.floor(score[i] / step + 0.5)
            while j < relevant and math.floor(score[j] / step + 0.5) == bin_:
                j += 1
            high, low = above((bin_ + 0.5) * step), above((bin_ - 0.5) * step)
        else:
            high = above(score[i])
            low = high
        tied = np.int64(0)
        while left > 0 and p < low:
            if p < high:
                ranked += 1
            else:
                tied += 1
            left -= 1
            if ranked >= depth:
                return hits
            if left > 0:
                p = 1.0 - (1.0 - p) * math.exp(math.log(uniform(used, replicate, stream, seed)) / left)
                used += 1
        # relevant documents i..j-1 and `tied` others in random order
        while i < j and ranked < depth:
            here = True
            if tied > 0:
                here = uniform(used, replicate, stream, seed) * (j - i + tied) < j - i
                used += 1
            ranked += 1
            if here:
                pick = i
                if j - i > 1:
                    pick = min(j - 1, i + np.int64(uniform(used, replicate, stream, seed) * (j - i)))
                    used += 1
                rank[hits] = ranked
                hit_grade[hits] = grade[pick]
                grade[pick] = grade[i]
                hits += 1
                i += 1
            else:
                tied -= 1
        ranked += tied
    return hits
