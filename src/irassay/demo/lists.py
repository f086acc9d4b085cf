"""Lists, judgments and panels of a model's topics; and the ordinary files that hold them."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.threads import cores
from irassay.demo.judges import Judge
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

    def grades_by(self, model: Model, judge: Judge, candidates: NDArray[np.int64]) -> NDArray[np.int8]:
        """What a judge gives candidates."""
        group = [system.group == judge.favours for system in model.lineup]
        own = np.isin(candidates, self.lists[group, : judge.depth])
        return judge.grades(model.seed, self.topic.number, candidates, self.grades(candidates), own)


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


def write(
    model: Model,
    folder: Path,
    *,
    topics: Sequence[int] = range(50),
    judgments: str = "pool",
    judges: Sequence[Judge] = (),
) -> None:
    """Write `qrels.txt`, `groups.txt`, `null-pairs.txt`, `runs/NAME.txt`, and `judges/NAME.qrels` of any judges."""
    runs = folder / "runs"
    runs.mkdir(parents=True)
    paths = [runs / f"{name}.txt" for name in model.names]
    if judges:
        (folder / "judges").mkdir()
    labels: dict[Judge, list[str]] = {judge: [] for judge in judges}
    with (folder / "qrels.txt").open("w", encoding="ascii", newline="\n") as qrels:
        for topic_lists in answers(model, topics):
            topic = topic_lists.topic.number + 1
            names = [name_of(document) for document in topic_lists.documents.tolist()]
            candidates = topic_lists.judged(model, judgments)
            documents = [names[candidate] for candidate in candidates.tolist()]
            qrels.writelines(_judgments(topic, documents, topic_lists.grades(candidates)))
            for judge, lines in labels.items():
                lines += _judgments(topic, documents, topic_lists.grades_by(model, judge, candidates))
            for system, path, ranked, scores in zip(
                model.lineup, paths, topic_lists.lists.tolist(), topic_lists.scores.tolist(), strict=True
            ):
                with path.open("a", encoding="ascii", newline="\n") as file:
                    file.write("".join(_lines(system, topic, ranked, scores, names)))
    for judge, lines in labels.items():
        (folder / "judges" / f"{judge.name}.qrels").write_text("".join(lines), encoding="ascii")
    _pairs(folder / "groups.txt", ((s.name, f"group{s.group + 1}") for s in model.lineup))
    _pairs(folder / "null-pairs.txt", model.twins)


def _judgments(topic: int, documents: list[str], grades: NDArray[np.int8]) -> Iterator[str]:
    return (f"{topic} 0 {name} {grade}\n" for name, grade in zip(documents, grades.tolist(), strict=True))


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

    def names_of(self, panel: Panel, entries: NDArray[np.int64]) -> list[bytes]:
        return [name_of(number).encode() for number in self.documents[entries].tolist()]

    def words(self, panel: Panel) -> None:
        """Only names that were read are known as words."""


def panel_of(
    model: Model, topics: Sequence[int] = range(50), *, judgments: str = "pool", jobs: int | None = None
) -> Panel:
    """The panel that the files of `write` give, for any topics of the population."""
    return panels_of(model, topics, (), judgments=judgments, jobs=jobs)[0]


def panels_of(
    model: Model,
    topics: Sequence[int],
    judges: Sequence[Judge],
    *,
    judgments: str = "pool",
    jobs: int | None = None,
) -> list[Panel]:
    """The same lists with the true grades, and with those of each judge."""
    parts = [_pooled(model, topic_lists, judgments, judges) for topic_lists in answers(model, topics, jobs)]
    pools, grades, codes, scores = zip(*parts, strict=True)
    width = np.uint16 if max(map(len, pools)) <= 65535 else np.uint32
    by_judge = np.concatenate(grades, axis=1)
    panel = Panel(
        systems=model.names,
        topics=tuple(str(number + 1) for number in topics),
        offsets=list_offsets(np.full((len(topics), model.systems), model.depth, dtype=np.int64)),
        codes=np.concatenate(codes).astype(width),
        pool=np.concatenate([[0], np.cumsum([len(pool) for pool in pools])]),
        grade=by_judge[0].copy(),
        grades=(1, 2),
        scores=np.concatenate(scores),
        policy={"order": "trec", "seed": model.seed, "corpus": model.corpus, "judgments": judgments},
        document_names=NumberedNames(np.concatenate(pools)),
    )
    return [panel, *(replace(panel, grade=own.copy()) for own in by_judge[1:])]


def _pooled(model: Model, topic_lists: TopicLists, judgments: str, judges: Sequence[Judge]) -> tuple[NDArray[Any], ...]:
    """A topic's pool (judged documents first), its grades by each judge, the lists as codes of it, and their scores."""
    judged = topic_lists.judged(model, judgments)
    pool = np.concatenate([judged, np.setdiff1d(topic_lists.lists, judged)])
    grade = np.full((1 + len(judges), len(pool)), UNPOOLED, dtype=np.int8)
    grade[0, : len(judged)] = topic_lists.grades(judged)
    for row, judge in zip(grade[1:], judges, strict=True):
        row[: len(judged)] = topic_lists.grades_by(model, judge, judged)
    code = np.empty(model.size, dtype=np.int64)
    code[pool] = np.arange(len(pool))
    return topic_lists.documents[pool], grade, code[topic_lists.lists].ravel(), topic_lists.scores.ravel()
