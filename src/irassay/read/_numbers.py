"""Numbers in text, eight characters at a time: a word holds them with the first in its lowest byte."""

import numpy as np

from irassay.compute.instructions import load64, trailing_zeros
from irassay.compute.kernel import helper
from irassay.read._decimals import to_double

U0, U1, U3, U7, U8, U10, U16, U32, U48, U56, U100, U10000 = (
    np.uint64(v) for v in (0, 1, 3, 7, 8, 10, 16, 32, 48, 56, 100, 10_000)
)
TEN7, TEN8 = np.uint64(10**7), np.uint64(10**8)
MANY = np.uint64(10**18)  # one digit more still fits 64 bits
SHORT = 20  # characters of a number that is read by words: with a point among them 19 digits
PLUS, MINUS, DOT, ZERO, NINE = 43, 45, 46, 48, 57
ZEROS, DOTS = np.uint64(0x3030303030303030), np.uint64(0x2E2E2E2E2E2E2E2E)
ONES, TOPS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
TO_TOP = np.uint64(0x4646464646464646)  # added, it lifts what is above "9" into the top bit
EVEN_BYTES, EVEN_PAIRS, LOW32 = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF), np.uint64(0xFFFFFFFF)


@helper(inline=True)
def last_characters(word, size):
    """The first one to eight characters of a word at its end, "0" before them."""
    more = U8 * np.uint64(size - 1)
    return (word << (U56 - more)) | ((ZEROS >> more) >> U8)


@helper(inline=True)
def digits_value(word):
    """The number that eight digits spell, and whether they are digits."""
    fine = ((word + TO_TOP) | (word - ZEROS)) & TOPS == U0
    word = word - ZEROS
    word = (word * U10 + (word >> U8)) & EVEN_BYTES
    word = (word * U100 + (word >> U16)) & EVEN_PAIRS
    return (word * U10000 + (word >> U32)) & LOW32, fine


@helper(inline=True)
def whole_number(data, start, stop):
    """A signed integer of at most nine digits, and whether it was one."""
    signed = data[start] == MINUS or data[start] == PLUS
    size = stop - start - signed
    rest = min(size, 8)
    head = np.int64(data[stop - size]) - ZERO if size == 9 else 0
    digits, fine = digits_value(last_characters(load64(data, stop - rest), max(rest, 1)))
    value = head * np.int64(TEN8) + np.int64(digits)
    return (-value if data[start] == MINUS else value), fine and 0 < size < 10 and 0 <= head <= 9


@helper(inline=True)
def number(data, start, stop):
    """A decimal number, and whether it could be read here; if not, Python's `float` decides.

    Only what takes no array may have a loop or return early: else numba counts its references at every call.
    """
    first = start + (data[start] == MINUS or data[start] == PLUS)
    size = stop - first
    begin = ((size - 1) & 7) + 1
    head = last_characters(load64(data, first), begin)
    second, third = load64(data, first + begin), load64(data, first + begin + 8)
    digits, power, fine = short_number(head, second, third, size)
    dropped = False
    if not fine:
        digits, power, dropped, fine = long_number(data, first, stop)
    value = to_double(digits, dropped, power)
    if not fine or value < 0.0:
        value, fine = 0.0, False
    elif data[start] == MINUS:
        value = -value
    return value, fine


@helper(inline=True)
def short_number(word, second, third, size):
    """Digits and the power of ten of up to twenty characters, with or without a point, and whether they are that."""
    digits = U0
    power = points = np.int64(0)
    fine = 0 < size <= SHORT
    left = size
    while fine and left > 0:
        not_dot = word ^ DOTS
        dot = (not_dot - ONES) & ~not_dot & TOPS
        if dot != U0:
            dot &= ~dot + U1  # the top bit of the first one
            points += 1
            power = np.int64(trailing_zeros(dot) >> U3) - 7
            word = ((word & ((dot >> U7) - U1)) << U8) | (word & ~((dot << U1) - U1)) | U48
            digits *= TEN7
        else:
            power -= 8 * points
            digits *= TEN8
        value, fine = digits_value(word)
        digits += value
        word = second
        second = third
        left = (left - 1) & ~7
    return digits, power, fine and points <= 1 and points < size < SHORT + points


@helper
def long_number(data, first, stop):
    """Up to 19 digits of an unsigned number, the power of ten, whether others than 0 were dropped; and if it is one."""
    digits = U0
    dropped = False
    power = np.int64(0)
    seen = False
    point = False
    i = first
    while i < stop:
        c = data[i]
        if ZERO <= c <= NINE:
            seen = True
            if digits < MANY:
                digits = digits * U10 + (np.uint64(c) - U48)
                power -= point
            else:
                dropped = dropped or c != ZERO
                power += not point
        elif c == DOT and not point:
            point = True
        else:
            break
        i += 1
    if i < stop:
        if data[i] != 101 and data[i] != 69:  # e, E
            return digits, power, dropped, False
        exponent, fine = whole_number(data, i + 1, stop) if i + 1 < stop else (np.int64(0), False)
        if not fine or exponent > 9999 or exponent < -9999:
            return digits, power, dropped, False
        power += exponent
    return digits, power, dropped, seen
