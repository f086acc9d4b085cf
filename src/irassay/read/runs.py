"""Runs: what each system returned, as numbers over one shared vocabulary."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.engine import tokens as scan
from irassay.errors import InputError, IrassayWarning, Problem, emit
from irassay.read.files import Bytes, expand, load, stem
from irassay.read.tokens import RUN, SHOWN, Block, blocks, line_of, tokenise
from irassay.read.vocabulary import Vocabulary, text

SYSDESC = re.compile(rb"\A\s*<SYSDESC>.*?(</SYSDESC>[^\n]*|\n)", re.DOTALL | re.IGNORECASE)


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


def read_runs(*sources: Any, names: str | None = None, jobs: int | None = None) -> Runs:
    """Read runs from files, directories and globs, or from dicts and frames.

    `names`: 'tag' or 'file'; by default tags where every file has one constant tag and all differ, else file names.
    """
    if len(sources) == 1 and isinstance(sources[0], (list, tuple)):
        sources = tuple(sources[0])
    if not sources:
        raise InputError("no run was given")
    if names not in (None, "tag", "file"):
        raise InputError(f"names is {names!r}", hint="names is 'tag' or 'file'")
    if all(isinstance(source, (str, os.PathLike)) for source in sources):
        return _read_files(expand(sources), names, jobs or cores())
    from irassay.read.memory import runs_from_memory

    return runs_from_memory(sources)


def cores() -> int:
    """The cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _read_files(paths: list[Path], names: str | None, jobs: int) -> Runs:
    vocabulary = Vocabulary()
    runs: list[Run] = []
    problems: list[Problem] = []
    hints: list[str] = []
    ignored = Ignored()
    for number, (path, parts) in enumerate(_tokenised(paths, jobs)):
        if isinstance(parts, InputError):
            problems += parts.problems
            hints.append(parts.hint)
            continue
        found = list(_problems(path, parts))
        if found:
            problems += found
            hints.append(_hint(parts))
        else:
            runs.append(_assemble(path, parts, vocabulary, number))
            ignored.count(path, parts)
    if problems:
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
        waiting: deque[tuple[Path, Future[Any]]] = deque()
        ahead = iter(paths)
        try:
            while True:
                while len(waiting) <= jobs and (coming := next(ahead, None)) is not None:
                    waiting.append((coming, pool.submit(_begun, coming)))
                if not waiting:
                    return
                path, future = waiting.popleft()
                begun = future.result()
                if isinstance(begun, InputError):
                    yield path, begun
                elif isinstance(begun, Block):
                    yield path, [begun]
                else:
                    data, ranges = begun
                    parts = [pool.submit(tokenise, data, begin, end, RUN) for begin, end in ranges]
                    yield path, [part.result() for part in parts]
        finally:
            pool.shutdown(cancel_futures=True)


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
    """NTCIR runs open with <SYSDESC>…</SYSDESC>: make it a comment, so that line numbers stay."""
    head = data[: 1 << 16].tobytes()
    if b"<" in head[:64] and (match := SYSDESC.match(head)):
        lines = data[: match.end()]
        ends = np.flatnonzero(lines[:-1] == 10)
        lines[lines != 10] = 32
        lines[0] = lines[ends + 1] = 35
    return data


def _problems(path: Path, parts: list[Block]) -> Iterator[Problem]:
    line = shown = total = 0
    for part in parts:
        lines = int(part.stats[scan.LINES])
        found = [(n, f"expected 6 columns (topic Q0 document rank score tag), found {k}") for n, k in part.too_short]
        for row, word in part.not_numbers:
            shown_word = text(word)
            what = (
                "the score is NaN" if word.lower().lstrip(b"+-") == b"nan" else f"score {shown_word!r} is not a number"
            )
            found.append((line_of(row, part.skipped), what))
        total += int(part.stats[scan.ERRORS]) + len(part.not_numbers)
        for number, what in sorted(found)[: SHOWN - shown]:
            shown += 1
            yield Problem(what, f"{path}:{line + number}")
        line += lines
    if total > shown:
        yield Problem(f"{total - shown} more malformed lines", str(path))
    if not total and not any(len(part) for part in parts):
        yield Problem("the file holds no results, only blank or comment lines", str(path))


