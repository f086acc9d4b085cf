"""Eight bytes at a time: names as big-endian words, so that integer order is byte order.

A name of up to 24 bytes is three words padded with zeros. Bytes past a name's end are read, up to 63 of them: arrays
passed to these functions are padded (`irassay.read.files.padded`).
"""

import numpy as np

from irassay.compute.instructions import between64, byte_swapped, load64
from irassay.compute.kernel import helper

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
U0, U29, U32 = (np.uint64(v) for v in (0, 29, 32))
K0, K1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


@helper
def is_blank(byte):
    return byte == 32 or 9 <= byte <= 13


@helper
def blank_bits(data, i):
    """A bit for each of 64 bytes from place `i` on: whether it is a blank."""
    return between64(data, i, 9, 13) | between64(data, i, 32, 32)


@helper
def first_bytes(n):
    """What keeps the first n bytes of a big-endian word."""
    if n <= 0:
        return U0
    return ALL << np.uint64(64 - 8 * n) if n < 8 else ALL


@helper
def word_at(data, place, left):
    """The word of a name at `place`, where `left` bytes of it remain: big-endian, zeros past its end."""
    return byte_swapped(load64(data, place)) & first_bytes(left)


@helper
def blend(h, word):
    h = (h ^ word) * K0
    return h ^ (h >> U29)


@helper
def hash_words(data, start, size):
    """A 64-bit hash of a name; tables use its low bits, tags its high ones."""
    h = K1
    done = np.int64(0)
    while done < size:
        h = blend(h, word_at(data, start + done, size - done))
        done += 8
    h = (h ^ np.uint64(size)) * K1
    return h ^ (h >> U32)
