"""Valid collections with odd names and many ties, written in any format: all of them must be read, and rightly."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Sequence
from typing import NamedTuple

from tests.fuzz.mutation import PACKERS
from tests.helpers import formats

ODD = (
    *("é", "e\u0301", "🦜", "\u202e", "#x", "x#", "'", "=1+1", "－1", "<b>", "&amp;", "\x7f", "a\u00a0b", "0001", "1"),
    *("all", "Q0", "topic", "-1", "1e5", "nan", "inf", "true", "null", "{}", "[1]", "\\", "\\n", "%d", "x" * 300, "１"),
)
FORMATS = ("TREC", "TSV", "CSV", "JSON", "JSON over lines", "JSONL", "JSON records", "Parquet")
COLUMNS = ("query-id", "corpus-id", "score")


class Collection(NamedTuple):
    """Judgments and the lists of each run, by topic and document."""

    qrels: dict[str, dict[str, int]]
    runs: list[dict[str, dict[str, float]]]


def _names(rng: random.Random, kind: str, number: int, odd: bool) -> list[str]:
    plain = [f"{kind}{n}" for n in range(number)] if rng.random() < 0.5 else [str(n) for n in range(1, number + 1)]
    if not odd:
        return plain
    usable = [name for name in ODD if not name.startswith("#")]
    return [rng.choice(usable) + name if rng.random() < 0.5 else name for name in plain]


def _score(rng: random.Random) -> float:
    kind = rng.randrange(5)
    if kind == 0:
        return float(rng.randrange(-2, 3))
    if kind == 1:
        return rng.choice((1e-300, 1e300, 5e-324, -0.0, 0.1 + 0.2, 1 / 3, 2**53 + 2.0, -1e-7, 1.7976931348623157e308))
    if kind == 2:
        return rng.random()
    if kind == 3:
        return 1.0 + rng.randrange(4) * 2.0**-52
    return rng.uniform(-1e6, 1e6)


def random_collection(rng: random.Random, *, odd: bool) -> Collection:
    """A small collection whose runs all answer a judged topic; `odd` names hold anything that a name may hold."""
    topics = _names(rng, "t", rng.randint(1, 4), odd)
    documents = _names(rng, "d", rng.choice((2, 5, 12, 40)), odd)
    grades = rng.choice(((0, 1), (0, 1, 2, 3), (-1, 0, 1, 2), (1,)))
    qrels = {
        topic: {document: rng.choice(grades) for document in rng.sample(documents, rng.randint(1, len(documents)))}
        for topic in topics
    }
    shared = rng.choice(topics)
    runs = []
    for _ in range(rng.randint(1, 3)):
        answered = {shared, *rng.sample(topics, rng.randint(0, len(topics)))}
        scores = [_score(rng) for _ in range(rng.choice((1, 3, 50)))]  # few: many ties
        lists = {
            topic: {document: rng.choice(scores) for document in rng.sample(documents, rng.randint(1, len(documents)))}
            for topic in rng.sample(sorted(answered), len(answered))
        }
        runs.append(lists)
    return Collection(qrels, runs)


def written(rng: random.Random, collection: Collection, format_: str, *, packed: bool) -> tuple[bytes, list[bytes]]:
    """Judgments and runs in the same format, perhaps packed."""
    qrels = _lines(collection.qrels, "0") if format_ == "TREC" else _columns(collection.qrels, format_)
    runs = [
        _lines(lists, "Q0", f"tag{number}") if format_ == "TREC" else _columns(lists, format_)
        for number, lists in enumerate(collection.runs)
    ]
    if not packed or format_ == "Parquet":
        return qrels, runs
    return _perhaps_packed(rng, qrels), [_perhaps_packed(rng, run) for run in runs]


def _perhaps_packed(rng: random.Random, data: bytes) -> bytes:
    return rng.choice(PACKERS)(data) if rng.random() < 0.3 else data


Lists = dict[str, dict[str, int]] | dict[str, dict[str, float]]


def _lines(lists: Lists, second: str, tag: str = "") -> bytes:
    rows = [
        f"{topic} {second} {document} {rank} {value!r} {tag}\n" if tag else f"{topic} {second} {document} {value}\n"
        for topic, values in lists.items()
        for rank, (document, value) in enumerate(values.items(), 1)
    ]
    return "".join(rows).encode()


def _columns(lists: Lists, format_: str) -> bytes:
    rows = [(topic, document, value) for topic, values in lists.items() for document, value in values.items()]
    if format_ in ("TSV", "CSV"):
        return _separated(rows, "\t" if format_ == "TSV" else ",")
    if format_ == "JSONL":
        return formats.json_lines(rows, *COLUMNS)
    if format_ == "JSON records":
        return json.dumps([dict(zip(COLUMNS, row, strict=True)) for row in rows]).encode()
    if format_ == "Parquet":
        return formats.parquet(rows, *COLUMNS)
    return json.dumps(lists, indent=1 if format_ == "JSON over lines" else None, ensure_ascii=False).encode()


def _separated(rows: Sequence[tuple[str, str, float]], mark: str) -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=mark, lineterminator="\n").writerows([COLUMNS, *rows])
    return text.getvalue().encode()
