"""Bootstrap tests of all pairs of systems: achieved significance level and estimated difference at alpha .05.

Scores of TREC-8's size, generated. The per-pair ways are timed on a sample of the pairs and extrapolated to all of
them. Our samples and NumPy's are drawn beforehand, once for all pairs; scipy draws its own for every pair.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.harness import Row, Sample, faster, probe, say, seconds, side_by_side, within

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Tested = tuple[int, float]  # of one pair: samples that reach the observed |t|, and the required difference

SYSTEMS, TOPICS, MEASURES = 129, 50, 7
PAIRS = SYSTEMS * (SYSTEMS - 1) // 2
RESAMPLES = (1_000, 10_000)
ALPHA, SEED, THREADS = 0.05, 0, 2
TIMED = {"numpy_gathered": 200, "numpy_counted": 200, "scipy_bootstrap": 40}  # pairs; the rest is extrapolated
PEERS = {
    "numpy_gathered": ("NumPy per pair (extrapolated)", 25),
    "numpy_counted": ("NumPy per pair, from counts (extrapolated)", None),
    "scipy_bootstrap": ("scipy.stats.bootstrap per pair (extrapolated)", 100),
}


def rows() -> list[Row]:
    results: list[Row] = []
    peaks: list[float] = []
    for samples in RESAMPLES:
        differ = probe("power:disagreements", samples).value
        if differ != 0:
            raise SystemExit(f"NumPy, scipy and irassay differ on {differ} sampled pairs: nothing was timed")
        say(f"B = {samples:,}: NumPy's counts and required differences are irassay's, scipy's within sampling error")
        best = side_by_side(
            {
                **{name: partial(_extrapolated, name, samples) for name in PEERS},
                "1 thread": partial(probe, "power:ours", samples, 1),
                "2 threads": partial(probe, "power:ours", samples, THREADS),
                "unpaired": partial(probe, "power:ours_unpaired", samples, THREADS),
            }
        )
        what = f"paired test of {PAIRS:,} pairs, B = {samples:,}"
        for name, (peer, target) in PEERS.items():
            results.append(faster(what, peer, best[name], best["2 threads"], target))
            results.append(faster(f"{what}, 1 thread", peer, best[name], best["1 thread"], None))
        results.append(_unpaired(samples, best["2 threads"], best["unpaired"]))
        peaks.append(best["2 threads"].peak_mb)
    results.append(_growth(*peaks))
    both = side_by_side({"swap and stability": partial(probe, "power:swap_and_stability", RESAMPLES[0], THREADS)})
    what = f"swap and stability, {PAIRS:,} pairs, B = {RESAMPLES[0]:,}, {MEASURES} measures"
    return [*results, within(what, both["swap and stability"], 15)]


def _extrapolated(name: str, samples: int) -> Sample:
    sample = probe(f"power:{name}", samples)
    return replace(sample, seconds=sample.seconds * PAIRS / TIMED[name])


def _unpaired(samples: int, paired: Sample, unpaired: Sample, limit: float = 5) -> Row:
    ratio = unpaired.seconds / paired.seconds
    return Row(
        f"unpaired test of {PAIRS:,} pairs, B = {samples:,}",
        f"our paired test: {seconds(paired.seconds)}",
        seconds(unpaired.seconds),
        f"{ratio:.1f} times it",
        f"within {limit:g}x",
        ratio <= limit,
    )


def _growth(few: float, many: float, limit: float = 0.1) -> Row:
    """What the larger number of samples adds to the peak, beside what storing a double per sample and pair would."""
    stored = (RESAMPLES[1] - RESAMPLES[0]) * PAIRS * 8 / 1e6
    share = (many - few) / stored
    return Row(
        f"peak memory of the paired test, B = {RESAMPLES[1]:,} over B = {RESAMPLES[0]:,}",
        f"a double per sample and pair: +{stored:.0f} MB",
        f"{few:.0f} to {many:.0f} MB",
        f"{share:.2f}",
        f"below {limit:g} of it",
        share < limit,
    )


def generated(measures: int = 1) -> Array:
    """Scores [measures, systems, topics] between 0 and 1; topics and systems differ, and systems fit topics."""
    import numpy as np

    rng = np.random.default_rng(SEED)
    logit = rng.normal(-1.2, 0.6, (measures, SYSTEMS, 1)) + rng.normal(0.0, 1.2, (measures, 1, TOPICS))
    return np.asarray(1 / (1 + np.exp(-logit - rng.normal(0.0, 0.9, (measures, SYSTEMS, TOPICS)))))


def sampled_pairs(name: str) -> list[tuple[int, int]]:
    import numpy as np

    first, second = np.triu_indices(SYSTEMS, 1)
    chosen = np.linspace(0, PAIRS - 1, TIMED[name]).astype(int)
    return list(zip(first[chosen].tolist(), second[chosen].tolist(), strict=True))


def ours(samples: str, jobs: str) -> Callable[[], object]:
    if jobs == "1":
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is imported
    from irassay.ask.significance import paired
    from irassay.vary.topics import TopicPlan

    scores, counts = generated()[0], TopicPlan(SEED, TOPICS, int(samples)).counts()
    paired(scores[:20], counts[:1000], (ALPHA,), jobs=int(jobs))  # loads the kernels
    return lambda: paired(scores, counts, (ALPHA,), jobs=int(jobs))


def ours_unpaired(samples: str, jobs: str) -> Callable[[], object]:
    from irassay.ask.unpaired import unpaired
    from irassay.vary.topics import TopicPlan

    scores, positions = generated()[0], TopicPlan(SEED, TOPICS, int(samples)).unpaired()
    unpaired(scores[:20], positions[:1000], (ALPHA,), jobs=int(jobs))
    return lambda: unpaired(scores, positions, (ALPHA,), jobs=int(jobs))


def numpy_gathered(samples: str) -> Callable[[], list[Tested]]:
    """As one writes it: every sample's differences, their means and deviations."""
    import numpy as np

    scores, index = generated()[0], _index(int(samples))

    def test(x: int, y: int) -> Tested:
        z = scores[x] - scores[y]
        sample = (z - z.mean())[index]
        mean = sample.mean(axis=1)
        t = mean / (sample.std(axis=1, ddof=1) / math.sqrt(TOPICS))
        return _tested(z, np.abs(t), np.abs(mean))

    return lambda: [test(x, y) for x, y in sampled_pairs("numpy_gathered")]


