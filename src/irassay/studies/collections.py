"""Collections and the collections file: what each is made of, and the options that belong to it.

Imports nothing heavy: commands come with it.
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from irassay.errors import InputError
from irassay.files import is_path
from irassay.settings import options
from irassay.studies import registry

SUFFIX = ".toml"
TABLE = "collection"  # [[collection]]: one table for each
OWN = ("name", "qrels", "runs")  # keys of a collection that are no options
FULL_STUDY_ONLY = ("only", "title")  # which parts there are, and what a collection calls its name


@dataclass(frozen=True, kw_only=True, eq=False)
class Collection:
    """Judgments and runs with a name, and the options of studies that belong to them.

    `qrels` and `runs` are all that a study takes: paths, directories, globs, frames, `Qrels` and `Runs`, or a `Panel`
    or `Scores` as `qrels` alone. `options` are settings of any study by name, such as corpus_size; a study takes those
    it knows. `source` is the collections file, for errors; paths in `options` are relative to its folder.
    """

    name: str
    qrels: Any = None
    runs: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise InputError("a collection has no name", self.source, "give each its own, such as name = 'TREC-8'")
        for key in self.options:
            if key not in known_options():
                raise InputError(f"no study has an option {key!r}", self.where, _suggestion(key, known_options()))
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))

    @property
    def where(self) -> str:
        """The collection as errors name it."""
        return f"{self.source}: collection {self.name}" if self.source else f"collection {self.name}"

    @property
    def folder(self) -> Path:
        """Where its relative paths begin."""
        return Path(self.source).parent


@cache
def known_options() -> frozenset[str]:
    """The names of the options of all studies of data."""
    names: set[str] = set()
    for study in registry.studies().values():
        if study.data != "none":
            names.update(options(registry.load(study.settings)))
    return frozenset(names.difference(FULL_STUDY_ONLY))


def read_collections(path: str | os.PathLike[str]) -> tuple[Collection, ...]:
    """The collections of a collections file (`irassay init` writes one), in its order.

    Keys before the first [[collection]] are options of all of them; a collection's own come before these. Paths are
    relative to the file.
    """
    source = os.fspath(path)
    content = _parse(source)
    tables = content.pop(TABLE, None)
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise InputError("there is no collection in it", source, "begin each with a line [[collection]]")
    shared = _normalised(content, source)
    for key in shared:
        if key in OWN:
            raise InputError(f"{key!r} belongs to a collection", source, "write it below a line [[collection]]")
        if key not in known_options():
            raise InputError(f"no study has an option {key!r}", source, _suggestion(key, known_options() | {TABLE}))
    collections = [_collection(table, number, shared, source) for number, table in enumerate(tables, 1)]
    check_names(collections)
    return tuple(collections)


def _parse(source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(source).read_bytes().decode())
    except FileNotFoundError:
        raise InputError("no such file", source, "irassay init writes a collections file") from None
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror or problem})", source) from None
    except UnicodeDecodeError:
        raise InputError("this is not UTF-8 text", source, "a collections file is TOML, in UTF-8") from None
    except tomllib.TOMLDecodeError as problem:
        what = str(problem)
        line = re.search(r" \(at line ([0-9]+), column [0-9]+\)", what)
        where = f"{source}:{line[1]}" if line else source
        what = what.replace(line[0], "") if line else what
        raise InputError(f"this is not TOML: {what}", where, "text stands in quotes: name = 'TREC-8'") from None


def _collection(table: dict[str, Any], number: int, shared: Mapping[str, Any], source: str) -> Collection:
    name = table.get("name")
    where = f"{source}: collection {name if isinstance(name, str) and name.strip() else f'number {number}'}"
    table = _normalised(table, where)
    if not isinstance(name, str) or not name.strip():
        raise InputError("'name' is missing, or no text", where, "give each collection its own name")
    unknown = [key for key in table if key not in (*OWN, *known_options())]
    if unknown:
        hint = _suggestion(unknown[0], {*OWN, *known_options()})
        raise InputError(f"no study has an option {unknown[0]!r}", where, hint)
    collection = Collection(
        name=name,
        options={**shared, **{key: value for key, value in table.items() if key not in OWN}},
        source=source,
    )
    if "scores" not in collection.options:
        for key in ("qrels", "runs"):
            if key not in table:
                raise InputError(f"{key!r} is missing", where, "a collection has qrels and runs, or scores")
    qrels, runs = (_paths(table.get(key), key, where, collection.folder) for key in ("qrels", "runs"))
    if len(qrels) > 1:
        raise InputError("'qrels' is more than one file", where, "give one")
    return dataclasses.replace(collection, qrels=qrels[0] if qrels else None, runs=runs or None)


def _normalised(table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """With underscores in the names of options, which may also be written as on the command line."""
    names = {key.replace("-", "_"): value for key, value in table.items()}
    if len(names) < len(table):
        twice = next(key for key in table if "-" in key and key.replace("-", "_") in table)
        raise InputError(f"{twice!r} is given twice, with - and with _", where, "leave one out")
    return names


def _paths(value: object, key: str, where: str, folder: Path) -> tuple[str, ...]:
    values: list[Any] = [] if value is None else value if isinstance(value, list) else [value]
    if not all(isinstance(one, str) and one for one in values):
        raise InputError(f"{key!r} is no path", where, f"write {key} = 'PATH'" + " or ['PATH', …]" * (key == "runs"))
    return tuple(str(folder / one) if is_path(one) else one for one in values)


def _suggestion(key: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(key, sorted(known), n=1)
    return f"did you mean {near[0]}?" if near else "irassay COMMAND --help shows the options of a study"


def check_names(collections: Sequence[Collection]) -> None:
    """Results are told apart by the names."""
    seen: set[str] = set()
    for collection in collections:
        if collection.name in seen:
            raise InputError(f"two collections are called {collection.name!r}", collection.source, "rename one")
        seen.add(collection.name)


def choose(collections: Sequence[Collection], names: Sequence[str]) -> tuple[Collection, ...]:
    """Those with these names, in the order of the collections; all where none is named."""
    known = [collection.name for collection in collections]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise InputError(f"there is no collection {name!r}", collections[0].source, hint)
    return tuple(collection for collection in collections if not names or collection.name in names)


def is_collections_file(data: Any) -> bool:
    """Whether a path is one of a collections file, by its name."""
    return isinstance(data, str | os.PathLike) and os.fspath(data).endswith(SUFFIX)


def collections_in(data: Any) -> tuple[Collection, ...] | None:
    """The collections that were given in place of judgments: some, or their file. None where it is something else."""
    if isinstance(data, Collection):
        return (data,)
    if is_collections_file(data):
        return read_collections(data)
    if isinstance(data, list | tuple) and data and all(isinstance(one, Collection) for one in data):
        check_names(data)
        return tuple(data)
    return None
