"""On a GPU, at TREC-8's size from the demo generator, against the processor: bootstrap corpora, the paired test,
`uncertainty` and simulated lists.

`python -m benchmarks.gpu` on a machine with a GPU; needs numpy, scipy, numba and CuPy only. Not among the others of
`make bench`, which run anywhere.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from irassay.ask.significance import paired
from irassay.choices import MODELS
from irassay.compute.executor import open_executor
from irassay.compute.gpu import cupy
from irassay.demo import Model, panel_of
from irassay.measures import Measure, parse
from irassay.panel.panel import Panel
from irassay.scoring.gpu.sums import histograms_on_gpu, moments_on_gpu
from irassay.studies.corpus.accumulate import corpus_statistics
from irassay.studies.corpus.settings import PRESET
from irassay.vary.documents import Documents, ImagePlan
from irassay.vary.lane_scores import LaneScores
from irassay.vary.replicates import replicates
from irassay.vary.scores import ScorePlan, SimulatedScores
from irassay.vary.topics import TopicPlan, Topics
from irassay.vary.variation import Observed

IMAGES_A_SECOND, PAIRED_SECONDS = 100_000, 0.4  # targets: of 1,000,000 images, and of as many resamples of all pairs
SIMULATED = 1024  # samples of each list


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--images", type=int, default=1_000_000)
    parser.add_argument("--resamples", type=int, default=1_000_000)
    parser.add_argument("--memory", type=int, default=8192, help="memory for scores in MB")
    parser.add_argument("--jobs", type=int, default=16)
    options = parser.parse_args()
    cp = cupy()
    rows: dict[str, float] = {}
    seconds, panel = timed(lambda: panel_of(Model(systems=129), range(50)))
    rows["demo panel, s"] = seconds
    measures = list(parse(PRESET))
    root = {
        m: np.ascontiguousarray(v.values) for m, v in zip(measures, panel.score(measures).by_measure(), strict=True)
    }
    active = int(panel.document.max()) + 1
    say("active documents", active)

    def statistics(images: int, memory_limit: int, jobs: int) -> Any:
        corpus_scores = LaneScores(panel, range(129), measures, ImagePlan(0, 528_155, active, images), 1000)
        return corpus_statistics(
            corpus_scores, measures, root, memory_limit=memory_limit, intervals=("normal",), jobs=jobs
        )

    rows["processor, images/s"] = 1024 / timed(lambda: statistics(1024, 2**31, options.jobs))[0]
    with open_executor("cuda"):
        timed(lambda: statistics(4096, 2**32, options.jobs))  # compiled, and the pool filled
        seconds, spread = timed(lambda: statistics(options.images, options.memory << 20, options.jobs))
    rows["gpu, images"] = options.images
    rows["gpu, s"] = seconds
    rows["gpu, images/s"] = options.images / seconds
    rows["exact quartiles"] = float(spread.exact)
    rows |= parts(panel, measures, active)

    values = root[measures[0]]
    seconds, counts = timed(TopicPlan(0, 50, options.resamples).counts)
    rows["drawing topics, s"] = seconds
    with open_executor("cuda"):
        paired(values, counts[:20_000], (0.05,), jobs=options.jobs)
        seconds, tests = timed(lambda: paired(values, counts, (0.05,), jobs=options.jobs))
    rows["paired on the GPU, resamples"] = options.resamples
    rows["paired on the GPU, s"] = seconds
    seconds, same = timed(lambda: paired(values, counts[:20_000], (0.05,), jobs=options.jobs))
    rows["paired on the processor, 20,000 resamples, s"] = seconds
    with open_executor("cuda"):
        gpu = paired(values, counts[:20_000], (0.05,), jobs=options.jobs)
    rows["counts that differ"] = float((gpu.count != same.count).sum())
    rows["required differences that differ by 1e-12"] = float((np.abs(gpu.required - same.required) > 1e-12).sum())
    say("largest required difference", float(tests.required.max()))
    rows |= replicates_of(panel, measures, options.jobs) | simulated(panel, options.jobs)
    rows["memory used on the GPU, GB"] = cp.get_default_memory_pool().total_bytes() / 1e9
    for name, value in rows.items():
        say(name, value)
    reached = {
        f"{IMAGES_A_SECOND:,} images/s": rows["gpu, images/s"] >= IMAGES_A_SECOND,
        f"paired in {PAIRED_SECONDS} s": rows["paired on the GPU, s"] <= PAIRED_SECONDS,
    }
    for target, met in reached.items():
        print(f"target {target}: {'met' if met else 'missed'}", flush=True)
    print(json.dumps(rows))


def replicates_of(panel: Panel, measures: list[Measure], jobs: int) -> dict[str, float]:
    """What `uncertainty` does with topics and documents: means, verdicts on all pairs, covariances."""
    observed = Observed(panel.score(measures), panel)
    rows: dict[str, float] = {}
    for name, variation in (
        ("topics", Topics(replicates=20_000)),
        ("documents", Documents(replicates=2_000, corpus_size=528_155)),
        ("documents+topics", Documents(replicates=2_000, corpus_size=528_155)),
    ):
        both = name.endswith("+topics")
        few, all_ = (
            partial(replicates, one, observed, with_topics=both, jobs=jobs)
            for one in (replace(variation, replicates=256), variation)
        )
        rows[f"{name}, replicates/s on the processor"] = 256 / timed(few)[0]
        with open_executor("cuda"):
            few()  # compiled
            seconds, _ = timed(all_)
        rows[f"{name}, replicates/s on the GPU"] = variation.replicates / seconds
    return rows


def simulated(panel: Panel, jobs: int) -> dict[str, float]:
    """Lists drawn again, from their own scores and from fitted densities."""
    cp = cupy()
    rows: dict[str, float] = {}
    for model in MODELS:
        made = ScorePlan(0, model).simulation(panel, "AP", samples=SIMULATED)
        what = f"{SIMULATED:,} lists each of {made.list_count:,}, {model}, s on the"
        rows[f"{what} processor"] = timed(partial(made.block, range(SIMULATED), jobs))[0]

        def on_gpu(made: SimulatedScores = made) -> None:
            made.gpu_block(range(SIMULATED), jobs)
            cp.cuda.runtime.deviceSynchronize()

        on_gpu()  # compiled, and the tables made
        rows[f"{what} GPU"] = timed(on_gpu)[0]
    return rows


def parts(panel: Panel, measures: list[Measure], active: int) -> dict[str, float]:
    """Where the time of a tile of images goes, and how far from the GPU's limits that is."""
    cp = cupy()
    images = 4096
    plan = ImagePlan(0, 528_155, active, images)
    gpu = LaneScores(panel, range(129), measures, plan, 1000).on_gpu
    totals = plan.totals(0, images)

    def best(work: Callable[[], Any]) -> tuple[float, Any]:
        times = []
        for _ in range(3):
            cp.cuda.runtime.deviceSynchronize()
            start = time.perf_counter()
            result = work()
            cp.cuda.runtime.deviceSynchronize()
            times.append(time.perf_counter() - start)
        return min(times), result

    drawn, counts = best(lambda: gpu.counts(0, totals))
    scored, (scores, _) = best(lambda: gpu.scores(counts, images, 0, 50))
    entries = int(panel.offsets[-1, -1])
    zeros, width = cp.zeros((len(measures), 50, 129)), cp.full((len(measures), 50, 129), 1 / 512)
    summed, _ = best(lambda: (moments_on_gpu(scores, zeros), histograms_on_gpu(scores, zeros, width, 512)))
    averaged, _ = best(lambda: [one.sum(axis=0) for one in scores])
    source, target = cp.ones(2**29), cp.empty(2**29)
    copied, _ = best(lambda: cp.copyto(target, source))
    return {
        "draws of 4,096 images, ms": 1e3 * drawn,
        "scores of 4,096 images, ms": 1e3 * scored,
        "multiplicities read by the walk, TB/s": entries * images / scored / 1e12,
        "sums and histograms of 4,096 images, ms": 1e3 * summed,
        "means of 4,096 images, ms": 1e3 * averaged,
        "copy bandwidth of the GPU, TB/s": 2 * 8 * 2**29 / copied / 1e12,
        "draws, billions a second": float(totals.sum()) / drawn / 1e9,
    }


def say(what: str, value: float) -> None:
    print(f"{what}: {value:,.6g}", flush=True)


if __name__ == "__main__":
    main()
