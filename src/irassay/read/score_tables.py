"""Ready-made scores: trec_eval's output, long and wide CSV, Parquet; so topic-level studies need no runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from irassay.errors import InputError
from irassay.read.files import expand
from irassay.read.formats.csv_tables import read_csv
from irassay.read.registry import ScoreFormat, formats
from irassay.read.score_cells import CellCollector, Cells, ScoreFile


def read_cells(paths: Sequence[str | os.PathLike[str]], measures: str | Sequence[str] | None) -> Cells:
    """What the files say of systems, topics and measures (`irassay.read_scores`)."""
    cells = CellCollector((measures,) if isinstance(measures, str) else tuple(measures or ()))
    files = [ScoreFile(path) for path in expand(paths)]
    if not files:
        raise InputError("no score table given")
    for file in files:
        _reader_of(file)(file, cells)
    return cells.checked()


def _reader_of(file: ScoreFile) -> Callable[[ScoreFile, CellCollector], None]:
    tables = formats(ScoreFormat)
    binary = next((table.read for table in tables if table.magic and table.magic == file.magic), None)
    return binary or next((table.read for table in tables if table.recognise(file.lines[file.first])), read_csv)
