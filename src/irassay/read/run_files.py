"""Run files, tokenised by threads."""

import contextlib
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from irassay.compute.threads import parallel_for
from irassay.errors import InputError, IrassayWarning, Problem, emit
from irassay.progress import track
from irassay.read import constants as scan
from irassay.read.columns import ORDER
from irassay.read.files import GROWTH, PACKED
from irassay.read.memory import run_blocks
from irassay.read.recognition import A_RUN, JUDGMENTS, looks_like, open_file
from irassay.read.scratch import Scratch
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
BATCH, SHARE = 10 << 20, 2 << 20  # bytes of files that are read together, and so many more for each thread

Run = TypeVar("Run")
Task = Callable[[], None]


def read_files(
    paths: list[Path],
    jobs: int,
    prepare: Callable[[Source], Run],
    more: Callable[[], list[Task]],
    *,
    skip_unreadable: bool = False,
) -> Iterator[Run]:
    """What `prepare` makes of the runs of each file; when all are read, every malformed line of all is in one error.

    Threads read some files, and then the next ones, and with those do what `more` gives: what is to be done with what
    they have read. The arrays of what is prepared are used again once that is done.

    With `skip_unreadable` files that cannot be read at all are named in a warning; one with some malformed lines is an
    error all the same.
    """
    problems: list[Problem] = []
    hints: list[str] = []
    skipped: list[str] = []
    stats: dict[str, Any] = {}
    for path, sources in track("reading runs", _all_read(paths, jobs, prepare, more), total=len(paths)):
        if isinstance(sources, InputError):
            if skip_unreadable and all(problem.where == str(path) for problem in sources.problems):
                skipped += [str(problem) for problem in sources.problems[:1]]
                continue
            problems += sources.problems
            hints.append(sources.hint)
            continue
        for source, run in sources:
            if source.unit == "line":
                stats[source.place] = sum(part.stats for part in source.blocks)
            yield run
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


def _all_read(
    paths: list[Path], jobs: int, prepare: Callable[[Source], Run], more: Callable[[], list[Task]]
) -> Iterator[tuple[Path, list[tuple[Source, Run]] | InputError]]:
    """Files in order, read by threads, some at a time; the same threads do what `more` gives before the next ones."""
    ahead = deque(paths)
    here, there = Scratch(), Scratch()  # `there` are rows that are in use till the next files are read
    room = BATCH + SHARE * jobs if jobs > 1 else 2 * BATCH
    while True:
        beside = more()
        if jobs == 1:  # nothing is gained by doing them beside the reading, and twice the memory goes into `here`
            there = here
            for task in beside:
                task()
            beside = more()
        here.clear()
        batch = list(_next_files(ahead, room))
        results: list[Any] = [None] * len(batch)

        def read(k: int, batch: list[Path] = batch, results: list[Any] = results, scratch: Scratch = here) -> None:
            sources = _read(batch[k], scratch, jobs)
            if isinstance(sources, InputError):
                results[k] = sources
            else:
                results[k] = [(source, prepare(source)) for source in sources]

        tasks: list[Task] = [*(partial(read, k) for k in range(len(batch))), *beside]
        if not tasks:
            return
        parallel_for(run_task, tasks, jobs)
        yield from zip(batch, results, strict=True)
        del results
        here, there = there, here


def run_task(task: Task) -> None:
    task()


def _next_files(ahead: deque[Path], room: int) -> Iterator[Path]:
    """At least one file, and no more than `room` bytes of several."""
    while ahead:
        with contextlib.suppress(OSError, ValueError):  # reading says what is wrong
            room -= ahead[0].stat().st_size * (GROWTH if ahead[0].suffix in PACKED else 1)
        yield ahead.popleft()
        if room <= 0:
            return


def _read(path: Path, scratch: Scratch, jobs: int) -> list[Source] | InputError:
    """The runs of a file, or what is wrong with it; threads share the blocks of a large one."""
    try:
        opened = open_file(path, "run", scratch)
        if opened.data is None:
            place = str(path)
            return [
                Source(place, opened.format, columns.unit, [block])
                for columns in opened.columns
                for block in run_blocks(columns, place)
            ]
    except InputError as error:
        return error
    data, ranges = opened.data, list(blocks(opened.data))
    parts: list[Any] = [None] * len(ranges)

    def tokenise_block(k: int) -> None:
        parts[k] = tokenise(data, *ranges[k], RUN, scratch)

    parallel_for(tokenise_block, range(len(ranges)), jobs)
    good = any(part.stats[scan.ROWS] > len(part.not_numbers) for part in parts)
    kind = "" if good else looks_like(data, A_RUN)
    bad_lines = malformed(path, parts, RUN, lambda part: part.not_numbers, _not_a_score, kind)
    if bad_lines:
        return InputError.of(bad_lines, _hint(bad_lines, kind))
    return [Source(str(path), opened.format, "line", parts)]


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
