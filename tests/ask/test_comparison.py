"""Tests, corrections and intervals against scipy, statsmodels, plain Python on the same draws, and cases by hand."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

import irassay
from irassay.ask import comparison as tests
from irassay.ask import corrections, intervals
from irassay.ask.letters import firsts, groups, letters, rank_intervals
from irassay.ask.significance import all_pairs, paired
from irassay.compute.draws import below
from irassay.compute.philox import words
from irassay.streams import PERMUTATIONS, SIGNS
from irassay.vary import labels
from irassay.vary.labels import LabelPlan
from irassay.vary.topics import TopicPlan

Array = NDArray[np.float64]
statsmodels: Any = pytest.importorskip("statsmodels.stats.api")


def some(systems: int, topics: int, seed: int = 1, step: float = 0.0) -> Array:
    """Scores with ties and zero differences where they are multiples of a step."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 0.05, (systems, 1))
    found = np.clip(rng.beta(1.2, 3, (1, topics)) + strength + rng.normal(0, 0.12, (systems, topics)), 0, 1)
    return np.round(found / step) * step if step else found


def pairs_of(scores: Array) -> tuple[tests.Pairs, Array]:
    pairs = all_pairs(len(scores))
    return pairs, scores[pairs[0]] - scores[pairs[1]]


# tests that scipy has


@pytest.mark.parametrize("topics", [5, 12, 13, 14, 50, 51, 200])
@pytest.mark.parametrize("step", [0.0, 0.1])
def test_simple_tests_agree_with_scipy_pair_by_pair(topics: int, step: float) -> None:
    scores = some(4, topics, step=step)
    (first, second), z = pairs_of(scores)
    t, ranks, signs = tests.student(z), tests.wilcoxon(z), tests.sign(z)
    few = 2 if topics in (12, 13) else len(z)  # scipy goes through all patterns, for seconds
    for p, (x, y) in enumerate(zip(first[:few], second[:few], strict=True)):
        assert t[p] == pytest.approx(stats.ttest_rel(scores[x], scores[y]).pvalue, rel=1e-9)
        rounded = np.round(z[p], 10)
        assert ranks[p] == pytest.approx(stats.wilcoxon(rounded).pvalue, rel=1e-9)
        won, lost = int((rounded > 0).sum()), int((rounded < 0).sum())
        assert signs[p] == pytest.approx(stats.binomtest(won, won + lost).pvalue, rel=1e-9)
        assert tests.outcomes(z)[p].tolist() == [won, lost, topics - won - lost]


def test_equivalence_agrees_with_statsmodels() -> None:
    from statsmodels.stats.weightstats import ttost_paired

    scores = some(6, 40)
    (first, second), z = pairs_of(scores)
    for margin in (0.01, 0.05, 0.2):
        expected = [ttost_paired(scores[x], scores[y], -margin, margin)[0] for x, y in zip(first, second, strict=True)]
        assert tests.equivalence(z, margin) == pytest.approx(expected, rel=1e-9)


def test_the_residual_variance_is_that_of_a_two_way_analysis_of_variance() -> None:
    pandas = pytest.importorskip("pandas")
    from statsmodels.formula.api import ols

    scores = some(5, 12)
    rows = [(s, t, scores[s, t]) for s in range(5) for t in range(12)]
    fit = ols("y ~ C(s) + C(t)", pandas.DataFrame(rows, columns=["s", "t", "y"])).fit()
    assert tests.residual_variance(scores) == pytest.approx(fit.mse_resid, rel=1e-9)


NOTHING = np.zeros((1, 6))
CONSTANT = np.array([[0.3, 0.4, 0.5, 0.6, 0.7, 0.8]]) - np.array([[0.2, 0.3, 0.4, 0.5, 0.6, 0.7]])


def test_identical_systems_have_p_1_in_every_test() -> None:
    scores = np.vstack([some(1, 6)] * 2)
    counts = TopicPlan(0, 6, 200).counts()
    plan = LabelPlan(0, 6, 200)
    for p in (
        tests.student(NOTHING), tests.wilcoxon(NOTHING), tests.sign(NOTHING),
        tests.randomization(NOTHING, plan.signs(), exact=True), tests.bootstrap(scores, counts, all_pairs(2)),
        tests.tukey(np.zeros(1), plan.ranges(scores)),
    ):  # fmt: skip
        assert p.tolist() == [1.0]
    assert np.isnan(tests.effect(NOTHING)).all()


