"""Writes docs/comparison.md: `PYTHONPATH=. python docs/comparison.py` (some minutes on two cores)."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cached_property, partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from docs.calibration import ALPHA, MEASURES, SIZES, cell, error
from numpy.typing import NDArray

from irassay import demo
from irassay.ask import methods
from irassay.ask.comparison import student, tukey
from irassay.ask.pairs import Pairs, all_pairs
from irassay.ask.stepdown import stepdown
from irassay.vary.labels import LabelPlan
from irassay.vary.topics import TopicPlan

PAGE = Path(__file__).parent / "comparison.md"
SAMPLES, TRUTH = 1000, 50_000
TOPICS, BLOCK = 40_000, 2_000  # blocks hold whole experiments of every size
EQUAL = 5  # systems without a true difference
NULL = ((0, 1), (2, 3))
OTHER = (0, EQUAL)
TESTS = tuple(name for name, test in methods.TESTS.items() if not test.simultaneous)
FAMILIES = ("tukey", "tukey, a worse sixth system beside them", "t, holm", "t, none")
KINDS = tuple(methods.INTERVALS)

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class Alike(demo.Model):
    """All systems have the strength of the first, but the last one is worse; each is a group of its own."""

    @cached_property
    def lineup(self) -> tuple[demo.System, ...]:
        systems = super().lineup
        first = systems[0]
        weaker = {len(systems) - 1: 0.25}
        return tuple(
            replace(system, strength=first.strength - weaker.get(k, 0.0), step=first.step)
            for k, system in enumerate(systems)
        )


MODEL = Alike(systems=EQUAL + 1, null_pairs=0, groups=EQUAL + 1, depth=100, candidates=1600, seed=4)


class Tally(NamedTuple):
    """How often a null pair was called different, any of the equal ones, and a truth covered; [.., sizes, measures]."""

    level: Ints  # [tests]
    family: Ints  # [families]
    covered: Ints  # [kinds, mean or difference]


def truth(model: demo.Model, topics: int = TRUTH) -> Array:
    """True means [measures, the systems in OTHER]."""
    names = [model.names[s] for s in OTHER]
    return np.array([[demo.true_mean(model, m, name, topics=topics).mean for name in names] for m in MEASURES])


def tallied(model: demo.Model, true: Array, sizes: tuple[int, ...], topics: range) -> Tally:
    """Cut the topics into experiments of every size; count rejections and covered truths."""
    panel = demo.panel_of(model, topics, judgments="complete", jobs=1)
    scores = [matrix.values for matrix in panel.score(list(MEASURES)).by_measure()]
    shape = len(sizes), len(MEASURES)
    tally = Tally(*(np.zeros((*n, *shape), dtype=np.int64) for n in ((len(TESTS),), (len(FAMILIES),), (len(KINDS), 2))))
    for s, size in enumerate(sizes):
        for m, values in enumerate(scores):
            # [systems, experiments, topics]; every experiment's systems one after the other
            cut = values[:, : len(topics) // size * size].reshape(len(values), -1, size)
            tally.level[:, s, m] = _levels(cut, topics[0])
            tally.family[:, s, m] = _families(cut, topics[0])
            tally.covered[:, :, s, m] = _coverage(cut, topics[0], true[m])
    return tally


def _levels(cut: Array, seed: int) -> list[int]:
    """Null pairs that each test calls different; the experiments of a block share resamples."""
    size = cut.shape[-1]
    x, y = (np.concatenate([cut[pair[side]] for pair in NULL]) for side in (0, 1))
    rows = np.concatenate([x, y])
    pairs = np.arange(len(x)), len(x) + np.arange(len(x))
    data = _comparisons(rows, pairs, seed, size)
    return [int((methods.TESTS[name].p_values(data) < ALPHA).sum()) for name in TESTS]


def _comparisons(scores: Array, pairs: Pairs, seed: int, topics: int) -> methods.Comparisons:
    labels, samples = LabelPlan(seed, topics, SAMPLES), TopicPlan(seed, topics, SAMPLES)
    ranges = partial(labels.ranges, scores)
    max_t = partial(stepdown, scores, pairs, samples.counts())
    return methods.Comparisons(scores, pairs, samples.counts, labels.signs, labels.exact, ranges, max_t)


def _families(cut: Array, seed: int) -> list[int]:
    """Experiments in which any two of the equal systems are called different."""
    first, second = all_pairs(EQUAL)
    hits = [0] * len(FAMILIES)
    for e in range(cut.shape[1]):
        values = np.ascontiguousarray(cut[:, e])
        equal = values[:EQUAL]
        z = equal[first] - equal[second]
        plan = LabelPlan(seed + e, cut.shape[2], SAMPLES)
        p = student(z)
        families = (
            tukey(z.mean(axis=1), plan.ranges(equal)),
            tukey(z.mean(axis=1), plan.ranges(values)),
            methods.CORRECTIONS["holm"].adjust(p),
            p,
        )
        for k, p_values in enumerate(families):
            hits[k] += bool((p_values < ALPHA).any())
    return hits


def _coverage(cut: Array, seed: int, true: Array) -> list[list[int]]:
    """Experiments whose interval holds the true mean of the first system, and its true difference to the worse one."""
    experiments, size = cut.shape[1:]
    rows = np.concatenate([cut[OTHER[0]], cut[OTHER[1]], np.zeros((1, size))])
    here = np.arange(experiments)
    zeros, worse = np.full(experiments, 2 * experiments), experiments + here
    out = []
    for kind in KINDS:
        covered = []
        for second, value in ((zeros, true[0]), (worse, true[0] - true[1])):
            low, high = methods.INTERVALS[kind].bounds(_comparisons(rows, (here, second), seed, size), ALPHA)
            covered.append(int(((low <= value) & (value <= high)).sum()))
        out.append(covered)
    return out


def measured(true: Array) -> Tally:
    blocks = [range(low, low + BLOCK) for low in range(0, TOPICS, BLOCK)]
    total: Tally | None = None
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        for done, tally in enumerate(workers.map(partial(tallied, MODEL, true, SIZES), blocks), start=1):
            total = tally if total is None else Tally(*(a + b for a, b in zip(total, tally, strict=True)))
            if done % 5 == 0:
                print(f"{done} of {len(blocks)} blocks", file=sys.stderr, flush=True)  # noqa: T201
    assert total is not None
    return total


def table(what: str, names: tuple[str, ...], hits: Ints, each: int = 1) -> str:
    """One line per number of topics and name; `each` experiments a set of topics."""
    lines = [f"| topics | experiments | {what} | {' | '.join(MEASURES)} |", "|---|---|---|" + "---|" * len(MEASURES)]
    for s, size in enumerate(SIZES):
        for k, name in enumerate(names):
            n = each * (TOPICS // size)
            lines.append(f"| {size} | {n:,} | {name} | {' | '.join(cell(int(h), n) for h in hits[k, s])} |")
    return "\n".join(lines)


def verdicts(names: tuple[str, ...], hits: Ints, wanted: float, words: tuple[str, str], each: int = 1) -> str:
    """Where a rate is more than two errors off what is wanted."""
    lines = []
    for k, name in enumerate(names):
        off: dict[str, list[str]] = {word: [] for word in words}
        for s, size in enumerate(SIZES):
            for m, measure in enumerate(MEASURES):
                n = each * (TOPICS // size)
                gap = hits[k, s, m] / n - wanted
                if abs(gap) > 2 * error(wanted, n):
                    off[words[int(gap > 0)]].append(f"{measure} at {size}")
        deviations = "; ".join(f"{word}: {', '.join(where)}" for word, where in off.items() if where)
        lines.append(f"- {name}: {deviations or f'cannot be told from {wanted:g}'}.")
    return "\n".join(lines)


def page(tally: Tally, true: Array) -> str:
    apart = ", ".join(f"{m} {t[0] - t[1]:+.4f}" for m, t in zip(MEASURES, true, strict=True))
    once = (*FAMILIES[:3],)
    return f"""# Do the tests of `compare` keep their level, and do its intervals cover?

