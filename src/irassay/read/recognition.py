"""Which format a file is in, and what else it may be where it is in none."""

import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from irassay.errors import InputError
from irassay.read.columns import ORDER, Columns
from irassay.read.files import Bytes, load
from irassay.read.lines import first_line
from irassay.read.registry import Holds, ScoreFormat, TableFile, TableFormat, TextFormat, binary_format, formats
from irassay.read.scratch import Scratch
from irassay.read.tokens import DECIMAL, QRELS, written_lines
from irassay.read.vocabulary import text

TREC = "TREC"
NO_BYTES: Bytes = np.empty(0, dtype=np.uint8)
VALUES = {"run": "score", "judgments": "grade"}
WHOLE = re.compile(rb"[+-]?\d+")
NUMBER = re.compile(rb"(^| )[+-]?\d+(\.\d+)?( |$)")
A_RUN, JUDGMENTS = "a run", "relevance judgments"
FIRST = 5  # lines that are looked at


class Opened(NamedTuple):
    """A file in a format: its lines in TREC's columns, or else its rows as columns."""

    format: str
    data: Bytes | None
    columns: Iterable[Columns] = ()
    run_order: str = "trec"


def open_file(path: Path, holds: Holds, scratch: Scratch | None = None) -> Opened:
    """The file in the format that recognises it, else in TREC's."""
    binary = binary_format(formats(TableFormat), path)
    if binary is not None:
        return Opened(binary.name, None, binary.read(TableFile(path, NO_BYTES, VALUES[holds])))
    data = load(path, scratch)
    for table in formats(TableFormat):
        if table.recognise(data, holds):
            return Opened(table.name, None, table.read(TableFile(path, data, VALUES[holds])))
    if holds == "judgments" and _is_run(data):
        raise InputError("this looks like a run, not relevance judgments", str(path), ORDER)
    for lines in formats(TextFormat):
        if lines.holds == holds and lines.recognise(data):
            return Opened(lines.name, lines.rewrite(data, path), run_order=lines.run_order)
    return Opened(TREC, data)


def _is_run(data: Bytes) -> bool:
    """Ranks would pass for grades: a run in the place of judgments must not go through."""
    lines = list(islice(written_lines(data), FIRST))
    if not lines or any(len(words) < 6 for words in lines):
        return False
    # without the customary Q0 the fourth column gives it away, counting down the list
    ranks = [words[3] for words in lines]
    counting = ranks in ([b"%d" % n for n in range(first, first + FIRST)] for first in (0, 1))
    counting = counting and all(DECIMAL.fullmatch(words[4]) for words in lines)
    return counting or all(words[1].upper() == b"Q0" for words in lines)


def looks_like(data: Bytes, expected: str) -> str:
    """What a text is where it is not what is expected, judgments or a run; empty where nobody can tell."""
    kind = _kind(data)
    return "" if kind == expected else kind


def _kind(data: Bytes) -> str:
    line = first_line(data)[0]
    lines = list(islice(written_lines(data[: 1 << 16]), FIRST))
    if not lines:
        return ""
    start = line[:200].lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        return "a web page, or XML"
    if _is_run(data):
        return A_RUN
    if all(len(words) == QRELS.columns and WHOLE.fullmatch(words[3]) for words in lines):
        return JUDGMENTS
    if start.startswith((b"{", b"[")):
        return "JSON, and is damaged"
    if any(table.recognise(text(line)) for table in formats(ScoreFormat)):
        return "a table of scores, which --scores reads"
    if all(len(words) == 2 for words in lines):
        return "a list of pairs, such as groups"
    if not any(NUMBER.search(b" ".join(words)) for words in lines):
        return "text, such as a README"
    return ""
