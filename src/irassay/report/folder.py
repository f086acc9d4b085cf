"""Result folders: `result.json` and `tables/NAME.csv`, saved whole or not at all (`load` reads them).

For readers there may be the figures in `figures` and other forms of the tables; nothing is loaded from them.

Tables keep what CSV cannot say in `result.json`: every column has a type, and one whose cells differ in kind has a
letter for each. Text keeps its bytes; a surrogate that stands for no byte, which only a name made in memory can
hold, is written out as in every report.
"""

import math
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import BinaryIO

from irassay.errors import InputError
from irassay.files import temporary_neighbour
from irassay.progress import track
from irassay.report import artifacts
from irassay.report.csv_text import column_record, csv_parts, to_csv
from irassay.report.json_text import dump
from irassay.report.place import FORMAT, SAVING, claimed, exchange
from irassay.report.text import visible
from irassay.result import CHANNELS, Figure, Headline, Result, Table, long_columns

SCHEMA = 1

SAVE_AGAIN = "save the result again"
GIVE_RESULT = "give a folder made with --out"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]{0,99}")
_WINDOWS = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


def save_result(result: Result, folder: str | os.PathLike[str], *, readable: bool = False) -> None:
    """Save a result as a folder, which appears whole or not at all; an earlier result there is replaced.

    Folders on the way to it are made. Whatever goes wrong, an earlier result stays as it was. With `readable` the
    folder also has the figures as SVG, PDF and PNG and the tables as LaTeX, Markdown and, where the extra `parquet` is
    installed, Parquet.
    """
    names = file_names(table.name for table in result.tables)
    # what cannot be kept is found before all else
    files: dict[str, artifacts.Content] = {
        "result.json": dump(_result_record(result, [f"{name}.csv" for name in names]))
    }
    for name, table in zip(names, result.tables, strict=True):
        files[f"tables/{name}.csv"] = partial(_write_csv, table) if table.long else to_csv(table)
    if readable:
        files |= artifacts.tables(result, names)
        files |= artifacts.pictures(result, file_names(figure.name for figure in result.figures))
    try:
        with claimed(folder, wait=SAVING) as target:
            _replace(target, files)
    except OSError as problem:
        raise InputError(f"cannot save: {problem.strerror or problem}", os.fspath(folder)) from problem


def file_names(names: Iterable[str]) -> list[str]:
    """A file name without suffix for each name: itself where every system takes it, else numbered."""
    files: dict[str, str] = {}  # by their names in small letters: not every file system tells `a` from `A`
    for number, name in enumerate(names, 1):
        plain = _PLAIN_NAME.fullmatch(name) and not _WINDOWS.fullmatch(name) and not name.endswith(".")
        if not plain or name.lower() in files:
            name = f"unnamed-{number}"
            while name in files:
                name += "-"
        files[name.lower()] = name
    return list(files.values())


def _write_csv(table: Table, file: BinaryIO) -> None:
    for part in track(
        f"writing {visible(table.name)}", csv_parts(table), total=1 + -(-len(table) // long_columns.PART)
    ):
        file.write(part)


def _replace(target: Path, files: Mapping[str, artifacts.Content]) -> None:
    with temporary_neighbour(target) as fresh:
        (fresh / "tables").mkdir(parents=True)
        for name, content in files.items():
            (fresh / name).parent.mkdir(exist_ok=True)
            if isinstance(content, bytes):
                (fresh / name).write_bytes(content)
            else:
                with (fresh / name).open("wb") as file:
                    content(file)
        if target.exists():
            shutil.copymode(target, fresh)
        exchange(fresh, target)


def _result_record(result: Result, files: Sequence[str]) -> dict[str, object]:
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "numerics": result.numerics,
        "study": result.study,
        "provenance": _to_json(result.provenance),
        "warnings": [{"code": w.code, "what": w.what, "where": w.where} for w in result.warnings],
        "tables": [_table_record(table, file) for table, file in zip(result.tables, files, strict=True)],
        "figures": [_figure_record(figure) for figure in result.figures],
        "findings": list(result.findings),
        "notes": asdict(result.notes),
        "details": list(result.details),
        "order": result.order,
        "headline": _headline_record(result.headline),
    }


def _headline_record(headline: Headline) -> dict[str, object]:
    return {
        "title": headline.title,
        "verdict": dict(headline.verdict),
        "tables": dict(headline.tables),
        "concerns": [list(concern) for concern in headline.concerns],
    }


def _figure_record(figure: Figure) -> dict[str, object]:
    return {
        **{part: getattr(figure, part) for part in ("name", "kind", "table", *CHANNELS, "caption", "alt")},
        **{part: getattr(figure, part) for part in ("alpha", "order", "most")},
        "verdicts": list(figure.verdicts),
        "where": dict(figure.where),
        "labels": dict(figure.labels),
        "limits": {channel: list(ends) for channel, ends in figure.limits.items()},
        "marks": [mark._asdict() for mark in figure.marks],
    }


def _table_record(table: Table, file: str) -> dict[str, object]:
    columns = []
    for name, column in table.columns.items():
        try:
            record = column_record(column)
        except TypeError as problem:
            raise InputError(
                f"column {name!r} of table {table.name!r} cannot be kept: {problem}",
                hint="use text, numbers, True and False, None",
            ) from None
        if name in table.digits:
            record["digits"] = int(table.digits[name])
        if name in table.bold:
            record["bold"] = float(table.bold[name])
        if name in table.headers:
            record["header"] = list(table.headers[name])
        columns.append({"name": name, **record})
    long = {"long": True} if table.long else {}
    return {"name": table.name, "file": file, "rows": len(table), "caption": table.caption, "columns": columns, **long}


def _to_json(value: object) -> object:
    """The value as JSON that `load.from_json` undoes: `{"$": …}` is a number or a mapping that JSON does not have.

    Tuples and arrays become lists, paths text.
    """
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$": repr(float(value))}
    if isinstance(value, Mapping):
        if all(isinstance(key, str) for key in value) and "$" not in value:
            return {key: _to_json(inner) for key, inner in value.items()}
        if all(key is None or isinstance(key, (str, int, float)) for key in value):
            return {"$": [[_to_json(key), _to_json(inner)] for key, inner in value.items()]}
    elif isinstance(value, os.PathLike):
        return _to_json(os.fspath(value))
    elif hasattr(value, "tolist"):  # numpy's scalars and arrays
        return _to_json(value.tolist())
    elif isinstance(value, Iterable) and not isinstance(value, bytes):
        return [_to_json(inner) for inner in value]
    raise InputError(f"the provenance holds what a result folder cannot keep: {value!r}")
