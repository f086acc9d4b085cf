"""The oracle of the tests: one topic scored by the definitions, in plain Python, with nothing of the engine.

It reads a measure's record the way its documentation says (`irassay.measures.record.Traits`): hits, gains,
ideal list, function, divisor. It is slow and meant to be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from irassay.measures import Measure
from irassay.measures.core.record import Highest


def score(
    measure: Measure,
    ranked: Sequence[int | None],
    judged: Iterable[int],
    *,
    collection: Iterable[int] = (),
    gains: Mapping[int, float] | None = None,
) -> float:
    """The value of a measure for one list.

    `ranked`: the grade of each document in rank order, None for one that is in no pool, negative for one
    that is pooled but unjudged. `judged`: the grades of all judged documents of the topic, retrieved or
    not. `collection`: every grade of the whole judgments, for gain(H); the topic's own when not given.
    `gains`: the gains of the study, unless the measure has its own.
    """
    record = measure.record
    lowest = measure.rel or 1
    judged = [grade for grade in judged if grade >= 0]
    by_rel = record.graded and measure.rel is not None

    def level(grade: int) -> int:
        # rel= given on a graded measure: every relevant grade becomes 1, every other 0
        if grade < 0:
            return -1
        return int(grade >= lowest) if by_rel else grade

    relevant = [level(grade) for grade in judged if grade >= lowest]
    if not relevant and record.empty == "zero":
        return 0.0

    gain_of = _gains(measure, [*map(level, collection or judged)], gains)
    top = max([level(grade) for grade in [*judged, *(g for g in ranked if g is not None)]], default=0)
    floor = 1 if by_rel else lowest
    gain = [gain_of(grade) if grade >= floor else 0.0 for grade in range(max(top, 1) + 1)]
    judged_counts = [len(judged) - len(relevant), *(relevant.count(grade) for grade in range(1, len(gain)))]

    seen = [g for g in ranked if g is not None and g >= 0] if measure.condensed else list(ranked)
    size = len(seen[: measure.cut])
    wanted: Callable[[int], bool] = {
        "relevant": lambda grade: grade >= lowest,
        "judged": lambda grade: grade >= 0,
        "pooled": lambda grade: True,
    }[record.hits]
    hits = [(r, level(g)) for r, g in enumerate(seen[: measure.cut], 1) if g is not None and wanted(g)]

    best = sorted(relevant, key=lambda grade: -gain[grade])
    value = _value(measure, hits, gain, judged_counts, size, best)
    divisor = {
        None: 1.0,
        "R": len(relevant),
        "min": min(measure.cut or len(relevant), len(relevant)),
        "cut": measure.cut,
        "size": size,
        "ideal": None,
    }[measure.per]
    if measure.per == "ideal":
        ideal_hits = list(enumerate(best[: measure.cut], 1))
        divisor = _value(measure, ideal_hits, gain, judged_counts, len(ideal_hits), best)
    return value / divisor if divisor else 0.0


def _gains(measure: Measure, collection: Sequence[int], gains: Mapping[int, float] | None) -> Callable[[int], float]:
    """The gain of a relevant grade."""
    table = measure.gains or gains

    def raw(grade: int) -> float:
        if measure.binary:
            return 1.0
        return float(grade) if table is None else float(table[grade])

    relevant = [1] if measure.binary else [grade for grade in collection if grade >= 1]
    largest = max((raw(grade) for grade in relevant), default=1.0) or 1.0
    highest = Highest(max(relevant, default=1), measure.max_gain or largest)

    def gain(grade: int) -> float:
        hook = measure.gain_hook
        value = hook(1 if measure.binary else grade, raw(grade), highest) if hook else raw(grade)
        return value / highest.gain if measure.record.scale == "max_gain" else value

    return gain


def _value(
    measure: Measure,
    hits: Sequence[tuple[int, int]],
    gain: Sequence[float],
    judged_counts: Sequence[int],
    size: int,
    best: Sequence[int],
) -> float:
    """The value before the division."""
    deepest = max((rank for rank, _ in hits), default=0)
    if measure.record.kind == "weight":
        weights = measure.weights(deepest)
        return sum(gain[grade] * weights[rank] for rank, grade in hits)
    ideal = [0.0]
    for rank in range(1, max(deepest, len(best)) + 1):
        ideal.append(ideal[-1] + (gain[best[rank - 1]] if rank <= len(best) else 0.0))
    ranks, grades = [rank for rank, _ in hits], [grade for _, grade in hits]
    return measure.record.function(
        ranks, grades, len(hits), gain, ideal, judged_counts, size, measure.par(len(judged_counts))
    )
