"""TREC's files read and scored in plain Python, with nothing of the engine: what fuzzed input is compared with.

Like `tests.helpers.plain`, it is slow and meant to be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from irassay.measures import Measure
from tests.helpers.plain import score

Judgments = Mapping[bytes, Mapping[bytes, int]]  # topic: {document: grade}
Lists = Mapping[bytes, Mapping[bytes, float]]  # topic: {document: score}, in any order
BOM = b"\xef\xbb\xbf"


def rows(data: bytes) -> list[list[bytes]]:
    """The words of each line that has any and is no comment."""
    if data.startswith(BOM):
        data = data[len(BOM) :]
    if b"\r" in data[: 1 << 16] and b"\n" not in data[:-1]:
        data = data.replace(b"\r", b"\n")
    words = [line.split() for line in data.split(b"\n")]
    return [line for line in words if line and not line[0].startswith(b"#")]


def read_qrels(data: bytes) -> dict[bytes, dict[bytes, int]]:
    """Of a judgment that is repeated, the first."""
    qrels: dict[bytes, dict[bytes, int]] = {}
    for topic, _, document, grade, *_ in rows(data):
        qrels.setdefault(topic, {}).setdefault(document, int(grade))
    return qrels


def read_run(data: bytes) -> dict[bytes, dict[bytes, float]]:
    lists: dict[bytes, dict[bytes, float]] = {}
    for topic, _, document, _, number, _, *_ in rows(data):
        ranking = lists.setdefault(topic, {})
        assert document not in ranking, f"{document!r} stands twice in the list of {topic!r}"
        ranking[document] = float(number)
    return lists


def ranked(ranking: Mapping[bytes, float]) -> list[bytes]:
    """Documents by score, those with the same score by name, both from the highest on."""
    return sorted(ranking, key=lambda document: (ranking[document], document), reverse=True)


def common_topics(qrels: Judgments, runs: Sequence[Lists]) -> list[bytes]:
    """The judged topics that some run answers: by number if all that are judged are numbers, else by their bytes."""
    numbers = all(topic.isdigit() for topic in qrels)
    topics = [topic for topic in qrels if any(topic in run for run in runs)]
    return sorted(topics, key=lambda topic: (int(topic) if numbers else 0, topic))


def scores(qrels: Judgments, runs: Sequence[Lists], measures: Sequence[Measure]) -> list[float]:
    """Every value, by run, then topic, then measure."""
    collection = [grade for judged in qrels.values() for grade in judged.values()]
    return [
        score(measure, [qrels[topic].get(document) for document in order], qrels[topic].values(), collection=collection)
        for run in runs
        for topic in common_topics(qrels, runs)
        for order in [ranked(run.get(topic, {}))]
        for measure in measures
    ]
