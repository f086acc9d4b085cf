"""Numbering the documents of each topic: judged ones first, then the others as they were first seen."""

from __future__ import annotations

from typing import Any

from irassay.engine.kernel import kernel


@kernel
def number_pool(topic: Any, evaluated: Any, dropped: Any, following: Any, code: Any) -> None:
    """Give every entry of an evaluated topic that has no code yet the next one of its topic."""
    for e in range(topic.shape[0]):
        t = evaluated[topic[e]]
        if t < 0 or dropped[e]:
            code[e] = -1
        elif code[e] < 0:
            code[e] = following[t]
            following[t] += 1


@kernel
def count_grades(grade: Any, pool: Any, out: Any) -> None:
    """How many documents of each topic are judged with each grade."""
    for t in range(out.shape[0]):
        for i in range(pool[t], pool[t + 1]):
            if grade[i] >= 0:
                out[t, grade[i]] += 1
