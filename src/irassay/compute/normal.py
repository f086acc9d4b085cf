"""Uniform and normal numbers from Philox words."""

from __future__ import annotations

import math

import numpy as np

from irassay.compute.kernel import helper
from irassay.compute.philox import HALF, LOW, philox

SCALE = 1.0 / 4294967296.0
TURN = 2.0 * math.pi


@helper
def open_uniform(word):
    """A word as a number strictly between 0 and 1."""
    return (np.float64(word) + 0.5) * SCALE


@helper
def normals(out, seed, replicate, stream):
    """Standard normal numbers of (seed, replicate, stream), four a counter step (Box and Muller)."""
    k0, k1 = np.uint32(seed & LOW), np.uint32(seed >> HALF)
    r0, r1 = np.uint32(replicate & LOW), np.uint32(replicate >> HALF)
    n = out.shape[0]
    for step in range((n + 3) >> 2):
        a, b, c, d = philox(np.uint32(step), r0, r1, np.uint32(stream), k0, k1)
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
