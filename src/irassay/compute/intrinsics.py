"""Eight bytes at a time: names as big-endian words, so that integer order is byte order.

A name of up to 24 bytes is three words padded with zeros. Reading a word may touch up to 31 bytes past a name's
end: arrays handed to these functions are padded (`irassay.read.files.padded`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from irassay.compute.kernel import helper

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
ONES = np.uint64(0x0101010101010101)
SPACES = np.uint64(0x2121212121212121)  # only bytes below 33 can end a token
TOPS = np.uint64(0x8080808080808080)
U0, U3, U8, U29, U32, U64 = (np.uint64(v) for v in (0, 3, 8, 29, 32, 64))
K0, K1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


@intrinsic
def load64(typing: Any, array: Any, index: Any) -> Any:
    """Eight bytes from `array[index]` on as a little-endian word, wherever they lie."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        held = context.make_array(signature.args[0])(context, builder, args[0])
        place = builder.bitcast(builder.gep(held.data, [args[1]]), ir.IntType(64).as_pointer())
        return builder.load(place, align=1)

    return types.uint64(array, types.intp), generate


@intrinsic
def swapped(typing: Any, word: Any) -> Any:
    """The bytes of a word in reverse order."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bswap(args[0])

    return types.uint64(types.uint64), generate


@intrinsic
def low_zeros(typing: Any, word: Any) -> Any:
    """How many zero bits a word that is not 0 ends in."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


def _ask_for(builder: Any, place: Any) -> None:
    word = ir.IntType(32)
    wanted = ir.FunctionType(ir.VoidType(), [place.type, word, word, word])
    function = builder.module.declare_intrinsic("llvm.prefetch", (place.type,), wanted)
    builder.call(function, [place, word(0), word(3), word(1)])  # to read, to keep, data


@intrinsic
def prefetch(typing: Any, array: Any, index: Any) -> Any:
    """Ask for `array[index]` (by flat index) ahead of its use; changes no value."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        held = context.make_array(signature.args[0])(context, builder, args[0])
        _ask_for(builder, builder.gep(held.data, [args[1]]))
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


@intrinsic
def prefetch_at(typing: Any, address: Any) -> Any:
    """Ask for what lies at an address, as `prefetch` does; nothing need lie there."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _ask_for(builder, builder.inttoptr(args[0], ir.IntType(8).as_pointer()))
        return context.get_dummy_value()

    return types.void(types.int64), generate


@intrinsic
def int32_at(typing: Any, address: Any, index: Any) -> Any:
    """The 32-bit integer `index` places behind an address: kernels take many arrays at once only as addresses."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first = builder.inttoptr(args[0], ir.IntType(32).as_pointer())
        return builder.load(builder.gep(first, [args[1]]))

    return types.int32(types.int64, types.int64), generate


def addresses(arrays: Iterable[NDArray[np.int32]]) -> NDArray[np.int64]:
    """Where arrays lie, for `int32_at`; whoever asks keeps them alive."""
    held = list(arrays)
    assert all(array.dtype == np.int32 and array.flags.c_contiguous for array in held)
    return np.array([array.ctypes.data for array in held], dtype=np.int64)


@helper
def is_blank(byte: Any) -> bool:
    return byte == 32 or 9 <= byte <= 13


@helper
def token_end(data: Any, i: Any) -> Any:
    """The first place from `i` on that holds a blank: space, tab, or one of the line ends."""
    while True:
        word = load64(data, i)
        low = (word - SPACES) & ~word & TOPS
        if low == U0:
            i += 8
            continue
        i += np.int64(low_zeros(low) >> U3)
        if is_blank(data[i]):
            return i
        i += 1  # another control character: part of a name


@helper
def word_at(data: Any, place: Any, left: Any) -> Any:
    """The word of a name at `place`, where `left` bytes of it remain: big-endian, zeros past its end."""
    if left <= 0:
        return U0
    word = swapped(load64(data, place))
    if left < 8:
        word = word & (ALL << np.uint64(64 - 8 * left))
    return word


@helper
def blend(h: Any, word: Any) -> Any:
    h = (h ^ word) * K0
    return h ^ (h >> U29)


@helper
def hash_words(data: Any, start: Any, size: Any) -> Any:
    """A 64-bit hash of a name; tables use its low bits, tags its high ones."""
    h = K1
    done = np.int64(0)
    while done < size:
        h = blend(h, word_at(data, start + done, size - done))
        done += 8
    h = (h ^ np.uint64(size)) * K1
    return h ^ (h >> U32)
