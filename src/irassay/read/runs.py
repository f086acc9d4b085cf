"""Runs: what systems returned, from files or from memory, as numbers over one vocabulary."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import compiled, kernels
from irassay.compute.threads import cores
from irassay.errors import InputError, IrassayWarning, Problem, emit
from irassay.files import is_path
from irassay.read import constants as scan
from irassay.read.files import expand, lines_of_files, short_name, stem
from irassay.read.memory import IN_MEMORY, format_of, listed, run_sources
from irassay.read.run_files import read_files
from irassay.read.source import Source
from irassay.read.tokens import SHOWN, Block, lines_of, position
from irassay.read.vocabulary import Interned, Vocabulary, joined, text
from irassay.settings import NAMES

BY_FILE = "name runs by their files with --names file"


class Survey(NamedTuple):
    """How far each segment of the file stands in order already, so that alignment sorts only what needs it."""

    falls: NDArray[np.bool_]  # no score rises
    moves: NDArray[np.int64]  # how many of its tied rows names put elsewhere, where scores fall
    moved: NDArray[np.int32]  # [all moves, 2]: the row of the segment that is taken, and the one that takes it


@dataclass(frozen=True, repr=False)
class Run:
    """One system's lists, rows in file order."""

    name: str
    path: str
    tag: str | None  # where all rows have the same
    tagged: bool
    entry: NDArray[np.int32]
    score: NDArray[np.float64]
    rank: NDArray[np.int32] | None
    segment_topic: NDArray[np.int32]
    segment_row: NDArray[np.int64]  # one longer than segment_topic
    survey: Survey
    skipped: NDArray[np.int64]
    repeats: NDArray[np.int64]
    unit: str  # what is counted where it came from: "line", or "record", or "row"
    format: str  # in which it was read
    scores_from_ranks: bool  # whether it has no other scores
    from_file: bool
    ranked: bool  # whether it has ranks; `rank` is None too where they just count down the file

    def __len__(self) -> int:
        return len(self.entry)

    def __repr__(self) -> str:
        return f"<Run {self.name}: {len(self)} rows from {self.path}>"

    @property
    def bad_rank(self) -> int:
        """The line of the first rank that is not a whole number, or 0."""
        bad = np.flatnonzero(self.rank == scan.NOT_WHOLE)
        return self.line(int(bad[0])) if len(bad) else 0

    def line(self, row: int) -> int:
        """The line a row came from."""
        return int(lines_of(np.array([row], dtype=np.int64), self.skipped)[0])

    def where(self, row: int) -> str:
        return position(self.path, self.line(row), self.unit)

    def first_row(self, row: int) -> int:
        """The row that named the document of a repeated `row` first."""
        return int(np.flatnonzero(self.entry[:row] == self.entry[row])[0])


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
    sources_of_runs = _read_files(paths, exclude, skip_unreadable, jobs) if paths else run_sources(flat)
    vocabulary = Vocabulary()
    runs: list[Run] = []
    for source in sources_of_runs:
        runs.append(_build(source, vocabulary, len(runs), keep_scores or not paths))
        del source  # a file's bytes go before the next one's come
    _tell_of_ranks(runs)
    if paths:
        return Runs(vocabulary, _named_files(runs, names))
    return Runs(vocabulary, _named(runs, [run.tag or "" for run in runs], "give {name: run} with names that differ"))


def _read_files(paths: list[Any], exclude: Iterable[str], skip_unreadable: bool, jobs: int | None) -> Iterator[Source]:
    files = expand(paths, exclude)
    compiled("read", lines_of_files(files))
    return read_files(files, jobs or cores(), skip_unreadable=skip_unreadable)


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


def _build(source: Source, vocabulary: Vocabulary, number: int, keep_scores: bool) -> Run:
    """The run in some blocks of rows; it has no name yet."""
    parts = source.blocks
    interned = vocabulary.add(parts, number)
    tags = {part.tag for part in parts if len(part)}
    constant = len(tags) == 1 and not any(part.stats[scan.TAG_DIFFERS] for part in parts)
    score = joined([part.value for part in parts], copy=True)
    order = _surveyed(score, interned, vocabulary)
    in_one_place = len(np.unique(interned.segment_topic)) == len(interned.segment_topic)
    ranked = all(len(part.whole) == len(part) for part in parts)
    keep_ranks = ranked and (not in_one_place or not _ranks_count_down(parts))
    if not keep_scores and in_one_place and order.falls.all() and not len(interned.repeats):
        score = np.empty(0)
    return Run(
        name="",
        path=source.place,
        tag=text(next(iter(tags))) or None if constant else None,
        tagged=any(tags),
        entry=interned.entry,
        score=score,
        rank=joined([part.whole for part in parts], copy=True) if keep_ranks else None,
        segment_topic=interned.segment_topic,
        segment_row=interned.segment_row,
        survey=order,
        skipped=interned.skipped,
        repeats=interned.repeats,
        unit=source.unit,
        format=source.format,
        from_file=source.format != IN_MEMORY,
        ranked=ranked,
        scores_from_ranks=any(part.scores_from_ranks for part in parts),
    )


def _surveyed(score: NDArray[np.float64], interned: Interned, vocabulary: Vocabulary) -> Survey:
    falls = np.empty(len(interned.segment_topic), dtype=np.bool_)
    moves = np.empty(len(falls), dtype=np.int64)
    scratch = np.empty((2, int(np.diff(interned.segment_row).max(initial=0))), dtype=np.int64)
    moved = np.empty((len(score), 2), dtype=np.int32)
    names = (vocabulary.record, vocabulary.arena, scan.NO_KEY)
    order = kernels("irassay.read._order", plain="irassay.read.plain_order")
    order.survey(score, interned.segment_row, interned.entry, *names, *scratch, falls, moves, moved)
    return Survey(falls, moves, moved[: int(moves.sum())].copy())


def _ranks_count_down(parts: list[Block]) -> bool:
    """Whether the rank column counts down the file in every list, also where two blocks of it meet."""
    falls = any(part.stats[scan.RANK_FALLS] for part in parts)
    return not falls and all(_counts_on(part, following) for part, following in pairwise(parts))


def _counts_on(part: Block, following: Block) -> bool:
    if not (len(part) and len(following)):
        return False
    same: bool = part.topics[part.segment_topic[-1]] == following.topics[following.segment_topic[0]]
    return not same or bool(following.whole[0] > part.whole[len(part) - 1])
