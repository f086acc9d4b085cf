"""How like real runs a collection is: means, spreads, correlations, overlaps and ties."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irassay.panel.ordering import tied_share
from irassay.panel.panel import Panel

QUANTILES = (10, 50, 90)


def likeness(panel: Panel) -> dict[str, tuple[float, ...]]:
    """Statistics of a panel with retrieval scores, each at its 10th, 50th and 90th percentile."""
    statistics: dict[str, tuple[float, ...]] = {
        "relevant documents per topic": _quantiles(panel.judged_counts()[:, 1:].sum(axis=1))
    }
    for scores in panel.score("AP P@10 RR R@1000").by_measure():
        name, values = scores.name, scores.values
        means = values.mean(axis=1)
        # correlations say little about systems that find next to nothing
        good = values[means > np.percentile(means, 25)]
        above = np.triu_indices(len(good), 1)
        statistics[f"{name}: mean over topics, by system"] = _quantiles(means)
        statistics[f"{name}: SD over topics, by system"] = _quantiles(values.std(axis=1, ddof=1))
        statistics[f"{name}: correlation over topics, by pair"] = _quantiles(np.corrcoef(good)[above])
        differences = values[:, None, :] - values[None, :, :]
        pairs = np.triu_indices(len(values), 1)
        statistics[f"{name}: SD of differences, by pair"] = _quantiles(differences.std(axis=2, ddof=1)[pairs])
    statistics["shared among the first 100, by pair and topic"] = _quantiles(_overlap(panel, 100))
    statistics["tied documents, by system"] = _quantiles(np.array(tied_share(panel)))
    return statistics


def _quantiles(values: NDArray[np.float64] | NDArray[np.int64]) -> tuple[float, ...]:
    return tuple(float(q) for q in np.percentile(values, QUANTILES))


def _overlap(panel: Panel, depth: int) -> NDArray[np.float64]:
    """The share of common documents in the tops of neighbouring systems, every topic."""
    shares = []
    step = max(1, len(panel.systems) // 7)  # a few pairs for every system, not only its own group's
    for t in range(len(panel.topics)):
        tops = [
            panel.codes[panel.offsets[t, s] : min(panel.offsets[t, s] + depth, panel.offsets[t, s + 1])]
            for s in range(len(panel.systems))
        ]
        for s in range(len(tops)):
            other = tops[(s + step) % len(tops)]
            shares.append(len(np.intersect1d(tops[s], other)) / depth)
    return np.array(shares)