def test_a_constant_difference_is_infinitely_many_deviations_from_0_although_doubles_blur_it() -> None:
    assert tests.student(CONSTANT).tolist() == [0.0]
    assert tests.moments(CONSTANT).sd.tolist() == [0.0]
    assert np.isinf(tests.effect(CONSTANT)).all()
    # six differences of one rank: 2 of the 64 sign patterns
    assert tests.wilcoxon(CONSTANT) == pytest.approx([2 / 64])
    assert tests.equivalence(CONSTANT, 0.2).tolist() == [0.0]
    assert tests.equivalence(CONSTANT, 0.05).tolist() == [1.0]


# randomisation


def test_the_exact_randomisation_test_goes_through_all_patterns() -> None:
    z = np.array([[0.1, 0.2, -0.3, 0.4, 0.1], [0.1, 0.2, -0.3, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5, 0.5]])
    expected = []
    for row in np.round(z * 10).astype(int):
        sums = [
            abs(sum(s * v for s, v in zip(signs, row, strict=True))) for signs in itertools.product((1, -1), repeat=5)
        ]
        expected.append(sum(v >= abs(row.sum()) for v in sums) / 32)
    plan = LabelPlan(0, 5, 10)
    assert plan.exact
    assert tests.randomization(z, plan.signs(), exact=True).tolist() == expected


@pytest.mark.parametrize("topics", [9, 16])
def test_the_exact_randomisation_test_agrees_with_scipy(topics: int) -> None:
    _, z = pairs_of(some(4, topics))
    for row, p in zip(z, tests.randomization(z, LabelPlan(0, topics, 1).signs(), exact=True), strict=True):
        found = stats.permutation_test((row,), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=True)
        assert p == pytest.approx(found.pvalue, rel=1e-12)


