"""Hits of ranked lists without kernels: what `_hits` does, for small collections."""

from typing import Any

import numpy as np


def find(
    codes: Any, offsets: Any, pool: Any, grades: Any, first: int, last: int, least: int, low: int, place: Any,
    rank: Any, judged: Any, grade: Any, start: Any, size: Any, judged_size: Any,
) -> int:  # fmt: skip
    """Ranks and grades of the entries whose grade is at least `low`, and their ranks among the judged ones."""
    bounds = offsets[first:last]
    lengths = np.diff(bounds, axis=1)
    of_topic = np.repeat(pool[first:last], lengths.sum(axis=1))
    listed = grades[of_topic + codes[bounds[0, 0] : bounds[-1, -1]]]
    ends = np.cumsum(lengths.ravel())
    begins = ends - lengths.ravel()
    is_judged = np.append(0, np.cumsum((listed >= 0) & (listed >= least)))
    hit = np.flatnonzero(listed >= low)
    of_list = np.searchsorted(ends, hit, side="right")
    n = len(hit)
    rank[:n] = hit - begins[of_list] + 1
    judged[:n] = is_judged[hit + 1] - is_judged[begins[of_list]]
    grade[:n] = listed[hit]
    start[0] = 0
    start[1:] = np.searchsorted(hit, ends)
    size[:] = lengths.ravel()
    judged_size[:] = is_judged[ends] - is_judged[begins]
    return n


def narrow(rank: Any, grade: Any, start: Any, stop: Any, low: int, kept_rank: Any, kept_grade: Any, first: Any) -> int:
    """Only the hits whose grade is at least `low`."""
    total = 0
    first[0] = 0
    for i, (begin, end) in enumerate(zip(start.tolist(), stop.tolist(), strict=True)):
        kept = grade[begin:end] >= low
        n = int(kept.sum())
        kept_rank[total : total + n] = rank[begin:end][kept]
        kept_grade[total : total + n] = grade[begin:end][kept]
        total += n
        first[i + 1] = total
    return total
