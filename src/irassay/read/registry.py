"""Input formats: what a file of `read/formats` declares, and how the declared ones are found.

TREC's own columns are what the tokeniser reads, and CSV is what a score table is otherwise: they are the defaults and
need no recognising. Everything else is recognised by its content, never by its name.
"""

import contextlib
import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from irassay.read import formats as package
from irassay.read.columns import Columns
from irassay.read.files import Bytes, open_regular
from irassay.read.score_cells import CellCollector, ScoreFile

Holds = Literal["judgments", "run"]


@dataclass(frozen=True)
class TextFormat:
    """Judgments or runs as text: `rewrite` turns every line into TREC's columns, so that line numbers stay."""

    holds: Holds
    recognise: Callable[[Bytes], bool]
    rewrite: Callable[[Bytes, Path], Bytes]
    run_order: str = "trec"  # of judgments: the order of runs that go with them, unless a user gives one
    name: str = "text"  # for messages


class TableFile(NamedTuple):
    """A file whose rows are wanted: `data` is its text, empty where the format is a binary one; `value` is "score" of
    runs and "grade" of judgments."""

    path: Path
    data: Bytes
    value: str


@dataclass(frozen=True)
class TableFormat:
    """Judgments or runs in files as columns, of one run or of several.

    A binary format is recognised by its first four bytes, `magic`; a text by its content and what it should hold.
    """

    name: str  # for messages
    read: Callable[[TableFile], Iterable[Columns]]
    magic: bytes = b""
    recognise: Callable[[Bytes, Holds], bool] = lambda data, holds: False


@dataclass(frozen=True)
class MemoryFormat:
    """Judgments or runs in memory. `columns(source, value, place)`: value is "score" or "grade"."""

    recognise: Callable[[Any], bool]
    columns: Callable[[Any, str, str], Columns]


@dataclass(frozen=True)
class ScoreFormat:
    """A table of ready-made scores, whose cells `read` adds to those of other files.

    A binary format is recognised by its first four bytes, `magic`; a text by its first line with content.
    """

    read: Callable[[ScoreFile, CellCollector], None]
    magic: bytes = b""
    recognise: Callable[[str], bool] = lambda line: False


Format = TypeVar("Format", TextFormat, TableFormat, MemoryFormat, ScoreFormat)
Binary = TypeVar("Binary", TableFormat, ScoreFormat)


@cache
def formats(kind: type[Format]) -> tuple[Format, ...]:
    """All formats of a kind."""
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."))
    modules = map(importlib.import_module, names)
    return tuple(value for module in modules for value in vars(module).values() if isinstance(value, kind))


def binary_format(candidates: Iterable[Binary], path: Path) -> Binary | None:
    """The one of the formats with whose magic bytes the file begins."""
    magic = b""
    with contextlib.suppress(OSError), open_regular(path) as stream:  # reading says what is wrong
        magic = stream.read(4)
    return next((format_ for format_ in candidates if format_.magic and format_.magic == magic), None)
