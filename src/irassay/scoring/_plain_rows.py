"""Rows of the multiplicities of a document in 32 images; `_row_intrinsics.py` has the same as vectors of LLVM."""

import numpy as np

from irassay.compute.kernel import helper

LANES = 32  # images side by side
COLUMNS = 4  # of the tables of weights
WIDTH = np.uint64(COLUMNS)
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


@helper
def turn_rows(counts, first, rows):
    """The bytes of 32 documents from `first` on, [lane, document], as the rows of these documents.

    Documents lie next to each other.
    """
    for lane in range(LANES):
        for d in range(first, first + LANES):
            rows[d * LANES + lane] = counts[lane, d]


@helper
def place_row(ranks, hits, advance, hit, place, limit, before, after, lead):
    """The copies of a hit, a document whose rows begin at `place`, stand behind rank `before` up to rank `after`.

    No further than `limit`. `hits`, counted on, less `before` is `lead`; `ranks` go on to the end of the copies.
    """
    for lane in range(LANES):
        first = ranks[lane]
        last = first + np.int32(hit[place + lane])
        first = min(first, limit[lane])
        last = min(last, limit[lane])
        before[lane] = first
        after[lane] = last
        lead[lane] = float(hits[lane] - first)
        hits[lane] += last - first
        ranks[lane] += advance[place + lane]


@helper
def weigh_row(before, after, lead, level, table, gain, counted, sums):
    """Adds to `sums` [lane, 4] what the copies of a hit of this grade weigh.

    `table` is [rank, 4]: what the weights of the ranks behind add up to. `gain` is [grade, 4]; in columns where
    `counted` is 1, and the gain 0, `lead` takes its place.
    """
    level = np.uint64(level)
    for lane in range(np.uint64(LANES)):
        # unsigned: with nothing to count from the end, the compiler takes all columns at once
        a = np.uint64(before[lane]) * WIDTH
        b = np.uint64(after[lane]) * WIDTH
        for k in range(WIDTH):
            by = gain[level * WIDTH + k] + lead[lane] * counted[k]
            sums[lane * WIDTH + k] += (table[a + k] - table[b + k]) * by


@helper
def note_first(before, after, cut, counting, level, rank, grade, hits):
    """Keeps rank and grade of each lane's first hit, and counts its hits, up to rank `cut`.

    Says whether there is more to note: of lanes without a hit, or if all hits are to be counted.
    """
    more = False
    for lane in range(LANES):
        first = min(before[lane], cut)
        last = min(after[lane], cut)
        if hits[lane] == 0 and last > first:
            rank[lane] = first + 1
            grade[lane] = level
        hits[lane] += last - first
        more |= first < cut and (counting or hits[lane] == 0)
    return more


@helper
def take_off(ranks, copies, judged, place, graded, depth, taken):
    """Takes the copies of a list's last document, whose rows begin at `place`, off `ranks`, down to `depth`.

    Those that are judged, if the document has a grade, are counted in `taken`. Says whether any rank is above `depth`
    still.
    """
    more = False
    for lane in range(LANES):
        over = max(ranks[lane] - depth, np.int32(0))
        off = min(over, np.int32(copies[place + lane]))
        ranks[lane] -= off
        if graded and judged[place + lane] > 0:
            taken[lane] += off
        more |= over > off
    return more