def test_the_sampled_randomisation_test_agrees_with_plain_python_on_the_same_signs() -> None:
    topics, replicates = 40, 700
    _, z = pairs_of(some(13, topics, step=0.05))  # 78 pairs: more than one tile, with ties
    bits = [words(2, seed=3, stream=SIGNS, replicate=b) for b in range(replicates)]
    signs = np.array([[1 - 2 * (int(row[t // 32]) >> (t % 32) & 1) for t in range(topics)] for row in bits])
    assert np.array_equal(np.concatenate(list(LabelPlan(3, topics, replicates).signs())), signs)
    twentieths = np.round(z * 20).astype(int)  # exact integers
    hits = (np.abs(twentieths @ signs.T) >= np.abs(twentieths.sum(axis=1))[:, None]).sum(axis=1)
    for jobs in (1, 3):
        found = tests.randomization(z, LabelPlan(3, topics, replicates).signs(), exact=False, jobs=jobs)
        assert found.tolist() == ((hits + 1) / (replicates + 1)).tolist()


def test_signs_depend_on_seed_and_replicate_alone_and_are_fair() -> None:
    few, many = (np.concatenate(list(LabelPlan(1, 200, b).signs())) for b in (300, 2000))
    assert np.array_equal(few, many[:300])
    # 2,000 fair signs: sd 44.7 of the sum; five of them, for each of 200 topics
    assert np.abs(many.sum(axis=0)).max() < 224
    assert np.abs(many.sum(axis=1)).max() < 6 * math.sqrt(200)


def plain_ranges(scores: Array, seed: int, replicates: int) -> list[float]:
    """Fisher and Yates in plain Python, two numbers of 64 bits a counter step, topic after topic."""
    systems, topics = scores.shape
    steps = (systems + 1) // 2
    found = []
    for b in range(replicates):
        draws = words(4 * steps * topics, seed=seed, stream=PERMUTATIONS, replicate=b).reshape(topics, 2 * steps, 2)
        sums = [0.0] * systems
        for t in range(topics):
            row = scores[:, t].tolist()
            for k, last in enumerate(range(systems - 1, -1, -1)):
                i = below.py_func(int(draws[t, k, 0]), int(draws[t, k, 1]), last + 1)
                row[i], row[last] = row[last], row[i]
                sums[last] += row[last]
        found.append((max(sums) - min(sums)) / topics)
    return found


@pytest.mark.parametrize("systems", [2, 5, 8])
def test_randomised_tukey_agrees_with_plain_python_on_the_same_draws(systems: int) -> None:
    scores = some(systems, 11, step=0.1)
    expected = plain_ranges(scores, 7, 300)
    found = LabelPlan(7, 11, 300).ranges(scores)
    assert found == pytest.approx(expected, rel=1e-12)
    first, second = all_pairs(systems)
    difference = scores.mean(axis=1)[first] - scores.mean(axis=1)[second]
    slow = [(sum(r >= abs(d) - 1e-12 for r in expected) + 1) / 301 for d in difference.tolist()]
    assert tests.tukey(difference, found).tolist() == slow


def test_permutations_are_fair_and_the_same_for_any_number_of_threads_and_chunks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # with one topic the system that gets the largest score is uniform; two systems: range is always the same
    scores = some(30, 20)
    expected = LabelPlan(0, 20, 1000).ranges(scores)
    assert np.array_equal(LabelPlan(0, 20, 1000).ranges(scores, jobs=4), expected)
    monkeypatch.setattr(labels._Ranges, "chunk", 37)
    assert np.array_equal(LabelPlan(0, 20, 1000).ranges(scores, jobs=2), expected)
    assert np.array_equal(LabelPlan(0, 20, 100).ranges(scores), expected[:100])
    # three systems, two topics with one relevant system each: the sums are {1, 1, 0} or {2, 0, 0}, the latter in 1 of 3
    alone = LabelPlan(0, 2, 9000).ranges(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]))
    # sd of a share of 1/3 in 9,000 is .005; five of them
    assert (alone == 1.0).mean() == pytest.approx(1 / 3, abs=0.025)


def test_tukey_with_two_systems_is_the_randomisation_test() -> None:
    scores = some(2, 60, seed=5)
    _, z = pairs_of(scores)
    two = tests.tukey(z.mean(axis=1), LabelPlan(0, 60, 20_000).ranges(scores))
    one = tests.randomization(z, LabelPlan(0, 60, 20_000).signs(), exact=False)
    # other draws of one distribution: the sd of a difference is √(2p(1-p)/20,000); five of them
    assert two[0] == pytest.approx(one[0], abs=5 * math.sqrt(2 * one[0] * (1 - one[0]) / 20_000))
    assert 0.001 < one[0] < 0.999


# the bootstrap


def plain_bootstrap(z: Array, counts: NDArray[np.int32]) -> Array:
    """|t*| of every sample under H0, sample by sample."""
    w = z - z.mean()
    found = []
    for row in counts:
        sample = np.repeat(w, row)
        found.append(abs(sample.mean()) / (sample.std(ddof=1) / math.sqrt(len(z))))
    return np.array(found)


@pytest.mark.parametrize(("topics", "samples", "level"), [(15, 399, 0.05), (30, 1000, 0.05), (30, 999, 0.011)])
def test_the_bootstrap_test_and_its_interval_agree_with_plain_python_on_the_same_draws(
    topics: int, samples: int, level: float
) -> None:
    scores, counts = some(5, topics), TopicPlan(2, topics, samples).counts()
    pairs, z = pairs_of(scores)
    p = tests.bootstrap(scores, counts, pairs)
    low, high = intervals.bootstrap_t_interval(scores, counts, pairs, level)
    for k, row in enumerate(z):
        star = plain_bootstrap(row, counts)
        error = row.std(ddof=1) / math.sqrt(topics)
        assert p[k] == (np.count_nonzero(star >= abs(row.mean()) / error) + 1) / (samples + 1)
        # the largest p-value below the level has so many samples beyond it, and the next one is the bar
        bar = np.sort(star)[::-1][math.ceil(level * (samples + 1) - 1e-9) - 2]
        assert [low[k], high[k]] == pytest.approx([row.mean() - bar * error, row.mean() + bar * error], rel=1e-9)


@pytest.mark.parametrize("samples", [99, 100, 999, 1000, 1019])
@pytest.mark.parametrize("level", [0.05, 0.1, 0.3])
@pytest.mark.parametrize("step", [0.0, 0.25])
def test_the_bootstrap_t_interval_leaves_out_0_exactly_when_the_test_rejects(
    samples: int, level: float, step: float
) -> None:
    scores, counts = some(16, 12, seed=3, step=step), TopicPlan(4, 12, samples).counts()
    pairs, _ = pairs_of(scores)
    rejected = tests.bootstrap(scores, counts, pairs) < level
    low, high = intervals.bootstrap_t_interval(scores, counts, pairs, level)
    assert np.array_equal((low > 0) | (high < 0), rejected)
    assert 0 < rejected.sum() < len(rejected)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_resampled_intervals_agree_with_scipy_on_the_same_draws(method: str) -> None:
    scores, counts = some(14, 30), TopicPlan(2, 30, 2000).counts()
    pairs, z = pairs_of(scores)
    low, high = intervals.resampled_interval(scores, counts, pairs, 0.1, method, jobs=2)
    index = np.repeat(np.tile(np.arange(30), 2000), counts.ravel()).reshape(2000, 30)

    for k in range(0, len(z), 9):
        drawn = stats.bootstrap((z[k],), np.mean, n_resamples=9, method="percentile", rng=np.random.default_rng(0))
        drawn.bootstrap_distribution = z[k][index].mean(axis=1)
        kind = "BCa" if method == "bca" else method
        found = stats.bootstrap(
            (z[k],), np.mean, n_resamples=0, bootstrap_result=drawn, confidence_level=0.9, method=kind
        ).confidence_interval
        assert [low[k], high[k]] == pytest.approx([found.low, found.high], rel=1e-9, abs=1e-12)


def test_the_t_interval_agrees_with_scipy_and_leaves_out_0_when_t_rejects() -> None:
    _, z = pairs_of(some(12, 20))
    low, high = intervals.student_interval(z, 0.03)
    for k in range(len(z)):
        expected = stats.ttest_1samp(z[k], 0).confidence_interval(0.97)
        assert [low[k], high[k]] == pytest.approx([expected.low, expected.high], rel=1e-9, abs=1e-12)
    assert np.array_equal((low > 0) | (high < 0), tests.student(z) < 0.03)


@pytest.mark.parametrize("kind", ["t", "bootstrap-t", "bca", "percentile"])
def test_a_row_that_does_not_vary_is_its_own_interval(kind: str) -> None:
    scores = np.vstack([np.arange(6) / 10 + 0.3, np.arange(6) / 10 + 0.2, np.arange(6) / 10 + 0.2])
    pairs, z = pairs_of(scores)
    counts = TopicPlan(0, 6, 200).counts()
    if kind == "t":
        low, high = intervals.student_interval(z, 0.05)
    elif kind == "bootstrap-t":
        low, high = intervals.bootstrap_t_interval(scores, counts, pairs, 0.05)
    else:
        low, high = intervals.resampled_interval(scores, counts, pairs, 0.05, kind)
    assert low == pytest.approx([0.1, 0.1, 0.0], abs=1e-12)
    assert high == pytest.approx([0.1, 0.1, 0.0], abs=1e-12)


def test_intervals_are_the_same_bits_for_any_number_of_threads() -> None:
    scores, counts = some(20, 25), TopicPlan(0, 25, 500).counts()
    pairs, _ = pairs_of(scores)
    for kind in ("bca", "percentile"):
        one = intervals.resampled_interval(scores, counts, pairs, 0.05, kind, jobs=1)
        assert np.array_equal(one, intervals.resampled_interval(scores, counts, pairs, 0.05, kind, jobs=3))


def test_the_critical_value_of_the_paired_test_is_its_order_statistic() -> None:
    scores, counts = some(4, 20), TopicPlan(1, 20, 500).counts()
    found = paired(scores, counts, ranks=(1, 7, 500))
    assert found.required.shape == (6, 3)
    for k, (x, y) in enumerate(zip(found.first, found.second, strict=True)):
        star = np.sort(plain_bootstrap(scores[x] - scores[y], counts))[::-1]
        assert found.critical[k] == pytest.approx([star[0], star[6], star[499]], rel=1e-9, abs=1e-12)


# corrections


@given(st.lists(st.sampled_from([0.0, 0.001, 0.01, 0.02, 0.04, 0.049, 0.05, 0.3, 1.0]), min_size=1, max_size=12))
def test_corrections_agree_with_statsmodels(p: list[float]) -> None:
    from statsmodels.stats.multitest import multipletests

    for name, theirs in (("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh")):
        expected = multipletests(p, 0.05, method=theirs)[1]
        assert corrections.corrected(np.array(p), name) == pytest.approx(expected, rel=1e-12)
    assert corrections.corrected(np.array(p), "none").tolist() == p


def test_corrections_by_hand() -> None:
    p = np.array([0.01, 0.04, 0.03])
    assert corrections.corrected(p, "holm") == pytest.approx([0.03, 0.06, 0.06])
    assert corrections.corrected(p, "bonferroni") == pytest.approx([0.03, 0.12, 0.09])
    assert corrections.corrected(p, "bh") == pytest.approx([0.03, 0.04, 0.04])


@pytest.mark.parametrize("correction", ["bonferroni", "bh", "none"])
def test_simultaneous_t_intervals_leave_out_0_exactly_when_the_corrected_test_rejects(correction: str) -> None:
    _, z = pairs_of(some(14, 30, seed=8))
    fixed = corrections.corrected(tests.student(z), correction)
    rejected = fixed < 0.05
    level = corrections.interval_level(0.05, correction, len(z), int(rejected.sum()))
    low, high = intervals.student_interval(z, level)
    assert np.array_equal((low > 0) | (high < 0), rejected)
    assert 0 < rejected.sum() < len(rejected)


def test_holms_intervals_are_bonferronis() -> None:
    assert corrections.interval_level(0.05, "holm", 10, 4) == pytest.approx(0.005)
    assert corrections.interval_level(0.05, "bh", 10, 4) == pytest.approx(0.02)
    assert corrections.interval_level(0.05, "bh", 10, 0) == pytest.approx(0.005)


@given(st.integers(1, 3000), st.sampled_from([0.05, 0.01, 0.1, 0.05 / 28, 0.07, 1 / 3]))
def test_the_critical_rank_is_where_the_p_value_passes_the_level(samples: int, level: float) -> None:
    k = corrections.critical_rank(level, samples)
    # fewer than k samples beyond: significant; k of them: not
    assert k == 0 or (k - 1 + 1) / (samples + 1) < level
    assert (k + 1) / (samples + 1) >= level * (1 - 1e-9)


@pytest.mark.parametrize(
    ("alpha", "family", "needed"), [(0.05, 1, 20), (0.05, 28, 560), (0.01, 3, 300), (0.05, 8256, 165120)]
)
def test_too_few_resamples_are_told_with_the_number_needed(alpha: float, family: int, needed: int) -> None:
    with pytest.raises(irassay.InputError, match=rf"--resamples {needed} "):
        corrections.check_reachable(alpha, family, needed - 1, "test")
    corrections.check_reachable(alpha, family, needed, "test")
    assert family / (needed + 1) < alpha


# letters, ranks, firsts


def symmetric(systems: int, *different: tuple[int, int]) -> NDArray[np.bool_]:
    found = np.zeros((systems, systems), dtype=bool)
    for x, y in different:
        found[x, y] = found[y, x] = True
    return found


@pytest.mark.parametrize(
    ("different", "expected"),
    [
        ([], ["a", "a", "a", "a"]),
        ([(0, 3)], ["a", "ab", "ab", "b"]),
        ([(0, 2), (0, 3), (1, 3)], ["a", "ab", "bc", "c"]),
        ([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], ["a", "b", "c", "d"]),
        ([(0, 1), (2, 3)], ["ab", "cd", "ac", "bd"]),
        ([(1, 2)], ["ab", "a", "b", "ab"]),
    ],
)
def test_compact_letters_by_hand(different: list[tuple[int, int]], expected: list[str]) -> None:
    held = groups([0, 1, 2, 3], symmetric(4, *different))
    assert held is not None
    assert letters(4, held) == expected


@given(st.integers(2, 9), st.data())
def test_two_systems_share_a_letter_exactly_when_they_are_not_significantly_different(
    n: int, data: st.DataObject
) -> None:
    pairs = [(x, y) for x in range(n) for y in range(x + 1, n)]
    found = symmetric(n, *data.draw(st.lists(st.sampled_from(pairs), max_size=len(pairs))))
    order = data.draw(st.permutations(range(n)))
    held = groups(order, found)
    assert held is not None
    marks = letters(n, held)
    for x, y in pairs:
        assert bool(set(marks[x]) & set(marks[y])) != found[x, y]
    assert all(marks)


def test_more_groups_than_letters_are_numbered() -> None:
    held = [frozenset({s}) for s in range(60)]
    assert letters(60, held)[:2] == ["1", "2"]
    assert letters(52, held[:52])[51] == "Z"


def test_too_many_groups_are_given_up() -> None:
    # 20 pairs of opponents: 2^20 maximal sets
    assert groups(list(range(40)), symmetric(40, *((2 * k, 2 * k + 1) for k in range(20)))) is None


def test_rank_intervals_by_hand() -> None:
    low, high = rank_intervals(np.array([0.5, 0.4, 0.3]), symmetric(3, (0, 2), (1, 2)))
    assert (low.tolist(), high.tolist()) == ([1, 1, 3], [2, 2, 3])
    low, high = rank_intervals(np.array([0.5, 0.4, 0.3]), symmetric(3, (0, 2)))
    assert (low.tolist(), high.tolist()) == ([1, 1, 2], [2, 3, 3])


def test_tied_systems_share_being_first() -> None:
    sampled = np.array([[0.3, 0.3 + 1e-12, 0.1], [0.1, 0.2, 0.3], [0.5, 0.1, 0.1], [0.2, 0.2, 0.2]])
    assert firsts(sampled) == pytest.approx([0.5 + 1 + 1 / 3, 0.5 + 1 / 3, 1 + 1 / 3])
