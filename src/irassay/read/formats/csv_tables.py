"""Long and wide tables as CSV, separated by commas, semicolons or tabs."""

import csv

from irassay.errors import InputError
from irassay.formulas import unguarded
from irassay.read.score_cells import HINT, CellCollector, ScoreFile
from irassay.read.table_shapes import long_table


def read_csv(file: ScoreFile, cells: CellCollector) -> None:
    """The format of every score table that no other format recognises."""
    lines, first = file.lines, file.first
    # the separator that finds the most columns in the header
    reader = csv.reader(lines[first : first + 1])
    try:
        mark = max(",;\t", key=lambda mark: len(next(csv.reader(lines[first : first + 1], delimiter=mark))))
        reader = csv.reader(lines[first:], delimiter=mark, strict=True)
        rows = [(f"{file.path}:{first + reader.line_num}", row) for row in reader if "".join(row).strip()]
    except csv.Error as problem:
        where = f"{file.path}:{first + max(reader.line_num, 1)}"
        raise InputError(f"not CSV ({problem})", where, "check the quotes") from None
    rows = [(where, [unguarded(cell) for cell in row]) for where, row in rows]
    if not rows or len(rows[0][1]) == 1:
        raise InputError("not a score table", str(file.path), f"give trec_eval -q output, Parquet or CSV; {HINT}")
    cells.add_table(file, *long_table(rows[0][1], rows[1:], several=cells.several))
