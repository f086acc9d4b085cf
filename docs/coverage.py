"""Writes docs/coverage.md: `PYTHONPATH=. python docs/coverage.py` (a quarter of an hour on two cores)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from docs.known_truth import MEASURES, QUANTITIES, SOURCES, Array, Fixed, Fresh, fresh_corpora, fresh_topics, truth

from irassay import demo

PAGE = Path(__file__).parent / "coverage.md"
SIZES, REPLICATES = (10, 25, 50), 1000
MODEL = demo.Model(systems=10, null_pairs=0, groups=5, depth=100, candidates=1600, seed=0)
TRUTH = 40_000  # topics of a true mean
REPETITIONS, BLOCK = 600, 10  # sets of fresh topics; how many of them one worker takes at a time
SETS, CORPORA, OBSERVED = 30, 100, 20  # sets of fixed topics, corpora of each, and how many of these are resampled
LOW, HIGH = 0.93, 0.97  # where a 95% interval should be


def measured(work: Callable[[range], NamedTuple], units: int, block: int) -> tuple[Array, ...]:
    """The work on all units, in blocks, on all cores."""
    blocks = [range(low, min(low + block, units)) for low in range(0, units, block)]
    parts = []
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        for done, part in enumerate(workers.map(work, blocks), start=1):
            parts.append(part)
            print(f"{done} of {len(blocks)} blocks", file=sys.stderr, flush=True)  # noqa: T201
    return tuple(np.concatenate(arrays) for arrays in zip(*parts, strict=True))


def results() -> tuple[Fresh, Fixed]:
    fresh = partial(fresh_topics, MODEL, truth(MODEL, TRUTH), SIZES, REPLICATES)
    fixed = partial(fresh_corpora, MODEL, SIZES, REPLICATES, CORPORA, OBSERVED)
    return Fresh(*measured(fresh, REPETITIONS, BLOCK)), Fixed(*measured(fixed, SETS, 1))


def mean_and_error(values: Array) -> tuple[float, float]:
    """Over repetitions, which are independent: what happens within one is not."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def percent(values: Array, digits: int = 1) -> str:
    mean, error = mean_and_error(values)
    if values.min() == 1:
        return f"100 (above {100 - 300 / len(values):.1f})"
    return f"{100 * mean:.{digits}f} ± {100 * error:.{digits}f}"


def ratio(stated: Array, actual: Array) -> str:
    """√(mean sd² / mean error²) and its error, from repetitions."""
    square = stated.sum() / actual.sum()
    residual = stated - square * actual
    error = np.sqrt((residual**2).sum() * len(residual) / (len(residual) - 1)) / actual.sum()
    return f"{np.sqrt(square):.2f} ± {error / (2 * np.sqrt(square)):.2f}"


def table(head: str, rows: list[tuple[str, list[str]]]) -> str:
    """One line per row, measures as columns."""
    lines = [f"| {head} | {' | '.join(MEASURES)} |", "|" + "---|" * (head.count("|") + 1 + len(MEASURES))]
    return "\n".join(lines + [f"| {name} | {' | '.join(cells)} |" for name, cells in rows])


def outside(names: list[str], values: list[Array]) -> str:
    """Where coverage is not from 93% to 97%; `values` are [repetition, measure]."""
    lines = []
    for name, shares in zip(names, values, strict=True):
        means = shares.mean(axis=0)
        cells = [f"{m} {100 * v:.1f}" for m, v in zip(MEASURES, means, strict=True) if not LOW <= v <= HIGH]
        lines.append(f"- {name}: {', '.join(cells) or 'none'}.")
    return "\n".join(lines)


def fresh_tables(fresh: Fresh) -> tuple[str, str]:
    """Coverage, and stated sd / actual sd."""
    covered, ratios = [], []
    for q, quantity in enumerate(QUANTITIES):
        for k, source in enumerate(SOURCES):
            for s, size in enumerate(SIZES):
                name = f"{quantity} | {source} | {size}"
                values = fresh.intervals[:, s, :, k, q]
                each = range(len(MEASURES))
                covered.append((name, [percent(values[:, m, 0]) for m in each]))
                ratios.append((name, [ratio(values[:, m, 1], values[:, m, 2]) for m in each]))
    head = "of | source | topics"
    return table(head, covered), table(head, ratios)


def fixed_tables(fixed: Fixed) -> tuple[str, str]:
    covered, ratios = [], []
    for q, quantity in enumerate(QUANTITIES):
        for s, size in enumerate(SIZES):
            values = fixed.intervals[:, s, :, q]
            each = range(len(MEASURES))
            for what, place in (("expectation", 0), ("another corpus, × √2", 3)):
                covered.append((f"{quantity} | {what} | {size}", [percent(values[:, m, place]) for m in each]))
            ratios.append((f"{quantity} | {size}", [ratio(values[:, m, 1], values[:, m, 2]) for m in each]))
    biases = [mean_and_error(fixed.bias[:, -1, m]) for m in range(len(MEASURES))]
    ratios.append((f"bias of the mean | {SIZES[-1]}", [f"{mean:+.5f} ± {error:.5f}" for mean, error in biases]))
    return table("of | against | topics", covered), table("of | topics", ratios)


def rank_table(fresh: Fresh) -> str:
    rows = []
    for k, what in enumerate(("one system", "all systems at once")):
        for s, size in enumerate(SIZES):
            rows.append((f"{what} | {size}", [percent(fresh.ranks[:, s, m, k], 2) for m in range(len(MEASURES))]))
    for s, size in enumerate(SIZES):
        widths = [mean_and_error(fresh.ranks[:, s, m, 2]) for m in range(len(MEASURES))]
        rows.append((f"ranks not excluded, mean | {size}", [f"{mean:.2f} ± {error:.2f}" for mean, error in widths]))
    return table("of | topics", rows)


