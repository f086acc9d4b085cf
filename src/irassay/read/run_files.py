"""Run files, tokenised by threads."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from irassay.errors import InputError, IrassayWarning, Problem, emit
from irassay.progress import track
from irassay.read import constants as scan
from irassay.read.columns import ORDER
from irassay.read.files import Bytes
from irassay.read.memory import run_blocks
from irassay.read.recognition import A_RUN, JUDGMENTS, looks_like, open_file
from irassay.read.source import Source
from irassay.read.tokens import (
    MIXED,
    NAN,
    RUN,
    SHOWN,
    Block,
    blocks,
    ignored_warnings,
    malformed,
    quoted,
    tokenise,
)

MOST = 100  # problems of all files that are listed one by one
AHEAD = 256 << 20  # bytes of files that are loaded before their turn


class Loaded(NamedTuple):
    """A file whose blocks are ready, or whose lines are to be tokenised: those in `ranges` of `data`."""

    format: str
    sources: list[Source]
    data: Bytes | None = None
    ranges: Sequence[tuple[int, int]] = ()


def read_files(paths: list[Path], jobs: int, *, skip_unreadable: bool = False) -> Iterator[Source]:
    """The runs of each file; when all are read, every malformed line of all files is in one error.

    With `skip_unreadable` files that cannot be read at all are named in a warning; one with some malformed lines is an
    error all the same.
    """
    problems: list[Problem] = []
    hints: list[str] = []
    skipped: list[str] = []
    stats: dict[str, Any] = {}
    for path, sources in track("reading runs", _tokenised(paths, jobs), total=len(paths)):
        if isinstance(sources, InputError):
            if skip_unreadable and all(problem.where == str(path) for problem in sources.problems):
                skipped += [str(problem) for problem in sources.problems[:1]]
                continue
            problems += sources.problems
            hints.append(sources.hint)
            continue
        for source in sources:
            if source.unit == "line":
                stats[source.place] = sum(part.stats for part in source.blocks)
            yield source
        del sources  # a file's bytes go before the next one's come
    if problems:
        if len(problems) > MOST:
            problems[MOST:] = [Problem(f"{len(problems) - MOST} more problems in {len(paths)} files")]
        raise InputError.of(problems, hint=next(filter(None, hints), ""))
    if skipped and len(skipped) == len(paths):
        raise InputError(f"none of the {len(paths)} files is a run", skipped[0])
    if skipped:
        listed = "; ".join(skipped[:SHOWN]) + (f"; {len(skipped) - SHOWN} more" if len(skipped) > SHOWN else "")
        emit([IrassayWarning("skipped-files", f"skipped {len(skipped)} of {len(paths)} files: {listed}")])
    emit(ignored_warnings(stats))


def _tokenised(paths: list[Path], jobs: int) -> Iterator[tuple[Path, list[Source] | InputError]]:
    """Files in order, tokenised by threads a few files ahead of whoever numbers their documents."""
    if jobs == 1:
        for path in paths:
            yield path, _all_blocks(path, _first_step(path), map)
        return
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        waiting: deque[tuple[Path, int, Future[Any]]] = deque()
        ahead = deque(paths)
        try:
            while ahead or waiting:
                while ahead and len(waiting) <= jobs and sum(size for _, size, _ in waiting) < AHEAD:
                    coming = ahead.popleft()
                    size = os.path.getsize(coming) if os.path.isfile(coming) else 0  # reading says what is wrong
                    waiting.append((coming, size, pool.submit(_first_step, coming)))
                path, _, future = waiting.popleft()
                yield path, _all_blocks(path, future.result(), pool.map)
                del future
        finally:
            pool.shutdown(cancel_futures=True)


def _first_step(path: Path) -> Loaded | InputError:
    """A small file tokenised, or a large one loaded, for threads to share its blocks."""
    try:
        opened = open_file(path, "run")
        if opened.data is None:
            place = str(path)
            sources = [
                Source(place, opened.format, columns.unit, [block])
                for columns in opened.columns
                for block in run_blocks(columns, place)
            ]
            return Loaded(opened.format, sources)
    except InputError as error:
        return error
    data, ranges = opened.data, list(blocks(opened.data))
    if len(ranges) > 1:
        return Loaded(opened.format, [], data, ranges)
    return Loaded(opened.format, [Source(str(path), opened.format, "line", [tokenise(data, *ranges[0], RUN)])], data)


def _all_blocks(
    path: Path, loaded: Loaded | InputError, map_: Callable[..., Iterable[Block]]
) -> list[Source] | InputError:
    """A large file tokenised too, block by block; the error of a file with malformed lines."""
    if isinstance(loaded, InputError) or loaded.data is None:
        return loaded if isinstance(loaded, InputError) else loaded.sources
    sources, data = loaded.sources, loaded.data
    if loaded.ranges:
        parts = list(map_(lambda begin, end: tokenise(data, begin, end, RUN), *zip(*loaded.ranges, strict=True)))
        sources = [Source(str(path), loaded.format, "line", parts)]
    parts = sources[0].blocks
    good = any(part.stats[scan.ROWS] > len(part.not_numbers) for part in parts)
    kind = "" if good else looks_like(data, A_RUN)
    bad_lines = malformed(path, parts, RUN, lambda part: part.not_numbers, _not_a_score, kind)
    return InputError.of(bad_lines, _hint(bad_lines, kind)) if bad_lines else sources


def _not_a_score(part: Block, row: int) -> str:
    word = part.word(row, RUN.value)
    return NAN if word.lower().lstrip(b"+-") == b"nan" else f"score {quoted(word)} is not a number"


def _hint(problems: list[Problem], kind: str) -> str:
    messages = [problem.what for problem in problems[:SHOWN]]
    if kind:
        return f"this looks like {kind}" + (f"; {ORDER}" if kind == JUDGMENTS else "")
    if MIXED in messages:
        return "save the file with one kind of line ends"
    if NAN in messages:
        return "a NaN has no place in a ranking; drop the line or give the document a score"
    return f"a run has one line per retrieved document: {RUN.what}"
