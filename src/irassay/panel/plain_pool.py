"""Numbering the documents of each topic without a kernel: what `_pool` does, for small collections."""

from typing import Any

import numpy as np

from irassay.panel.constants import DROPPED, FRESH


def number_pool(entry: Any, position: Any, topic: Any, evaluated: Any, following: Any, code: Any) -> None:
    """Codes of judged documents are their positions, those of all others follow, in the order of the entries."""
    kept = entry >= 0
    kept[kept] = code[entry[kept]] != DROPPED
    code[entry[kept]] = position[kept]
    of_topic = evaluated[topic]
    fresh = np.flatnonzero((of_topic >= 0) & (code == FRESH))
    order = fresh[np.argsort(of_topic[fresh], kind="stable")]
    counts = np.bincount(of_topic[fresh], minlength=len(following))
    code[order] = np.arange(len(order)) + np.repeat(following - np.cumsum(counts) + counts, counts)
    following += counts
