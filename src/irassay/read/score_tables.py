"""Ready-made scores: trec_eval's output, long and wide CSV, Parquet; so topic-level studies need no runs."""

import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from irassay.errors import InputError
from irassay.read.files import expand, load, stem
from irassay.read.formats.csv_tables import read_csv
from irassay.read.registry import ScoreFormat, binary_format, formats
from irassay.read.score_cells import HINT, SUFFIX, CellCollector, Cells, ScoreFile

NO_SCORES = ("model_meta.json",)  # in MTEB's folders


def read_cells(
    paths: Sequence[str | os.PathLike[str]], measures: str | Sequence[str] | None, *, several: bool = False
) -> Cells:
    """What the files say of systems, topics and measures (`irassay.read_scores`).

    With `several` they are of several collections: a table may name these, a folder that has folders below it has one
    for each system, and a file that names no collection is called after it.
    """
    cells = CellCollector((measures,) if isinstance(measures, str) else tuple(measures or ()), several=several)
    files = [named for path in paths for named in _named_files(path)] if several else _plain(expand(paths))
    if not files:
        raise InputError("no score table given")
    for path, collection, system in files:
        _read_file(path, collection, system, cells)
    return cells.checked()


def _plain(paths: Iterable[Path]) -> list[tuple[Path, str, str]]:
    return [(path, "", "") for path in paths]


def _named_files(source: str | os.PathLike[str]) -> list[tuple[Path, str, str]]:
    """Files with their collection and system, the latter empty where no folder names it."""
    root = Path(source)
    below = sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else []
    if not any(not path.name.startswith(".") for path in below):
        return [(path, SUFFIX.sub("", stem(path)), "") for path in expand([source])]
    files = sorted(path for path in root.rglob("*") if path.is_file() and path.parent != root)
    hidden = [path for path in files if any(part.startswith(".") for part in path.relative_to(root).parts)]
    return [
        (path, SUFFIX.sub("", stem(path)), path.relative_to(root).parts[0])
        for path in files
        if path not in hidden and path.name not in NO_SCORES
    ]


def _read_file(path: Path, collection: str, system: str, cells: CellCollector) -> None:
    binary = binary_format(formats(ScoreFormat), path)
    if binary is not None:
        binary.read(ScoreFile(path, [], 0, collection, system), cells)
        return
    # surrogateescape: names are bytes in and the same bytes out; load() blanks a byte-order mark
    text = load(path).tobytes().decode("utf-8", "surrogateescape").removeprefix("   ")
    lines = list(io.StringIO(text, newline=""))
    first = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), None)
    if first is None:
        raise InputError("the file holds no scores", str(path), HINT)
    read = next((table.read for table in formats(ScoreFormat) if table.recognise(lines[first])), read_csv)
    read(ScoreFile(path, lines, first, collection, system), cells)
