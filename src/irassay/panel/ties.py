"""Tied documents: equal scores, as the order of the panel compares them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.panel.ordering import to_single
from irassay.panel.panel import Panel


def tied_share(panel: Panel) -> list[float]:
    """The share of each system's documents that have the same score as a neighbour in the list."""
    assert panel.scores is not None
    scores = as_compared(panel.scores, panel)
    starts = np.zeros(len(scores) + 1, dtype=np.bool_)
    starts[panel.offsets.ravel()] = True
    same = np.zeros(len(scores) + 1, dtype=np.bool_)
    same[1:-1] = (scores[1:] == scores[:-1]) & ~starts[1:-1]
    tied = np.concatenate([[0], np.cumsum(same[:-1] | same[1:])])
    inside = tied[panel.offsets[:, 1:]] - tied[panel.offsets[:, :-1]]
    total = np.diff(panel.offsets, axis=1).sum(axis=0)
    return [float(n) / max(1, int(m)) for n, m in zip(inside.sum(axis=0), total, strict=True)]


def as_compared(scores: NDArray[np.float64], panel: Panel) -> NDArray[Any]:
    """Scores as the order compares them."""
    return to_single(scores) if panel.policy["order"] == "trec9" else scores
