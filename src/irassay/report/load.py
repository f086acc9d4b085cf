"""Results from their folders, bit for bit as they were saved."""

import json
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from irassay.errors import InputError, IrassayWarning
from irassay.headers import Header
from irassay.report.folder import GIVE_RESULT, SAVE_AGAIN, SCHEMA, file_names
from irassay.report.place import CHECKPOINT, FORMAT, present
from irassay.report.table_file import read_bytes, table_file
from irassay.report.text import encode
from irassay.result import CHANNELS, Concern, Figure, Headline, Mark, Notes, Result, Table

T = TypeVar("T")
TRIES, PAUSE = 50, 0.02  # of reading a folder that is being replaced; seconds


def from_json(value: object) -> Any:
    if isinstance(value, list):
        return [from_json(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    if value.keys() != {"$"}:
        return {key: from_json(inner) for key, inner in value.items()}
    inner = value["$"]
    return float(inner) if isinstance(inner, str) else {from_json(key): from_json(one) for key, one in inner}


def load_result(folder: str | os.PathLike[str]) -> Result:
    """The result that was saved in a folder: the same tables, figures, warnings and provenance.

    In the provenance tuples and arrays have become lists and paths text. What only numpy's arrays tell (their
    types) is kept too.
    """
    for _ in range(TRIES):
        root = present(Path(folder))
        before = _identity(root)
        try:
            result = _load(root)
        except InputError:
            # an earlier result is removed file by file, when there is a new one in its place
            if _identity(root) == before and present(Path(folder)) == root:
                raise
        else:
            if _identity(root) == before:
                return result
        time.sleep(PAUSE)  # it was replaced meanwhile: what was read may be of two results
    raise InputError("this folder is replaced again and again", str(folder), "wait until that is done")


def _identity(root: Path) -> tuple[int, ...] | None:
    """Which folder has this name now; with its times, because a new one may have the number of one that is gone."""
    try:
        status = root.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns


def _load(root: Path) -> Result:
    place = root / "result.json"
    content = _read_json(root, place)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError("this is not the result.json of an irassay result", str(place), GIVE_RESULT)
    schema = content.get("schema")
    if isinstance(schema, int) and schema > SCHEMA:
        raise InputError(
            f"a newer irassay saved this (schema {schema}; this one reads up to {SCHEMA})",
            str(place),
            "pip install --upgrade irassay",
        )
    try:
        return _result(content, root)
    except InputError as problem:
        raise InputError(f"damaged: {problem.what}", problem.where or str(place), problem.hint or SAVE_AGAIN) from None


def _read_json(root: Path, place: Path) -> object:
    try:
        return json.loads(read_bytes(place).decode())
    except (FileNotFoundError, NotADirectoryError):
        if not root.is_dir():
            what = "this is a file, not a folder" if root.exists() else "there is no such folder"
            raise InputError(what, str(root), GIVE_RESULT) from None
        inside = sorted(place.parent.name for place in root.glob("*/result.json"))
        hint = f"it has results inside: {', '.join(inside)}" if inside else GIVE_RESULT
        raise InputError("this folder is no irassay result: it has no result.json", str(root), hint) from None
    except OSError as problem:
        raise InputError(f"cannot read: {problem.strerror or problem}", str(place)) from problem
    except json.JSONDecodeError as problem:
        raise InputError(f"damaged: {problem.msg}", f"{place}:{problem.lineno}", SAVE_AGAIN) from None
    except (ValueError, RecursionError) as problem:
        raise InputError(f"damaged: {problem}", str(place), SAVE_AGAIN) from None


def _field(record: object, key: str, kind: type[T]) -> T:
    value = record.get(key) if isinstance(record, dict) else None
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise InputError(f"{key!r} is missing or of the wrong type")
    return value


def _result(content: dict[str, object], root: Path) -> Result:
    try:
        provenance = dict(from_json(_field(content, "provenance", dict)))
    except (TypeError, ValueError, RecursionError):
        raise InputError("'provenance' cannot be read") from None
    if _field(content, "schema", int) != SCHEMA:
        raise InputError(f"there is no schema {content['schema']}")
    return Result(
        _field(content, "study", str),
        tuple(_table(record, root / "tables") for record in _field(content, "tables", list)),
        tuple(
            IrassayWarning(_field(w, "code", str), _field(w, "what", str), _field(w, "where", str))
            for w in _field(content, "warnings", list)
        ),
        provenance,
        tuple(map(_figure, _field(content, "figures", list))),
        _field(content, "numerics", int),
        **_description(content),
    )


def _description(content: dict[str, object]) -> dict[str, Any]:
    """Findings and notes; version 0.1 saved none."""
    if "notes" not in content:
        return {}
    notes = _field(content, "notes", dict)
    return {
        "findings": _texts(content, "findings"),
        "notes": Notes(
            question=_field(notes, "question", str),
            how=_field(notes, "how", str),
            distrust=_field(notes, "distrust", str),
            references=_texts(notes, "references"),
        ),
        "details": _texts(content, "details"),
        "order": _field(content, "order", int),
        "headline": _headline(content),
    }


def _headline(content: dict[str, object]) -> Headline:
    """What goes on the first screen of a report; earlier versions saved none."""
    if "headline" not in content:
        return Headline()
    record = _field(content, "headline", dict)
    verdict, tables = _field(record, "verdict", dict), _field(record, "tables", dict)
    concerns = [_list_of(concern, float, str, str) for concern in _field(record, "concerns", list)]
    return Headline(
        _field(record, "title", str),
        {key: _field(verdict, key, str) for key in verdict},
        {key: _field(tables, key, str) for key in tables},
        tuple(Concern(*concern) for concern in concerns),
    )


def _list_of(value: object, *kinds: type) -> list[Any]:
    """A list with values of these kinds, one of each."""
    if not isinstance(value, list) or [type(one) for one in value] != list(kinds):
        raise InputError(f"there is no list of {', '.join(kind.__name__ for kind in kinds)}")
    return value


def _texts(record: object, key: str) -> tuple[str, ...]:
    texts = _field(record, key, list)
    if not all(isinstance(text, str) for text in texts):
        raise InputError(f"{key!r} is of the wrong type")
    return tuple(texts)


def _figure(record: object) -> Figure:
    if not isinstance(record, dict):
        raise InputError("a figure is of the wrong type")
    channels: dict[str, Any] = {c: _field(record, c, str) for c in CHANNELS if record.get(c) is not None}
    labels = _field(record, "labels", dict)
    # those of earlier versions have none of these
    further: dict[str, Any] = {
        part: _field(record, part, kind)
        for part, kind in (("alpha", float), ("order", str), ("most", int))
        if record.get(part) is not None
    }
    if "verdicts" in record:
        further["verdicts"] = tuple(_list_of(_field(record, "verdicts", list), str, str, str))
    return Figure(
        _field(record, "name", str),
        _field(record, "kind", str),
        _field(record, "table", str),
        **({"x": _field(record, "x", str), "y": _field(record, "y", str)} | channels),
        **further,
        where=_field(record, "where", dict) if "where" in record else {},
        labels={channel: _field(labels, channel, str) for channel in labels},
        limits=_limits(_field(record, "limits", dict)) if "limits" in record else {},
        caption=_field(record, "caption", str),
        alt=_field(record, "alt", str),
        marks=tuple(
            Mark(
                _field(mark, "axis", str),
                _field(mark, "at", float),
                _field(mark, "label", str),
                _field(mark, "facet", str) if "facet" in mark else "",
            )
            for mark in _field(record, "marks", list)
        ),
    )


def _limits(record: dict[str, object]) -> dict[str, tuple[Any, Any]]:
    """Where axes end, each two numbers or null."""
    limits: dict[str, tuple[Any, Any]] = {}
    for channel in record:
        ends = _field(record, channel, list)
        if len(ends) != 2 or not all(end is None or isinstance(end, (int, float)) for end in ends):
            raise InputError(f"the limits of {channel!r} are of the wrong type")
        limits[channel] = (ends[0], ends[1])
    return limits


def _table(record: object, tables: Path) -> Table:
    name, file = _field(record, "name", str), _field(record, "file", str)
    if not file.endswith(".csv") or file_names([file[:-4]]) != [file[:-4]]:
        raise InputError(f"{file!r} is not the name of a table's file")
    place = tables / file
    columns = _field(record, "columns", list)
    names = [_field(column, "name", str) for column in columns]
    try:
        content = table_file(place, columns, long=isinstance(record, dict) and record.get("long") is True)
    except FileNotFoundError:
        raise InputError(f"table {name!r} is missing", str(place)) from None
    except OSError as problem:
        raise InputError(f"cannot read: {problem.strerror or problem}", str(place)) from problem
    # in the file a name has been through bytes, and no column at all is an empty line
    expected = [encode(one).decode("utf-8", "surrogateescape") for one in names] or [""]
    if content.header != expected or len(set(names)) < len(names):
        raise InputError(f"the columns are {', '.join(content.header)}, not {', '.join(expected)}", str(place))
    if content.rows != _field(record, "rows", int):
        raise InputError(f"{content.rows} rows instead of {_field(record, 'rows', int)}", str(place))
    return Table(
        name,
        content.columns(),
        _field(record, "caption", str),
        {one: _field(column, "digits", int) for one, column in zip(names, columns, strict=True) if "digits" in column},
        {one: _field(column, "bold", float) for one, column in zip(names, columns, strict=True) if "bold" in column},
        {
            one: Header(*_list_of(_field(column, "header", list), str, str, str))
            for one, column in zip(names, columns, strict=True)
            if "header" in column
        },
    )


def collect_results(folders: Iterable[str | os.PathLike[str]]) -> list[tuple[str, Result]]:
    """Name and result of every result folder: the given ones, and those below a given one, each once.

    Below a folder they come in the order of their studies: what is in the data, then how far to trust it.
    """
    results: list[tuple[str, Result]] = []
    seen: set[str] = set()
    for folder in folders:
        root = Path(folder)
        places = [root] if (root / "result.json").exists() or not root.is_dir() else _below(root)
        if not places:
            raise InputError("there is no irassay result in this folder", str(folder), GIVE_RESULT)
        paths = {os.path.realpath(place): place for place in places}
        loaded = [(Path(path).name, load_result(place)) for path, place in paths.items() if path not in seen]
        seen |= paths.keys()
        results += sorted(loaded, key=lambda named: named[1].order)
    return results


def _below(root: Path) -> list[Path]:
    places = []
    for place, inside, files in os.walk(root):
        # half-written neighbours and results themselves have nothing more inside
        ended = "result.json" in files
        inside[:] = [] if ended else [name for name in inside if not name.startswith(".") and name != CHECKPOINT]
        if "result.json" in files:
            places.append(Path(place))
    return sorted(places)
