"""Writes docs/comparison.md and what `compare` and `design` warn from.

`IRASSAY_DATA=DIR PYTHONPATH=. python docs/comparison.py`; `make calibration` runs it with the other pages.
DIR has the folders trec8-adhoc and robust03.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from docs.comparison_page import Sizes, page, share
from docs.error_rates import Rate
from docs.populations import (
    Array,
    Population,
    Rng,
    Topics,
    demo_scores,
    different_means,
    equal_means,
    real_different_means,
    real_equal_means,
    real_scores,
    real_topics,
)

from docs import error_rates as rates
from irassay.studies.compare.calibration import FILE

PAGE = Path(__file__).parent / "comparison.md"
# experiments by number of topics: of one pair or mean, of a family of pairs
SINGLE = {10: 4000, 25: 4000, 50: 4000, 200: 2000, 1000: 1000, 5000: 400}
FAMILY = {10: 1000, 25: 1000, 50: 1000, 200: 500, 1000: 200, 5000: 100}
MANY = 100  # systems above which families are tried with few topics only
HALVES = 200  # splits of real topics into two
PARTS = 8  # that the experiments of one cell are done in

Work = Callable[[int, int], list[Rate]]  # of a seed and a number of experiments


def drawn(scores: Array, truth: Array, rng: Rng, topics: int) -> tuple[Array, Array]:
    """Topics of a population, and some other truth in place of the true means of its systems."""
    return Topics(scores)(rng, topics)[0], truth


def work() -> list[tuple[Work, int]]:
    """Every cell's work and its number of experiments, the longest first."""
    scores = demo_scores()
    equal = [*equal_means(scores), *real_equal_means()]
    demos, real = different_means(scores), real_different_means()
    cells: list[tuple[Work, int]] = []
    for topics in sorted(SINGLE, reverse=True):
        for one in equal:
            if one.systems <= MANY or topics <= 200:
                cells.append((partial(rates.families, one, topics), FAMILY[topics]))
            cells.append((partial(rates.levels, one, topics), SINGLE[topics]))
        cells += [(partial(rates.coverage, one, topics), SINGLE[topics]) for one in [*demos, *real]]
        cells += [(partial(rates.rank_coverage, one, topics), FAMILY[topics]) for one in real]
        for name in ("normal families", "skewed families"):
            cells.append((partial(rates.cluster_levels, name, topics), SINGLE[topics]))
        cells.append((partial(rates.generalizability, None, topics), SINGLE[topics]))
        for collection in ("TREC-8", "Robust 2003"):
            values = real_scores(collection, "AP")
            for experiment, truth in (
                (rates.generalizability, rates.true_signals(values)),
                (rates.topics_needed, rates.true_variances(values)),
            ):
                whole = Population(f"{collection} AP, its systems", len(values), partial(drawn, values, truth))
                cells.append((partial(experiment, whole, topics), FAMILY[topics]))
    cells += [(partial(rates.held_out, one, topics), HALVES) for one, topics in real_topics()]
    return cells


def measured(cells: Iterable[tuple[Work, int]], parts: int = PARTS) -> list[Rate]:
    """All cells, each in parts, on all cores."""
    totals: dict[tuple[str, str, str, int], Rate] = {}
    begin = time.monotonic()
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        jobs = [
            workers.submit(one, part * 1_000_000, experiments // parts + (part < experiments % parts))
            for one, experiments in cells
            for part in range(parts)
        ]
        for done, job in enumerate(jobs, start=1):
            for rate in job.result():
                key = rate.kind, rate.method, rate.population, rate.topics
                totals[key] = totals[key] + rate if key in totals else rate
            if done % (20 * parts) == 0:
                took = time.monotonic() - begin
                print(f"{done} of {len(jobs)} parts, {took:.0f} s", file=sys.stderr, flush=True)  # noqa: T201
    return list(totals.values())


def save(results: list[Rate]) -> None:
    """What `compare` and `design` warn from: families by population, and the worst population of each interval."""
    kept = [r for r in results if r.kind == "family" and r.method != "t, none"]
    kinds = ("difference", "topics needed")
    for kind, method, topics in dict.fromkeys((r.kind, r.method, r.topics) for r in results if r.kind in kinds):
        same = (r for r in results if (r.kind, r.method, r.topics) == (kind, method, topics))
        kept.append(min(same, key=share))
    text = ",\n".join(json.dumps(one._asdict()) for one in kept)
    FILE.write_text(f"[\n{text}\n]\n", encoding="utf-8")


def main() -> None:
    results = measured(work())
    save(results)
    PAGE.write_text(page(results, Sizes(SINGLE, FAMILY, HALVES, MANY, PARTS)), encoding="utf-8")


if __name__ == "__main__":
    main()
