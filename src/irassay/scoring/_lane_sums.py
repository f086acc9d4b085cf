"""Kernels that go down the lists of one topic in 32 images, and carry sums over their hits on."""

import numpy as np

from irassay.compute.kernel import PLAIN, kernel
from irassay.scoring._plain_rows import COLUMNS, LANES

if PLAIN:
    from irassay.scoring._plain_rows import add_rows, note_first, place_row, weigh_row
else:
    from irassay.scoring._row_intrinsics import add_rows, note_first, place_row, weigh_row


@kernel
def walk_sums(
    codes, bounds, at, starts, advance, hit, grades, length, limits, ranks, hits, limit, before, after, lead,
    table, gain, counted, sums, column, columns, times, counter, by_first, first, scale, sized, values, cuts, noted,
    noting, kept, size,
):  # fmt: skip
    """Values of one topic's lists in 32 images [measure, list, lane], and first hits; returns the longest size.

    Lists end at rank `length`, and at their own of `limits`, list `lane * systems + s`, where there are such; `size` is
    what is left of them [list, lane]. Tables are [pass, rank or grade, 4]. A measure is what is in its columns, `times`
    its hits up to a cut, and what row `first` of `by_first` has for the rank of the first one, over the divisor of the
    lane or the size of the list. What is noted up to each cut is in `kept` [cut, rank or grade or hits, list, lane].
    """
    systems = bounds.shape[0] - 1
    longest = np.int32(0)
    for s in range(systems):
        sums[:] = 0.0
        noted[:] = 0
        noting[:] = True
        ranks[:] = 0
        hits[:] = 0
        limit[:] = length
        for lane in range(LANES if limits.shape[0] > 0 else 0):
            limit[lane] = min(limits[lane * systems + s], length)
        i = bounds[s]
        for h in range(starts[s], starts[s + 1]):
            add_rows(ranks, codes, i, at[h], advance)
            i = at[h] + 1
            c = np.int64(codes[at[h]])
            g = np.int64(grades[c])
            place_row(ranks, hits, advance, hit, c * LANES, limit, before, after, lead)
            for k in range(table.shape[0]):
                weigh_row(before, after, lead, g, table[k], gain[k], counted[k], sums[k])
            for k in range(cuts.shape[0]):
                if noting[k]:
                    row = noted[k]
                    noting[k] = note_first(
                        before, after, cuts[k], cuts[k] < length, np.int32(g), row[0], row[1], row[2]
                    )
        add_rows(ranks, codes, i, bounds[s + 1], advance)
        sizes = size[s]
        for lane in range(LANES):
            longest = max(longest, ranks[lane])
            sizes[lane] = min(ranks[lane], limit[lane])
        for k in range(cuts.shape[0]):
            for lane in range(LANES if cuts[k] >= length else 0):
                noted[k, 2, lane] = hits[lane]
        for k in range(kept.shape[0]):
            for what in range(3):
                for lane in range(LANES):
                    kept[k, what, s, lane] = noted[k, what, lane]
        for m in range(values.shape[0]):
            row = values[m, s]
            seen = noted[counter[m]]
            for lane in range(LANES):
                row[lane] = times[m] * seen[2, lane]
            for k in range(column[m], column[m] + columns[m]):
                here = sums[k // COLUMNS]
                for lane in range(LANES):
                    row[lane] += here[lane * COLUMNS + k % COLUMNS]
            for lane in range(LANES if first[m] >= 0 else 0):
                row[lane] += by_first[first[m], seen[0, lane]]
            by = scale[m]
            if sized[m] > 0:
                for lane in range(LANES):
                    shown = float(min(sizes[lane], sized[m]))
                    row[lane] = row[lane] / shown if by[lane] > 0.0 and shown > 0.0 else 0.0
            else:
                for lane in range(LANES):
                    row[lane] = row[lane] / by[lane] if by[lane] > 0.0 else 0.0
    return longest


@kernel
def turn_values(values, places, out):
    """[measure, list, lane] to the places of [measure, lane, list]."""
    for m in range(values.shape[0]):
        for lane in range(LANES):
            for s in range(values.shape[1]):
                out[places[m], lane, s] = values[m, s, lane]


@kernel
def measure_lists(codes, bounds, advance, ranks, size):
    """The sizes of one topic's lists, list `lane * systems + s`."""
    systems = bounds.shape[0] - 1
    for s in range(systems):
        ranks[:] = 0
        add_rows(ranks, codes, bounds[s], bounds[s + 1], advance)
        for lane in range(LANES):
            size[lane * systems + s] = ranks[lane]
