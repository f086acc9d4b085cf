"""Run files, tokenised by threads."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
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
FirstStep = InputError | list[Block] | tuple[Bytes, list[tuple[int, int]]]


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
            yield path, _all_blocks(_first_step(path), map)
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
                yield path, _all_blocks(future.result(), pool.map)
                del future
        finally:
            pool.shutdown(cancel_futures=True)


def _first_step(path: Path) -> FirstStep:
    """A small file tokenised, or a large one loaded, for threads to share its blocks."""
    try:
        data = load(path)
        for text in formats(TextFormat):
            if text.holds == "run" and text.recognise(data):
                data = text.rewrite(data, path)
    except InputError as error:
        return error
    ranges = list(blocks(data))
    return [tokenise(data, *ranges[0], RUN)] if len(ranges) == 1 else (data, ranges)


def _all_blocks(step: FirstStep, map_: Callable[..., Iterable[Block]]) -> list[Block] | InputError:
    """A large file tokenised too, block by block."""
    if not isinstance(step, tuple):
        return step
    data, ranges = step
    return list(map_(lambda begin, end: tokenise(data, begin, end, RUN), *zip(*ranges, strict=True)))


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
