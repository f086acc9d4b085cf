"""Runs: several systems over one vocabulary, from files or from memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from irassay.compute.threads import cores
from irassay.errors import InputError, Problem
from irassay.read.files import expand, stem
from irassay.read.memory import format_of, listed, run_blocks
from irassay.read.run import Run, build_run
from irassay.read.run_files import read_files
from irassay.read.tokens import SHOWN
from irassay.read.vocabulary import Vocabulary


@dataclass(frozen=True, repr=False)
class Runs:
    """Several systems in the order given, over one vocabulary."""

    vocabulary: Vocabulary
    runs: tuple[Run, ...]

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __getitem__(self, name: str) -> Run:
        for run in self.runs:
            if run.name == name:
                return run
        raise KeyError(name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(run.name for run in self.runs)

    def __repr__(self) -> str:
        return f"<Runs: {len(self)} systems, {sum(map(len, self.runs))} rows>"


def read_runs(*sources: Any, names: str | None = None, jobs: int | None = None, keep_scores: bool = True) -> Runs:
    """Read runs from files, directories and globs, or from dicts and frames.

    `names`: 'tag' or 'file'; by default tags where every file has one constant tag and all differ, else file names.
    Without `keep_scores`, the retrieval scores of files that stand in order of score are freed once that is known:
    two thirds of the memory; such runs can be aligned by score, rank or file, but not by 32-bit scores.
    """
    if names not in (None, "tag", "file"):
        raise InputError(f"names is {names!r}", hint="names is 'tag' or 'file'")
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs is {jobs}", hint="jobs counts threads from 1")
    flat = list(_flat(sources))
    if not flat:
        raise InputError("no run was given", hint="give files, directories, patterns, dicts or frames")
    paths = [source for source in flat if isinstance(source, (str, os.PathLike))]
    if paths and len(paths) < len(flat):
        raise InputError("files and runs in memory are mixed", str(paths[0]), "read them by two calls")
    vocabulary = Vocabulary()
    if paths:
        runs = read_files(expand(paths), vocabulary, jobs or cores(), keep_scores)
        return Runs(vocabulary, _named(runs, names))
    runs = [
        build_run(place, [block], vocabulary, number, keep_scores=True, unit="row")
        for number, (place, block) in enumerate(run_blocks(flat))
    ]
    hint = "give {name: run} with names that differ"
    return Runs(vocabulary, _checked((replace(run, name=str(run.tag)) for run in runs), hint))


def _flat(sources: Iterable[Any]) -> Iterator[Any]:
    """Sources one by one, also out of lists of them; a list of records is one source."""
    for source in map(listed, sources):
        several = isinstance(source, (list, tuple)) and not hasattr(source, "_fields")
        if several and not (source and format_of(source)):
            yield from source
        else:
            yield source


def _named(runs: list[Run], names: str | None) -> tuple[Run, ...]:
    """Runs of files with their names."""
    tags = [run.tag for run in runs]
    if names == "tag" and None in tags:
        changing = [Problem("the tag column is not constant", run.path) for run in runs if run.tag is None]
        raise InputError.of(changing[:SHOWN], "name runs by their files with --names file")
    if names is None:
        names = "tag" if None not in tags and len(set(tags)) == len(tags) else "file"
    if names == "tag":
        return _checked((replace(run, name=str(run.tag)) for run in runs), "name runs by their files with --names file")
    return _checked((replace(run, name=stem(Path(run.path))) for run in runs), "rename one of the files")


def _checked(runs: Iterable[Run], hint: str) -> tuple[Run, ...]:
    """Two runs with one name are an error that shows both."""
    named: dict[str, Run] = {}
    for run in runs:
        other = named.setdefault(run.name, run)
        if other is not run:
            raise InputError(f"two runs are called {run.name!r}: {other.path} and {run.path}", hint=hint)
    return tuple(named.values())
