"""What `_plain_rows.py` does, as LLVM vectors of 32 lanes: compilers leave those loops lane by lane.

LLVM turns such a vector into the instructions of the processor, whatever its width.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from irassay.compute.intrinsics import BYTE, LONG, WORD, array_data, element_type
from irassay.scoring._plain_rows import COLUMNS, LANES, SHORT

BYTES = ir.VectorType(BYTE, LANES)
SUMS = ir.VectorType(WORD, LANES)
PARTS = ir.VectorType(ir.IntType(16), LANES)
SHORTEST = 257  # rows of bytes whose sums are sure to fit into 16 bits
LANE_ORDER = ir.VectorType(WORD, LANES)
FOUR = ir.VectorType(WORD, SHORT)
DOUBLE = ir.DoubleType()
NUMBERS = ir.VectorType(DOUBLE, LANES)
WEIGHTS = ir.VectorType(DOUBLE, COLUMNS)
UNROLLED = 4  # lanes in one turn of a loop


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
        entry = builder.block
        group, loop, grouped, after = (
            builder.append_basic_block(name) for name in ("group", "rows", "grouped", "after")
        )
        builder.cbranch(builder.icmp_signed("<", first, last), group, after)

        builder.position_at_end(group)
        begin, total = builder.phi(LONG), builder.phi(SUMS)
        end = builder.add(begin, LONG(SHORTEST))
        end = builder.select(builder.icmp_signed("<", end, last), end, last)
        builder.branch(loop)

        builder.position_at_end(loop)
        i, part = builder.phi(LONG), builder.phi(PARTS)
        code = builder.load(builder.gep(code_at, [i], source_etype=code_type), typ=code_type)
        row = load_row(builder, row_at, builder.mul(builder.zext(code, LONG), LONG(LANES)))
        part_after = builder.add(part, builder.zext(row, PARTS))
        i_after = builder.add(i, LONG(1))
        builder.cbranch(builder.icmp_signed("<", i_after, end), loop, grouped)

        builder.position_at_end(grouped)
        total_after = builder.add(total, builder.zext(part_after, SUMS))
        builder.cbranch(builder.icmp_signed("<", end, last), group, after)
        nothing = ir.Constant(PARTS, [0] * LANES)
        for variable, *incoming in (
            (begin, (first, entry), (end, grouped)),
            (total, (before, entry), (total_after, grouped)),
            (i, (begin, group), (i_after, loop)),
            (part, (nothing, group), (part_after, loop)),
        ):
            for value, block in incoming:
                variable.add_incoming(value, block)

        builder.position_at_end(after)
        result = builder.phi(SUMS)
        result.add_incoming(before, entry)
        result.add_incoming(total_after, grouped)
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


@intrinsic
def turn_rows(typing, counts, first, rows):
    def generate(context, builder, signature, args):
        counts = context.make_array(signature.args[0])(context, builder, args[0])
        width = builder.extract_value(counts.strides, 0)
        lanes = [
            load_row(builder, counts.data, builder.add(builder.mul(LONG(lane), width), args[1]))
            for lane in range(LANES)
        ]
        # Bytes of two rows by turns, the first half with the second, five times over: each document's bytes have then
        # come together.
        low = ir.Constant(LANE_ORDER, [k // 2 + k % 2 * LANES for k in range(LANES)])
        high = ir.Constant(LANE_ORDER, [LANES // 2 + k // 2 + k % 2 * LANES for k in range(LANES)])
        for _ in range(LANES.bit_length() - 1):
            pairs = zip(lanes[: LANES // 2], lanes[LANES // 2 :], strict=True)
            lanes = [builder.shuffle_vector(a, b, order) for a, b in pairs for order in (low, high)]
        at = array_data(context, builder, signature, args, 2)
        for d, row in enumerate(lanes):
            place = builder.mul(builder.add(args[1], LONG(d)), LONG(LANES))
            builder.store(row, row_pointer(builder, at, place), align=1)
        return context.get_dummy_value()

    return types.void(counts, types.intp, rows), generate


def smaller(builder, a, b):
    return builder.select(builder.icmp_signed("<", a, b), a, b)


def every_lane(builder, value):
    """A number as a row of itself."""
    row = builder.insert_element(ir.Constant(SUMS, ir.Undefined), value, WORD(0))
    return builder.shuffle_vector(row, ir.Constant(SUMS, ir.Undefined), ir.Constant(SUMS, [0] * LANES))


@intrinsic
def place_row(typing, ranks, hits, advance, hit, place, limit, before, after, lead):
    def generate(context, builder, signature, args):
        at = [array_data(context, builder, signature, args, k) if k != 4 else None for k in range(9)]
        ranks_at, hits_at, limit_at, before_at, after_at = (
            builder.bitcast(at[k], SUMS.as_pointer()) for k in (0, 1, 5, 6, 7)
        )
        ranks, hits, limit = (builder.load(row, typ=SUMS, align=1) for row in (ranks_at, hits_at, limit_at))
        advance, hit = (builder.zext(load_row(builder, at[k], args[4]), SUMS) for k in (2, 3))
        first, last = (smaller(builder, rank, limit) for rank in (ranks, builder.add(ranks, hit)))
        builder.store(first, before_at, align=1)
        builder.store(last, after_at, align=1)
        lead = builder.sitofp(builder.sub(hits, first), NUMBERS)
        builder.store(lead, builder.bitcast(at[8], NUMBERS.as_pointer()), align=1)
        builder.store(builder.add(hits, builder.sub(last, first)), hits_at, align=1)
        builder.store(builder.add(ranks, advance), ranks_at, align=1)
        return context.get_dummy_value()

    return types.void(ranks, hits, advance, hit, types.intp, limit, before, after, lead), generate


@intrinsic
def weigh_row(typing, before, after, lead, level, table, gain, counted, sums):
    def generate(context, builder, signature, args):
        before_at, after_at, lead_at, table_at, gain_at, counted_at, sums_at = (
            array_data(context, builder, signature, args, k) for k in (0, 1, 2, 4, 5, 6, 7)
        )

        def weights(data, place):
            first = builder.gep(data, [place], source_etype=DOUBLE)
            return builder.bitcast(first, WEIGHTS.as_pointer())

        def load(data, row):
            return builder.load(weights(data, builder.mul(row, LONG(COLUMNS))), typ=WEIGHTS, align=1)

        def number(data, lane, kind):
            return builder.load(builder.gep(data, [lane], source_etype=kind), typ=kind)

        counted, gain = load(counted_at, LONG(0)), load(gain_at, args[3])
        entry, loop, done = builder.block, builder.append_basic_block("lanes"), builder.append_basic_block("done")
        builder.branch(loop)

        builder.position_at_end(loop)
        first_lane = builder.phi(LONG)
        nothing = ir.Constant(WEIGHTS, ir.Undefined)
        for k in range(UNROLLED):
            lane = builder.add(first_lane, LONG(k))
            before, after = (
                load(table_at, builder.zext(number(data, lane, WORD), LONG)) for data in (before_at, after_at)
            )
            lead = builder.insert_element(nothing, number(lead_at, lane, DOUBLE), WORD(0))
            lead = builder.shuffle_vector(lead, nothing, ir.Constant(ir.VectorType(WORD, COLUMNS), [0] * COLUMNS))
            by = builder.fadd(gain, builder.fmul(lead, counted))
            here = weights(sums_at, builder.mul(lane, LONG(COLUMNS)))
            total = builder.load(here, typ=WEIGHTS, align=1)
            builder.store(builder.fadd(total, builder.fmul(builder.fsub(before, after), by)), here, align=1)
        next_lane = builder.add(first_lane, LONG(UNROLLED))
        builder.cbranch(builder.icmp_signed("<", next_lane, LONG(LANES)), loop, done)
        first_lane.add_incoming(LONG(0), entry)
        first_lane.add_incoming(next_lane, loop)

        builder.position_at_end(done)
        return context.get_dummy_value()

    return types.void(before, after, lead, types.intp, table, gain, counted, sums), generate


@intrinsic
def note_first(typing, before, after, cut, counting, level, rank, grade, hits):
    def generate(context, builder, signature, args):
        def row(k):
            return builder.bitcast(array_data(context, builder, signature, args, k), SUMS.as_pointer())

        def load(place):
            return builder.load(place, typ=SUMS, align=1)

        cut, level = every_lane(builder, args[2]), every_lane(builder, args[4])
        first, last = (smaller(builder, load(row(k)), cut) for k in (0, 1))
        rank_at, grade_at, hits_at = (row(k) for k in (5, 6, 7))
        hits = load(hits_at)
        zero = ir.Constant(SUMS, [0] * LANES)
        none_yet = builder.icmp_signed("==", hits, zero)
        here = builder.and_(none_yet, builder.icmp_signed("<", first, last))
        one_more = builder.add(first, ir.Constant(SUMS, [1] * LANES))
        builder.store(builder.select(here, one_more, load(rank_at)), rank_at, align=1)
        builder.store(builder.select(here, level, load(grade_at)), grade_at, align=1)
        hits = builder.add(hits, builder.sub(last, first))
        builder.store(hits, hits_at, align=1)
        above, none_yet = builder.icmp_signed("<", first, cut), builder.icmp_signed("==", hits, zero)
        bits = ir.IntType(LANES)
        above, none_yet = builder.bitcast(above, bits), builder.bitcast(none_yet, bits)
        wanted = builder.select(args[3], bits(-1), none_yet)
        return builder.icmp_unsigned("!=", builder.and_(above, wanted), bits(0))

    return types.boolean(before, after, types.int32, types.boolean, types.int32, rank, grade, hits), generate


@intrinsic
def take_off(typing, ranks, copies, judged, place, graded, depth, taken):
    def generate(context, builder, signature, args):
        ranks_at, copies_at, judged_at, taken_at = (
            array_data(context, builder, signature, args, k) for k in (0, 1, 2, 6)
        )
        ranks_at, taken_at = (builder.bitcast(row, SUMS.as_pointer()) for row in (ranks_at, taken_at))
        ranks, taken = (builder.load(row, typ=SUMS, align=1) for row in (ranks_at, taken_at))
        zero, bits = ir.Constant(SUMS, [0] * LANES), ir.IntType(LANES)
        over = builder.sub(ranks, every_lane(builder, args[5]))
        over = builder.select(builder.icmp_signed(">", over, zero), over, zero)
        off = smaller(builder, over, builder.zext(load_row(builder, copies_at, args[3]), SUMS))
        builder.store(builder.sub(ranks, off), ranks_at, align=1)
        known = builder.icmp_unsigned("!=", load_row(builder, judged_at, args[3]), ir.Constant(BYTES, [0] * LANES))
        counted = builder.select(known, off, zero)
        counted = builder.select(args[4], counted, zero)
        builder.store(builder.add(taken, counted), taken_at, align=1)
        more = builder.bitcast(builder.icmp_signed(">", over, off), bits)
        return builder.icmp_unsigned("!=", more, bits(0))

    return types.boolean(ranks, copies, judged, types.intp, types.boolean, types.int32, taken), generate
