"""Grades of pool entries, and judged documents counted by grade."""

import numpy as np
from numpy.typing import NDArray

POOLED, UNPOOLED = -1, -2  # grades of entries that were pooled but not judged, and that were not pooled


def from_grade(judged_counts: NDArray[np.int64], rel: int) -> NDArray[np.int64]:
    """Judged documents [contexts, grades] where only grades from `rel` on are relevant: column 0 counts all others."""
    if rel == 1 < judged_counts.shape[1]:
        return judged_counts
    out = np.pad(judged_counts, ((0, 0), (0, max(0, rel + 1 - judged_counts.shape[1]))))
    out[:, 0] += out[:, 1:rel].sum(axis=1)
    out[:, 1:rel] = 0
    return out
