"""Runs: what each system returned, as numbers over one shared vocabulary."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.compute.threads import cores
from irassay.errors import InputError, Problem, emit
from irassay.read import _tokens as scan
from irassay.read._order import NO_KEY, survey
from irassay.read.files import Bytes, expand, load, stem
from irassay.read.tokens import MIXED, QRELS, RUN, SHOWN, Block, Ignored, blocks, line_of, malformed, quoted, tokenise
from irassay.read.vocabulary import Vocabulary, text

MOST = 100  # problems of all files that are told one by one
AHEAD = 256 << 20  # bytes of files that are loaded before their turn
NAN = "the score is NaN"
DESCRIPTION = 1 << 16  # bytes in which a description must end
# After blank lines and comments; to the end of the line that closes it, or where none does, of its own.
SYSDESC = re.compile(rb"\A(?:\s|#[^\n]*\n)*<SYSDESC>(?:.*?</SYSDESC>)?[^\n]*", re.DOTALL | re.IGNORECASE)


class Survey(NamedTuple):
    """How far each segment of the file stands in order already, so that alignment sorts only what needs it."""

    falls: NDArray[np.bool_]  # no score rises
    moves: NDArray[np.int64]  # how many of its tied rows names put elsewhere, where scores fall
    moved: NDArray[np.int32]  # [all moves, 2]: the row of the segment that is taken, and the one that takes it


def surveyed(
    score: NDArray[np.float64], segment_row: NDArray[np.int64], entry: NDArray[np.int32], vocabulary: Vocabulary
) -> Survey:
    falls = np.empty(len(segment_row) - 1, dtype=np.bool_)
    moves = np.empty(len(falls), dtype=np.int64)
    scratch = np.empty((2, int(np.diff(segment_row).max(initial=0))), dtype=np.int64)
    moved = np.empty((len(score), 2), dtype=np.int32)
    survey(score, segment_row, entry, vocabulary.record, vocabulary.arena, NO_KEY, *scratch, falls, moves, moved)
    return Survey(falls, moves, moved[: int(moves.sum())].copy())


@dataclass(frozen=True, repr=False)
class Run:
    """One system's lists, rows in file order. `rank` is None where the rank column just counts down the file."""

    name: str
    path: str
    tag: str | None
    entry: NDArray[np.int32]
    score: NDArray[np.float64]
    rank: NDArray[np.int32] | None
    segment_topic: NDArray[np.int32]
    segment_row: NDArray[np.int64]  # one longer than segment_topic
    survey: Survey
    skipped: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    repeats: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    bad_rank: int = 0  # the line of the first rank that is not a whole number
    unit: str = "line"

    def __len__(self) -> int:
        return len(self.entry)

    def __repr__(self) -> str:
        return f"<Run {self.name}: {len(self)} rows from {self.path}>"

    def line(self, row: int) -> int:
        """The line a row came from."""
        return line_of(row, self.skipped)

    def where(self, row: int) -> str:
        return f"{self.path}:{self.line(row)}" if self.unit == "line" else f"{self.path}, row {row + 1}"

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
    Without `keep_scores`, the retrieval scores of files that stand in order of score are let go once that is known:
    two thirds of the memory; such runs can be aligned by score, rank or file, but not by 32-bit scores.
    """
    if names not in (None, "tag", "file"):
        raise InputError(f"names is {names!r}", hint="names is 'tag' or 'file'")
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs is {jobs}", hint="jobs counts threads from 1")
    given = list(_flat(sources))
    if not given:
        raise InputError("no run was given", hint="give files, directories, patterns, dicts or frames")
    paths = [source for source in given if isinstance(source, (str, os.PathLike))]
    if len(paths) == len(given):
        return _read_files(expand(paths), names, jobs or cores(), keep_scores)
    if paths:
        raise InputError("files and runs in memory are mixed", str(paths[0]), "read them by two calls")
    from irassay.read.memory import runs_from_memory

    return runs_from_memory(given)


def _flat(sources: Iterable[Any]) -> Iterator[Any]:
    """Sources one by one, also out of lists of them; a list of records, which are tuples with names, is one."""
    for source in sources:
        one = isinstance(source, (str, bytes, os.PathLike, Mapping)) or not isinstance(source, Iterable)
        if one or hasattr(source, "columns") or hasattr(source, "_fields"):
            yield source
            continue
        inside = list(source)
        if inside and hasattr(inside[0], "_fields"):
            yield inside
        else:
            yield from inside


def _read_files(paths: list[Path], names: str | None, jobs: int, keep_scores: bool) -> Runs:
    vocabulary = Vocabulary()
    runs: list[Run] = []
    problems: list[Problem] = []
    hints: list[str] = []
    ignored = Ignored()
    number = -1
    for path, parts in _tokenised(paths, jobs):  # not enumerated: that would hold on to the last file
        number += 1
        if isinstance(parts, InputError):
            problems += parts.problems
            hints.append(parts.hint)
            continue
        found = list(malformed(path, parts, RUN, lambda part: part.not_numbers, _not_a_score))
        if found:
            problems += found
            hints.append(_hint(found))
        else:
            runs.append(_assemble(path, parts, vocabulary, number, keep_scores))
            ignored.count(path, parts)
        del parts  # a file's bytes go before the next one's come
    if problems:
        if len(problems) > MOST:
            problems[MOST:] = [Problem(f"{len(problems) - MOST} more problems in {len(paths)} files")]
        raise InputError.of(problems, hint=next(filter(None, hints), ""))
    emit(ignored.warnings())
    return Runs(vocabulary, named(runs, names))


def _tokenised(paths: list[Path], jobs: int) -> Iterator[tuple[Path, list[Block] | InputError]]:
    """Files in order, tokenised by threads a few files ahead of whoever numbers their documents."""
    if jobs == 1:
        for path in paths:
            try:
                data, ranges = _loaded(path)
            except InputError as error:
                yield path, error
            else:
                yield path, [tokenise(data, begin, end, RUN) for begin, end in ranges]
        return
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        waiting: deque[tuple[Path, int, Future[Any]]] = deque()
        ahead = deque(paths)
        try:
            while ahead or waiting:
                while ahead and len(waiting) <= jobs and sum(size for _, size, _ in waiting) < AHEAD:
                    coming = ahead.popleft()
                    waiting.append((coming, _size(coming), pool.submit(_begun, coming)))
                path, _, future = waiting.popleft()
                begun = future.result()
                if isinstance(begun, InputError):
                    yield path, begun
                elif isinstance(begun, Block):
                    yield path, [begun]
                else:
                    yield path, _shared_out(begun[0], begun[1], pool)
                del begun, future
        finally:
            pool.shutdown(cancel_futures=True)


def _shared_out(data: Bytes, ranges: list[tuple[int, int]], pool: ThreadPoolExecutor) -> list[Block]:
    parts = [pool.submit(tokenise, data, begin, end, RUN) for begin, end in ranges]
    return [part.result() for part in parts]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0  # told when it is read


def _loaded(path: Path) -> tuple[Bytes, list[tuple[int, int]]]:
    data = _without_description(load(path))
    return data, list(blocks(data))


def _begun(path: Path) -> Block | InputError | tuple[Bytes, list[tuple[int, int]]]:
    """A small file tokenised, or a large one loaded, for its blocks to be shared out."""
    try:
        data, ranges = _loaded(path)
    except InputError as error:
        return error
    return tokenise(data, *ranges[0], RUN) if len(ranges) == 1 else (data, ranges)


def _without_description(data: Bytes) -> Bytes:
    """NTCIR runs open with <SYSDESC>…</SYSDESC>: make its lines comments, so that line numbers stay."""
    if b"<SYSDESC>" in data[:DESCRIPTION].tobytes().upper() and (match := SYSDESC.match(data[:DESCRIPTION].tobytes())):
        written = np.flatnonzero(data[: match.end()] > 32)
        lines = np.searchsorted(np.flatnonzero(data[: match.end()] == 10), written)
        data[written] = 32
        data[written[np.unique(lines, return_index=True)[1]]] = 35
    return data


def _not_a_score(part: Block, row: int) -> str:
    word = part.word(row, RUN.value)
    return NAN if word.lower().lstrip(b"+-") == b"nan" else f"score {quoted(word)} is not a number"


def _hint(found: list[Problem]) -> str:
    whats = [problem.what for problem in found[:SHOWN]]
    if all(what.endswith(f"found {QRELS.columns}") for what in whats):
        return "this looks like relevance judgments; QRELS comes first, then the runs"
    if MIXED in whats:
        return "save the file with one kind of line ends"
    if NAN in whats:
        return "a NaN has no place in a ranking; drop the line or give the document a score"
    return f"a run has one line per retrieved document: {RUN.what}"


def _assemble(path: Path, parts: list[Block], vocabulary: Vocabulary, number: int, keep_scores: bool) -> Run:
    entries, repeats, rows, skipped = [], [], [], []
    topics: list[NDArray[np.int32]] = []
    row = line = 0
    last = -1
    for part in parts:
        numbers = vocabulary.topic_numbers(part.topics)[part.segment_topic]
        entry, repeated = vocabulary.add(
            part.data, part.doc_start, part.doc_size, part.doc_hash, numbers, part.segment_row, number
        )
        entries.append(entry)
        repeats.append(repeated + row)
        # a list that goes on in the next block is one list
        goes_on = int(len(numbers) > 0 and numbers[0] == last)
        last = numbers[-1] if len(numbers) else last
        topics.append(numbers[goes_on:])
        rows.append((part.segment_row + row)[goes_on:])
        skipped.append(part.skipped + line)
        row += len(part)
        line += int(part.stats[scan.LINES])
    tags = {part.tag for part in parts if len(part)}
    constant = len(tags) == 1 and not any(part.stats[scan.TAG_DIFFERS] for part in parts)
    entry = _joined(entries)
    score = _joined([part.value for part in parts], copy=True)
    segment_row = np.append(_joined(rows), row)
    survey = surveyed(score, segment_row, entry, vocabulary)
    segment_topic = _joined(topics)
    in_one_place = len(np.unique(segment_topic)) == len(segment_topic)
    keep_ranks = not in_one_place or any(part.stats[scan.RANK_FALLS] or part.stats[scan.BAD_RANK] for part in parts)
    keep_ranks = keep_ranks or not all(_counts_on(part, following) for part, following in pairwise(parts))
    if not keep_scores and in_one_place and survey.falls.all() and not any(map(len, repeats)):
        score = np.empty(0)
    return Run(
        name="",
        path=str(path),
        tag=text(tags.pop()) if constant else None,
        entry=entry,
        score=score,
        rank=_joined([part.whole for part in parts], copy=True) if keep_ranks else None,
        segment_topic=segment_topic,
        segment_row=segment_row,
        survey=survey,
        skipped=_joined(skipped),
        repeats=_joined(repeats),
        bad_rank=_first_bad_rank(parts),
    )


def _counts_on(part: Block, following: Block) -> bool:
    """Whether the rank column counts down the file where two blocks of it meet."""
    if not (len(part) and len(following)):
        return False
    same: bool = part.topics[part.segment_topic[-1]] == following.topics[following.segment_topic[0]]
    return not same or bool(following.whole[0] > part.whole[len(part) - 1])


def _first_bad_rank(parts: list[Block]) -> int:
    line = 0
    for part in parts:
        if part.stats[scan.BAD_RANK]:
            return line + int(part.stats[scan.BAD_RANK])
        line += int(part.stats[scan.LINES])
    return 0


def _joined(pieces: list[NDArray[Any]], *, copy: bool = False) -> NDArray[Any]:
    """One array. Copies trim what the tokeniser allocated for lines that were none."""
    if len(pieces) > 1:
        return np.concatenate(pieces)
    return pieces[0].copy() if copy else pieces[0]


def named(runs: Iterable[Run], names: str | None) -> tuple[Run, ...]:
    """Give every run its name; two runs with one name are an error that shows both."""
    runs = list(runs)
    tags = [run.tag for run in runs]
    if names == "tag" and None in tags:
        changing = [Problem("the tag column is not constant", run.path) for run in runs if run.tag is None]
        raise InputError.of(changing[:SHOWN], "name runs by their files with --names file")
    if names is None:
        names = "tag" if None not in tags and len(set(tags)) == len(tags) else "file"
    done = [replace(run, name=run.tag if names == "tag" and run.tag else stem(Path(run.path))) for run in runs]
    other = "name runs by their files with --names file" if names == "tag" else "rename one of the files"
    check_names(done, other)
    return tuple(done)


def check_names(runs: Iterable[Run], hint: str) -> None:
    paths: dict[str, str] = {}
    for run in runs:
        if run.name in paths:
            raise InputError(f"two runs are called {run.name!r}: {paths[run.name]} and {run.path}", hint=hint)
        paths[run.name] = run.path
