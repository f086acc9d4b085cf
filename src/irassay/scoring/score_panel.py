"""Panel x measures: every list becomes a number, through its hits."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import compiled
from irassay.compute.threads import cores, parallel_for
from irassay.errors import InputError
from irassay.measures import Measure, parse
from irassay.measures.core.record import Highest
from irassay.panel.grades import POOLED
from irassay.panel.panel import Panel
from irassay.scoring import fold
from irassay.scoring.hits import narrowed, plain
from irassay.scoring.recipes import NO_CUT, PER, Recipe
from irassay.scoring.scores import Scores

# entries of a block of topics: hits that stay in the cache, and calls that take much longer than Python's share of
# them, for which all threads take turns
BLOCK, SMALLEST = 1 << 22, 1 << 17
View = tuple[int, bool]  # the lowest grade that is a hit, condensed or not
WeightTables = dict[tuple[Measure, int], NDArray[np.float64]]  # by measure and depth


def score(panel: Panel, measures: str | Iterable[Any], *, jobs: int | None = None) -> Scores:
    """Scores of all systems and topics of a panel."""
    parsed = parse(measures)
    compiled("score", len(panel.codes))
    recipes = {base: _prepare(panel, base) for base in dict.fromkeys(measure.base for measure in parsed)}
    values = {base: np.empty((len(panel.systems), len(panel.topics))) for base in recipes}
    judged_counts_by_rel = {rel: panel.judged_counts(rel) for _, rel, _ in recipes.values()}
    groups = group_by_hits(recipes)
    batches = {view: fold.Batch([recipes[base][2] for base in bases]) for view, bases in groups.items()}
    lowest, condense = min(low for (low, _), _ in groups), any(condensed for (_, condensed), _ in groups)
    compile_folds(recipe for _, _, recipe in recipes.values())

    def block(bounds: tuple[int, int]) -> None:
        first, last = bounds
        whole, judged = plain(
            panel.codes, panel.offsets, panel.pool, panel.grade, first, last, low=lowest, condensed=condense
        )
        hits = {(lowest, False): whole} | ({} if judged is None else {(lowest, True): judged})
        for ((low, condensed), rel), bases in groups.items():
            if (low, condensed) not in hits:
                hits[low, condensed] = narrowed(hits[lowest, condensed], low)
            judged_counts = judged_counts_by_rel[rel][first:last]
            by_base = batches[(low, condensed), rel].values(hits[low, condensed], judged_counts)
            for base, one in zip(bases, by_base, strict=True):
                values[base][:, first:last] = one.reshape(last - first, len(panel.systems)).T

    jobs = jobs or cores()
    parallel_for(block, list(_blocks(panel, jobs)), jobs, "scoring")
    for base, scores in values.items():
        _refuse_infinite(panel, base, scores)
    stacked = np.stack([values[measure.base] for measure in parsed])
    stacked.setflags(write=False)  # so that it is not copied
    return Scores(tuple(map(str, parsed)), panel.systems, panel.topics, stacked, parsed)


def _refuse_infinite(panel: Panel, measure: Measure, scores: NDArray[np.float64]) -> None:
    """No definition gives infinity or nothing: such a value is an error, never a cell."""
    wrong = np.argwhere(~np.isfinite(scores))
    if len(wrong):
        s, t = wrong[0].tolist()
        raise InputError(
            f"the value of system {panel.systems[s]!r} for topic {panel.topics[t]!r} is {scores[s, t]}",
            f"measure {str(measure)!r}",
            "take other gains or parameters; a measure of your own must return a number",
        )


def group_by_hits(recipes: Mapping[Measure, tuple[View, int, Recipe]]) -> dict[tuple[View, int], list[Measure]]:
    """The measures by the hits that they need."""
    groups: dict[tuple[View, int], list[Measure]] = {}
    for base, (view, rel, _) in recipes.items():
        groups.setdefault((view, rel), []).append(base)
    return groups


def compile_folds(recipes: Iterable[Recipe]) -> None:
    """Compile before threads start: they would only wait for each other."""
    for recipe in recipes:
        if recipe.fold is not None and not fold.interpreted(recipe.fold):
            fold.driver(), fold.compiled(recipe.fold)


def _blocks(panel: Panel, jobs: int) -> Iterator[tuple[int, int]]:
    """Topics in blocks, some for each thread; a list's value does not depend on its block."""
    size = min(BLOCK, max(SMALLEST, len(panel.codes) // (4 * jobs)))
    first = 0
    for t in range(len(panel.topics)):
        if panel.offsets[t, -1] - panel.offsets[first, 0] >= size or t == len(panel.topics) - 1:
            yield first, t + 1
            first = t + 1


def _prepare(panel: Panel, measure: Measure) -> tuple[View, int, Recipe]:
    """A measure for the panel's own lists."""
    rel = measure.rel or 1
    relevant = panel.judged_counts(rel)[:, rel:].sum(axis=1)
    return prepare(
        measure,
        grades=panel.grades,
        gains=panel.gains,
        longest=int(np.diff(panel.offsets, axis=1).max(initial=0)),
        most=int(relevant.max(initial=0)),
    )


def prepare(
    measure: Measure,
    *,
    grades: Sequence[int],
    longest: int,
    most: int,
    gains: Mapping[int, float] | None = None,
    weights: WeightTables | None = None,
) -> tuple[View, int, Recipe]:
    """A measure for lists from anywhere: which hits it wants, from which grade on, and what is done with them.

    `grades`: the relevant grades of the full judgments; `gains`: theirs, unless the measure has its own. No list is
    longer than `longest`, no topic has more relevant documents than `most`. Tables of `weights` are made once.
    """
    record = measure.record
    rel = measure.rel or 1
    low = {"relevant": rel, "judged": 0, "pooled": POOLED}[record.hits]
    width = max((*grades, rel)) + 1
    relevant = range(rel, width)
    gain = np.zeros(width)
    gain[rel:] = gain_table(measure, relevant, grades, gains)
    flat = record.kind == "fold" and record.graded and measure.binary
    best = np.array(sorted(relevant, key=lambda grade: -gain[grade]), dtype=np.int64)
    weight = None
    if record.kind == "weight":
        depth = max(longest, most if record.per == "ideal" else 0)
        weights, key = {} if weights is None else weights, (measure, min(depth, measure.cut or NO_CUT))
        if key not in weights:
            weights[key] = np.array(measure.weights(key[1]))
        weight = weights[key]
    _refuse_gaps(measure, [grade for grade in grades if grade >= rel])
    return (
        (low, measure.condensed),
        rel,
        Recipe(
            gain=np.array([0.0, gain[rel:].max(initial=0.0)]) if flat else gain,
            best=best,
            cut=measure.cut or NO_CUT,
            per=PER[measure.per],
            flat=flat,
            empty=record.empty == "call",
            ideal=record.needs == "ideal",
            weight=weight,
            fold=None if weight is not None else record.function,
            par=np.array(measure.par(2 if flat else width), dtype=np.float64),
        ),
    )


def gain_table(
    measure: Measure, relevant: Iterable[int], grades: Sequence[int], gains: Mapping[int, float] | None
) -> list[float]:
    """The gain of each relevant grade, as the measure takes it; `grades` are those that occur in the judgments."""
    if measure.binary:
        plain = dict.fromkeys(relevant, 1.0)
        highest = Highest(1, 1.0)
    else:
        table = measure.gains if measure.gains is not None else gains
        plain = {grade: _gain(measure, grade, grade in grades, table) for grade in relevant}
        largest = max((plain[grade] for grade in grades), default=0.0) or 1.0
        if measure.max_gain is not None and measure.max_gain < largest:
            raise InputError(
                f"max_gain={measure.max_gain:g}, and a gain of {largest:g} occurs",
                f"measure {str(measure)!r}",
                "max_gain is the largest gain that a document can have",
            )
        highest = Highest(max(grades, default=1), measure.max_gain or largest)
    if hook := measure.gain_hook:
        for grade in plain:
            if measure.binary or grade in grades:
                try:
                    plain[grade] = hook(1 if measure.binary else grade, plain[grade], highest)
                except ValueError as problem:
                    raise InputError(str(problem), f"measure {str(measure)!r}", "raise it, or leave it out") from None
    if grades and measure.record.graded and not any(plain.values()):
        raise InputError(
            "no grade that occurs in the judgments has a gain above 0",
            f"measure {str(measure)!r}",
            "without one every score is 0 or undefined: give one of the grades a gain",
        )
    if measure.record.scale == "max_gain":
        return [gain / highest.gain for gain in plain.values()]
    return list(plain.values())


def _gain(measure: Measure, grade: int, occurs: bool, gains: Mapping[int, float] | None) -> float:
    """The gain given for a grade, else the grade itself."""
    if gains is None:
        return float(grade)
    if grade in gains:
        return gains[grade]
    if occurs:
        raise InputError(
            f"no gain for grade {grade}, which occurs in the judgments",
            f"measure {str(measure)!r}",
            "list every relevant grade in gains={…}",
        )
    return 0.0


def _refuse_gaps(measure: Measure, grades: Iterable[int]) -> None:
    """Every relevant grade that occurs must stand in the measure's own tables."""
    for key, table in measure.tables.items():
        for grade in grades:
            if grade not in table:
                raise InputError(
                    f"{key} lists no value for grade {grade}, which occurs in the judgments",
                    f"measure {str(measure)!r}",
                    f"list every relevant grade: {measure.name}({key}={{…}})",
                )
