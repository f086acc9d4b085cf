"""Comparisons of TREC-8's size: tests of all pairs at once, and resampled intervals of several measures.

And of two systems on many topics, as a whole command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks import two_systems
from benchmarks.harness import Row, Sample, faster, probe, say, side_by_side, within
from benchmarks.power import PAIRS, SEED, SYSTEMS, THREADS, TOPICS, generated

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES, MEASURES = 10_000, 5
TIMED = {"numpy_tukey": 200, "scipy_bca": 20}  # permutations, systems; the rest is extrapolated


def rows() -> list[Row]:
    differ = probe("compare:disagreement").value
    if differ is None or differ > 1e-9:
        raise SystemExit(f"NumPy's ranges differ from irassay's by {differ}: nothing was timed")
    say("the critical ranges of NumPy's permutations and of irassay's agree within sampling error")
    best = side_by_side(
        {
            "tukey": partial(probe, "compare:tukey", THREADS),
            "tukey, 1 thread": partial(probe, "compare:tukey", 1),
            "study": partial(probe, "compare:study", THREADS),
            **{
                kind: partial(probe, "compare:intervals", kind, THREADS)
                for kind in ("bca", "percentile", "bootstrap-t")
            },
            "randomization": partial(probe, "compare:randomization", THREADS),
            "stepdown": partial(probe, "compare:stepdown", THREADS),
            "numpy_tukey": partial(_extrapolated, "numpy_tukey", RESAMPLES),
            "scipy_bca": partial(_extrapolated, "scipy_bca", SYSTEMS * MEASURES),
        }
    )
    tukey = f"randomised Tukey of {PAIRS:,} pairs, {RESAMPLES:,} permutations"
    means = f"intervals of {SYSTEMS} systems x {MEASURES} measures, {RESAMPLES:,} resamples"
    return [
        within(tukey, best["tukey"], 10),
        faster(tukey, "NumPy, permuted (extrapolated)", best["numpy_tukey"], best["tukey"], None),
        faster(
            f"{tukey}, 1 thread", "NumPy, permuted (extrapolated)", best["numpy_tukey"], best["tukey, 1 thread"], None
        ),
        within(f"step-down test of {PAIRS:,} pairs, {RESAMPLES:,} replicates", best["stepdown"], 2),
        within(f"irassay.compare of all pairs, {RESAMPLES:,} replicates", best["study"], 10),
        *(within(f"{kind} {means}", best[kind], 5) for kind in ("bca", "percentile", "bootstrap-t")),
        faster(f"bca {means}", "scipy.stats.bootstrap per system (extrapolated)", best["scipy_bca"], best["bca"], None),
        within(f"randomisation test of {PAIRS:,} pairs, {RESAMPLES:,} flips", best["randomization"], 10),
        *two_systems.rows(),
    ]


def _extrapolated(name: str, whole: int) -> Sample:
    sample = probe(f"compare:{name}")
    return replace(sample, seconds=sample.seconds * whole / TIMED[name])


def tukey(jobs: str) -> Callable[[], object]:
    from irassay.ask.comparison import tukey as test
    from irassay.ask.pairs import all_pairs
    from irassay.vary.labels import LabelPlan

    scores = generated()[0]
    first, second = all_pairs(SYSTEMS)
    difference = scores[first].mean(axis=1) - scores[second].mean(axis=1)
    LabelPlan(SEED, TOPICS, 10).ranges(scores)  # loads the kernels
    return lambda: test(difference, LabelPlan(SEED, TOPICS, RESAMPLES).ranges(scores, jobs=int(jobs)))


def study(jobs: str) -> Callable[[], object]:
    """From scores to tables: tests, intervals, letters, ranks, topics."""
    import irassay
    from irassay.scoring.scores import Scores

    def scores_of(systems: int) -> Scores:
        names, topics = (f"s{s}" for s in range(systems)), (str(t) for t in range(TOPICS))
        return Scores(("AP",), tuple(names), tuple(topics), generated()[0][:systems])

    def work(systems: int, resamples: int) -> object:
        matrix = scores_of(systems)
        return irassay.compare(matrix, measures="AP", correction="stepdown", resamples=resamples, jobs=int(jobs))

    work(5, 100)  # loads the kernels
    return lambda: work(SYSTEMS, RESAMPLES)


def intervals(kind: str, jobs: str) -> Callable[[], object]:
    import numpy as np

    from irassay.ask import intervals as ask
    from irassay.compute.draws import sums_of_samples
    from irassay.vary.topics import TopicPlan

    scores = np.concatenate([generated(MEASURES).reshape(-1, TOPICS), np.zeros((1, TOPICS))])
    rows = len(scores) - 1
    pairs = np.arange(rows), np.full(rows, rows)

    def work(replicates: int, columns: int) -> object:
        counts = TopicPlan(SEED, TOPICS, replicates).counts()
        some = pairs[0][:columns], pairs[1][:columns]
        if kind == "bootstrap-t":
            return ask.bootstrap_t_interval(scores, counts, some, 0.05, jobs=int(jobs))
        sums = sums_of_samples(scores.T, counts, jobs=int(jobs))
        return ask.resampled_interval(scores, sums, some, 0.05, kind, jobs=int(jobs))

    work(100, 3)  # loads the kernels
    return lambda: work(RESAMPLES, rows)


def randomization(jobs: str) -> Callable[[], object]:
    from irassay.ask.comparison import randomization as test
    from irassay.ask.pairs import all_pairs
    from irassay.vary.labels import LabelPlan

    scores = generated()[0]
    first, second = all_pairs(SYSTEMS)
    z = scores[first] - scores[second]
    test(z[:70], LabelPlan(SEED, TOPICS, 10).signs(), exact=False)  # loads the kernels
    return lambda: test(z, LabelPlan(SEED, TOPICS, RESAMPLES).signs(), exact=False, jobs=int(jobs))


def stepdown(jobs: str) -> Callable[[], object]:
    from irassay.ask.pairs import all_pairs
    from irassay.ask.stepdown import stepdown as test
    from irassay.vary.topics import TopicPlan

    scores, pairs = generated()[0], all_pairs(SYSTEMS)
    test(scores, pairs, TopicPlan(SEED, TOPICS, 20).counts())  # loads the kernels
    return lambda: test(scores, pairs, TopicPlan(SEED, TOPICS, RESAMPLES).counts(), jobs=int(jobs))


def numpy_tukey(replicates: int = TIMED["numpy_tukey"]) -> Callable[[], NDArray[np.float64]]:
    """As one writes it: every topic's column permuted, then the means' range."""
    import numpy as np

    scores, rng = generated()[0], np.random.default_rng(SEED)

    def one() -> float:
        means = rng.permuted(scores, axis=0).mean(axis=1)
        return float(means.max() - means.min())

    return lambda: np.array([one() for _ in range(replicates)])


def scipy_bca() -> Callable[[], Any]:
    import numpy as np
    from scipy import stats

    scores = generated()[0][: TIMED["scipy_bca"]]
    return lambda: [stats.bootstrap((row,), np.mean, n_resamples=RESAMPLES, method="BCa", rng=SEED) for row in scores]


def disagreement() -> Callable[[], float]:
    """How far the mean range of NumPy's permutations is from ours, beyond five of its errors."""
    from irassay.vary.labels import LabelPlan

    def work() -> float:
        theirs, ours = numpy_tukey(1000)(), LabelPlan(SEED, TOPICS, RESAMPLES).ranges(generated()[0])
        error = (theirs.var() / len(theirs) + ours.var() / len(ours)) ** 0.5
        return float(max(0.0, abs(theirs.mean() - ours.mean()) - 5 * error))

    return work
