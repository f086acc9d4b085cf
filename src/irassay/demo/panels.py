"""Panels of a model's topics, without files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.demo.lists import TopicLists, answers, name_of
from irassay.demo.model import Model
from irassay.panel.grades import UNPOOLED
from irassay.panel.ordering import list_offsets
from irassay.panel.panel import Panel


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
    pools, grades, codes, scores = [], [], [], []
    for answered in answers(model, topics, jobs):
        pool, grade, code = _pooled(model, answered, judgments)
        pools.append(answered.documents[pool])
        grades.append(grade)
        codes.append(code)
        scores.append(answered.scores.ravel())
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
        policy={"order": "trec", "seed": model.seed, "judgments": judgments},
        document_names=NumberedNames(np.concatenate(pools)),
    )


def _pooled(
    model: Model, answered: TopicLists, judgments: str
) -> tuple[NDArray[np.int64], NDArray[np.int8], NDArray[np.int64]]:
    """A topic's pool (judged documents first), its grades, and the lists as codes of it."""
    judged = answered.judged(model, judgments)
    seen = np.setdiff1d(np.unique(answered.lists), judged)
    pool = np.concatenate([judged, seen])
    grade = np.full(len(pool), UNPOOLED, dtype=np.int8)
    grade[: len(judged)] = answered.grades(judged)
    code = np.empty(model.size, dtype=np.int64)
    code[pool] = np.arange(len(pool))
    return pool, grade, code[answered.lists].ravel()