def _hint(parts: list[Block]) -> str:
    columns = {k for part in parts for _, k in part.too_short}
    if columns == {4}:
        return "this looks like relevance judgments; QRELS comes first, then the runs"
    if any(word.lower().lstrip(b"+-") == b"nan" for part in parts for _, word in part.not_numbers):
        return "a NaN has no place in a ranking; drop the line or give the document a score"
    return "a run has one line per retrieved document: topic Q0 document rank score tag"


def _assemble(path: Path, parts: list[Block], vocabulary: Vocabulary, number: int) -> Run:
    entries, repeats, topics, rows, skipped = [], [], [], [], []
    row = line = 0
    for part in parts:
        numbers = vocabulary.topic_numbers(part.topics)[part.segment_topic]
        entry, repeated = vocabulary.add(
            part.data, part.doc_start, part.doc_size, part.doc_hash, numbers, part.segment_row, number
        )
        entries.append(entry)
        repeats.append(repeated + row)
        topics.append(numbers)
        rows.append(part.segment_row + row)
        skipped.append(part.skipped + line)
        row += len(part)
        line += int(part.stats[scan.LINES])
    keep_ranks = len(parts) > 1 or bool(parts[0].stats[scan.RANK_FALLS]) or bool(parts[0].stats[scan.BAD_RANK])
    tags = {part.tag for part in parts if len(part)}
    constant = len(tags) == 1 and not any(part.stats[scan.TAG_DIFFERS] for part in parts)
    return Run(
        name="",
        path=str(path),
        tag=text(tags.pop()) if constant else None,
        entry=_joined(entries),
        score=_joined([part.value for part in parts], copy=True),
        rank=_joined([part.whole for part in parts], copy=True) if keep_ranks else None,
        segment_topic=_joined(topics),
        segment_row=np.append(_joined(rows), row),
        skipped=_joined(skipped),
        repeats=_joined(repeats),
        bad_rank=_first_bad_rank(parts),
    )


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
    if names == "tag":
        for run in runs:
            if run.tag is None:
                raise InputError("the tag column is not constant", run.path, "use --names file")
    if names is None:
        names = "tag" if None not in tags and len(set(tags)) == len(tags) else "file"
    done = [replace(run, name=run.tag if names == "tag" and run.tag else stem(Path(run.path))) for run in runs]
    check_names(done)
    return tuple(done)


def check_names(runs: Iterable[Run]) -> None:
    paths: dict[str, str] = {}
    for run in runs:
        if run.name in paths:
            raise InputError(
                f"two runs are called {run.name!r}: {paths[run.name]} and {run.path}",
                hint="name runs by their files with --names file, or rename one file",
            )
        paths[run.name] = run.path


class Ignored:
    """What was passed over in files, counted and told once for all of them."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.files: dict[str, list[str]] = {}

    def count(self, path: Path, parts: list[Block]) -> None:
        for what, n in {
            "comment lines": sum(int(p.stats[scan.COMMENTS]) for p in parts),
            "extra columns": sum(int(p.stats[scan.EXTRA]) for p in parts),
        }.items():
            if n:
                self.counts[what] = self.counts.get(what, 0) + n
                self.files.setdefault(what, []).append(str(path))

    def warnings(self) -> Iterator[IrassayWarning]:
        for what, n in self.counts.items():
            files = self.files[what]
            more = f" and {len(files) - 1} more files" if len(files) > 1 else ""
            told = f"ignored extra columns on {n} lines" if what == "extra columns" else f"ignored {n} {what}"
            yield IrassayWarning("ignored", told, files[0] + more)
