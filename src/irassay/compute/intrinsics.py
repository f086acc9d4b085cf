"""Instructions that LLVM has and numba does not offer; `plain.py` has the same without LLVM.

Every load and address says its type, so that llvmlite need not know what a pointer points to.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

BYTE, WORD, LONG = ir.IntType(8), ir.IntType(32), ir.IntType(64)
LANES = 64
BYTES = ir.VectorType(BYTE, LANES)


def array_data(context, builder, signature, args, k):
    """A pointer to the first element of argument k, an array."""
    return context.make_array(signature.args[k])(context, builder, args[k]).data


def element_type(array):
    """The LLVM type of the elements of an array of integers or floats."""
    if isinstance(array.dtype, types.Float):
        return {32: ir.FloatType(), 64: ir.DoubleType()}[array.dtype.bitwidth]
    return ir.IntType(array.dtype.bitwidth)


@intrinsic
def load64(typing, data, index):
    """Eight bytes from `data[index]` on as a little-endian word, aligned or not."""

    def generate(context, builder, signature, args):
        first = builder.gep(array_data(context, builder, signature, args, 0), [args[1]], source_etype=BYTE)
        return builder.load(builder.bitcast(first, LONG.as_pointer()), typ=LONG, align=1)

    return types.uint64(data, types.intp), generate


@intrinsic
def between64(typing, data, index, low, high):
    """A bit for each of 64 bytes from `data[index]` on, the first one lowest: whether it lies in [low, high]."""

    def generate(context, builder, signature, args):
        def all_lanes(value):
            one = builder.insert_element(ir.Constant(BYTES, ir.Undefined), builder.trunc(value, BYTE), WORD(0))
            return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(WORD, LANES), [0] * LANES))

        _, index, low, high = args
        first = builder.gep(array_data(context, builder, signature, args, 0), [index], source_etype=BYTE)
        lanes = builder.load(builder.bitcast(first, BYTES.as_pointer()), typ=BYTES, align=1)
        above_low = builder.sub(lanes, all_lanes(low))
        inside = builder.icmp_unsigned("<=", above_low, all_lanes(builder.sub(high, low)))
        return builder.bitcast(inside, LONG)

    return types.uint64(data, types.intp, types.intp, types.intp), generate


@intrinsic
def byte_swapped(typing, word):
    """The bytes of a word in reverse order."""

    def generate(context, builder, signature, args):
        return builder.bswap(args[0])

    return types.uint64(types.uint64), generate


@intrinsic
def trailing_zeros(typing, word):
    """How many zero bits a word that is not 0 ends in."""

    def generate(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def prefetch(typing, array, index):
    """Ask for `array[index]` (by flat index, or as in `load_item`) ahead of its use; nothing need be there."""

    def generate(context, builder, signature, args):
        data = array_data(context, builder, signature, args, 0)
        place = builder.gep(data, [args[1]], source_etype=element_type(signature.args[0]))
        kind = ir.FunctionType(ir.VoidType(), [place.type, WORD, WORD, WORD])
        function = builder.module.declare_intrinsic("llvm.prefetch", (place.type,), kind)
        builder.call(function, [place, WORD(0), WORD(3), WORD(1)])  # to read, to keep, data
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


@intrinsic
def load_item(typing, joined, index):
    """Element `index` of arrays joined by `many_arrays`, which may stand anywhere in memory."""

    def generate(context, builder, signature, args):
        kind = element_type(signature.args[0])
        place = builder.gep(array_data(context, builder, signature, args, 0), [args[1]], source_etype=kind)
        return builder.load(place, typ=kind)

    return joined.dtype(joined, types.int64), generate


def many_arrays(arrays: Iterable[NDArray[Any]]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Arrays for one kernel: the first argument of `load_item`, and the index there of the first element of each.

    They are not copied: indices count from the first one on, also below it. The caller keeps all of them alive.
    """
    listed = list(arrays)
    first = listed[0]
    assert all(array.dtype == first.dtype and array.flags.c_contiguous for array in listed)
    addresses = np.array([array.__array_interface__["data"][0] for array in listed], dtype=np.int64)
    places, rest = np.divmod(addresses - addresses[0], first.itemsize)
    assert not rest.any()
    return first, places
