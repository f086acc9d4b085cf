"""Lists, judgments and panels of a model's topics; and the ordinary files that hold them."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.threads import cores
from irassay.demo.model import Model, System, Topic
from irassay.errors import InputError
from irassay.panel.grades import UNPOOLED
from irassay.panel.ordering import list_offsets
from irassay.panel.panel import Panel

JUDGMENTS = ("pool", "complete")


@dataclass(frozen=True)
class TopicLists:
    """One topic with its lists: candidates' numbers by rank, and their scores, [systems, depth]."""

    topic: Topic
    documents: NDArray[np.int64]  # corpus-wide number of each candidate
    lists: NDArray[np.int32]
    scores: NDArray[np.float64]

    def judged(self, model: Model, judgments: str) -> NDArray[np.int64]:
        """The judged candidates in the order of their documents: pooled ones, and all relevant ones if complete."""
        if judgments not in JUDGMENTS:
            raise InputError(f"judgments is {judgments!r}", hint="judgments is 'pool' or 'complete'")
        pooled = np.unique(self.lists[:, : model.pool_depth]).astype(np.int64)
        if judgments == "complete":
            pooled = np.union1d(pooled, np.arange(len(self.topic.grades)))
        return pooled[np.argsort(self.documents[pooled])]

    def grades(self, candidates: NDArray[np.int64]) -> NDArray[np.int8]:
        # the relevant candidates come first; all others have grade 0
        return np.append(self.topic.grades, np.int8(0))[np.minimum(candidates, len(self.topic.grades))]


def answer(model: Model, number: int) -> TopicLists:
    """All systems' lists for one topic of the population."""
    topic = model.topic(number)
    documents = model.documents_of(topic)
    lists = np.empty((model.systems, model.depth), dtype=np.int32)
    scores = np.empty((model.systems, model.depth))
    for row, (_, score) in enumerate(model.scores(topic)):
        lists[row] = best(score, documents, model.depth)
        scores[row] = score[lists[row]]
    return TopicLists(topic, documents, lists, scores)


def best(score: NDArray[np.float64], documents: NDArray[np.int64], depth: int) -> NDArray[np.int64]:
    """The best candidates as trec_eval orders them: by score, then by document, both descending."""
    lowest = np.partition(score, len(score) - depth)[len(score) - depth]
    above = np.flatnonzero(score >= lowest)  # more than `depth` where the last score is tied
    return above[np.lexsort((-documents[above], -score[above]))][:depth]


def answers(model: Model, numbers: Iterable[int], jobs: int | None = None) -> Iterator[TopicLists]:
    """Topic after topic; threads work ahead, a few topics at a time are in memory."""
    numbers = list(numbers)
    jobs = jobs or cores()
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        for first in range(0, len(numbers), 2 * jobs):
            yield from pool.map(lambda n: answer(model, n), numbers[first : first + 2 * jobs])


def name_of(document: int) -> str:
    return f"DEMO-{document:07d}"


def write(model: Model, folder: Path, *, topics: Sequence[int] = range(50), judgments: str = "pool") -> None:
    """Write `qrels.txt`, `groups.txt`, `null-pairs.txt` and `runs/NAME.txt`, topic by topic."""
    runs = folder / "runs"
    runs.mkdir(parents=True)
    paths = [runs / f"{name}.txt" for name in model.names]
    with (folder / "qrels.txt").open("w", encoding="ascii", newline="\n") as qrels:
        for topic_lists in answers(model, topics):
            topic = topic_lists.topic.number + 1
            names = [name_of(document) for document in topic_lists.documents.tolist()]
            candidates = topic_lists.judged(model, judgments)
            grades = topic_lists.grades(candidates).tolist()
            qrels.writelines(f"{topic} 0 {names[c]} {g}\n" for c, g in zip(candidates.tolist(), grades, strict=True))
            for system, path, ranked, scores in zip(
                model.lineup, paths, topic_lists.lists.tolist(), topic_lists.scores.tolist(), strict=True
            ):
                with path.open("a", encoding="ascii", newline="\n") as file:
                    file.write("".join(_lines(system, topic, ranked, scores, names)))
    _pairs(folder / "groups.txt", ((s.name, f"group{s.group + 1}") for s in model.lineup))
    _pairs(folder / "null-pairs.txt", model.twins)


def _lines(system: System, topic: int, ranked: list[int], scores: list[float], names: list[str]) -> Iterator[str]:
    # five decimals hold every step exactly; without a step all digits do
    shown = [f"{s:.5f}" for s in scores] if system.step else map(repr, scores)
    for rank, (candidate, score) in enumerate(zip(ranked, shown, strict=True), start=1):
        yield f"{topic} Q0 {names[candidate]} {rank} {score} {system.name}\n"


def _pairs(path: Path, pairs: Iterable[tuple[str, str]]) -> None:
    path.write_text("".join(f"{a} {b}\n" for a, b in pairs), encoding="ascii")


@dataclass(frozen=True)
class NumberedNames:
    """Names of documents from their corpus-wide numbers."""

    documents: NDArray[np.int64]

    def names(self, panel: Panel) -> list[bytes]:
        return [name_of(number).encode() for number in self.documents.tolist()]

    def words(self, panel: Panel) -> None:
        """Only names that were read are known as words."""


def panel_of(
    model: Model, topics: Sequence[int] = range(50), *, judgments: str = "pool", jobs: int | None = None
) -> Panel:
    """The panel that the files of `write` give, for any topics of the population."""
    parts = [_pooled(model, topic_lists, judgments) for topic_lists in answers(model, topics, jobs)]
    pools, grades, codes, scores = zip(*parts, strict=True)
    width = np.uint16 if max(map(len, pools)) <= 65535 else np.uint32
    return Panel(
        systems=model.names,
        topics=tuple(str(number + 1) for number in topics),
        offsets=list_offsets(np.full((len(topics), model.systems), model.depth, dtype=np.int64)),
        codes=np.concatenate(codes).astype(width),
        pool=np.concatenate([[0], np.cumsum([len(pool) for pool in pools])]),
        grade=np.concatenate(grades),
        grades=(1, 2),
        scores=np.concatenate(scores),
        policy={"order": "trec", "seed": model.seed, "corpus": model.corpus, "judgments": judgments},
        document_names=NumberedNames(np.concatenate(pools)),
    )


def _pooled(model: Model, topic_lists: TopicLists, judgments: str) -> tuple[NDArray[Any], ...]:
    """A topic's pool (judged documents first), its grades, the lists as codes of it, and their scores."""
    judged = topic_lists.judged(model, judgments)
    pool = np.concatenate([judged, np.setdiff1d(topic_lists.lists, judged)])
    grade = np.full(len(pool), UNPOOLED, dtype=np.int8)
    grade[: len(judged)] = topic_lists.grades(judged)
    code = np.empty(model.size, dtype=np.int64)
    code[pool] = np.arange(len(pool))
    return topic_lists.documents[pool], grade, code[topic_lists.lists].ravel(), topic_lists.scores.ravel()
