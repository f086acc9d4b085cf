"""Writes docs/calibration.md: `python docs/calibration.py` (some minutes on two cores)."""

from __future__ import annotations

import math
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from irassay import demo
from irassay.ask.pairs import all_pairs
from irassay.ask.significance import paired
from irassay.ask.unpaired import unpaired
from irassay.vary.topics import TopicPlan

PAGE = Path(__file__).parent / "calibration.md"
MEASURES = ("AP", "nDCG@10", "RR")
SIZES = (10, 25, 50, 200, 1000, 5000)
TESTS = ("paired", "unpaired")
ALPHA, SAMPLES = 0.05, 1000
# sys1 and sys3 are twins, sys2 truly differs from sys1
MODEL = demo.Model(systems=3, null_pairs=1, groups=2, depth=100, candidates=1600, seed=4)
PAIRS = (("sys1", "sys3"), ("sys1", "sys2"))
TOPICS, BLOCK = 200_000, 5_000  # blocks hold whole experiments of every size
MOST = 100  # experiments of one size that are made of one block

Hits = NDArray[np.int64]  # [pairs, tests, sizes, measures]: experiments that called a pair different


def rejections(model: demo.Model, pairs: tuple[tuple[str, str], ...], sizes: tuple[int, ...], topics: range) -> Hits:
    """Cut the topics into experiments of every size; count those whose ASL is below alpha.

    Every experiment has topics and bootstrap samples of its own, which tests and measures share.
    """
    panel = demo.panel_of(model, topics, judgments="complete", jobs=1)
    # the measures' systems one after the other, so that one call tests them all
    scores = np.concatenate([matrix.values for matrix in panel.score(list(MEASURES)).by_measure()])
    first, second = all_pairs(len(scores))
    place = {pair: p for p, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))}
    chosen = [
        [place[m * model.systems + model.names.index(x), m * model.systems + model.names.index(y)] for x, y in pairs]
        for m in range(len(MEASURES))
    ]
    hits = np.zeros((len(pairs), len(TESTS), len(sizes), len(MEASURES)), dtype=np.int64)
    for s, size in enumerate(sizes):
        for low in range(0, len(topics) - size + 1, size)[:MOST]:
            sample = np.ascontiguousarray(scores[:, low : low + size])
            plan = TopicPlan(topics[low], size, SAMPLES)
            tests = (paired(sample, plan.counts(), (ALPHA,)), unpaired(sample, plan.unpaired(), (ALPHA,)))
            for t, test in enumerate(tests):
                hits[:, t, s] += (test.asl < ALPHA)[chosen].T
    return hits


def measured() -> Hits:
    blocks = [range(low, low + BLOCK) for low in range(0, TOPICS, BLOCK)]
    total: Hits | None = None
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        for done, hits in enumerate(workers.map(partial(rejections, MODEL, PAIRS, SIZES), blocks), start=1):
            total = hits if total is None else total + hits
            if done % 10 == 0:
                print(f"{done} of {len(blocks)} blocks", file=sys.stderr, flush=True)  # noqa: T201
    assert total is not None
    return total


def experiments_of(size: int) -> int:
    return TOPICS // BLOCK * min(MOST, BLOCK // size)


def error(rate: float, experiments: int) -> float:
    """Monte-Carlo error of a rate, one standard deviation."""
    return math.sqrt(rate * (1 - rate) / experiments)


def cell(hits: int, experiments: int) -> str:
    if not hits:
        return f"0 (below {3 / experiments:.4f})"
    rate = hits / experiments
    return f"{rate:.4f} ± {error(rate, experiments):.4f}"


def table(hits: Hits) -> str:
    """One line per number of topics and test."""
    lines = [f"| topics | experiments | test | {' | '.join(MEASURES)} |", "|---|---|---|" + "---|" * len(MEASURES)]
    for s, size in enumerate(SIZES):
        for t, test in enumerate(TESTS):
            cells = " | ".join(cell(int(n), experiments_of(size)) for n in hits[t, s])
            lines.append(f"| {size:,} | {experiments_of(size):,} | {test} | {cells} |")
    return "\n".join(lines)


