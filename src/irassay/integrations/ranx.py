"""ranx: judgments and runs as its objects."""

from typing import Any

import numpy as np

from irassay.errors import import_extra
from irassay.panel.alignment import align
from irassay.panel.panel import Panel


def to_ranx(qrels: Any, runs: Any = None) -> tuple[Any, list[Any]]:
    """ranx' Qrels and a Run for every system, from a panel, or from whatever `irassay.align` takes.

    A list keeps its order: where retrieval scores are tied, or the panel has none, a document scores the number of
    those from it down.
    """
    ranx = import_extra("ranx", "ranx", "judgments and runs for ranx")
    panel = qrels if isinstance(qrels, Panel) else align(qrels, runs, keep_scores=True)
    judged = {topic: _judgments(panel, t) for t, topic in enumerate(panel.topics)}
    lists = [ranx.Run.from_dict(_lists(panel, s), name=name) for s, name in enumerate(panel.systems)]
    return ranx.Qrels.from_dict({topic: grades for topic, grades in judged.items() if grades}), lists


def _judgments(panel: Panel, t: int) -> dict[str, int]:
    grades = panel.grade[panel.pool[t] : panel.pool[t + 1]].tolist()
    return {doc: g for doc, g in zip(panel.documents(panel.topics[t]), grades, strict=True) if g >= 0}


def _lists(panel: Panel, s: int) -> dict[str, dict[str, float]]:
    lists = {}
    for t, topic in enumerate(panel.topics):
        first, last = panel.offsets[t, s : s + 2].tolist()
        scores = np.arange(last - first, 0, -1.0) if panel.scores is None else panel.scores[first:last]
        if (np.diff(scores) >= 0).any():
            scores = np.arange(last - first, 0, -1.0)
        if last > first:
            lists[topic] = dict(zip(panel.ranking(panel.systems[s], topic), scores.tolist(), strict=True))
    return lists
