"""Kernels for lines of separated columns, and for names that stand anywhere in an array of bytes."""

from irassay.compute.kernel import kernel
from irassay.compute.words import is_blank
from irassay.read._numbers import number
from irassay.read._tokens import same
from irassay.read.constants import (
    BLANKS,
    COMMENTS,
    ERRORS,
    HASH,
    LINES,
    NEWLINE,
    ROWS,
    SKIPPED,
    UNFINISHED,
)

QUOTE = 34


@kernel
def split_lines(data, begin, end, separator, columns, wanted, start, size, skipped, error_line, error_columns, stats):
    """Where the cells of the `wanted` columns stand [wanted, rows], without quotes and blanks around them.

    `skipped` gets the lines without a row; `stats` counts as in `constants`, from the line `stats[LINES]` on.
    """
    row = 0
    line = stats[LINES]
    i = begin
    while i < end:
        line += 1
        j = i
        while data[j] != NEWLINE and is_blank(data[j]):
            j += 1
        if data[j] == NEWLINE or data[j] == HASH:
            stats[COMMENTS] += data[j] == HASH
            while data[j] != NEWLINE:
                j += 1
            i = j + 1
            skipped[stats[SKIPPED]] = line
            stats[SKIPPED] += 1
            continue
        column = 0
        if separator == BLANKS:
            i = j
        while True:
            while data[i] != separator and data[i] != NEWLINE and is_blank(data[i]):
                i += 1
            first = i
            if separator != BLANKS and data[i] == QUOTE:
                first += 1
                i += 1
                while data[i] != QUOTE and data[i] != NEWLINE:
                    i += 1
                if data[i] == NEWLINE:
                    return UNFINISHED
                last = i
                i += 1
                while data[i] != separator and data[i] != NEWLINE and is_blank(data[i]):
                    i += 1
                if data[i] != separator and data[i] != NEWLINE:
                    return UNFINISHED
            elif separator == BLANKS:
                while not is_blank(data[i]):
                    i += 1
                last = i
                while data[i] != NEWLINE and is_blank(data[i]):
                    i += 1
            else:
                while data[i] != separator and data[i] != NEWLINE:
                    i += 1
                last = i
                while last > first and is_blank(data[last - 1]):
                    last -= 1
            for w in range(wanted.shape[0]):
                if wanted[w] == column:
                    start[w, row] = first
                    size[w, row] = last - first
            column += 1
            if data[i] == NEWLINE:
                break
            if separator != BLANKS:
                i += 1
        i += 1
        if column == columns:
            row += 1
        else:
            skipped[stats[SKIPPED]] = line
            stats[SKIPPED] += 1
            if stats[ERRORS] < error_line.shape[0]:
                error_line[stats[ERRORS]] = line
                error_columns[stats[ERRORS]] = column
            stats[ERRORS] += 1
    stats[ROWS] = row
    stats[LINES] = line
    return 0


@kernel
def read_numbers(data, start, size, value, fine):
    """Decimal numbers, and whether each could be read here; of the others Python's `float` decides."""
    for row in range(start.shape[0]):
        value[row] = 0.0
        fine[row] = False
        if size[row] > 0:
            x, read = number(data, start[row], start[row] + size[row])
            value[row] = x
            fine[row] = read


@kernel
def changes(data, start, size, out):
    """Whether each name is another than the one before it."""
    for row in range(start.shape[0]):
        out[row] = row == 0 or size[row] != size[row - 1] or not same(data, start[row - 1], start[row], size[row])
