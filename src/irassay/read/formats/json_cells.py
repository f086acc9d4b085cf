"""Scores as JSONL: one record in each line, with the names of columns that tables have."""

import json
from typing import Any

from irassay.errors import InputError
from irassay.read.files import stem
from irassay.read.registry import ScoreFormat
from irassay.read.score_cells import HINT, KINDS, CellCollector, ScoreFile
from irassay.read.table_shapes import long_table

TOPIC = KINDS[1]


def _record(line: str) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _recognise(line: str) -> bool:
    record = _record(line) if line.lstrip().startswith("{") else None
    return record is not None and any(name.lower() in TOPIC for name in record)


def _read(file: ScoreFile, cells: CellCollector) -> None:
    lines = [(f"{file.path}:{n}", line) for n, line in enumerate(file.lines, start=1) if line.strip()]
    records = [(where, _record(line)) for where, line in lines]
    header: list[str] = list(records[0][1] or ())
    rows: list[tuple[str, list[object]]] = []
    for where, record in records:
        if record is None or set(record) != set(header):
            what = "not a JSON object" if record is None else f"not the fields {', '.join(header)} of the first record"
            raise InputError(what, where, HINT)
        # ir_measures -q writes the means over topics too
        if "all" not in [record[name] for name in header if name.lower() in TOPIC]:
            rows.append((where, [record[name] for name in header]))
    if not any(name.lower() in KINDS[0] for name in header):  # one run, called by its file
        header = ["system", *header]
        rows = [(where, [stem(file.path), *row]) for where, row in rows]
    cells.add_table(file, *long_table(header, rows, several=cells.several))


JSON_CELLS = ScoreFormat(_read, recognise=_recognise)
