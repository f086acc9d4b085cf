"""NTCIR: judgments with levels or letters, and runs that open with a description of the system."""

import re
from pathlib import Path

import numpy as np

from irassay.errors import InputError, Problem
from irassay.read.files import Bytes, padded
from irassay.read.registry import TextFormat
from irassay.read.tokens import limited, quoted, written_lines

LETTERS = {b"S": 3, b"A": 2, b"B": 1, b"C": 0}
LEVEL = re.compile(rb"L(\d{1,2})")
DESCRIPTION = 1 << 16  # bytes in which a description must end
# After blank lines and comments; to the end of the line that closes it, or where none does, of its own.
SYSDESC = re.compile(rb"\A(?:\s|#[^\n]*\n)*<SYSDESC>(?:.*?</SYSDESC>)?[^\n]*", re.DOTALL | re.IGNORECASE)


def _is_early(data: Bytes) -> bool:
    """Whether the first line is `topic S document 1`."""
    words = next(written_lines(data), [])
    return len(words) >= 3 and words[1] in LETTERS


def _recognise_judgments(data: Bytes) -> bool:
    words = next(written_lines(data), [])
    return _is_early(data) or (len(words) == 3 and (words[2] in LETTERS or bool(LEVEL.fullmatch(words[2]))))


def _rewrite_judgments(data: Bytes, path: Path) -> Bytes:
    """`topic document L3`, or early `topic S document 1` or `topic document S`, as TREC's four columns."""
    early = _is_early(data)
    lines: list[bytes] = []
    problems: list[Problem] = []
    for number, line in enumerate(data.tobytes().split(b"\n")[:-1], start=1):
        words = line.split()
        if not words or words[0].startswith(b"#"):
            lines.append(line)
            continue
        topic, document, level = (words[0], words[2], words[1]) if early and len(words) > 2 else (*words, b"", b"")[:3]
        match = LEVEL.fullmatch(level)
        if not match and level not in LETTERS:
            expected = "topic S document 1" if early else "topic document L1"
            what = f"expected NTCIR's {expected}, found {quoted(line.strip())}"
            problems.append(Problem(what, f"{path}:{number}"))
            continue
        grade = int(match[1]) if match else LETTERS[level]
        extra = words[4 if early else 3 :]  # for the tokeniser to count
        lines.append(b" ".join([topic, b"0", document, b"%d" % grade, *extra]))
    if problems:
        raise InputError.of(limited(problems, path), "levels are L0, L1, L2, … or the letters S A B C (3 2 1 0)")
    return padded(b"\n".join(lines) + b"\n")


def _recognise_run(data: Bytes) -> bool:
    start = data[:DESCRIPTION].tobytes()
    return b"<" in start and b"<SYSDESC>" in start.upper() and SYSDESC.match(start) is not None


def _rewrite_run(data: Bytes, path: Path) -> Bytes:
    """The lines of <SYSDESC>…</SYSDESC> become comments, so that line numbers stay."""
    match = SYSDESC.match(data[:DESCRIPTION].tobytes())
    assert match is not None
    written = np.flatnonzero(data[: match.end()] > 32)
    lines = np.searchsorted(np.flatnonzero(data[: match.end()] == 10), written)
    data[written] = 32
    data[written[np.unique(lines, return_index=True)[1]]] = 35
    return data


JUDGMENTS = TextFormat("judgments", _recognise_judgments, _rewrite_judgments, run_order="file", name="NTCIR")
RUN = TextFormat("run", _recognise_run, _rewrite_run, name="NTCIR")
