"""Writes the section on leaderboards of docs/calibration.md: `PYTHONPATH=. python docs/calibration_leaderboard.py`.

It takes about two minutes on two cores.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np
from docs.calibration import cell, write_section
from numpy.typing import NDArray

from irassay import demo
from irassay.ask.leaderboard import covariance, t_statistics, topic_errors, two_sided
from irassay.ask.pairs import all_pairs
from irassay.ask.rank_sets import TOPICS_PER_SYSTEM, covariance_factor, drawn_rank_sets, mean_draws
from irassay.ask.ranks import ranks
from irassay.studies.leaderboard.board import Board
from irassay.studies.leaderboard.inference import infer
from irassay.studies.leaderboard.settings import Leaderboard

SYSTEMS, COLLECTIONS, TOPICS = 10, 40, 200  # of the population
EXPERIMENTS, BLOCK, DRAWS, LEVEL = 1000, 50, 1000, 0.95
ORDERS = ("close", "clear")
# collections, topics in each, kind of tasks
CELLS = (
    *((2, 25, "fixed"), (2, 50, "fixed"), (8, 25, "fixed"), (8, 50, "fixed")),
    *((6, 25, "random"), (8, 25, "random"), (20, 25, "random")),
)
# systems without a true difference, and the topics of each collection
EQUAL = ((20, (8,)), (20, (20,)), (20, (41,)), (20, (25, 25)), (50, (50, 50)), (20, (25,) * 8), (50, (25,) * 8))

Array = NDArray[np.float64]


class Tally(NamedTuple):
    """How often ranks of one system (its share), ranks of all and the best set hold the truth, and their sizes."""

    one: float
    all: int
    best: int
    width: float
    width_one: float
    size: float


def scores_of(seed: int) -> Array:
    """AP of one collection of the population [systems, topics], strongest system first."""
    model = demo.Model(systems=SYSTEMS, null_pairs=0, groups=SYSTEMS, depth=100, candidates=800, seed=seed)
    strongest = np.argsort([-system.strength for system in model.lineup], kind="stable")
    values = demo.panel_of(model, range(TOPICS), judgments="complete", jobs=1).score("AP").values
    return np.asarray(values.reshape(SYSTEMS, TOPICS)[strongest])


def population() -> Array:
    """Scores [collections, systems, topics]."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as workers:
        return np.stack(list(workers.map(scores_of, range(COLLECTIONS))))


def arranged(scores: Array, order: str) -> Array:
    """`clear`: a system is about as strong everywhere; `close`: strong here and weak there, so means are close."""
    rng = np.random.default_rng(0)
    rows = []
    for one in scores:
        noise = 1.0 if order == "clear" else 100.0
        rows.append(one[np.argsort(np.arange(SYSTEMS) + noise * rng.standard_normal(SYSTEMS), kind="stable")])
    return np.stack(rows)


def experiments(scores: Array, cell: tuple[int, int, str], part: range) -> Tally:
    """Fresh topics of some collections, and of fresh collections where tasks are random; truth from all topics."""
    collections, topics, tasks = cell
    study = Leaderboard(tasks=tasks, resamples=DRAWS, alpha=1 - LEVEL)
    names = tuple(f"sys{s}" for s in range(SYSTEMS))
    results = []
    for unit in part:
        rng = np.random.default_rng((collections, topics, tasks == "random", unit))
        fresh = tasks == "random"
        chosen = rng.integers(len(scores), size=collections) if fresh else np.arange(collections)
        drawn = [scores[k][:, rng.integers(TOPICS, size=topics)] for k in chosen]
        true = scores.mean(axis=(0, 2)) if fresh else scores[chosen].mean(axis=(0, 2))
        values = np.stack([one.mean(axis=1) for one in drawn], axis=1)
        labels = tuple(map(str, range(collections)))
        board = Board(names, labels, ("AP",) * collections, values, tuple(drawn))
        sets = infer(study, board, 1).ranks
        assert sets is not None
        rank = ranks(true)
        held, one = (
            (low <= rank) & (rank <= high) for low, high in ((sets.low, sets.high), (sets.low_one, sets.high_one))
        )
        widths = [(sets.high - sets.low + 1).mean(), (sets.high_one - sets.low_one + 1).mean(), sets.best.sum()]
        results.append((one.mean(), held.all(), sets.best[true.argmax()], *widths))
    shares = np.array(results, dtype=np.float64)
    return Tally(*shares[:, :3].sum(axis=0).tolist(), *shares[:, 3:].mean(axis=0).tolist())


