"""Ready-made scores: trec_eval's output, long and wide CSV, Parquet; so topic-level studies need no runs."""

import io
import os
from collections.abc import Sequence
from pathlib import Path

from irassay.errors import InputError
from irassay.read.files import expand, load
from irassay.read.formats.csv_tables import read_csv
from irassay.read.registry import ScoreFormat, binary_format, formats
from irassay.read.score_cells import HINT, CellCollector, Cells, ScoreFile


def read_cells(paths: Sequence[str | os.PathLike[str]], measures: str | Sequence[str] | None) -> Cells:
    """What the files say of systems, topics and measures (`irassay.read_scores`)."""
    cells = CellCollector((measures,) if isinstance(measures, str) else tuple(measures or ()))
    files = expand(paths)
    if not files:
        raise InputError("no score table given")
    for path in files:
        _read_file(path, cells)
    return cells.checked()


def _read_file(path: Path, cells: CellCollector) -> None:
    binary = binary_format(formats(ScoreFormat), path)
    if binary is not None:
        binary.read(ScoreFile(path, [], 0), cells)
        return
    # surrogateescape: names are bytes in and the same bytes out; load() blanks a byte-order mark
    text = load(path).tobytes().decode("utf-8", "surrogateescape").removeprefix("   ")
    lines = list(io.StringIO(text, newline=""))
    first = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), None)
    if first is None:
        raise InputError("the file holds no scores", str(path), HINT)
    read = next((table.read for table in formats(ScoreFormat) if table.recognise(lines[first])), read_csv)
    read(ScoreFile(path, lines, first), cells)
