"""Relevance judgments: TREC's qrels, NTCIR's levels, early NTCIR letters, dicts and frames."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError, IrassayWarning, Problem, emit
from irassay.read import _tokens as scan
from irassay.read.files import Bytes, load, padded
from irassay.read.tokens import (
    DECIMAL,
    MIXED,
    QRELS,
    SHOWN,
    Block,
    Ignored,
    blocks,
    lines_of,
    malformed,
    quoted,
    tokenise,
)
from irassay.read.vocabulary import Vocabulary, text

LOWEST, HIGHEST = -127, 127
LETTERS = {b"S": 3, b"A": 2, b"B": 1, b"C": 0}
LEVEL = re.compile(rb"L(\d{1,2})")
WHOLE = re.compile(rb"[+-]?\d+")


@dataclass(frozen=True, repr=False)
class Qrels:
    """Judgments: the grade of each (topic, document). A grade below 0 was pooled, but not judged."""

    path: str
    vocabulary: Vocabulary
    grade: NDArray[np.int8]  # by entry of the vocabulary
    order: NDArray[np.int64]  # entries by topic, then in byte order of the documents' ids
    form: str = "trec"

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(map(text, self.vocabulary.topics))

    def __len__(self) -> int:
        return len(self.grade)

    def __repr__(self) -> str:
        return f"<Qrels: {len(self)} judgments of {len(self.topics)} topics from {self.path}>"


def read_qrels(source: Any, *, duplicates: str = "error") -> Qrels:
    """Read judgments from a file, a dict or a frame.

    A judgment that is repeated with the same grade is ignored and counted; with another grade it is an error, or
    `duplicates='first'` keeps the first.
    """
    if duplicates not in ("error", "first"):
        raise InputError(f"duplicates is {duplicates!r}", hint="duplicates is 'error' or 'first'")
    if not isinstance(source, (str, os.PathLike)):
        from irassay.read.memory import qrels_from_memory

        return qrels_from_memory(source, duplicates)
    path = Path(source)
    data = load(path)
    _refuse_a_run(data, path)
    data, form = _as_trec(data, path)
    parts = [tokenise(data, begin, end, QRELS) for begin, end in blocks(data)]
    if problems := list(malformed(path, parts, QRELS, _bad_grades, _not_a_grade)):
        hint = f"a judgment is one line: {QRELS.what}, the grade a whole number"
        raise InputError.of(problems, "save the file with one kind of line ends" if problems[0].what == MIXED else hint)
    vocabulary = Vocabulary()
    given: list[Given] = []
    line = 0
    for part in parts:
        topics = vocabulary.topic_numbers(part.topics)[part.segment_topic]
        entry, repeats = vocabulary.add(
            part.data, part.doc_start, part.doc_size, part.doc_hash, topics, part.segment_row, 0
        )
        given.append(Given(entry, part.whole, repeats, line + lines_of(repeats, part.skipped)))
        line += int(part.stats[scan.LINES])
    grade = settle(str(path), f"{path}:", given, vocabulary, duplicates)
    ignored = Ignored()
    ignored.count(path, parts)
    emit(ignored.warnings())
    return Qrels(str(path), vocabulary, grade, vocabulary.sorted_entries(), form)


class Given(NamedTuple):
    """The judgments of one block: entries, grades, which rows repeat an earlier one, and where those stand."""

    entry: NDArray[np.int32]
    grade: NDArray[np.int32]
    repeats: NDArray[np.int64]
    lines: NDArray[np.int64]


def settle(path: str, at: str, blocks: list[Given], vocabulary: Vocabulary, duplicates: str) -> NDArray[np.int8]:
    """One grade for each entry; `at` and a line say where a judgment stands."""
    grade = np.zeros(len(vocabulary), dtype=np.int8)
    same = conflicting = 0
    problems: list[Problem] = []
    topics = [text(name) for name in vocabulary.topics]
    for entry, given, repeats, lines in blocks:
        first = np.ones(len(entry), dtype=np.bool_)
        first[repeats] = False
        grade[entry[first]] = given[first]
        differ = grade[entry[repeats]] != given[repeats]
        same += len(repeats) - int(differ.sum())
        conflicting += int(differ.sum())
        for row, line in zip(repeats[differ].tolist(), lines[differ].tolist(), strict=True):
            if duplicates == "first" or len(problems) == SHOWN:
                break
            e = int(entry[row])
            document, topic = text(vocabulary.name(e)), topics[int(vocabulary.topic[e])]
            what = f"document {document} of topic {topic} is judged twice: grade {grade[e]}, then {given[row]}"
            problems.append(Problem(what, f"{at}{line}"))
    if problems:
        if conflicting > len(problems):
            problems.append(Problem(f"{conflicting - len(problems)} more contradicting judgments", path))
        raise InputError.of(problems, "keep the first with --duplicates first")
    if same:
        emit([IrassayWarning("repeated-judgments", f"ignored {same} judgments that repeat another", path)])
    if conflicting:
        what = f"kept the first of {conflicting} judgments that contradict another"
        emit([IrassayWarning("duplicates", what, path)])
    return grade


def _bad_grades(part: Block) -> NDArray[np.int64]:
    return np.flatnonzero((part.whole < LOWEST) | (part.whole > HIGHEST)).astype(np.int64)


def _not_a_grade(part: Block, row: int) -> str:
    word = part.word(row, QRELS.whole)
    problem = "not between" if WHOLE.fullmatch(word) else "not a whole number between"
    return f"grade {quoted(word)} is {problem} {LOWEST} and {HIGHEST}"


def _refuse_a_run(data: Bytes, path: Path) -> None:
    """Ranks would pass for grades: a run in the place of judgments must not go through."""
    lines = list(islice(_written_lines(data), 5))
    if not lines or any(len(words) < 6 for words in lines):
        return
    # without the customary Q0 the fourth column gives it away, counting down the list
    ranks = [words[3] for words in lines]
    counting = ranks in ([b"%d" % n for n in range(first, first + 5)] for first in (0, 1))
    counting = counting and all(DECIMAL.fullmatch(words[4]) for words in lines)
    if counting or all(words[1].upper() == b"Q0" for words in lines):
        raise InputError(
            "this looks like a run, not relevance judgments", str(path), "QRELS comes first, then the runs"
        )


def _written_lines(data: Bytes) -> Iterator[list[bytes]]:
    """The words of each line that is not blank and not a comment."""
    for begin, end in blocks(data, 1 << 16):
        for line in data[begin:end].tobytes().split(b"\n"):
            words = line.split()
            if words and not words[0].startswith(b"#"):
                yield words


def _as_trec(data: Bytes, path: Path) -> tuple[Bytes, str]:
    """NTCIR's forms rewritten line by line: `topic doc L3`, and early `topic S doc 1` or `topic doc S`."""
    fields = next(_written_lines(data), [])
    early = len(fields) >= 3 and fields[1] in LETTERS
    if not early and not (len(fields) == 3 and (LEVEL.fullmatch(fields[2]) or fields[2] in LETTERS)):
        return data, "trec"
    out: list[bytes] = []
    problems: list[Problem] = []
    total = 0
    for number, line in enumerate(data.tobytes().split(b"\n")[:-1], start=1):
        words = line.split()
        if not words or words[0].startswith(b"#"):
            out.append(line)
            continue
        topic, document, level = (words[0], words[2], words[1]) if early and len(words) > 2 else (*words, b"", b"")[:3]
        match = LEVEL.fullmatch(level)
        if not match and level not in LETTERS:
            total += 1
            if total <= SHOWN:
                expected = "topic S document 1" if early else "topic document L1"
                what = f"expected NTCIR's {expected}, found {quoted(line.strip())}"
                problems.append(Problem(what, f"{path}:{number}"))
            continue
        grade = int(match[1]) if match else LETTERS[level]
        extra = words[4 if early else 3 :]  # for the tokeniser to count
        out.append(b" ".join([topic, b"0", document, b"%d" % grade, *extra]))
    if problems:
        if total > SHOWN:
            problems.append(Problem(f"{total - SHOWN} more malformed lines", str(path)))
        raise InputError.of(problems, "levels are L0, L1, L2, … or the letters S A B C (3 2 1 0)")
    return padded(b"\n".join(out) + b"\n"), "ntcir"
