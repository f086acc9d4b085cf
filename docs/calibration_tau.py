"""Writes the section on tau of docs/calibration.md: `IRASSAY_DATA=DIR PYTHONPATH=. python docs/calibration_tau.py`.

It takes 8 minutes of processor time, shared by two processes. DIR/trec8-adhoc has the runs; without them only the demo
collection is used.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from docs.calibration import cell, write_section
from numpy.typing import NDArray

import irassay
from irassay import demo
from irassay.ask.agreement import all_tau_replicates, conservative_interval, interval, tau
from irassay.vary.topics import TopicPlan

MEASURES = ("AP", "nDCG@10", "RR")
PAIRS = ((0, 1), (0, 2))
SYSTEMS = (10, 30, 60, 129)
TOPICS = (25, 50)
EXPERIMENTS, BLOCK, SAMPLES, LEVEL = 1000, 100, 1000, 0.95
POPULATION = 2000  # topics of the demo collection
MODEL = demo.Model(systems=max(SYSTEMS), groups=41, depth=100, seed=0)

Array = NDArray[np.float64]  # [measures, systems, topics]


class Tally(NamedTuple):
    """Of one cell: experiments whose percentile and conservative interval hold the truth, and mean widths."""

    systems: int
    topics: int
    pair: tuple[int, int]
    truth: float  # mean over the experiments' systems
    percentile: int
    above: int  # the percentile interval lies wholly below the truth
    conservative: int
    widths: tuple[float, float]


def experiments(population: Array, systems: int, topics: int, pair: tuple[int, int], part: range) -> Tally:
    """Random systems and random topics of the population; all its topics give the truth for these systems."""
    hits, widths, truths = [], [], []
    for unit in part:
        rng = np.random.default_rng((systems, topics, *pair, unit))
        chosen = rng.permutation(population.shape[1])[:systems]
        drawn = rng.integers(population.shape[2], size=topics)
        scores = population[list(pair)][:, chosen]
        truth = tau(*scores.mean(axis=2))
        sample = np.ascontiguousarray(scores[:, :, drawn])
        weights = TopicPlan(unit, topics, SAMPLES).counts() / topics
        (replicates,) = all_tau_replicates([weights @ one.T for one in sample])
        bounds = (
            interval(replicates, level=LEVEL),
            conservative_interval(tau(*sample.mean(axis=2)), replicates, level=LEVEL),
        )
        (low, high), (wide_low, wide_high) = bounds
        hits.append((low <= truth <= high, high < truth, wide_low <= truth <= wide_high))
        widths.append([high - low, wide_high - wide_low])
        truths.append(truth)
    percentile, above, conservative = np.sum(hits, axis=0).tolist()
    narrow, wide = np.mean(widths, axis=0).tolist()
    return Tally(systems, topics, pair, float(np.mean(truths)), percentile, above, conservative, (narrow, wide))


def populations() -> Iterator[tuple[str, Array]]:
    """Scores of many systems on all topics of a population."""
    parts = [demo.panel_of(MODEL, range(low, low + 200), judgments="complete") for low in range(0, POPULATION, 200)]
    yield (
        f"demo collection, {POPULATION:,} topics with complete judgments",
        np.concatenate([part.score(list(MEASURES)).values for part in parts], axis=2),
    )
    if "IRASSAY_DATA" in os.environ:
        data = Path(os.environ["IRASSAY_DATA"]) / "trec8-adhoc"
        panel = irassay.align(irassay.read_qrels(data / "qrels.txt.gz"), irassay.read_runs(data / "runs"))
        yield f"TREC-8 ad hoc, its {len(panel.topics)} topics", panel.score(list(MEASURES)).values


def measured(population: Array) -> list[Tally]:
    cells = [(m, n, pair) for m in SYSTEMS for n in TOPICS for pair in PAIRS]
    blocks = [range(low, low + BLOCK) for low in range(0, EXPERIMENTS, BLOCK)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as workers:
        jobs = [[workers.submit(partial(experiments, population), *one, part) for part in blocks] for one in cells]
        return [_sum([job.result() for job in row]) for row in jobs]


def _sum(parts: list[Tally]) -> Tally:
    first = parts[0]
    widths = np.mean([part.widths for part in parts], axis=0).tolist()
    truth = sum(part.truth for part in parts) / len(parts)
    covered, above, wide = (
        sum(getattr(part, name) for part in parts) for name in ("percentile", "above", "conservative")
    )
    return Tally(first.systems, first.topics, first.pair, truth, covered, above, wide, (widths[0], widths[1]))


def table(tallies: list[Tally]) -> str:
    lines = [
        "| systems | topics | measures | true tau | percentile | of its misses too low | conservative | widths |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for one in tallies:
        missed = EXPERIMENTS - one.percentile
        names = " and ".join(MEASURES[k] for k in one.pair)
        low = f"{one.above / missed:.0%}" if missed else ""
        lines.append(
            f"| {one.systems} | {one.topics} | {names} | {one.truth:.3f} | {cell(one.percentile, EXPERIMENTS)} | {low} "
            f"| {cell(one.conservative, EXPERIMENTS)} | {one.widths[0]:.2f}, {one.widths[1]:.2f} |"
        )
    return "\n".join(lines)


def summary(tallies: list[Tally]) -> str:
    def span(name: str) -> str:
        rates = [getattr(one, name) / EXPERIMENTS for one in tallies]
        return f"{min(rates):.3f} to {max(rates):.3f}"

    return f"Coverage: percentile {span('percentile')}, conservative {span('conservative')}."


def section(results: dict[str, list[Tally]]) -> str:
    parts = "\n\n".join(f"### {name}\n\n{summary(rows)}\n\n{table(rows)}" for name, rows in results.items())
    return f"""## The interval of tau

Written by `IRASSAY_DATA=DIR PYTHONPATH=. python docs/calibration_tau.py`; do not edit.

How often does a {LEVEL:.0%} interval of tau between two measures hold the tau that all topics of a population give
for the same systems? Each experiment draws systems at random (without replacement) and topics at random (with
replacement) from the population, and {SAMPLES:,} bootstrap samples of these topics; {EXPERIMENTS:,} experiments a row,
± the Monte-Carlo error. `agreement` reports the conservative interval: the hull of the percentile interval [l, h] and
of its reflection at tau, [min(l, 2τ-h), max(h, 2τ-l)]. The widths are means, of the percentile and of the conservative
interval.

{parts}

The percentile interval lies too low: samples of the topics order systems less alike than all topics do, because noise
of the topics makes neighbours change places under one measure and not under the other. The reflected interval repairs
that as far as the samples show it, and the hull of both is reported.

How much that repairs depends on what stands for the truth. The topics of TREC-8 as a population are few, so that their
own tau has noise of topics in it, and the conservative interval covers it nearly as often as it should. The demo
collection has {POPULATION:,} topics, on which its measures order systems nearly alike: one sample of topics cannot show
that, and **both intervals lie below the truth, the more often the more systems there are**. Where the question is tau
without the noise of topics, read the interval as a lower bound. Rows of one population share systems and topics.
"""


def main() -> None:
    write_section("tau", section({name: measured(scores) for name, scores in populations()}))


if __name__ == "__main__":
    main()
