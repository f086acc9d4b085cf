"""CSV: all digits, undefined cells empty, and no name that a spreadsheet would run as a formula.

To read it back, the record of a column says what CSV cannot: its type, and what its empty cells are.
"""

import contextlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from irassay.errors import InputError
from irassay.formulas import guarded, unguarded
from irassay.report.text import encode, undefined
from irassay.result import Column, Table, long_columns, python_values
from irassay.result.long_columns import LongColumn

# What CSV needs quotes for, and what a program with another idea of separators and lines would split at.
_QUOTED = re.compile(r'[",;|\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]')

# A cell and what ends it. By hand: Python's csv module limits the length of a cell and skips empty lines.
_CELL = re.compile(r'(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n)')

# One letter for each kind of cell: the four types, None and NaN.
_LETTERS = {"boolean": "b", "integer": "i", "number": "f", "text": "t"}
_TYPES = {letter: kind for kind, letter in _LETTERS.items()}
_UNDEFINED = {"null": "n", "nan": "x"}
_UNDEFINED_NAMES = {letter: name for name, letter in _UNDEFINED.items()}
# A bool is an int too: the first type that fits counts.
_PYTHON_TYPES = {float: "f", str: "t", bool: "b", int: "i", type(None): "n"}
# What a numpy column may be: its dtype's kind, and the letter of its cells.
_ARRAYS = {"b": "b", "i": "i", "u": "i", "f": "f", "U": "t"}
# Bytes that an array of text may take beyond what its text takes, so many times.
_SPACE, _SPACE_RATIO = 1 << 24, 1000
_DTYPE = re.compile(r"\|b1|[<>|][iu][1248]|[<>]f[248]|[<>]U[0-9]{1,9}|\|O")


def to_csv(table: Table) -> bytes:
    """The table as CSV with a header line; floats in their shortest exact form."""
    return b"".join(csv_parts(table))


def csv_parts(table: Table) -> Iterator[bytes]:
    """The same part by part."""
    yield encode(",".join(map(_cell, table.columns)) + "\n")
    texts = [_texts(column) for column in table.columns.values()]
    for low in range(0, len(table), long_columns.PART):
        high = min(low + long_columns.PART, len(table))
        lines = map(",".join, zip(*(cells(low, high) for cells in texts), strict=True))
        yield encode("\n".join([*lines, ""]))


def _texts(column: Column) -> Callable[[int, int], Iterable[str]]:
    """What gives the texts of so many cells; of a long column with labels each of these is made once."""
    if isinstance(column, LongColumn) and column.labels is not None:
        read, texts = column.read, list(map(_cell, column.labels))
        return lambda low, high: map(texts.__getitem__, read(low, high).tolist())
    return lambda low, high: _cells(python_values(column[low:high]))


def _cells(values: Sequence[object]) -> list[str]:
    """Cells as text. Many of a single type are not asked for the type of each."""
    kinds = set(map(type, values))
    if kinds == {float}:
        return ["" if value != value else repr(value) for value in values]  # NaN
    if kinds == {str}:
        texts = {value: _cell(value) for value in set(values)}
        return [texts[value] for value in values]
    return list(map(_cell, values))


def _cell(value: object) -> str:
    if undefined(value):
        return ""
    if isinstance(value, str):
        text = guarded(value)
        # by hand: Python's csv module before 3.13 leaves a lone carriage return bare
        return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text
    return repr(value) if isinstance(value, float) else str(value)


def from_csv(content: bytes, where: str) -> list[list[str]]:
    """What `to_csv` wrote, as text: the header, then the rows. `where` names the file in errors."""
    text = content.decode("utf-8", "surrogateescape")
    rows: list[list[str]] = []
    row: list[str] = []
    place = 0
    while place < len(text):
        match = _CELL.match(text, place)
        if match is None:
            raise InputError("not CSV, or cut off", f"{where}:{text.count(chr(10), 0, place) + 1}")
        quoted, bare, end = match.groups()
        cell = bare if quoted is None else quoted.replace('""', '"')
        row.append(unguarded(cell))
        if end != ",":
            rows.append(row)
            row = []
        place = match.end()
    if row or not rows:
        raise InputError("cut off", where)
    return rows


