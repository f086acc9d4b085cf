"""Samples of topics without kernels: what `_draws` does, with the same random numbers, for small collections."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
W0, W1 = 0x9E3779B9, 0xBB67AE85
LOW, HALF = np.uint64(0xFFFFFFFF), np.uint64(32)


def philox(counter: tuple[Words, Words, Words, Words], seed: int) -> tuple[Words, Words, Words, Words]:
    """`philox.philox` of many counters, with the low and the high word of the seed as the key."""
    c0, c1, c2, c3 = counter
    for step in range(10):
        p0, p1 = M0 * c0, M1 * c2
        k0 = np.uint64((seed + step * W0) & 0xFFFFFFFF)
        k1 = np.uint64(((seed >> 32) + step * W1) & 0xFFFFFFFF)
        c0, c1, c2, c3 = (p1 >> HALF) ^ c1 ^ k0, p1 & LOW, (p0 >> HALF) ^ c3 ^ k1, p0 & LOW
    return c0, c1, c2, c3


def fill_indices(out: NDArray[np.int32], size: int, seed: Any, stream: Any, first: Any) -> None:
    """`out[b]`: numbers below `size` of replicate first + b, two a counter step."""
    replicates, draws = out.shape
    replicate = np.repeat(np.arange(replicates, dtype=np.uint64) + np.uint64(first), (draws + 1) // 2)
    step = np.tile(np.arange((draws + 1) // 2, dtype=np.uint64), replicates)
    counter = (step, replicate & LOW, replicate >> HALF, np.full(len(step), stream, dtype=np.uint64))
    w0, w1, w2, w3 = philox(counter, int(seed))
    both = np.stack([_below(w0, w1, size), _below(w2, w3, size)], axis=1).reshape(replicates, -1)
    out[:] = both[:, :draws]


def _below(high: Words, low: Words, size: int) -> Words:
    """Numbers from 0 to size - 1 from 64 random bits: the upper part of their product with the size."""
    factor = np.uint64(size)
    return (high * factor + (low * factor >> HALF)) >> HALF


def fill_counts(counts: NDArray[np.int32], row: NDArray[np.int32], seed: Any, stream: Any, first: Any) -> None:
    """`counts[b]`: how often each topic is among those that replicate first + b draws."""
    samples, size = counts.shape
    index = np.empty((samples, len(row)), dtype=np.int32)
    fill_indices(index, size, seed, stream, first)
    places = index + size * np.arange(samples)[:, None]
    counts[:] = np.bincount(places.ravel(), minlength=counts.size).reshape(counts.shape)


def sampled_sums(
    scores: NDArray[np.float64], counts: NDArray[np.int32], tile: Any, acc: Any, out: NDArray[np.float64]
) -> None:
    """`out[b, s]`: sum of column s of the scores over the sample `counts[b]`; added topic after topic, as there."""
    out[:] = 0.0
    for times, row in zip(counts.T, scores, strict=True):
        out += times[:, None] * row
