"""`irassay init`: a commented collections file for the runs and judgments in a folder."""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from irassay.errors import InputError
from irassay.files import place_new, temporary_neighbour
from irassay.read.contents import contents_of
from irassay.read.files import beginning
from irassay.read.tokens import written_lines

NAME = "irassay.toml"
DEPTH = 3  # folders below the one that was named
HINT = "a collection is a folder with judgments and runs in any format that is read, or with a folder of runs"
TOP = """# Collections for irassay. Every study takes this file in place of QRELS and RUN:
#   irassay check irassay.toml
#   irassay study irassay.toml --out results
#   irassay compare irassay.toml --collection NAME
# Paths are relative to this file.

# Options of all collections, named as on the command line. Those of a collection come before these, those on the
# command line before both. A study takes the options that it has, and leaves the others.
#measures = "AP nDCG@10"
#resamples = 1000
#seed = 0
"""
OTHERS = """#corpus_size = 528155  # documents in the corpus
#pool_depth = 100  # to which the runs were pooled
#topics = "401-450"
"""


@dataclass(frozen=True)
class Folder:
    """The judgments, runs and groups that belong together, in one folder."""

    path: Path
    qrels: tuple[Path, ...]
    runs: tuple[Path, ...]
    groups: tuple[Path, ...]


def write_template(folder: Path) -> tuple[Path, int]:
    """Write a collections file into the folder, and say where it is and how many collections it has."""
    if not folder.is_dir():
        raise InputError("there is no such folder", str(folder), "name a folder with runs and judgments")
    place = folder / NAME
    try:
        with temporary_neighbour(place) as temporary:
            if os.path.lexists(place):
                raise FileExistsError
            folders = list(_folders(folder, DEPTH))
            if not folders:
                raise InputError("there are no runs with judgments here", str(folder), HINT)
            temporary.write_bytes(template(folder, folders).encode())
            place_new(temporary, place)
    except FileExistsError:
        raise InputError("there is a collections file already", str(place), "move it away, or edit it") from None
    except OSError as problem:
        raise InputError(f"cannot be written ({problem.strerror or problem})", str(place)) from None
    except UnicodeEncodeError:
        raise InputError("a name here is not UTF-8, and TOML can hold no other", str(folder), "rename it") from None
    return place, len(folders)


def template(root: Path, folders: list[Folder]) -> str:
    """The text of the file."""
    names: list[str] = []
    parts = [TOP]
    for one in folders:
        inside = one.path.relative_to(root).as_posix()
        name = (root.resolve().name or "collection") if inside == "." else inside
        names.append(name)
        qrels, *others = [_text(path.relative_to(root).as_posix()) for path in one.qrels]
        runs = [_text(path.relative_to(root).as_posix()) for path in one.runs]
        lines = [
            "[[collection]]",
            f"name = {_text(name)}",
            f"qrels = {qrels}",
            *(f"#qrels = {other}" for other in others),
            f"runs = {runs[0]}" if len(runs) == 1 else f"runs = [{', '.join(runs)}]",
            *(f"groups = {_text(path.relative_to(root).as_posix())}" for path in one.groups[:1]),
        ]
        parts.append("\n".join([*lines, OTHERS]))
    return "\n".join(parts)


def _folders(folder: Path, depth: int) -> Iterator[Folder]:
    """The folder as a collection, or the collections below it."""
    entries = sorted((path for path in folder.iterdir() if not path.name.startswith(".")), key=os.fsencode)
    files = {path: kind_of(path) for path in entries if path.is_file()}
    below = [path for path in entries if path.is_dir()]
    kinds = {path: _kind_of_folder(path) for path in below}
    qrels = [path for path, kind in files.items() if kind == "qrels"]
    qrels += [file for path, kind in kinds.items() if kind == "qrels" for file in _files(path)]
    runs = [path for path, kind in (files | kinds).items() if kind == "run"]
    if qrels and runs:
        qrels.sort(key=lambda path: not path.name.startswith("qrels"))  # the likeliest first
        groups = [path for path, kind in files.items() if kind == "groups"]
        yield Folder(folder, tuple(qrels), tuple(runs), tuple(groups))
        below = [path for path in below if not kinds[path]]
    if depth:
        for path in below:
            yield from _folders(path, depth - 1)


def _files(folder: Path) -> list[Path]:
    files = (path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    return sorted(files, key=os.fsencode)


def _kind_of_folder(folder: Path) -> str:
    """What all its files are."""
    kinds = {kind_of(path) for path in _files(folder)}
    return kinds.pop() if len(kinds) == 1 else ""


def kind_of(path: Path) -> str:
    """A file by its content: 'qrels', 'run', 'groups', or '' where it is something else."""
    holds = contents_of(path)
    if holds is not None:
        return "qrels" if holds == "judgments" else holds
    return "groups" if re.search("group|team", path.name, re.IGNORECASE) and _is_pairs(path) else ""


def _is_pairs(path: Path) -> bool:
    try:
        return len(next(written_lines(beginning(path)), [])) == 2
    except InputError:
        return False


def _text(value: str) -> str:
    """As TOML writes text."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
