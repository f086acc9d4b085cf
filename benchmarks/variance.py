"""Score simulation: AP of simulated lists, and all that `irassay variance` asks of them.

NumPy does it as one writes it: draw, sort, score, one list after the other. It is timed on some lists and samples and
extrapolated to all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.harness import Row, Sample, faster, probe, say, side_by_side, within
from benchmarks.sizes import TREC8

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SAMPLES, SEED, THREADS = 1_000, 0, 2
LISTS = TREC8.runs * TREC8.topics
TIMED = (43, 20)  # lists and samples of NumPy's
LIMITS = {"bst": 15, "kde": 60}  # seconds


def rows() -> list[Row]:
    results: list[Row] = []
    for model, limit in LIMITS.items():
        differ = probe("variance:disagreements", model).value
        if differ != 0:
            raise SystemExit(f"NumPy's and irassay's simulated means differ on {differ} lists: nothing was timed")
        say(f"{model}: simulated means are NumPy's within sampling error")
        best = side_by_side(
            {
                "numpy": partial(_extrapolated, model),
                "1 thread": partial(probe, "variance:simulated", model, 1),
                "2 threads": partial(probe, "variance:simulated", model, THREADS),
                "study": partial(probe, "variance:study", model, THREADS),
            }
        )
        what = f"{model}: AP of {SAMPLES:,} samples of {LISTS:,} lists"
        peer = "NumPy draw, sort, score (extrapolated)"
        results += [
            faster(what, peer, best["numpy"], best["2 threads"], 50 if model == "bst" else None),
            faster(f"{what}, 1 thread", peer, best["numpy"], best["1 thread"], None),
            within(f"{what}, and all questions", best["study"], limit),
        ]
    return results


def _extrapolated(model: str) -> Sample:
    sample = probe("variance:numpy_loop", model)
    return replace(sample, seconds=sample.seconds * LISTS * SAMPLES / (TIMED[0] * TIMED[1]))


def simulation(model: str) -> Any:
    """All lists of the collection, ready to be simulated; and the raw scores."""
    import irassay
    from irassay.vary.scores import ScorePlan

    panel = irassay.align(TREC8.qrels, TREC8.folder / "short", keep_scores=True)
    simulated_lists = ScorePlan(SEED, model).simulation(panel, "AP", samples=SAMPLES)
    simulated_lists.values(0, 2)  # loads the kernels
    return simulated_lists, panel.score("AP")["AP"]


def simulated(model: str, jobs: str) -> Callable[[], object]:
    simulated_lists, _ = simulation(model)

    def work() -> None:
        for first in range(0, SAMPLES, 256):
            simulated_lists.values(first, min(first + 256, SAMPLES), jobs=int(jobs))

    return work


def study(model: str, jobs: str) -> Callable[[], object]:
    from irassay.studies.variance.run import simulate
    from irassay.studies.variance.tables import tables

    simulated_lists, scores = simulation(model)
    topics = [str(t) for t in range(simulated_lists.topics)]

    def work() -> object:
        replicates = simulate(simulated_lists, model, [scores], 0.05, int(jobs))
        return tables(replicates, topics, 0.05, scores.systems[:1], (), [], int(jobs))

    return work


def numpy_loop(model: str) -> Callable[[], list[Array]]:
    import numpy as np

    lists = simulation(model)[0].lists
    chosen = np.linspace(0, LISTS - 1, TIMED[0]).astype(int)
    return lambda: [by_numpy(lists, q, TIMED[1]) for q in chosen.tolist()]


def by_numpy(lists: Any, q: int, samples: int) -> Array:
    import numpy as np

    rng = np.random.default_rng([SEED, q])
    relevant = lists.relevant_score[lists.relevant[q] : lists.relevant[q + 1]]
    others = lists.other_score[lists.other[q] : lists.other[q + 1]]
    length, missed = int(lists.length[q]), int(lists.missed[q, 1:].sum())
    out = np.zeros(samples)
    for i in range(samples):
        n = min(rng.poisson(len(relevant)), length)
        scores = np.concatenate([rng.choice(others, length - n), rng.choice(relevant, n) if n else relevant[:0]])
        if lists.other_width[q] > 0:
            scores[: length - n] += lists.other_width[q] * rng.standard_normal(length - n)
        if lists.relevant_width[q] > 0:
            scores[length - n :] += lists.relevant_width[q] * rng.standard_normal(n)
        hit = np.argsort(-scores, kind="stable") >= length - n
        precision = np.cumsum(hit)[hit] / (np.flatnonzero(hit) + 1)
        out[i] = precision.sum() / (missed + n) if missed + n else 0.0
    return out


def disagreements(model: str) -> Callable[[], float]:
    """Lists whose simulated means are more than five standard errors apart."""
    import numpy as np

    simulated_lists = simulation(model)[0]
    ours = simulated_lists.values(0, 256, jobs=THREADS)[0].reshape(LISTS, 256)

    def work() -> float:
        wrong = 0
        for q in range(0, LISTS, LISTS // 40):
            theirs = by_numpy(simulated_lists.lists, q, 256)
            error = math.sqrt((np.var(ours[q]) + np.var(theirs)) / 256)
            wrong += abs(float(np.mean(ours[q]) - np.mean(theirs))) > 5 * error + 1e-12
        return float(wrong)

    return work
