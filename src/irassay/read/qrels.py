"""Relevance judgments: TREC's qrels, the formats that are rewritten to it, and judgments in memory."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import compiled
from irassay.errors import InputError, IrassayWarning, Problem, emit
from irassay.files import is_path
from irassay.read.batch import Rows, joined
from irassay.read.files import Bytes, lines_of_files
from irassay.read.memory import judgment_block, judgments_in_memory
from irassay.read.recognition import JUDGMENTS, TREC, looks_like, open_file
from irassay.read.source import Source
from irassay.read.tokens import (
    FRACTIONS,
    HIGHEST_GRADE,
    LOWEST_GRADE,
    MIXED,
    QRELS,
    SHOWN,
    Block,
    blocks,
    ignored_warnings,
    lines_of,
    malformed,
    position,
    quoted,
    tokenise,
)
from irassay.read.vocabulary import Vocabulary, text

WHOLE = re.compile(rb"[+-]?\d+")
FRACTION = re.compile(r"grade '[+-]?\d*\.\d+' is not a whole number")


@dataclass(frozen=True, repr=False)
class Qrels:
    """Judgments: the grade of each (topic, document). A grade below 0 was pooled, but not judged."""

    path: str
    vocabulary: Vocabulary
    grade: NDArray[np.int8]  # by entry of the vocabulary
    order: NDArray[np.int64]  # entries by topic, then in byte order of the documents' ids
    run_order: str = "trec"  # how runs are ordered that are scored with it, unless a user says how
    format: str = TREC  # in which it was read

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(map(text, self.vocabulary.topics))

    def __len__(self) -> int:
        return len(self.grade)

    def __repr__(self) -> str:
        return f"<Qrels: {len(self)} judgments of {len(self.topics)} topics from {self.path}>"


def read_qrels(source: Any, *, duplicates: str = "error") -> Qrels:
    """Read judgments from a file, a dict, a frame, or `ir_datasets:ID`.

    A judgment that is repeated with the same grade is ignored and counted; with another grade it is an error, or
    `duplicates='first'` keeps the first.
    """
    if duplicates not in ("error", "first"):
        raise InputError(f"duplicates is {duplicates!r}", hint="duplicates is 'error' or 'first'")
    if not is_path(source):
        place = source if isinstance(source, str) else "judgments"
        return _build(judgments_in_memory(source, place), duplicates)
    return _build(_read_file(Path(source)), duplicates)


def _read_file(path: Path) -> Source:
    compiled("read", lines_of_files([path]))
    opened = open_file(path, "judgments")
    if opened.data is None:
        (columns,) = opened.columns
        block = judgment_block(columns, str(path))
        return Source(str(path), opened.format, columns.unit, [block])
    parts = [tokenise(opened.data, begin, end, QRELS) for begin, end in blocks(opened.data)]
    if problems := malformed(path, parts, QRELS, _bad_grades, _not_a_grade):
        raise InputError.of(problems, _hint(problems, opened.data))
    return Source(str(path), opened.format, "line", parts, opened.run_order)


def _hint(problems: list[Problem], data: Bytes) -> str:
    if problems[0].what == MIXED:
        return "save the file with one kind of line ends"
    if kind := looks_like(data, JUDGMENTS):
        return f"this looks like {kind}; give relevance judgments as QRELS"
    shape = f"a judgment is one line: {QRELS.what}, the grade a whole number"
    return f"{shape}; {FRACTIONS}" if any(FRACTION.search(problem.what) for problem in problems) else shape


def _build(source: Source, duplicates: str) -> Qrels:
    """Judgments with one grade for each entry."""
    path, parts = source.place, source.blocks
    vocabulary = Vocabulary()
    rows = Rows.of(parts)
    entry, repeats, _ = vocabulary.add(rows)
    grades = joined([part.whole for part in parts])
    grade = np.zeros(len(vocabulary), dtype=np.int8)
    grade[entry[::-1]] = grades[::-1]  # of repeated judgments the first one stays
    conflicting = repeats[grade[entry[repeats]] != grades[repeats]]
    if len(conflicting) and duplicates == "error":
        problems: list[Problem] = []
        shown = conflicting[:SHOWN]
        for row, line in zip(shown.tolist(), lines_of(shown, rows.skipped).tolist(), strict=True):
            topic, document = vocabulary.pair(entry[row])
            twice = f"grade {grade[entry[row]]}, then {grades[row]}"
            what = f"document {document} of topic {topic} is judged twice: {twice}"
            problems.append(Problem(what, position(path, line, source.unit)))
        if len(conflicting) > SHOWN:
            problems.append(Problem(f"{len(conflicting) - SHOWN} more contradicting judgments", path))
        raise InputError.of(problems, "keep the first with --duplicates first")
    if same := len(repeats) - len(conflicting):
        emit([IrassayWarning("repeated-judgments", f"ignored {same} judgments that repeat another", path)])
    if len(conflicting):
        what = f"kept the first of {len(conflicting)} judgments that contradict another"
        emit([IrassayWarning("duplicates", what, path)])
    if source.unit == "line":
        emit(ignored_warnings({path: sum(part.stats for part in parts)}))
    return Qrels(path, vocabulary, grade, vocabulary.sorted_entries(), source.run_order, source.format)


def _bad_grades(part: Block) -> NDArray[np.int64]:
    return np.flatnonzero((part.whole < LOWEST_GRADE) | (part.whole > HIGHEST_GRADE)).astype(np.int64)


def _not_a_grade(part: Block, row: int) -> str:
    word = part.word(row, QRELS.value)
    problem = "not between" if WHOLE.fullmatch(word) else "not a whole number between"
    return f"grade {quoted(word)} is {problem} {LOWEST_GRADE} and {HIGHEST_GRADE}"
