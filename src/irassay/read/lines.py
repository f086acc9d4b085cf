"""Lines of separated columns: where their cells stand, and the numbers in them."""

import csv
import io
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import compiled, kernels
from irassay.errors import InputError, Problem
from irassay.read import constants as scan
from irassay.read.constants import BLANKS, UNFINISHED
from irassay.read.files import Bytes, padded
from irassay.read.names import Names
from irassay.read.registry import TableFile
from irassay.read.tokens import DECIMAL, NAN, SHOWN, limited, lines_of, quoted

ASCII_BLANKS = re.compile(r"[\t-\r ]+")  # other white space is part of a name
UNIT_SEPARATOR = 31  # between cells that Python's csv had to read


class Layout(NamedTuple):
    """How many columns lines have, what stands between them, and the places of the columns that are wanted."""

    separator: int  # a byte, or BLANKS
    columns: int
    wanted: Sequence[int]
    what: str  # for messages


class Cells(NamedTuple):
    """The cells of the wanted columns; `skipped` has the lines without a row."""

    file: TableFile
    cells: list[Names]
    skipped: NDArray[np.int64]
    stats: NDArray[np.int64]

    def where(self, row: int) -> str:
        return f"{self.file.path}:{lines_of(np.array([row]), self.skipped)[0]}"

    def names(self, column: int, kind: str) -> Names:
        """Cells that are names: none may be empty."""
        names = self.cells[column]
        empty = np.flatnonzero(names.size == 0)
        if len(empty):
            raise InputError(f"the line names no {kind}", self.where(int(empty[0])), "give each line all its columns")
        return names

    def numbers(self, column: int, kind: str) -> NDArray[np.float64]:
        """Cells that are numbers, each that is none in an error."""
        value, fine = read_numbers(self.cells[column])
        problems: list[Problem] = []
        for row in np.flatnonzero(~fine).tolist():
            word = self.cells[column].name(row)
            if DECIMAL.fullmatch(word):
                value[row] = float(word)
            else:
                nan = word.lower().lstrip(b"+-") == b"nan"
                what = NAN if nan else f"{kind} {quoted(word)} is not a number"
                problems.append(Problem(what, self.where(row)))
        if problems:
            raise InputError.of(limited(problems, self.file.path), f"give every {kind} as a number")
        return value


def read_numbers(words: Names) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Decimal numbers, and whether each could be read here."""
    if not compiled():
        from irassay.read import plain_lines

        return plain_lines.read_numbers(words.words())
    from irassay.read import _columns

    value, fine = np.empty(words.rows), np.empty(words.rows, dtype=np.bool_)
    _columns.read_numbers(*words, value, fine)
    return value, fine


def first_line(data: Bytes) -> tuple[bytes, int, int]:
    """The first line that is not blank and not a comment, where the next one begins, and how many lines that is."""
    begin = number = 0
    while begin < len(data):
        piece = 4096
        while not len(ends := np.flatnonzero(data[begin : begin + piece] == scan.NEWLINE)):
            piece *= 4
        end = begin + int(ends[0])
        number += 1
        line = data[begin : min(end, begin + (1 << 20))].tobytes().strip()
        if line and not line.startswith(b"#"):
            return line, end + 1, number
        begin = end + 1
    return b"", begin, number


def split_file(file: TableFile, begin: int, lines_before: int, layout: Layout) -> Cells:
    """The cells of all lines from `begin` on; every line with too few or too many is in one error."""
    data = file.data
    lines = int(np.count_nonzero(data[begin:] == scan.NEWLINE))
    wanted = np.array(layout.wanted, dtype=np.int64)
    start, size = (np.zeros((len(wanted), lines), dtype=kind) for kind in (np.int64, np.int32))
    skipped = np.empty(lines + lines_before, dtype=np.int64)
    skipped[:lines_before] = np.arange(1, lines_before + 1)
    bad_line, bad_columns = np.empty(SHOWN, dtype=np.int64), np.empty(SHOWN, dtype=np.int64)
    stats = np.zeros(scan.STATS, dtype=np.int64)
    stats[scan.LINES] = stats[scan.SKIPPED] = lines_before
    out = (wanted, start, size, skipped, bad_line, bad_columns, stats)
    split_lines = kernels("irassay.read._columns", plain="irassay.read.plain_lines").split_lines
    if split_lines(data, begin, len(data), layout.separator, layout.columns, *out) == UNFINISHED:
        plain = file._replace(data=_plain_cells(file, begin, lines_before, layout))
        return split_file(plain, 0, lines_before, layout._replace(separator=UNIT_SEPARATOR))
    errors = int(stats[scan.ERRORS])
    if errors:
        shown = zip(bad_line[:errors].tolist(), bad_columns[:errors].tolist(), strict=True)
        what = f"expected {layout.columns} columns ({layout.what}), found"
        problems = [Problem(f"{what} {columns}", f"{file.path}:{line}") for line, columns in shown]
        if errors > len(problems):
            problems.append(Problem(f"{errors - len(problems)} more malformed lines", str(file.path)))
        raise InputError.of(problems, "give each line all its columns")
    rows = int(stats[scan.ROWS])
    if not rows:
        raise InputError("a header without rows" if begin else "the file has no rows", str(file.path), "give results")
    cells = [Names(data, start[w, :rows], size[w, :rows]) for w in range(len(wanted))]
    return Cells(file, cells, skipped[: stats[scan.SKIPPED]], stats)


def _plain_cells(file: TableFile, begin: int, lines_before: int, layout: Layout) -> Bytes:
    """The lines without quotes: cells as Python's csv reads them, each row in its last line."""
    text = file.data[begin:].tobytes().decode("utf-8", "surrogateescape")
    mark = "\t" if layout.separator == BLANKS else chr(layout.separator)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    out: list[str] = []
    try:
        for row in reader:
            cells = (" ".join(filter(None, ASCII_BLANKS.split(cell))) for cell in row)
            out += [""] * (reader.line_num - len(out) - 1) + [chr(UNIT_SEPARATOR).join(cells)]
    except csv.Error as problem:
        where = f"{file.path}:{lines_before + reader.line_num}"
        raise InputError(f"not CSV ({problem})", where, "check the quotes") from None
    return padded("\n".join([*out, ""]).encode("utf-8", "surrogateescape"))