def numpy_counted(samples: str) -> Callable[[], list[Tested]]:
    """The same moments from how often each sample holds each topic: one product per pair."""
    import numpy as np

    from irassay.vary.topics import TopicPlan

    scores, counts = generated()[0], TopicPlan(SEED, TOPICS, int(samples)).counts().astype(float)

    def test(x: int, y: int) -> Tested:
        z = scores[x] - scores[y]
        w = z - z.mean()
        one, two = (counts @ np.stack([w, w * w], axis=1)).T / TOPICS
        t = one / np.sqrt((two - one * one) / (TOPICS - 1))
        return _tested(z, np.abs(t), np.abs(one))

    return lambda: [test(x, y) for x, y in sampled_pairs("numpy_counted")]


def scipy_bootstrap(samples: str) -> Callable[[], list[Tested]]:
    import numpy as np
    from scipy import stats

    scores = generated()[0]

    def statistics(w: Array, axis: int = -1) -> Array:
        mean = w.mean(axis=axis)
        return np.stack([mean / (w.std(axis=axis, ddof=1) / math.sqrt(TOPICS)), mean])

    def test(x: int, y: int) -> Tested:
        z = scores[x] - scores[y]
        resampled = stats.bootstrap(
            (z - z.mean(),), statistics, n_resamples=int(samples), method="percentile", vectorized=True, rng=SEED
        )
        t, mean = np.abs(resampled.bootstrap_distribution)
        return _tested(z, t, mean)

    return lambda: [test(x, y) for x, y in sampled_pairs("scipy_bootstrap")]


def swap_and_stability(samples: str, jobs: str) -> Callable[[], object]:
    from irassay.ask.stability import stability
    from irassay.ask.swap import swap
    from irassay.vary.topics import TopicPlan

    scores, plan = generated(MEASURES), TopicPlan(SEED, TOPICS, int(samples))

    def both(values: Array, replicates: int) -> object:
        first, second = ((plan.counts(second=s)[:replicates] @ values.T) / TOPICS for s in (False, True))
        return swap(first, second, jobs=int(jobs)), stability(first, jobs=int(jobs))

    both(scores[0, :5], 10)  # loads the kernels
    return lambda: [both(values, int(samples)) for values in scores]


def disagreements(samples: str) -> Callable[[], float]:
    """Sampled pairs that differ: NumPy's counts must be ours; scipy's draws are its own, so five deviations off."""
    tests: Any = ours(samples, str(THREADS))()
    pairs = zip(tests.first.tolist(), tests.second.tolist(), strict=True)
    own = dict(zip(pairs, zip(tests.count.tolist(), tests.required[:, 0].tolist(), strict=True), strict=True))

    def work() -> float:
        wrong = 0
        for name, way in (("numpy_gathered", numpy_gathered), ("numpy_counted", numpy_counted)):
            for pair, (count, need) in zip(sampled_pairs(name), way(samples)(), strict=True):
                wrong += count != own[pair][0] or not math.isclose(need, own[pair][1], rel_tol=1e-9)
        for pair, (count, _) in zip(sampled_pairs("scipy_bootstrap"), scipy_bootstrap(samples)(), strict=True):
            share = (count + own[pair][0]) / 2 / int(samples)
            wrong += abs(count - own[pair][0]) > 5 * math.sqrt(2 * share * (1 - share) * int(samples)) + 1
        return float(wrong)

    return work


def _tested(z: Array, t: Array, mean: Array) -> Tested:
    """Count the samples at least as extreme as the observed pair, and take the k-th largest one's difference."""
    import numpy as np

    observed = abs(z.mean()) / (z.std(ddof=1) / math.sqrt(TOPICS))
    k = math.ceil(len(t) * ALPHA - 1e-9)
    kth = np.argpartition(t, len(t) - k)[len(t) - k]
    return int(np.count_nonzero(t >= observed)), float(mean[kth])


def _index(samples: int) -> NDArray[np.int64]:
    """The topics of every sample [samples, topics], the ones that our counts hold."""
    import numpy as np

    from irassay.vary.topics import TopicPlan

    counts = TopicPlan(SEED, TOPICS, samples).counts()
    return np.repeat(np.tile(np.arange(TOPICS), samples), counts.ravel()).reshape(samples, TOPICS)
