"""Relevance judgments: TREC's qrels, NTCIR's levels, early NTCIR letters, dicts and frames."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.engine import tokens as scan
from irassay.errors import InputError, IrassayWarning, Problem, emit
from irassay.read.files import Bytes, load, padded
from irassay.read.runs import Ignored
from irassay.read.tokens import QRELS, SHOWN, Block, blocks, line_of, tokenise
from irassay.read.vocabulary import Vocabulary, text

LOWEST, HIGHEST = -127, 127
LETTERS = {b"S": 3, b"A": 2, b"B": 1, b"C": 0}
LEVEL = re.compile(rb"L(\d{1,2})")


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
    data, form = _as_trec(load(path), path)
    parts = [tokenise(data, begin, end, QRELS) for begin, end in blocks(data)]
    problems = list(_problems(path, parts))
    if problems:
        raise InputError.of(problems, hint="a judgment is one line: topic 0 document grade, the grade a whole number")
    _refuse_a_run(data, path)
    vocabulary = Vocabulary()
    places: list[tuple[str, NDArray[Any], NDArray[np.int32], NDArray[np.int64]]] = []
    line = 0
    for part in parts:
        topics = vocabulary.topic_numbers(part.topics)[part.segment_topic]
        entry, repeats = vocabulary.add(
            part.data, part.doc_start, part.doc_size, part.doc_hash, topics, part.segment_row, 0
        )
        lines = np.array([line + line_of(int(row), part.skipped) for row in repeats], dtype=np.int64)
        places.append((str(path), entry, part.whole, np.stack([repeats, lines])))
        line += int(part.stats[scan.LINES])
    grade = settle(places, vocabulary, duplicates)
    ignored = Ignored()
    ignored.count(path, parts)
    emit(ignored.warnings())
    return Qrels(str(path), vocabulary, grade, vocabulary.sorted_entries(), form)


def settle(
    places: list[tuple[str, NDArray[Any], NDArray[np.int32], NDArray[np.int64]]],
    vocabulary: Vocabulary,
    duplicates: str,
) -> NDArray[np.int8]:
    """One grade for each entry; `places` hold (where, entries, grades, [repeated rows, their lines])."""
    grade = np.zeros(len(vocabulary), dtype=np.int8)
    same = conflicting = 0
    for where, entry, given, repeats in places:
        repeated = np.zeros(len(entry), dtype=bool)
        repeated[repeats[0]] = True
        grade[entry[~repeated]] = given[~repeated]
        for row, line in repeats.T.tolist():
            if grade[entry[row]] == given[row]:
                same += 1
                continue
            conflicting += 1
            if duplicates == "error":
                name = text(vocabulary.name(int(entry[row])))
                topic = text(list(vocabulary.topics)[int(vocabulary.topic[entry[row]])])
                raise InputError(
                    f"document {name} of topic {topic} is judged twice: grade {grade[entry[row]]}, then {given[row]}",
                    f"{where}:{line}",
                    "keep the first with --duplicates first",
                )
    found = []
    if same:
        found.append(
            IrassayWarning("repeated-judgments", f"ignored {same} judgments that repeat another", places[0][0])
        )
    if conflicting:
        what = f"kept the first of {conflicting} judgments that contradict another"
        found.append(IrassayWarning("duplicates", what, places[0][0]))
    emit(found)
    return grade


def _problems(path: Path, parts: list[Block]) -> Iterator[Problem]:
    line = shown = total = 0
    for part in parts:
        found = [(n, f"expected 4 columns (topic 0 document grade), found {k}") for n, k in part.too_short]
        total += int(part.stats[scan.ERRORS])
        words = dict(part.not_numbers)
        for row in np.flatnonzero((part.whole < LOWEST) | (part.whole > HIGHEST)).tolist():
            total += 1
            if len(found) >= SHOWN:
                continue
            if part.whole[row] == scan.NOT_WHOLE:
                word = repr(text(words[row])) if row in words else f"{part.value[row]:g}"
                what = f"grade {word} is not a whole number"
            else:
                what = f"grade {part.whole[row]} is not between {LOWEST} and {HIGHEST}"
            found.append((line_of(row, part.skipped), what))
        for number, what in sorted(found)[: SHOWN - shown]:
            shown += 1
            yield Problem(what, f"{path}:{line + number}")
        line += int(part.stats[scan.LINES])
    if total > shown:
        yield Problem(f"{total - shown} more malformed lines", str(path))
    if not total and not any(len(part) for part in parts):
        yield Problem("the file holds no judgments, only blank or comment lines", str(path))


def _refuse_a_run(data: Bytes, path: Path) -> None:
    """Ranks would pass for grades: a run in the place of judgments must not go through."""
    fields = _first_fields(data)
    if len(fields) == 6 and fields[1].upper() == b"Q0":
        raise InputError(
            "this looks like a run, not relevance judgments", str(path), "QRELS comes first, then the runs"
        )


def _first_fields(data: Bytes) -> list[bytes]:
    for line in data[: 1 << 16].tobytes().splitlines():
        if line.strip() and not line.lstrip().startswith(b"#"):
            return line.split()
    return []


def _as_trec(data: Bytes, path: Path) -> tuple[Bytes, str]:
    """NTCIR's forms rewritten line by line: `topic doc L3`, and early `topic S doc 1` or `topic doc S`."""
    fields = _first_fields(data)
    early = len(fields) >= 3 and fields[1] in LETTERS
    if not early and not (len(fields) == 3 and (LEVEL.fullmatch(fields[2]) or fields[2] in LETTERS)):
        return data, "trec"
    out: list[bytes] = []
    problems: list[Problem] = []
    for number, line in enumerate(data.tobytes().split(b"\n")[:-1], start=1):
        words = line.split()
        if not words or words[0].startswith(b"#"):
            out.append(line)
            continue
        level = words[1 if early else 2] if len(words) >= 3 else b""
        document = words[2 if early else 1] if len(words) >= 3 else b""
        match = LEVEL.fullmatch(level)
        if not match and level not in LETTERS:
            what = (
                f"expected NTCIR's {'topic S document' if early else 'topic document L1'}, found {text(line.strip())!r}"
            )
            problems.append(Problem(what, f"{path}:{number}"))
            continue
        grade = int(match[1]) if match else LETTERS[level]
        out.append(b"%s 0 %s %d" % (words[0], document, grade))
    if problems:
        hint = "levels are L0, L1, L2, … or the letters S A B C (3 2 1 0)"
        raise InputError.of(problems[:SHOWN], hint)
    return padded(b"\n".join(out) + b"\n"), "ntcir"
