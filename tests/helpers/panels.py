"""Panels for tests, from lists of grades or from plain dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import irassay


@dataclass(frozen=True)
class Topic:
    """One topic as grades: the list by rank (None: in no judgment), and judged documents that were not retrieved."""

    ranked: Sequence[int | None]
    unretrieved: Sequence[int] = ()

    @property
    def judged(self) -> list[int]:
        return [g for g in self.ranked if g is not None] + list(self.unretrieved)


def missing(ranked: Sequence[int | None], judged: Mapping[int, int]) -> list[int]:
    """The judged grades (grade: how many) that the list does not hold."""
    return [g for g, count in judged.items() for _ in range(count - sum(x == g for x in ranked))]


def panel_of(topics: Mapping[str, Topic], **policy: object) -> irassay.Panel:
    """A panel of one system whose lists have these grades."""
    return panel_of_systems({"system": topics}, **policy)


def panel_of_systems(systems: Mapping[str, Mapping[str, Topic]], **policy: object) -> irassay.Panel:
    """A panel of several systems; documents are named by system, topic and rank, so systems share none."""
    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for system, topics in systems.items():
        for name, topic in topics.items():
            judged = qrels.setdefault(name, {})
            ranking = runs.setdefault(system, {}).setdefault(name, {})
            for r, grade in enumerate(topic.ranked):
                ranking[f"{system}-{r}"] = -float(r)
                if grade is not None:
                    judged[f"{system}-{r}"] = grade
            for number, grade in enumerate(topic.unretrieved):
                judged[f"{system}-unretrieved-{number}"] = grade
    return irassay.align(irassay.read_qrels(qrels), irassay.read_runs(runs), **policy)  # type: ignore[arg-type]
