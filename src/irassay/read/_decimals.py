"""Decimal text to the nearest double, exactly (lemire2021parsing), without leaving the kernel.

Small numbers are one exact product or quotient (Clinger). The others multiply the 64-bit significand by a 128-bit
power of five; the rare cases that this cannot decide are left to Python's own `float`.
"""

import numpy as np
from numpy.typing import NDArray

from irassay.compute.kernel import helper

SMALLEST, LARGEST = -342, 308  # powers of ten within which a 19-digit significand can give a finite double
LOW32 = np.uint64(0xFFFFFFFF)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
U0, U1, U3, U32, U63 = (np.uint64(v) for v in (0, 1, 3, 32, 63))
TOP = np.uint64(1 << 63)
MASK9 = np.uint64((1 << 9) - 1)
EXACT = np.uint64(1 << 53)


def powers_of_five() -> NDArray[np.uint64]:
    """Their first 128 bits [651, 2]."""
    fives = np.empty((LARGEST - SMALLEST + 1, 2), dtype=np.uint64)
    for q in range(SMALLEST, LARGEST + 1):
        power = 5 ** abs(q)
        if q < 0:
            z = power.bit_length() if power & (power - 1) else power.bit_length() - 1
            bits = z + 127 if q >= -27 else 2 * z + 128
            value = (1 << bits) // power + 1
        else:
            value = power << 128
        value >>= value.bit_length() - 128
        fives[q - SMALLEST] = value >> 64, value & (2**64 - 1)
    return fives


# Constants of the compiled code: passed as arguments, numba would count their references at every number.
FIVES = powers_of_five()
TENS = 10.0 ** np.arange(23)
TWOS = np.ldexp(1.0, np.arange(-1074, 1024))


@helper(inline=True)
def times(a, b):
    """The 128-bit product of two 64-bit numbers: high and low word."""
    a1, a0 = a >> U32, a & LOW32
    b1, b0 = b >> U32, b & LOW32
    low = a0 * b0
    mid = a1 * b0 + (low >> U32)
    carry = a0 * b1 + (mid & LOW32)
    return a1 * b1 + (mid >> U32) + (carry >> U32), (carry << U32) | (low & LOW32)


@helper(inline=True)
def nearest(w, q):
    """The double nearest to w·10^q for normal results; -1.0 where it must be decided elsewhere."""
    shift = np.int64(0)
    while w < TOP:
        w = w << U1
        shift += 1
    high, low = times(w, FIVES[q - SMALLEST, 0])
    if high & MASK9 == MASK9:
        more, _ = times(w, FIVES[q - SMALLEST, 1])
        low = low + more
        if more > low:
            high = high + U1
    if low == ALL and (q < -27 or q > 55):
        return -1.0
    upper = np.int64(high >> U63)
    cut = np.uint64(upper + 9)
    mantissa = high >> cut
    exponent = ((217706 * q) >> 16) + 63 + upper - shift + 1023
    if exponent <= 0 or exponent >= 2046:
        return -1.0  # subnormal or near the largest double
    if low <= U1 and q >= -4 and q <= 23 and mantissa & U3 == U1 and mantissa << cut == high:
        mantissa = mantissa - U1  # exactly half way: to even
    mantissa = (mantissa + (mantissa & U1)) >> U1
    # 2^(exponent - 1075), split so that both factors stay normal
    return np.float64(mantissa) * TWOS[exponent - 1]


@helper(inline=True)
def to_double(digits, dropped, power):
    """digits·10^power as a double, correctly rounded; `dropped`: nonzero digits were cut off. -1.0: undecided."""
    if digits == U0:
        return -1.0 if dropped else 0.0
    if not dropped and digits <= EXACT:
        if 0 <= power <= 22:
            return np.float64(digits) * TENS[power]
        if -22 <= power < 0:
            return np.float64(digits) / TENS[-power]
    if power < -342 or power > 308:
        return -1.0
    # Of a number whose digits were cut off, what it is at least and at most must round alike.
    value = nearest(digits, power)
    if dropped and (digits == ALL or nearest(digits + U1, power) != value):
        return -1.0
    return value
