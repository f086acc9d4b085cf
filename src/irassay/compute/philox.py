"""Counted randomness: Philox4x32-10 (salmon2011parallel), the only generator in irassay.

A random number is a pure function of (seed, position, replicate, stream): no state is kept anywhere, so any number
of threads, blocks or resumes draws the same numbers, and the same code runs on a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irassay.compute.kernel import helper, kernel

M0 = np.uint64(0xD2511F53)
M1 = np.uint64(0xCD9E8D57)
W0 = np.uint32(0x9E3779B9)
W1 = np.uint32(0xBB67AE85)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


@helper
def philox(c0, c1, c2, c3, k0, k1):
    """Ten rounds on a counter of four and a key of two 32-bit words."""
    for _ in range(10):
        p0 = M0 * np.uint64(c0)
        p1 = M1 * np.uint64(c2)
        c0 = np.uint32((p1 >> HALF) ^ np.uint64(c1) ^ np.uint64(k0))
        c1 = np.uint32(p1 & LOW)
        c2 = np.uint32((p0 >> HALF) ^ np.uint64(c3) ^ np.uint64(k1))
        c3 = np.uint32(p0 & LOW)
        k0 = np.uint32((np.uint64(k0) + np.uint64(W0)) & LOW)
        k1 = np.uint32((np.uint64(k1) + np.uint64(W1)) & LOW)
    return c0, c1, c2, c3


@kernel
def fill(out, seed, position, replicate, stream):
    """`out[i]` = word `position + i` of (seed, replicate, stream): four 32-bit words a counter step.

    Key: the seed's low and high words. Counter: (step, replicate low, replicate high, stream).
    """
    k0 = np.uint32(seed & LOW)
    k1 = np.uint32(seed >> HALF)
    r0 = np.uint32(replicate & LOW)
    r1 = np.uint32(replicate >> HALF)
    i = np.int64(0)
    n = np.int64(out.shape[0])
    while i < n:
        word = np.int64(position) + i
        step = word >> 2
        a, b, c, d = philox(np.uint32(step), r0, r1, np.uint32(stream), k0, k1)
        lane = word & 3
        while lane < 4 and i < n:
            if lane == 0:
                out[i] = a
            elif lane == 1:
                out[i] = b
            elif lane == 2:
                out[i] = c
            else:
                out[i] = d
            lane += 1
            i += 1


def words(count: int, *, seed: int, stream: int, replicate: int = 0, position: int = 0) -> np.ndarray[Any, Any]:
    """`count` 32-bit words from `position` on; the same whatever way they are asked for in pieces."""
    if not (0 <= seed < 2**64 and 0 <= replicate < 2**64 and 0 <= stream < 2**32):
        raise ValueError("seed and replicate are 64-bit, stream 32-bit numbers >= 0")
    if not 0 <= position <= 2**34 - count:
        raise ValueError("a stream holds 2**34 words")
    out = np.empty(count, dtype=np.uint32)
    fill(out, np.uint64(seed), np.int64(position), np.uint64(replicate), np.uint32(stream))
    return out
