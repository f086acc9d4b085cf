"""Panel x measures: every list becomes a number, through its hits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.engine import fold
from irassay.engine.fold import NO_CUT, Recipe
from irassay.engine.hits import POOLED, plain
from irassay.errors import InputError
from irassay.matrix import UNDEFINED_PER_TOPIC, ScoreMatrix, Scores
from irassay.measures import Measure, parse
from irassay.panel import Panel
from irassay.read.runs import cores

BLOCK = 1 << 17  # entries of a block of topics: hits of a block stay in the cache
PER = {None: fold.PER_NOTHING, "R": fold.PER_R, "min": fold.PER_MIN, "ideal": fold.PER_IDEAL, "cut": fold.PER_CUT, "size": fold.PER_SIZE}  # fmt: skip  # noqa: E501
View = tuple[int, bool]  # the lowest grade that is a hit, condensed or not


def score(panel: Panel, measures: str | Iterable[Any], *, jobs: int | None = None) -> Scores:
    """Scores of all systems and topics of a panel, one matrix per measure."""
    asked = parse(measures)
    recipes: dict[Measure, tuple[View, int, Recipe]] = {}
    for measure in asked:
        if measure.base not in recipes:
            recipes[measure.base] = _prepared(panel, measure.base)
    values = {base: np.empty((len(panel.systems), len(panel.topics))) for base in recipes}
    supplies = {rel: panel.supply(rel) for _, rel, _ in recipes.values()}
    for _, _, recipe in recipes.values():
        if recipe.fold is not None:
            # compile before the threads start: they would only wait for each other
            fold.driver(), fold.compiled(recipe.fold)

    def block(bounds: tuple[int, int]) -> None:
        first, last = bounds
        hits = {}
        for base, (view, rel, recipe) in recipes.items():
            if view not in hits:
                low, condensed = view
                hits[view] = plain(
                    panel.codes,
                    panel.offsets,
                    panel.pool,
                    panel.grade,
                    first,
                    last,
                    low=low,
                    condensed=condensed,
                )
            found = fold.value(hits[view], supplies[rel][first:last], recipe)
            values[base][:, first:last] = found.reshape(last - first, len(panel.systems)).T

    with ThreadPoolExecutor(max_workers=jobs or cores()) as workers:
        for _ in workers.map(block, _blocks(panel)):
            pass
    return Scores(_labelled(panel, measure, values[measure.base]) for measure in asked)


def _blocks(panel: Panel) -> Iterator[tuple[int, int]]:
    """Topics in blocks of about `BLOCK` entries; a list's value does not depend on its block."""
    first = 0
    for t in range(len(panel.topics)):
        if panel.offsets[t, -1] - panel.offsets[first, 0] >= BLOCK or t == len(panel.topics) - 1:
            yield first, t + 1
            first = t + 1


def _labelled(panel: Panel, measure: Measure, values: NDArray[np.float64]) -> ScoreMatrix:
    topical = measure.per_topic(values[:1]) is not None
    return ScoreMatrix(
        str(measure),
        panel.systems,
        panel.topics,
        values,
        None if measure.summary is None and measure.record.summary == "mean" else measure.summarise,
        None if measure.summary is None else measure.forward if topical else UNDEFINED_PER_TOPIC,
    )


def _prepared(panel: Panel, measure: Measure) -> tuple[View, int, Recipe]:
    """A measure with this panel's grades and gains: which hits it wants, and what is done with them."""
    record = measure.record
    rel = measure.rel or 1
    low = {"relevant": rel, "judged": 0, "pooled": POOLED}[record.hits]
    width = max((*panel.grades, rel)) + 1
    relevant = range(rel, width)
    gain = np.zeros(width)
    gain[rel:] = [1.0 if measure.binary else _gain(panel, measure, grade) for grade in relevant]
    if record.scale == "max_gain":
        gain /= measure.max_gain or _largest(panel, gain, measure)
    flat = record.graded and measure.binary
    best = np.array(sorted(relevant, key=lambda grade: -gain[grade]), dtype=np.int64)
    weight = None
    if record.kind == "weight":
        longest = int(np.diff(panel.offsets, axis=1).max(initial=0))
        ideal = int(panel.supply(rel)[:, rel:].sum(axis=1).max(initial=0)) if record.per == "ideal" else 0
        weight = np.array(measure.weights(min(max(longest, ideal), measure.cut or NO_CUT)))
    return (
        (low, measure.condensed),
        rel,
        Recipe(
            gain=np.array([0.0, gain[rel:].max(initial=0.0)]) if flat and weight is None else gain,
            best=best,
            cut=measure.cut or NO_CUT,
            per=PER[measure.per],
            flat=flat and weight is None,
            empty=record.empty == "call",
            weight=weight,
            fold=None if weight is not None else record.function,
            par=np.array(measure.par, dtype=np.float64),
        ),
    )


def _gain(panel: Panel, measure: Measure, grade: int) -> float:
    """The measure's own gains, else the panel's, else the grade itself."""
    given = measure.gains if measure.gains is not None else panel.gains
    if given is None:
        gain = float(grade)
    elif grade in given:
        gain = given[grade]
    elif grade in panel.grades:
        raise InputError(
            f"no gain for grade {grade}, which occurs in the judgments",
            f"measure {str(measure)!r}",
            "list every relevant grade in gains={…}",
        )
    else:
        gain = 0.0  # a grade that does not occur
    return measure.gain_hook(grade, gain) if measure.gain_hook else gain


def _largest(panel: Panel, gain: NDArray[np.float64], measure: Measure) -> float:
    """gain(H): the largest gain in the full judgments, of all topics."""
    if measure.binary:
        return 1.0
    largest = max((float(gain[grade]) for grade in panel.grades), default=0.0)
    return largest or 1.0