def column_record(column: Column) -> dict[str, object]:
    """The type of a column, what its empty cells are, and its dtype where it is an array; of a long one its labels."""
    if isinstance(column, LongColumn):
        return _long_record(column)
    record: dict[str, object] = {}
    default = "f"  # of a column without a single value
    if isinstance(column, np.ndarray):
        if column.ndim != 1 or not _DTYPE.fullmatch(column.dtype.str):
            raise TypeError(f"an array of {column.dtype}, {column.ndim} dimensions")
        record["array"] = column.dtype.str
        default = _ARRAYS.get(column.dtype.kind, default)
    values = python_values(column)
    letters = "".join(map(_letter, values))
    blanks = set(letters) & set(_UNDEFINED_NAMES)
    defined = sorted(set(letters) - blanks) or [default]
    empty_text = "t" in defined and blanks and "" in values
    if len(defined) > 1 or len(blanks) > 1 or empty_text:
        return {"type": "mixed", "cells": letters, **record}
    if blanks:
        record["undefined"] = _UNDEFINED_NAMES[blanks.pop()]
    return {"type": _TYPES[defined[0]], **record}


def _long_record(column: LongColumn) -> dict[str, object]:
    if column.labels is not None:
        return {"type": _TYPES["t"], "labels": list(column.labels)}
    record: dict[str, object] = {"type": _TYPES[_ARRAYS[column.dtype.kind]]}
    if column.dtype.kind == "f" and any(np.isnan(column.read(*part)).any() for part in column.parts()):
        record["undefined"] = _UNDEFINED_NAMES["x"]
    return record


def _letter(value: object) -> str:
    for kind, letter in _PYTHON_TYPES.items():
        if isinstance(value, kind):
            return "x" if letter == "f" and undefined(value) else letter
    raise TypeError(f"it holds {value!r}")


def column_from(record: Mapping[str, object], texts: Sequence[str], where: str) -> Column:
    """The column that `column_record` described, from its cells in a CSV file; `where` names the file in errors."""
    kind = record.get("type")
    if kind == "mixed":
        letters: Sequence[str] = str(record.get("cells"))
    elif isinstance(kind, str) and kind in _LETTERS:
        letter = _LETTERS[kind]
        blank = _UNDEFINED.get(str(record.get("undefined")), letter)
        letters = [letter if text else blank for text in texts]
    else:
        raise InputError(f"column {record['name']!r} is of no known type: {kind!r}")
    if len(letters) != len(texts):
        raise InputError(f"column {record['name']!r} has {len(letters)} kinds of cells for {len(texts)} cells")
    values = []
    for number, (letter, text) in enumerate(zip(letters, texts, strict=True), 1):
        try:
            values.append(_value(letter, text))
        except (ValueError, KeyError):
            raise InputError(
                f"row {number}, column {record['name']!r}: {text!r} is not what was saved ({kind})", where
            ) from None
    return _array(values, record) if "array" in record else values


def _value(letter: str, text: str) -> object:
    """The value that was written as this text; anything not written that way is an error."""
    if letter == "t":
        return text
    if letter in ("f", "i"):
        value = float(text) if letter == "f" else int(text)
        if repr(value) != text:
            raise ValueError(text)
        return value
    return {("b", "True"): True, ("b", "False"): False, ("n", ""): None, ("x", ""): math.nan}[letter, text]


def _array(values: list[object], record: Mapping[str, object]) -> Column:
    dtype = record["array"]
    if isinstance(dtype, str) and _DTYPE.fullmatch(dtype):
        with contextlib.suppress(ValueError, TypeError, OverflowError, MemoryError):
            kind = np.dtype(dtype)
            letter = _ARRAYS.get(kind.kind)
            # an array of text has as much space for every cell as it says, which no longest cell may need
            fits = kind.itemsize * len(values) <= _SPACE + _SPACE_RATIO * sum(len(str(value)) for value in values)
            if fits and (letter is None or _TYPES[letter] == record["type"]):
                return np.array(values, dtype=kind)
    raise InputError(f"column {record['name']!r} cannot be an array of {dtype!r}")
