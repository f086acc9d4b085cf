"""Where a system could rank: its average rank in each replicate, counted."""

import numpy as np
from numpy.typing import NDArray

from irassay.ask._counting import count_levels
from irassay.ask.agreement import levels
from irassay.ask.spread import counted_quantiles

Array = NDArray[np.float64]


def count_ranks(scores: Array) -> NDArray[np.int64]:
    """Replicates [systems, 2 systems - 1] in which each system's rank is 1, 1.5, 2, ...; scores [replicates, systems].

    Equal scores share the mean of their ranks, and the best has rank 1. Counts of parts can be added.
    """
    systems = scores.shape[1]
    counts = np.zeros((systems, 2 * systems - 1), dtype=np.int64)
    count_levels(levels(scores), np.empty(systems + 1, dtype=np.int64), counts)
    return counts


def ranks(scores: Array) -> Array:
    """Average ranks of one set of scores [systems]."""
    return np.asarray(1.0 + count_ranks(scores[None]).argmax(axis=1) / 2.0)


def rank_quantiles(counts: NDArray[np.int64], at: tuple[float, ...]) -> Array:
    """Quantiles of the ranks of each system [quantiles, systems]."""
    return 1.0 + counted_quantiles(counts, at) / 2.0
