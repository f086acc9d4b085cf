"""The tests, corrections and intervals of `compare`: one entry each, with what options, captions and checks need.

Formulas are imported where they are called, so that option texts need neither numpy nor scipy.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from irassay.ask.pairs import Array, Pairs
    from irassay.ask.stepdown import MaxT
    from irassay.compute.draws import Samples

    Bounds = tuple[Array, Array]


@dataclass(frozen=True)
class Comparisons:
    """Pairs of systems on the same topics, and random draws that all pairs share, made where a method needs them."""

    scores: Array  # [systems, topics]
    pairs: Pairs
    topic_samples: Samples  # counts [samples, topics]
    sample_sums: Callable[[], Array]  # sums of the scores over those samples [samples, systems]
    sign_flips: Callable[[], Iterable[NDArray[np.int16]]]  # chunks of signs [replicates, topics]
    all_flips: bool  # whether the signs are all patterns there are
    permuted_ranges: Callable[[], Array]  # the range of the means when scores are permuted within topics [replicates]
    max_t: Callable[[], MaxT]  # the step-down test of all pairs
    families: NDArray[np.int64] | None = None  # each topic's, where topics depend on each other; signs are of families
    jobs: int = 1

    @cached_property
    def differences(self) -> Array:
        first, second = self.pairs
        return self.scores[first] - self.scores[second]

    @cached_property
    def ranges(self) -> Array:
        return self.permuted_ranges()

    @cached_property
    def stepdown(self) -> MaxT:
        return self.max_t()


@dataclass(frozen=True)
class SignificanceTest:
    """A test of pairs of systems. `interval`: the one that leaves out 0 exactly where the test rejects.

    `floor`: the smallest p-value that a pair can have that differs on so many of so many topics; None: no such bound.
    """

    name: str
    label: str  # begins a caption
    help: str  # after the name in the option's help
    p_values: Callable[[Comparisons], Array]
    resampling: bool = False
    simultaneous: bool = False  # p-values hold for all pairs at once
    interval: str = ""
    floor: Callable[[NDArray[np.int64], int], Array] | None = None
    note: str = ""  # a sentence that must stand wherever its p-values do


@dataclass(frozen=True)
class Correction:
    """A correction of p-values for the number of comparisons, and the intervals that go with it."""

    name: str
    label: str  # "p-values corrected ..."
    adjust: Callable[[Array], Array]  # the smallest level at which each comparison would be significant in its family
    # of one interval, so that together they have a level: that level, comparisons, significant ones
    interval_level: Callable[[float, int, int], float]
    intervals: str  # how far the intervals hold
    multiplies: bool = False  # the smallest p-value is multiplied by the number of comparisons
    # p-values of all pairs at once from the data of t tests; `adjust` is then for p-values of other tests
    joint: Callable[[Comparisons], Array] | None = None
    interval: str = ""  # its own, for all pairs at once


@dataclass(frozen=True)
class Interval:
    """Intervals of the mean differences of pairs; `sides`: of the level, for intervals that need so many samples."""

    name: str
    label: str  # "Intervals at 0.95 by ..."
    bounds: Callable[[Comparisons, float], Bounds]
    sides: int = 0
    together: str = ""  # how far they hold, where they are for all pairs at once


def _ask(module: str) -> Any:
    return import_module(f"irassay.ask.{module}")


def _resampled(method: str) -> Callable[[Comparisons, float], Bounds]:
    return lambda data, level: _ask("intervals").resampled_interval(
        data.scores, data.sample_sums(), data.pairs, level, method, jobs=data.jobs
    )


TESTS = {
    test.name: test
    for test in (
        SignificanceTest(
            "t",
            "Student's paired t test",
            "Student's paired t",
            lambda data: _ask("comparison").student(data.differences),
            interval="t",
            floor=lambda differing, topics: _ask("ties").student_floor(differing, topics),
        ),
        SignificanceTest(
            "paired-bootstrap",
            "Paired bootstrap test",
            "its bootstrap",
            lambda data: _ask("comparison").bootstrap(data.scores, data.topic_samples, data.pairs, jobs=data.jobs),
            resampling=True,
            interval="bootstrap-t",
            floor=lambda differing, topics: _ask("ties").bootstrap_floor(differing, topics),
        ),
        SignificanceTest(
            "randomization",
            "Randomisation test",
            "flips signs",
            lambda data: _ask("comparison").randomization(
                data.differences, data.sign_flips(), exact=data.all_flips, jobs=data.jobs
            ),
            resampling=True,
            floor=lambda differing, topics: _ask("ties").sign_floor(differing, topics),
        ),
        SignificanceTest(
            "wilcoxon",
            "Wilcoxon's signed-rank test",
            "signed ranks, not the mean",
            lambda data: _ask("comparison").wilcoxon(data.differences),
            floor=lambda differing, topics: _ask("ties").wilcoxon_floor(differing, topics),
            note="Wilcoxon's p-values test no mean difference, but whether differences lie symmetrically about 0.",
        ),
        SignificanceTest(
            "sign",
            "Sign test",
            "topics won and lost, not the mean",
            lambda data: _ask("comparison").sign(data.differences),
            floor=lambda differing, topics: _ask("ties").sign_floor(differing, topics),
            note="The sign test's p-values test no mean difference, but whether as many topics are won as lost.",
        ),
        SignificanceTest(
            "tukey",
            "Randomised Tukey HSD test",
            "randomised Tukey HSD, for all pairs at once",
            lambda data: _ask("comparison").tukey(data.differences.mean(axis=1), data.ranges),
            resampling=True,
            simultaneous=True,
            interval="tukey",
        ),
    )
}

CORRECTIONS = {
    correction.name: correction
    for correction in (
        Correction(
            "holm",
            "by Holm",
            lambda p: _ask("corrections").holm(p),
            # his own steps have no two-sided intervals that are finite on both sides
            lambda level, comparisons, significant: level / comparisons,
            "those of differences hold together (Bonferroni's, so one may hold 0 where Holm rejects)",
            multiplies=True,
        ),
        Correction(
            "bonferroni",
            "by Bonferroni",
            lambda p: _ask("corrections").bonferroni(p),
            lambda level, comparisons, significant: level / comparisons,
            "those of differences hold together (Bonferroni)",
            multiplies=True,
        ),
        Correction(
            "bh",
            "by Benjamini and Hochberg",
            lambda p: _ask("corrections").benjamini_hochberg(p),
            # those of the significant comparisons miss at most the share `level` of their values (benjamini2005false)
            lambda level, comparisons, significant: level * max(1, significant) / comparisons,
            "those of significant differences miss that share of them at most (false coverage rate)",
        ),
        Correction(
            "stepdown",
            "by a step-down test of the largest |t| (Romano and Wolf)",
            lambda p: _ask("corrections").holm(p),
            lambda level, comparisons, significant: level / comparisons,
            "those of differences hold together (Bonferroni's, so one may hold 0 where the step-down test rejects)",
            joint=lambda data: data.stepdown.p_values,
            interval="max-t",
        ),
        Correction(
            "none",
            "",
            lambda p: p.copy(),
            lambda level, comparisons, significant: level,
            "each holds on its own",
        ),
    )
}

# Intervals of differences that go with one test or correction, and hold for all its pairs at once.
JOINT_INTERVALS = {
    interval.name: interval
    for interval in (
        Interval(
            "tukey",
            "the range of permuted means",
            lambda data, level: _ask("comparison").tukey_interval(data.differences.mean(axis=1), data.ranges, level),
            together="those of differences come from the test's permutations and hold together",
        ),
        Interval(
            "max-t",
            "the largest |t*|",
            lambda data, level: _ask("stepdown").max_t_interval(data.differences, data.stepdown, level),
            together="those of differences hold together (by the largest |t*|, without steps, so one may hold 0 where "
            "the step-down test rejects)",
        ),
    )
}

INTERVALS = {
    interval.name: interval
    for interval in (
        Interval("t", "Student's t", lambda data, level: _ask("intervals").student_interval(data.differences, level)),
        Interval(
            "bootstrap-t",
            "bootstrap-t",
            lambda data, level: _ask("intervals").bootstrap_t_interval(
                data.scores, data.topic_samples, data.pairs, level, jobs=data.jobs
            ),
            sides=1,
        ),
        Interval("bca", "BCa", _resampled("bca"), sides=2),
        Interval("percentile", "percentile bootstrap", _resampled("percentile"), sides=2),
    )
}

# Where topics are in families, in place of the tests and intervals above.
FAMILY_TESTS = {
    test.name: test
    for test in (
        SignificanceTest(
            "cluster-t",
            "Cluster-robust t test with CR2 errors and Satterthwaite's degrees of freedom",
            "",
            lambda data: _ask("families").cluster_t(data.differences, data.families),
            interval="cluster-t",
        ),
        SignificanceTest(
            "wild-cluster",
            "Wild cluster bootstrap test",
            "flips signs of families, with --topic-families",
            lambda data: _ask("families").wild_cluster(
                data.differences, data.families, data.sign_flips(), exact=data.all_flips
            ),
            resampling=True,
        ),
    )
}
FAMILY_INTERVALS = {
    "cluster-t": Interval(
        "cluster-t",
        "cluster-robust t (CR2)",
        lambda data, level: _ask("families").cluster_interval(data.differences, data.families, level),
    )
}
ANY_TEST = ChainMap(TESTS, FAMILY_TESTS)
ANY_INTERVAL = ChainMap(INTERVALS, FAMILY_INTERVALS)
