"""Rows of the multiplicities of a document in 32 images; `_row_intrinsics.py` has the same as vectors of LLVM."""

from irassay.compute.kernel import helper

LANES = 32  # images side by side
SHORT = 4  # copies that are written whether they are there or not: guessing how many there are costs more


@helper
def add_rows(sums, codes, first, last, rows):
    """`sums[lane] += rows[codes[i], lane]` for i in [first, last); sums are int32, codes unsigned, rows bytes."""
    for i in range(first, last):
        row = int(codes[i]) * LANES
        for lane in range(LANES):
            sums[lane] += rows[row + lane]


@helper
def any_count_above(rows, place):
    """Whether a document has more than `SHORT` copies in any image."""
    for lane in range(LANES):
        if rows[place + lane] > SHORT:
            return True
    return False


@helper
def put_four(rank, grade, place, last, level):
    """Write `SHORT` hits at the ranks after `last`; those that are not there are overwritten later."""
    for k in range(SHORT):
        rank[place + k] = last + 1 + k
        grade[place + k] = level


@helper
def copy_row(to, place, rows, at):
    """`to[place:place + 32] = rows[at:at + 32]`."""
    for lane in range(LANES):
        to[place + lane] = rows[at + lane]
