"""A cluster of processes on this machine beside threads, and what travels: `python -m benchmarks cluster`.

Replicates of TREC-8's size. What a replicate costs a worker, how many bytes of it travel and how long the machine that
merges is busy with it say what many workers can do: docs/cluster.md has the model.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from benchmarks.harness import Row, probe, seconds, side_by_side
from benchmarks.sizes import TREC8

PLACES = ("1 thread", "2 threads", "local:1", "local:2")
ROUNDS = 3


class Work(NamedTuple):
    """What is done, and how many replicates of it."""

    words: str
    replicates: int


WORK = {
    "images": Work("corpus: 6 measures, quantiles of every topic", 1024),
    "replicates": Work("uncertainty: 6 measures, documents", 1024),
    "samples": Work("variance: AP of resampled lists", 1024),
}


def rows() -> list[Row]:
    return [row for name in WORK for row in _compared(name)]


def _compared(name: str) -> list[Row]:
    work = WORK[name]
    best = side_by_side({place: partial(probe, "cluster:done", name, place) for place in PLACES}, ROUNDS)
    merged = probe("cluster:merged", name)
    travels = probe("cluster:travelling", name).value
    results = []
    for place, peer in (("local:1", "1 thread"), ("local:2", "2 threads")):
        ratio = best[peer].seconds / best[place].seconds
        results.append(
            Row(
                f"{work.words}, {work.replicates:,} replicates, {place}",
                f"{peer}: {seconds(best[peer].seconds)}",
                f"{seconds(best[place].seconds)}, {best[place].value or 0.0:,.0f} bytes per replicate on the wire",
                f"{ratio:.2f}x",
                "",
                None,
            )
        )
    ours = f"{travels:,.0f} bytes; merging {merged.seconds / work.replicates * 1e6:.1f} µs"
    return [*results, Row(f"{work.words}: states, per replicate", "", ours, "", "", None)]


def prepared(name: str, replicates: int) -> tuple[Any, Any]:
    """The plan and the accumulator of a study."""
    from benchmarks.corpus import DEPTH, DOCUMENTS, ready
    from irassay.measures import parse
    from irassay.studies.corpus.settings import PRESET

    if name == "samples":
        from dataclasses import replace

        from benchmarks.variance import simulation
        from irassay.studies.variance.statistics import SimulatedStatistics

        lists = replace(simulation("bst")[0], samples=replicates)
        return lists, SimulatedStatistics(lists.measures, lists.systems, lists.topics, replicates, 0.05)
    panel, measures = ready(TREC8), list(parse(PRESET))
    root = panel.score(measures)
    if name == "replicates":
        from irassay.vary.documents import Documents
        from irassay.vary.replicates import observed_tests, statistics_of
        from irassay.vary.variation import Observed

        observed = Observed(root, panel)
        documents = Documents(seed=0, replicates=replicates, corpus_size=DOCUMENTS, depth=DEPTH)
        plan = documents.plan(observed)
        return plan, statistics_of(observed, observed_tests(root)[0], plan.units, covariance=True)
    from irassay.studies.corpus.accumulate import GroupStatistics
    from irassay.vary.blocks import LanePlan
    from irassay.vary.documents import ImagePlan
    from irassay.vary.lane_scores import LaneScores

    images = ImagePlan(0, DOCUMENTS, int(panel.document.max()) + 1, replicates)
    topics = range(len(panel.topics))
    scores = LaneScores(panel.minimal, range(len(panel.systems)), measures, images, DEPTH)
    values = {measure: root[str(measure)].values for measure in measures}
    kept = GroupStatistics(topics, tuple(measures), values, (), replicates, None, True, None, {})
    return LanePlan(scores, topics, panel.document), kept


def done(name: str, place: str) -> Callable[[], float]:
    """Bytes that went over the loopback device for each replicate."""
    from irassay.compute.executor import execute, open_executor
    from irassay.compute.threads import cores

    device: Any = import_module("psutil").net_io_counters
    plan, kept = prepared(name, WORK[name].replicates)
    jobs, cluster = (cores(), place) if place.startswith("local:") else (int(place.split()[0]), None)
    stack = ExitStack()
    atexit.register(stack.close)
    stack.enter_context(open_executor(cluster=cluster))

    def work() -> float:
        before = device(pernic=True)["lo"].bytes_recv
        execute(name, plan, kept, jobs=jobs)
        return float(device(pernic=True)["lo"].bytes_recv - before) / float(plan.units)

    work()  # kernels are loaded, and the panel is there
    return work


def merged(name: str) -> Callable[[], object]:
    """Merging alone, of states that are there."""
    plan, kept = prepared(name, WORK[name].replicates)
    part = range(plan.chunk)
    state = kept.add(part, plan.block(part, 1), 1)
    parts = [range(low, low + plan.chunk) for low in range(0, plan.units, plan.chunk)]
    states = [{of: array.copy() for of, array in state.items()} for _ in parts]

    def work() -> None:
        total = kept.start()
        for one, other in zip(parts, states, strict=True):
            kept.merge(total, one, other, 1)

    return work


def travelling(name: str) -> Callable[[], float]:
    """Bytes of a part's state for each of its replicates."""
    plan, kept = prepared(name, WORK[name].replicates)
    part = range(plan.chunk)
    return lambda: float(sum(array.nbytes for array in kept.add(part, plan.block(part, 1), 1).values()) / len(part))
