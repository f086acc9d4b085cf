"""Relevance judgments: TREC's qrels, the formats that are rewritten to it, and judgments in memory."""

import os
import re
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError, IrassayWarning, Problem, emit
from irassay.read.files import Bytes, beginning, load
from irassay.read.memory import judgment_block
from irassay.read.registry import TextFormat, formats
from irassay.read.tokens import (
    DECIMAL,
    HIGHEST_GRADE,
    LOWEST_GRADE,
    MIXED,
    QRELS,
    RUN,
    SHOWN,
    Block,
    blocks,
    ignored_warnings,
    lines_of,
    malformed,
    position,
    quoted,
    tokenise,
    written_lines,
)
from irassay.read.vocabulary import Vocabulary, joined, text

WHOLE = re.compile(rb"[+-]?\d+")


@dataclass(frozen=True, repr=False)
class Qrels:
    """Judgments: the grade of each (topic, document). A grade below 0 was pooled, but not judged."""

    path: str
    vocabulary: Vocabulary
    grade: NDArray[np.int8]  # by entry of the vocabulary
    order: NDArray[np.int64]  # entries by topic, then in byte order of the documents' ids
    run_order: str = "trec"  # how runs are ordered that are scored with it, unless a user says how

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
        return _build("judgments", [judgment_block(source, "judgments")], duplicates, unit="row")
    path = Path(source)
    data = load(path)
    _refuse_a_run(data, path)
    run_order = "trec"
    for format_ in formats(TextFormat):
        if format_.holds == "judgments" and format_.recognise(data):
            data, run_order = format_.rewrite(data, path), format_.run_order
    parts = [tokenise(data, begin, end, QRELS) for begin, end in blocks(data)]
    if problems := list(malformed(path, parts, QRELS, _bad_grades, _not_a_grade)):
        hint = f"a judgment is one line: {QRELS.what}, the grade a whole number"
        raise InputError.of(problems, "save the file with one kind of line ends" if problems[0].what == MIXED else hint)
    qrels = _build(str(path), parts, duplicates, run_order=run_order)
    emit(ignored_warnings({qrels.path: sum(part.stats for part in parts)}))
    return qrels


def holds_run(path: Path) -> bool:
    """Whether a file is a run, and not judgments: by its format, else by its columns, 6 against 4."""
    data = beginning(path)
    for format_ in formats(TextFormat):
        if format_.recognise(data):
            return bool(format_.holds == "run")
    lines = list(islice(written_lines(data), 5))
    return bool(lines) and all(len(words) >= RUN.columns for words in lines)


def _build(path: str, parts: list[Block], duplicates: str, *, unit: str = "line", run_order: str = "trec") -> Qrels:
    """Judgments with one grade for each entry."""
    vocabulary = Vocabulary()
    entry, repeats, _, _, skipped = vocabulary.add(parts, 0)
    grades = joined([part.whole for part in parts])
    grade = np.zeros(len(vocabulary), dtype=np.int8)
    grade[entry[::-1]] = grades[::-1]  # of repeated judgments the first one stays
    conflicting = repeats[grade[entry[repeats]] != grades[repeats]]
    if len(conflicting) and duplicates == "error":
        problems: list[Problem] = []
        shown = conflicting[:SHOWN]
        for row, line in zip(shown.tolist(), lines_of(shown, skipped).tolist(), strict=True):
            topic, document = vocabulary.pair(entry[row])
            twice = f"grade {grade[entry[row]]}, then {grades[row]}"
            what = f"document {document} of topic {topic} is judged twice: {twice}"
            problems.append(Problem(what, position(path, line, unit)))
        if len(conflicting) > SHOWN:
            problems.append(Problem(f"{len(conflicting) - SHOWN} more contradicting judgments", path))
        raise InputError.of(problems, "keep the first with --duplicates first")
    if same := len(repeats) - len(conflicting):
        emit([IrassayWarning("repeated-judgments", f"ignored {same} judgments that repeat another", path)])
    if len(conflicting):
        what = f"kept the first of {len(conflicting)} judgments that contradict another"
        emit([IrassayWarning("duplicates", what, path)])
    return Qrels(path, vocabulary, grade, vocabulary.sorted_entries(), run_order)


def _bad_grades(part: Block) -> NDArray[np.int64]:
    return np.flatnonzero((part.whole < LOWEST_GRADE) | (part.whole > HIGHEST_GRADE)).astype(np.int64)


def _not_a_grade(part: Block, row: int) -> str:
    word = part.word(row, QRELS.value)
    problem = "not between" if WHOLE.fullmatch(word) else "not a whole number between"
    return f"grade {quoted(word)} is {problem} {LOWEST_GRADE} and {HIGHEST_GRADE}"


def _refuse_a_run(data: Bytes, path: Path) -> None:
    """Ranks would pass for grades: a run in the place of judgments must not go through."""
    lines = list(islice(written_lines(data), 5))
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
