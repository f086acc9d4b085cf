"""Whether a file holds judgments or a run, where a user gives both in one list."""

from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from irassay.errors import InputError
from irassay.read.columns import Columns
from irassay.read.files import Bytes, beginning
from irassay.read.memory import judgment_block, run_blocks
from irassay.read.recognition import FIRST, open_file
from irassay.read.registry import Holds, TableFormat, TextFormat, binary_format, formats
from irassay.read.tokens import RUN, Block, written_lines

HINT = "--judge FILE says that it is judgments; a run has a column of ranks or systems, and none of grades"


class Content(NamedTuple):
    """A file's rows as one of the two."""

    columns: Columns
    block: Block


def kind_of(path: Path) -> Holds:
    """What a file holds, by its format, else by its columns, 6 against 4.

    Formats that hold both are read as both: by the names of columns and by the values mostly one of them fails.
    """
    if binary_format(formats(TableFormat), path) is None:
        data = beginning(path)
        if not any(table.recognise(data, "judgments") for table in formats(TableFormat)):
            return _kind_of_lines(data)
    run, judgments = _content(path, "run"), _content(path, "judgments")
    if isinstance(run, InputError) and isinstance(judgments, InputError):
        if run.problems == judgments.problems:
            raise run
        what = f"neither a run ({run.what}) nor judgments ({judgments.what})"
        raise InputError(what, judgments.problems[0].where or str(path), judgments.hint)
    if isinstance(run, InputError):
        return "judgments"
    return "run" if isinstance(judgments, InputError) else _likelier(path, run, judgments)


def _kind_of_lines(data: Bytes) -> Holds:
    lines = next((lines for lines in formats(TextFormat) if lines.recognise(data)), None)
    if lines is not None:
        holds: Holds = lines.holds
        return holds
    words = list(islice(written_lines(data), FIRST))
    return "run" if words and all(len(line) >= RUN.columns for line in words) else "judgments"


def _content(path: Path, holds: Holds) -> Content | InputError:
    """The file as one of the two, or why it is not."""
    try:
        columns = next(iter(open_file(path, holds).columns))
        if holds == "run":
            return Content(columns, next(run_blocks(columns, str(path))))
        return Content(columns, judgment_block(columns, str(path)))
    except InputError as error:
        return error


def _likelier(path: Path, run: Content, judgments: Content) -> Holds:
    """Of a file that can be read as both, by what judgments and runs have besides values."""
    scores, grades = run.columns.values, judgments.columns.values
    if scores is None:  # grades beside ranks, or numbers that count very short lists
        return "judgments"
    if not np.array_equal(scores, grades):
        raise InputError("columns of grades and of scores: it could be judgments or a run", str(path), HINT)
    if run.columns.systems is not None or run.columns.name is not None:
        return "run"
    block = judgments.block
    topic = np.repeat(block.segment_topic, np.diff(np.append(block.segment_row, len(block))))
    pairs = np.unique(np.stack([topic, block.whole]), axis=1)
    if len(block) >= FIRST * len(block.topics) and pairs.shape[1] == len(block):
        what = "whole numbers, all different within each topic: they could be grades or scores"
        raise InputError(what, str(path), HINT)
    return "judgments"
