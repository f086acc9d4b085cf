"""Run files, tokenised by threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from irassay.errors import InputError, Problem, emit
from irassay.read.files import Bytes, load
from irassay.read.registry import TextFormat, formats
from irassay.read.tokens import (
    MIXED,
    NAN,
    QRELS,
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


def read_files(paths: list[Path], jobs: int) -> Iterator[tuple[str, list[Block]]]:
    """The blocks of each file; when all are read, every malformed line of all files is in one error."""
    problems: list[Problem] = []
    hints: list[str] = []
    stats: dict[str, Any] = {}
    for path, parts in _tokenised(paths, jobs):
        if isinstance(parts, InputError):
            problems += parts.problems
            hints.append(parts.hint)
            continue
        bad_lines = list(malformed(path, parts, RUN, lambda part: part.not_numbers, _not_a_score))
        if bad_lines:
            problems += bad_lines
            hints.append(_hint(bad_lines))
        else:
            stats[str(path)] = sum(part.stats for part in parts)
            yield str(path), parts
        del parts  # a file's bytes go before the next one's come
    if problems:
        if len(problems) > MOST:
            problems[MOST:] = [Problem(f"{len(problems) - MOST} more problems in {len(paths)} files")]
        raise InputError.of(problems, hint=next(filter(None, hints), ""))
    emit(ignored_warnings(stats))


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
                    waiting.append((coming, _size(coming), pool.submit(_first_step, coming)))
                path, _, future = waiting.popleft()
                step = future.result()
                if isinstance(step, InputError):
                    yield path, step
                elif isinstance(step, Block):
                    yield path, [step]
                else:
                    yield path, _by_blocks(step[0], step[1], pool)
                del step, future
        finally:
            pool.shutdown(cancel_futures=True)


def _by_blocks(data: Bytes, ranges: list[tuple[int, int]], pool: ThreadPoolExecutor) -> list[Block]:
    parts = [pool.submit(tokenise, data, begin, end, RUN) for begin, end in ranges]
    return [part.result() for part in parts]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0  # reading it says what is wrong


def _loaded(path: Path) -> tuple[Bytes, list[tuple[int, int]]]:
    data = load(path)
    for text in formats(TextFormat):
        if text.holds == "run" and text.recognise(data):
            data = text.rewrite(data, path)
    return data, list(blocks(data))


def _first_step(path: Path) -> Block | InputError | tuple[Bytes, list[tuple[int, int]]]:
    """A small file tokenised, or a large one loaded, for threads to share its blocks."""
    try:
        data, ranges = _loaded(path)
    except InputError as error:
        return error
    return tokenise(data, *ranges[0], RUN) if len(ranges) == 1 else (data, ranges)


def _not_a_score(part: Block, row: int) -> str:
    word = part.word(row, RUN.value)
    return NAN if word.lower().lstrip(b"+-") == b"nan" else f"score {quoted(word)} is not a number"


def _hint(problems: list[Problem]) -> str:
    messages = [problem.what for problem in problems[:SHOWN]]
    if all(message.endswith(f"found {QRELS.columns}") for message in messages):
        return "this looks like relevance judgments; QRELS comes first, then the runs"
    if MIXED in messages:
        return "save the file with one kind of line ends"
    if NAN in messages:
        return "a NaN has no place in a ranking; drop the line or give the document a score"
    return f"a run has one line per retrieved document: {RUN.what}"