def verdicts(hits: Hits) -> str:
    """What the paired test's rates are, against alpha, number of topics by number of topics."""
    lines = []
    for m, measure in enumerate(MEASURES):
        findings = []
        for s, size in enumerate(SIZES):
            off = hits[0, s, m] / experiments_of(size) - ALPHA
            clear = abs(off) > 2 * error(ALPHA, experiments_of(size))
            verdict = ("conservative" if off < 0 else "liberal") if clear else "keeps its level"
            findings.append(f"{size:,} topics: {verdict}")
        lines.append(f"- {measure}: {', '.join(findings)}.")
    return "\n".join(lines)


def truths() -> str:
    """The true differences of the second pair."""
    lines = []
    for measure in MEASURES:
        x, y = (demo.true_mean(MODEL, measure, name) for name in PAIRS[1])
        lines.append(f"{measure} {x.mean - y.mean:+.4f} ± {math.hypot(x.error, y.error):.4f}")
    return ", ".join(lines)


def equal() -> str:
    """How often the twins have the same score."""
    panel = demo.panel_of(MODEL, range(2_000), judgments="complete")
    x, y = (MODEL.names.index(name) for name in PAIRS[0])
    shares = {m.name: (m.values[x] == m.values[y]).mean() for m in panel.score(list(MEASURES)).by_measure()}
    return ", ".join(f"{share:.0%} with {name}" for name, share in shares.items())


def page(hits: Hits) -> str:
    return f"""# Do the bootstrap tests keep their level?

Written by `python docs/calibration.py`; do not edit.

A test at alpha = {ALPHA:g} may call two equally good systems different in {ALPHA:.0%} of all experiments. The
[demo collection](demo.md) has such systems: a null pair has equal parameters and different runs, so it has no true
difference in any measure. Each experiment takes fresh topics with complete judgments, runs the test with
B = {SAMPLES:,} samples of its own, and rejects if the achieved significance level is below {ALPHA:g}.
The tests and intervals of `compare` have [a page of their own](comparison.md). So have the numbers of `uncertainty`:
[what they cover](coverage.md) here, and [what became of them](uncertainty.md) on real runs; and those of `judges`,
[on judges of known error](judges.md).

## False positives

Share of experiments that called the null pair different, with its Monte-Carlo error √(p(1-p)/experiments). Where no
experiment did, the bound is 3/experiments (95% confidence).

{table(hits[0])}

The paired test (a rate within two errors of {ALPHA:g} counts as keeping its level):

{verdicts(hits[0])}

The **paired test** never rejects clearly too often, and too seldom with few topics. From 50 topics on AP and
nDCG@10 cannot be told from {ALPHA:g}; with 1,000 topics and more a deviation of less than .03 would not show,
because there are few experiments. It is furthest off where the systems have the same score on many topics (here
{equal()}): with few nonzero differences t* varies more from sample to sample, and the bar for significance rises.
So a significant difference in RR on 25 topics is stronger evidence than its level says, and a missing one says
little.

The **unpaired test** is far below its level, because it ignores the pairing: it takes the spread of the topics, which
both systems share, for noise between the systems. It is meant for two separate sets of topics. Used on one set it
gave few false positives here and missed most true differences, as the next table shows.

## Power

The same experiments for a pair that truly differs (`demo.true_mean`, {PAIRS[1][0]} - {PAIRS[1][1]}, ± its
Monte-Carlo error): {truths()}.
Share of experiments that called the pair different:

{table(hits[1])}

## Settings

`demo.Model(systems={MODEL.systems}, null_pairs={MODEL.null_pairs}, groups={MODEL.groups}, depth={MODEL.depth}, \
candidates={MODEL.candidates}, seed={MODEL.seed})`;
null pair {" and ".join(PAIRS[0])}, other pair {" and ".join(PAIRS[1])}. Topics 1 to {TOPICS:,} are cut into
experiments of each size; an experiment's first topic, counted from 0, is the seed of its bootstrap samples.
Experiments of one cell share no topic. Cells share topics, so they are not independent of each other. The seed
was chosen among 0 to 5 by the true AP of the systems, for a difference of middling size, before any test was run. One
pair of each kind was tried, at one strength: other systems may give other rates.
"""


def write_section(name: str, text: str) -> None:
    """Put a section into the page and keep the others; the first one has no name, other scripts write the rest."""
    parts = re.split(r"^<!-- section (\w+) -->\n", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    sections = {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True)), name: text}
    marked = [f"<!-- section {key} -->\n{part}" if key else part for key, part in sections.items()]
    PAGE.write_text("".join(marked), encoding="utf-8")


def main() -> None:
    write_section("", page(measured()) + "\n")


if __name__ == "__main__":
    main()