Written by `PYTHONPATH=. python docs/comparison.py`; do not edit.

On the [demo collection](demo.md) the truth is known: {EQUAL} systems with equal parameters and different runs have no
true difference in any measure, and a sixth is worse (first - sixth, over {TRUTH:,} topics: {apart}).
Each experiment takes fresh topics with complete judgments. Resampling tests and intervals have B = {SAMPLES:,}. Rates
stand with their Monte-Carlo error √(p(1-p)/experiments).

## Tests of one pair: false positives at {ALPHA:g}

{table("test", TESTS, tally.level, len(NULL))}

More than two errors off {ALPHA:g} (low is conservative, high is liberal; of 45 cells two or three are off by chance):

{verdicts(TESTS, tally.level, ALPHA, ("low", "high"), len(NULL))}

No test rejects clearly too often. The sign test has few possible p-values and is conservative throughout. Where systems
have the same score on many topics, as with RR, all tests reject too seldom with 25 topics, those of the bootstrap,
of randomisation and of signs with 50 too.

## Families: any false positive among {EQUAL} equal systems ({EQUAL * (EQUAL - 1) // 2} pairs) at {ALPHA:g}

{table("test, correction", FAMILIES, tally.family)}

{verdicts(once, tally.family, ALPHA, ("low", "high"))}

Without a correction (`none`) many more experiments than {ALPHA:g} have some false positive: that is what corrections
are for. Holm's correction is conservative because the comparisons share systems. Beside a system that truly differs
randomised Tukey is conservative too: the permutations mix its scores with those of the others. Where differences vary
unequally, as beside near-copies, it rejects far too often: t with Holm is the default.

## Intervals: how often they hold the truth (wanted: {1 - ALPHA:g})

Of the first system's mean:

{table("interval", KINDS, tally.covered[:, 0])}

{verdicts(KINDS, tally.covered[:, 0], 1 - ALPHA, ("low", "high"))}

Of the difference between the first and the sixth system:

{table("interval", KINDS, tally.covered[:, 1])}

{verdicts(KINDS, tally.covered[:, 1], 1 - ALPHA, ("low", "high"))}

Student's t is the default because its intervals of differences cover as they should from 25 topics on, in every measure
tried. Of means near their upper bound, as RR has them, it covers too seldom and bootstrap-t is the safer choice; BCa
and the percentile bootstrap are too short with few topics.

## Settings

`docs/comparison.py` has the model. Topics 1 to {TOPICS:,} are cut into experiments of each size; two disjoint null
pairs of each set of topics are tested. The experiments of one block of {BLOCK:,} topics share their sign flips and
topic samples; permutations are each experiment's own. Experiments of one cell share no topic, cells do.
"""


def main() -> None:
    true = truth(MODEL)
    PAGE.write_text(page(measured(true), true), encoding="utf-8")


if __name__ == "__main__":
    main()
