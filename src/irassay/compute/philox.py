"""Counted randomness: Philox4x32-10 (salmon2011parallel), the only generator in irassay.

A random number is a pure function of (seed, position, replicate, stream): no state is kept anywhere, so any number
of threads, blocks or resumes draws the same numbers, and the same code runs on a GPU.
"""

import math
from typing import Any

import numpy as np

from irassay.compute.kernel import helper, kernel

M0 = np.uint64(0xD2511F53)
M1 = np.uint64(0xCD9E8D57)
W0 = np.uint64(0x9E3779B9)
W1 = np.uint64(0xBB67AE85)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
SCALE = 1.0 / 4294967296.0
TURN = 2.0 * math.pi


@helper(inline=True)
def philox(c0, c1, c2, c3, k0, k1):
    """Ten rounds on a counter of four and a key of two 32-bit words.

    Inline, so that a loop over counter steps has no call in it and the compiler takes 8 or 16 steps at a time.
    """
    # Kept as 64 bits whose upper half is nothing: it is cut off only where that matters, since a vector instruction
    # that multiplies takes the lower halves anyway.
    c0, c1, c2, c3 = np.uint64(c0), np.uint64(c1), np.uint64(c2), np.uint64(c3)
    k0, k1 = np.uint64(k0), np.uint64(k1)
    for _ in range(10):
        p0 = M0 * (c0 & LOW)
        p1 = M1 * (c2 & LOW)
        c0 = (p1 >> HALF) ^ c1 ^ k0
        c1 = p1
        c2 = (p0 >> HALF) ^ c3 ^ k1
        c3 = p0
        k0 += W0
        k1 += W1
    return np.uint32(c0 & LOW), np.uint32(c1 & LOW), np.uint32(c2 & LOW), np.uint32(c3 & LOW)


@helper(inline=True)
def four_words(step, replicate, stream, seed):
    """The four words of a counter step of (seed, replicate, stream).

    Key: the seed's low and high words. Counter: (step, replicate low, replicate high, stream).
    """
    replicate = np.uint64(replicate)
    r0, r1 = np.uint32(replicate & LOW), np.uint32(replicate >> HALF)
    return philox(np.uint32(step), r0, r1, np.uint32(stream), np.uint32(seed & LOW), np.uint32(seed >> HALF))


@kernel
def fill(out, seed, position, replicate, stream):
    """`out[i]` = word `position + i` of (seed, replicate, stream): four 32-bit words a counter step."""
    i = np.int64(0)
    n = np.int64(out.shape[0])
    while i < n:
        word = np.int64(position) + i
        four = four_words(word >> 2, replicate, stream, seed)
        lane = word & 3
        while lane < 4 and i < n:
            out[i] = four[lane]
            lane += 1
            i += 1


@helper
def open_uniform(word):
    """A word as a number strictly between 0 and 1."""
    return (np.float64(word) + 0.5) * SCALE


@helper
def normals(out, seed, replicate, stream):
    """Standard normal numbers of (seed, replicate, stream), four a counter step (Box and Muller)."""
    n = out.shape[0]
    for step in range((n + 3) >> 2):
        a, b, c, d = four_words(step, replicate, stream, seed)
        i = 4 * step
        radius, angle = math.sqrt(-2.0 * math.log(open_uniform(a))), TURN * open_uniform(b)
        out[i] = radius * math.cos(angle)
        if i + 1 < n:
            out[i + 1] = radius * math.sin(angle)
        if i + 2 < n:
            radius, angle = math.sqrt(-2.0 * math.log(open_uniform(c))), TURN * open_uniform(d)
            out[i + 2] = radius * math.cos(angle)
        if i + 3 < n:
            out[i + 3] = radius * math.sin(angle)


def words(count: int, *, seed: int, stream: int, replicate: int = 0, position: int = 0) -> np.ndarray[Any, Any]:
    """`count` 32-bit words from `position` on; the same whatever way they are asked for in pieces."""
    if not (0 <= seed < 2**64 and 0 <= replicate < 2**64 and 0 <= stream < 2**32):
        raise ValueError("seed and replicate are 64-bit, stream 32-bit numbers >= 0")
    if not 0 <= position <= 2**34 - count:
        raise ValueError("a stream holds 2**34 words")
    out = np.empty(count, dtype=np.uint32)
    fill(out, np.uint64(seed), np.int64(position), np.uint64(replicate), np.uint32(stream))
    return out