def page(fresh: Fresh, fixed: Fixed) -> str:
    covered, ratios = fresh_tables(fresh)
    fixed_covered, fixed_ratios = fixed_tables(fixed)
    missed = outside(
        [f"{q} of {size} topics" for q in QUANTITIES for size in SIZES],
        [fresh.intervals[:, s, :, 0, q, 0] for q in range(len(QUANTITIES)) for s in range(len(SIZES))],
    )
    fixed_missed = outside(
        [f"{q} of {size} topics" for q in QUANTITIES for size in SIZES],
        [fixed.intervals[:, s, :, q, 0] for q in range(len(QUANTITIES)) for s in range(len(SIZES))],
    )
    return f"""# What do the standard deviations and ranks of `uncertainty` cover?

Written by `PYTHONPATH=. python docs/coverage.py`; do not edit.

On the [demo collection](demo.md) the truth is known. A standard error is worth something if score ± 1.96·sd holds the
truth in 95% of cases; {LOW:.0%} to {HIGH:.0%} is the aim. Intervals are of the differences of all pairs of
{MODEL.systems} systems and of their means, around the observed value, with the sds that the study reports from
{REPLICATES:,} replicates. Judgments are complete. Numbers stand with their Monte-Carlo error over repetitions
(sd / √repetitions), because the pairs of one repetition are not independent. [uncertainty.md](uncertainty.md) has real
runs.

## Fresh topics

{REPETITIONS} sets of fresh topics. Everything is drawn anew but the systems: how many documents are relevant, how
easy a topic is, how it suits a system, and all documents, for each topic has its own. The truth is the mean over
{TRUTH:,} other topics. Coverage in per cent:

{covered}

Sd stated / sd actual, as √(mean sd² / mean squared error):

{ratios}

Where `topics` is outside {LOW:.0%} to {HIGH:.0%}:

{missed}

**`topics` is a standard error.** The sd itself is right within 3%. Intervals with 1.96 are a little short with 25
topics, as they must be: for normal scores Student's t would take 2.06, and 1.96 covers 93.8%; with 10 topics it would
take 2.26, and 1.96 covers 91.8%. By RR they miss the aim by 15 points and more with 10 topics,
means by 6 points with 25 topics and by 2 with 50, differences by 2 with 25: most topics score 1 and a few score little,
and a set that holds too few of these lies too high and has too small an sd. Means by AP with 25 topics are below the
aim by less than their Monte-Carlo error.

**`documents+topics` is conservative**, as its label says. Observed topic scores already hold one draw of the documents,
and the bootstrap corpora add another. For differences its sd is 14 to 15% too large by AP, and covers 96 to 97%; by
the other measures it is 31 to 41% too large, and covers 99%. It is no total.

**`total` covers as `topics` does.** Here it has to: documents of different topics are independent in this model, so
there is no part that topics share, and the second term should add nothing. It adds next to nothing. Whether it is right
where topics share documents is not shown.

## Fixed topics, fresh corpora

{SETS} sets of topics, {CORPORA} corpora of each (`demo.Model(corpus=...)`: the topics and systems stay, all documents
are drawn again, and with them how many are relevant). {OBSERVED} corpora of each set are observed in turn and
resampled. The truth is the expectation over corpora, estimated by the mean of the other {CORPORA - 1}. For the score on
one other corpus the interval is √2 as long. Errors are over sets of topics. Coverage in per cent:

{fixed_covered}

Sd stated / sd actual, and what bootstrap corpora add to a mean:

{fixed_ratios}

Where `documents` is outside {LOW:.0%} to {HIGH:.0%} of the expectation:

{fixed_missed}

**`documents` is a standard error over corpora by AP, nDCG@10 and RBP. By RR it is a spread**, 11 to 14% too small as
a standard error, and its intervals cover 89 to 92%. A likely reason: RR depends on the best-ranked relevant
document alone, and the bootstrap is known to fail for extremes. Bootstrap corpora also lower RR by .02 on average. That
is a bias of the replicates and not of the observed score: the sd is taken about their own mean, and their mean is no
estimate. What is not shown: corpora whose documents depend on each other, pooled judgments, and systems that change
with the corpus, as real ones do through collection statistics.

## Ranks not excluded

By the familywise tests over topics, on the same sets of fresh topics. The true rank is that of the systems' strengths.
Share of sets in which the ranks from `rank_low` to `rank_high` hold it, in per cent (where none missed, the bound is
3/sets), and how many ranks they are, of {MODEL.systems}:

{rank_table(fresh)}

**They hold, and are conservative.** 95% for all systems at once was promised. Bounds miss a rank only if some pair is
called different in the wrong direction, which hardly happens; so they are wide.

## Settings

`demo.Model(systems={MODEL.systems}, null_pairs={MODEL.null_pairs}, groups={MODEL.groups}, depth={MODEL.depth}, \
candidates={MODEL.candidates}, seed={MODEL.seed})`;
the seed is the default, and no other set of systems was tried. Smaller sets of topics are the first topics of larger
ones, so these rows are not independent. `docs/known_truth.py` has the experiments.
"""


def main() -> None:
    PAGE.write_text(page(*results()), encoding="utf-8")


if __name__ == "__main__":
    main()
