"""What `_plain_rows.py` does, as LLVM vectors of 32 lanes: compilers leave those loops lane by lane.

LLVM turns such a vector into the instructions of the processor, whatever its width.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from irassay.compute.intrinsics import BYTE, LONG, WORD, array_data, element_type
from irassay.scoring._plain_rows import LANES, SHORT

BYTES = ir.VectorType(BYTE, LANES)
SUMS = ir.VectorType(WORD, LANES)
FOUR = ir.VectorType(WORD, SHORT)


def row_pointer(builder, data, place, kind=BYTES):
    """A pointer to `data[place]`, an array of bytes, as the start of another type."""
    return builder.bitcast(builder.gep(data, [place], source_etype=BYTE), kind.as_pointer())


def load_row(builder, data, place):
    return builder.load(row_pointer(builder, data, place), typ=BYTES, align=1)


@intrinsic
def add_rows(typing, sums, codes, first, last, rows):
    code_type = element_type(codes)

    def generate(context, builder, signature, args):
        _, _, first, last, _ = args
        total_at, code_at, row_at = (array_data(context, builder, signature, args, k) for k in (0, 1, 4))
        total_at = builder.bitcast(total_at, SUMS.as_pointer())
        before = builder.load(total_at, typ=SUMS, align=1)
        entry, loop, after = builder.block, builder.append_basic_block("rows"), builder.append_basic_block("after")
        builder.cbranch(builder.icmp_signed("<", first, last), loop, after)

        builder.position_at_end(loop)
        i, total = builder.phi(LONG), builder.phi(SUMS)
        code = builder.load(builder.gep(code_at, [i], source_etype=code_type), typ=code_type)
        row = load_row(builder, row_at, builder.mul(builder.zext(code, LONG), LONG(LANES)))
        total_after = builder.add(total, builder.zext(row, SUMS))
        i_after = builder.add(i, LONG(1))
        builder.cbranch(builder.icmp_signed("<", i_after, last), loop, after)
        for variable, at_entry, at_loop in ((i, first, i_after), (total, before, total_after)):
            variable.add_incoming(at_entry, entry)
            variable.add_incoming(at_loop, loop)

        builder.position_at_end(after)
        result = builder.phi(SUMS)
        result.add_incoming(before, entry)
        result.add_incoming(total_after, loop)
        builder.store(result, total_at, align=1)
        return context.get_dummy_value()

    return types.void(sums, codes, types.intp, types.intp, rows), generate


@intrinsic
def any_count_above(typing, rows, place):
    def generate(context, builder, signature, args):
        row = load_row(builder, array_data(context, builder, signature, args, 0), args[1])
        above = builder.icmp_unsigned(">", row, ir.Constant(BYTES, [SHORT] * LANES))
        bits = ir.IntType(LANES)
        return builder.icmp_unsigned("!=", builder.bitcast(above, bits), bits(0))

    return types.boolean(rows, types.intp), generate


@intrinsic
def put_four(typing, rank, grade, place, last, level):
    def generate(context, builder, signature, args):
        rank_at, grade_at = (array_data(context, builder, signature, args, k) for k in (0, 1))
        rank_at = builder.bitcast(builder.gep(rank_at, [args[2]], source_etype=WORD), FOUR.as_pointer())
        ranks = ir.Constant(FOUR, ir.Undefined)
        for k in range(SHORT):
            ranks = builder.insert_element(ranks, args[3], WORD(k))
        builder.store(builder.add(ranks, ir.Constant(FOUR, [1, 2, 3, 4])), rank_at, align=1)
        level_four_times = builder.mul(builder.zext(args[4], WORD), WORD(0x01010101))
        builder.store(level_four_times, row_pointer(builder, grade_at, args[2], WORD), align=1)
        return context.get_dummy_value()

    return types.void(rank, grade, types.intp, types.int32, types.int8), generate


@intrinsic
def copy_row(typing, to, place, rows, at):
    def generate(context, builder, signature, args):
        to_at, row_at = (array_data(context, builder, signature, args, k) for k in (0, 2))
        builder.store(load_row(builder, row_at, args[3]), row_pointer(builder, to_at, args[1]), align=1)
        return context.get_dummy_value()

    return types.void(to, types.intp, rows, types.intp), generate
