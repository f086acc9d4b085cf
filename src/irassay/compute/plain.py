"""What `intrinsics.py` does, without LLVM: slower, with the same results."""

import numpy as np

from irassay.compute.joined_arrays import many_arrays
from irassay.compute.kernel import helper

__all__ = ["between64", "byte_swapped", "load64", "load_item", "many_arrays", "prefetch", "trailing_zeros"]

U1, U8 = np.uint64(1), np.uint64(8)
LOW_BYTE = np.uint64(255)


PADDING = 64  # bytes that may be read past the end of an array: `irassay.read.files` has as many


@helper
def load64(data, index):
    """Padding counts as zeros here, and as whatever there is in `intrinsics.py`: nothing may depend on it."""
    if index + 8 > data.shape[0] + PADDING:
        raise IndexError("a word is read past the padding")
    word = np.uint64(0)
    for k in range(min(8, data.shape[0] - index)):
        word |= np.uint64(data[index + k]) << np.uint64(8 * k)
    return word


@helper
def between64(data, index, low, high):
    """Padding counts as in `load64`."""
    if index + 64 > data.shape[0] + PADDING:
        raise IndexError("bytes are read past the padding")
    bits = np.uint64(0)
    for k in range(64):
        byte = np.int64(data[index + k]) if index + k < data.shape[0] else 0
        bits |= np.uint64(low <= byte <= high) << np.uint64(k)
    return bits


@helper
def byte_swapped(word):
    reverse = np.uint64(0)
    for _ in range(8):
        reverse = (reverse << U8) | (word & LOW_BYTE)
        word >>= U8
    return reverse


@helper
def trailing_zeros(word):
    zeros = np.uint64(0)
    while word & U1 != U1:
        word >>= U1
        zeros += U1
    return zeros


@helper
def prefetch(array, index):
    pass


@helper
def load_item(joined, index):
    return joined[index]