def false_calls(cell: tuple[int, tuple[int, ...]], part: range) -> tuple[int, int]:
    """Experiments in which draws, and in which Bonferroni, call some pair of equal systems different."""
    systems, sizes = cell
    hits = np.zeros(2, dtype=np.int64)
    for unit in part:
        rng = np.random.default_rng((systems, *sizes, unit))
        spread = rng.uniform(0.5, 1.5, (systems, 1))
        topics = [spread * rng.standard_normal((systems, n)) + rng.standard_normal(n) for n in sizes]
        means = np.stack([values.mean(axis=1) for values in topics], axis=1)
        errors = topic_errors(means, topics)
        draws = mean_draws(covariance_factor(covariance(topics)), DRAWS, seed=unit)
        t = t_statistics(errors.difference, errors)
        sets = drawn_rank_sets(t, errors.freedom, errors.variance, draws, 1 - LEVEL)
        p = two_sided(errors)[all_pairs(systems)]
        hits += (sets.high - sets.low).min() < systems - 1, p.min() * len(p) < 1 - LEVEL
    return int(hits[0]), int(hits[1])


def equal_table() -> str:
    blocks = [range(low, low + BLOCK) for low in range(0, EXPERIMENTS, BLOCK)]
    lines = ["| systems | topics | draws | Bonferroni |", "|---|---|---|---|"]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as workers:
        jobs = {one: [workers.submit(false_calls, one, part) for part in blocks] for one in EQUAL}
        for (systems, sizes), row in jobs.items():
            hits = np.sum([job.result() for job in row], axis=0).tolist()
            topics = f"{sizes[0]}" if len(sizes) == 1 else f"{len(sizes)} x {sizes[0]}"
            lines.append(f"| {systems} | {topics} | {' | '.join(cell(count, EXPERIMENTS) for count in hits)} |")
    return "\n".join(lines)


def measured(scores: Array) -> dict[tuple[str, tuple[int, int, str]], Tally]:
    blocks = [range(low, low + BLOCK) for low in range(0, EXPERIMENTS, BLOCK)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as workers:
        jobs = {
            (order, one): [workers.submit(partial(experiments, arranged(scores, order), one, part)) for part in blocks]
            for order in ORDERS
            for one in CELLS
        }
        return {key: _sum([job.result() for job in row]) for key, row in jobs.items()}


def _sum(parts: list[Tally]) -> Tally:
    table = np.array(parts)
    return Tally(*table[:, :3].sum(axis=0).tolist(), *table[:, 3:].mean(axis=0).tolist())


def table(tallies: dict[tuple[str, tuple[int, int, str]], Tally]) -> str:
    lines = [
        "| means | tasks | collections | topics in each | a system's ranks miss | some ranks miss | the best set "
        "misses | ranks of one, mean | of all, mean | systems in the best set |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for (order, (collections, topics, tasks)), one in tallies.items():
        missed = [cell(EXPERIMENTS - int(hits), EXPERIMENTS) for hits in (one.all, one.best)]
        shares = f"{1 - one.one / EXPERIMENTS:.4f} | {' | '.join(missed)}"
        sizes = f"{one.width_one:.1f} | {one.width:.1f} | {one.size:.1f}"
        lines.append(f"| {order} | {tasks} | {collections} | {topics} | {shares} | {sizes} |")
    return "\n".join(lines)


def page(tallies: dict[tuple[str, tuple[int, int, str]], Tally], equal: str) -> str:
    return f"""
## The rank sets and the best set of leaderboards

Written by `PYTHONPATH=. python docs/calibration_leaderboard.py`; do not edit.

{COLLECTIONS} [demo collections](demo.md) with {SYSTEMS} systems and {TOPICS} topics each are a population whose true
means (AP) are known. Each of {EXPERIMENTS:,} experiments a line draws topics from it with replacement, `fixed` always
of the same collections, `random` of collections that are drawn too; the truth is the mean over these collections, or
over the whole population. In `clear` a system is about as strong in all collections, in `close` its strength in one
says hardly anything of the next, so that true means are close and the order is hard to see. A truth may be missed in
{1 - LEVEL:.0%} of experiments: the rank of a system picked beforehand (mean over the systems), some rank of all, and
the best system. Shares stand with their Monte-Carlo error; where nothing was missed, the bound is 3/experiments.

{table(tallies)}

**They hold.** Rank sets are conservative, for they miss a true rank only where a test calls a pair different in the
wrong direction; so a clear order shows in narrow sets, and a hidden one in wide sets, not in wrong ones. The best set
is nearer to what it promises where the best system is hardly better than others. `random` needs many collections: the
same systems that {CELLS[2][1]} topics of {CELLS[2][0]} fixed collections tell apart mostly remain together when the
collections are a sample. One population was tried; others may give other rates.

Of systems without any true difference (normal scores), some pair may be called different in {1 - LEVEL:.0%} of
experiments:

{equal}

**Draws need topics.** They take the covariance of the means for known, so with few topics for many systems they call
equal systems different far too often. `leaderboard` draws where there are at least {TOPICS_PER_SYSTEM} topics for each
system, and takes Holm's correction otherwise and for `random`, where each collection is one observation. Where it
draws, the rate can still be a little too high with few topics.
"""


def main() -> None:
    write_section("leaderboard", page(measured(population()), equal_table()).lstrip("\n") + "\n")


if __name__ == "__main__":
    main()
