"""Runs: what systems returned, from files or from memory, as numbers over one vocabulary."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from irassay.compute.compilation import compiled
from irassay.compute.threads import cores
from irassay.errors import InputError, IrassayWarning, Problem, emit
from irassay.files import is_path
from irassay.read.files import expand, lines_of_files, short_name, stem
from irassay.read.memory import format_of, listed, run_sources
from irassay.read.run import Numbering, Run, unnumbered
from irassay.read.run_files import read_files
from irassay.read.tokens import SHOWN
from irassay.read.vocabulary import Vocabulary
from irassay.settings import NAMES

BY_FILE = "name runs by their files with --names file"


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
        return {run.name: run for run in self.runs}[name]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(run.name for run in self.runs)

    @property
    def aliases(self) -> dict[str, str]:
        """The system of each tag, file name and stem that belongs to one system only and is not the name of one."""
        owners: dict[str, set[str]] = {}
        for run in self.runs:
            path = Path(run.path)
            of_file = (run.path, path.name, stem(path), short_name(path)) if run.from_file else ()
            for alias in filter(None, (run.tag, *of_file)):
                owners.setdefault(alias, set()).add(run.name)
        taken = set(self.names)
        return {alias: min(names) for alias, names in owners.items() if len(names) == 1 and alias not in taken}

    def repeat(self, run: Run, row: int) -> Problem:
        """What is wrong with a row whose document the list has named before."""
        topic, document = self.vocabulary.pair(run.entry[row])
        first = f"first at {run.unit} {run.line(run.first_row(row))}"
        what = f"document {document} appears twice for topic {topic} ({first})"
        return Problem(what, run.where(row))

    def __repr__(self) -> str:
        return f"<Runs: {len(self)} systems, {sum(map(len, self.runs))} rows>"


def read_runs(
    *sources: Any,
    names: str | None = None,
    exclude: Iterable[str] = (),
    skip_unreadable: bool = False,
    jobs: int | None = None,
    keep_scores: bool = True,
) -> Runs:
    """Read runs from files, directories and globs, or from dicts and frames.

    `names`: 'tag', 'file' or 'stem', the file's name without .trec, .txt and the like; by default tags where every file
    has one constant tag and all differ, else file names. `exclude` has patterns of files in directories that are left
    out; with `skip_unreadable` files that are no runs at all are left out with a warning.
    Without `keep_scores`, the retrieval scores of files that stand in order of score are freed once that is known:
    two thirds of the memory; such runs can be aligned by score, rank or file, but not by 32-bit scores.
    """
    if names not in (None, *NAMES):
        raise InputError(f"names is {names!r}", hint=f"names is one of {', '.join(NAMES)}")
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs is {jobs}", hint="jobs counts threads from 1")
    flat = list(_flat(sources))
    if not flat:
        raise InputError("no run was given", hint="give files, directories, patterns, dicts or frames")
    paths = [source for source in flat if is_path(source)]
    if paths and len(paths) < len(flat):
        raise InputError("files and runs in memory are mixed", str(paths[0]), "read them by two calls")
    numbering = Numbering(keep_scores or not paths, (jobs or cores()) if paths else 1)
    if paths:
        files = expand(paths, exclude)
        compiled("read", lines_of_files(files))
        prepare = partial(unnumbered, memory=numbering.memory)
        for run in read_files(files, numbering.jobs, prepare, numbering.tasks, skip_unreadable=skip_unreadable):
            numbering.add(run)
    else:
        for source in run_sources(flat):
            numbering.add(unnumbered(source))
            for task in numbering.tasks():
                task()
    vocabulary, runs = numbering.finish()
    _tell_of_ranks(runs)
    if paths:
        return Runs(vocabulary, _named_files(runs, names))
    return Runs(vocabulary, _named(runs, [run.tag or "" for run in runs], "give {name: run} with names that differ"))


def _flat(sources: Iterable[Any]) -> Iterator[Any]:
    """Sources one by one, also out of lists of them; a list of records is one source."""
    for source in map(listed, sources):
        several = isinstance(source, (list, tuple)) and not hasattr(source, "_fields")
        if several and not (source and format_of(source)):
            yield from source
        else:
            yield source


def _named_files(runs: list[Run], names: str | None) -> tuple[Run, ...]:
    """Runs of files with their names; several in one file can only be told apart by their tags."""
    tags = [run.tag for run in runs]
    files = Counter(run.path for run in runs)
    if names == "tag" and None in tags:
        untagged = [
            Problem("the tag column is not constant" if run.tagged else "the file has no tags", run.path)
            for run in runs
            if run.tag is None
        ]
        raise InputError.of(untagged[:SHOWN], BY_FILE)
    if names == "tag" or (names is None and None not in tags and len(set(tags)) == len(tags)):
        return _named(runs, map(str, tags), BY_FILE)
    by_file = short_name if names == "stem" else stem
    called = [run.tag if run.tag is not None and files[run.path] > 1 else by_file(Path(run.path)) for run in runs]
    return _named(runs, called, "rename one of the files, or name runs by their tags with --names tag")


def _named(runs: list[Run], names: Iterable[str], hint: str) -> tuple[Run, ...]:
    """Two runs with one name are an error that shows both."""
    named: dict[str, Run] = {}
    for run, name in zip(runs, names, strict=True):
        if name in named:
            raise InputError(f"two runs are called {name!r}: {named[name].path} and {run.path}", hint=hint)
        named[name] = replace(run, name=name)
    return tuple(named.values())


def _tell_of_ranks(runs: list[Run]) -> None:
    without = [run for run in runs if run.scores_from_ranks]
    if without:
        more = f" and {len(without) - 1} more" if len(without) > 1 else ""
        what = "the run has ranks and no scores: scores were made that fall with the rank"
        emit([IrassayWarning("scores-from-ranks", what, without[0].path + more)])
