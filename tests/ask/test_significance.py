"""Bootstrap tests against exact numbers, plain Python, and themselves."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay.ask import significance
from irassay.ask.pairs import all_pairs, some_pairs
from irassay.ask.significance import PairTests, paired, rank_of
from irassay.ask.unpaired import unpaired
from irassay.errors import InputError
from irassay.vary.topics import TopicPlan
from tests.helpers.golden import golden
from tests.helpers.replicates import index_counts

METHODS = golden("methods")
SCORES = np.array(METHODS["scores"])
INDEX = np.array(METHODS["idx"], dtype=np.int32)
COUNTS = index_counts(INDEX, SCORES.shape[1])
POSITIONS = np.array(METHODS["unpaired_idx"], dtype=np.int32)


def check(tests: PairTests, golden: dict[str, Any], column: int, statistic: str, mean: str) -> None:
    for p, (i, j) in enumerate(zip(tests.first.tolist(), tests.second.tolist(), strict=True)):
        expected = golden["pairs"][f"{i}-{j}"]
        assert tests.count[p] == expected["count"]
        assert tests.asl[p] == expected["ASL"]
        assert tests.difference[p] == pytest.approx(expected[mean], rel=1e-12)
        assert abs(tests.statistic[p]) == pytest.approx(abs(expected[statistic]), rel=1e-10)
        assert tests.required[p, column] == pytest.approx(expected["required_diff"], rel=1e-10)
    assert tests.required[:, column].max() == pytest.approx(golden["estimated_diff"], rel=1e-10)
    assert int((tests.asl < golden["alpha"]).sum()) == golden["n_significant"]


@pytest.mark.parametrize("alpha", ["0.05", "0.01"])
def test_the_paired_test_matches_golden(alpha: str) -> None:
    tests = paired(SCORES, COUNTS, (0.05, 0.01))
    check(tests, METHODS["paired"][alpha], ("0.05", "0.01").index(alpha), "t_z", "zbar")


def test_the_paired_test_of_geometric_means_matches_golden() -> None:
    check(paired(np.log(SCORES + 1e-5), COUNTS), METHODS["paired_AG"], 0, "t_z", "zbar")


@pytest.mark.parametrize("kind", ["mean", "GM", "area_worst3"])
def test_the_unpaired_test_matches_golden(kind: str) -> None:
    summaries: dict[str, dict[str, Any]] = {
        "mean": {},
        "GM": {"forward": lambda x: np.log(x + 1e-5), "inverse": lambda m: np.exp(m) - 1e-5},
        "area_worst3": {
            "whole": lambda x: np.mean([np.sort(x, axis=-1)[..., :k].mean(axis=-1) for k in (1, 2, 3)], axis=0)
        },
    }
    tests = unpaired(SCORES, POSITIONS, (0.05,), **summaries[kind])
    check(tests, METHODS[f"unpaired_{kind}"], 0, "d_hat", "d_hat")


@pytest.mark.parametrize("one_sided", [False, True])
@pytest.mark.parametrize("summary", ["mean", "GM", "median"])
def test_the_unpaired_test_takes_topic_sets_of_different_sizes(summary: str, one_sided: bool) -> None:
    rng = np.random.default_rng(4)
    x, y = rng.beta(2, 3, size=(3, 11)), rng.beta(2, 4, size=(3, 7))
    positions = TopicPlan(2, 11, 300).unpaired(7)
    assert positions.shape == (300, 18)
    assert set(np.unique(positions)) == set(range(18))
    functions: dict[str, tuple[dict[str, Any], Any]] = {
        "mean": ({}, np.mean),
        "GM": (
            {"forward": lambda v: np.log(v + 1e-5), "inverse": lambda m: np.exp(m) - 1e-5},
            lambda v: np.exp(np.log(v + 1e-5).mean()) - 1e-5,
        ),
        "median": ({"whole": lambda v: np.median(v, axis=-1)}, np.median),
    }
    options, value = functions[summary]
    tests = unpaired(x, positions, (0.05,), other=y, one_tailed=one_sided, **options)
    for p, (i, j) in enumerate(itertools.combinations(range(3), 2)):
        pooled = np.concatenate([x[i], y[j]])  # Fig 6: F = G
        d = np.array([value(pooled[row[:11]]) - value(pooled[row[11:]]) for row in positions])
        observed = value(x[i]) - value(y[j])
        size = d if one_sided else np.abs(d)
        assert tests.difference[p] == pytest.approx(observed, rel=1e-12)
        assert tests.count[p] == np.count_nonzero(size >= (observed if one_sided else abs(observed)) - 1e-12)
        assert tests.required[p, 0] == pytest.approx(np.sort(size)[-15], rel=1e-12)


def exact_count(z: list[Fraction], samples: list[tuple[int, ...]]) -> int:
    """Fig 3 in fractions: how many samples have |t*| >= |t|, infinite where nothing varies but the mean is not 0."""
    n = len(z)

    def squared(values: list[Fraction]) -> tuple[int, Fraction]:
        mean = sum(values, Fraction(0)) / n
        spread = sum(((v - mean) ** 2 for v in values), Fraction(0))
        if spread == 0:
            return (1, Fraction(0)) if mean else (0, Fraction(0))
        return 0, mean * mean / spread

    mean = sum(z, Fraction(0)) / n
    observed = squared(z)
    return sum(squared([z[i] - mean for i in sample]) >= observed for sample in samples)


DEGENERATE = {
    "identical systems": ["0", "0", "0"],
    "a constant gap": ["1/10", "1/10", "1/10"],
    "one topic differs": ["1/4", "0", "0"],
    "two alike": ["1/8", "1/8", "-1/4"],
    "almost constant": ["1/10", "1/10", "1/5"],
    "opposite": ["1/2", "-1/2", "0"],
}


@pytest.mark.parametrize("one_tailed", [False, True])
def test_with_names_the_order_of_systems_moves_no_unpaired_test(one_tailed: bool) -> None:
    names, order = ["c", "a", "d", "b"], [2, 0, 3, 1]
    tests = unpaired(SCORES[:4], POSITIONS, (0.05,), names=names, one_tailed=one_tailed)
    again = unpaired(SCORES[:4][order], POSITIONS, (0.05,), names=[names[s] for s in order], one_tailed=one_tailed)
    expected = {
        (names[x], names[y]): tests.count[k] for k, (x, y) in enumerate(zip(tests.first, tests.second, strict=True))
    }
    shared = 0
    for k, (x, y) in enumerate(zip(again.first, again.second, strict=True)):
        pair = names[order[x]], names[order[y]]
        if pair in expected or not one_tailed:
            assert again.count[k] == expected[pair if pair in expected else pair[::-1]]
            shared += 1
    assert shared


@pytest.mark.parametrize("case", DEGENERATE)
@pytest.mark.parametrize("scale", [1.0, 2.0**-20])
def test_degenerate_differences_are_counted_as_fractions_count_them(case: str, scale: float) -> None:
    z = [Fraction(text) for text in DEGENERATE[case]]
    samples = list(itertools.product(range(3), repeat=3))
    base = np.array([0.25, 0.5, 0.125])
    scores = np.array([base + scale * np.array([float(v) for v in z]), base])
    counts = index_counts(np.array(samples, dtype=np.int32), 3)
    assert paired(scores, counts, (0.5,)).count.tolist() == [exact_count(z, samples)]


def test_differences_that_only_doubles_blur_are_a_constant_gap() -> None:
    scores = np.array([[0.3, 0.4, 0.5], [0.2, 0.3, 0.4]])
    counts = index_counts(np.array(list(itertools.product(range(3), repeat=3)), dtype=np.int32), 3)
    tests = paired(scores, counts, (0.5,))
    assert tests.count.tolist() == [0]
    assert np.isinf(tests.statistic).all()


def plain(
    x: NDArray[np.float64], y: NDArray[np.float64], index: NDArray[np.int32]
) -> tuple[int, list[tuple[float, float]]]:
    z = x - y
    n = len(z)

    def t(v: NDArray[np.float64]) -> float:
        return float(v.mean() / (v.std(ddof=1) / np.sqrt(n)))

    w = z - z.mean()
    star = [(abs(t(w[i])), abs(float(w[i].mean()))) for i in index]
    return sum(s[0] >= abs(t(z)) for s in star), sorted(star, reverse=True)


def some(systems: int, topics: int, seed: int = 1) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    return np.clip(rng.beta(1.2, 3, (1, topics)) + rng.normal(0, 0.12, (systems, topics)), 0, 1)


@pytest.mark.parametrize(("systems", "topics", "samples"), [(3, 7, 40), (14, 25, 1000), (5, 50, 3000)])
def test_the_paired_test_agrees_with_plain_python(systems: int, topics: int, samples: int) -> None:
    scores = some(systems, topics)
    index = np.random.default_rng(2).integers(0, topics, (samples, topics)).astype(np.int32)
    tests = paired(scores, index_counts(index, topics), (0.05, 0.3))
    for p in range(0, len(tests.first), max(1, len(tests.first) // 7)):
        count, star = plain(scores[tests.first[p]], scores[tests.second[p]], index)
        assert tests.count[p] == count
        expected = [star[rank_of(alpha, samples) - 1][1] for alpha in (0.05, 0.3)]
        assert tests.required[p].tolist() == pytest.approx(expected, rel=1e-9)


def test_significance_is_the_same_bits_for_any_number_of_threads_and_any_memory_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scores, counts = some(30, 40), TopicPlan(0, 40, 2000).counts()
    expected = paired(scores, counts, (0.05, 0.01), jobs=1)
    for jobs, first in ((2, 256), (5, 256), (1, 10**9), (2, 16)):
        monkeypatch.setattr(significance, "FIRST", first)
        result = paired(scores, counts, (0.05, 0.01), jobs=jobs)
        for name in ("count", "required", "statistic", "difference"):
            assert np.array_equal(getattr(result, name), getattr(expected, name)), name


def test_pairs_of_a_narrow_tile_are_tested_the_same_as_in_a_wide_one() -> None:
    scores, counts = some(12, 30), TopicPlan(0, 30, 500).counts()
    first, second = all_pairs(12)
    wide = paired(scores, counts, (0.05, 0.01), pairs=(first[:40], second[:40]))
    narrow = paired(scores, counts, (0.05, 0.01), pairs=(first[:5], second[:5]))
    for name in ("count", "required", "critical", "statistic", "difference"):
        assert np.array_equal(getattr(narrow, name), getattr(wide, name)[:5]), name


@pytest.mark.parametrize("systems", [2, 3, 40])
def test_some_of_all_pairs_are_found_without_the_others(systems: int) -> None:
    whole = all_pairs(systems)
    pairs = len(whole[0])
    for low, high in ((0, pairs), (0, 0), (pairs // 2, pairs), (1, min(3, pairs))):
        for some_side, side in zip(some_pairs(systems, low, high), whole, strict=True):
            assert some_side.tolist() == side[low:high].tolist()


def test_samples_of_topics_are_the_same_for_any_number_of_threads_and_parts() -> None:
    plan = TopicPlan(3, 20, 300)
    whole = plan.counts()
    assert (whole.sum(axis=1) == 20).all()
    assert np.array_equal(plan.counts(jobs=3), whole)
    assert np.array_equal(plan.counts(low=100, high=171, jobs=2), whole[100:171])
    assert len(plan) == 300
    for part in (slice(None), slice(100, 171), slice(290, 400)):
        assert np.array_equal(plan[part], whole[part])


@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("kept", [(1,), (1, 300)])  # so that few samples are kept, or all
def test_one_tile_is_tested_the_same_by_any_number_of_threads_and_on_samples_drawn_when_they_are_needed(
    near: bool, kept: tuple[int, ...]
) -> None:
    scores, plan = some(6, 30), TopicPlan(0, 30, 700)
    if near:
        scores[1] = scores[0] + 1e-6 * np.arange(30)
    many = all_pairs(6)
    several = np.tile(many[0], 9), np.tile(many[1], 9)  # more than a tile, which one thread goes through
    expected = paired(scores, plan.counts(), ranks=kept, pairs=several)
    for jobs in (1, 3):
        result = paired(scores, plan, ranks=kept, pairs=many, jobs=jobs)
        for name in ("count", "required", "critical", "statistic", "difference"):
            assert np.array_equal(getattr(result, name), getattr(expected, name)[:15]), name


def test_a_pair_is_tested_the_same_whatever_systems_stand_beside_it() -> None:
    scores, counts = some(12, 30), TopicPlan(0, 30, 500).counts()
    alone = paired(scores[:2], counts, (0.05,))
    among = paired(scores, counts, (0.05,))
    assert alone.count[0] == among.count[0]
    assert alone.required[0, 0] == pytest.approx(among.required[0, 0], rel=1e-12)


def test_critical_values_within_2e_10_of_the_observed_statistic_are_equal_to_it() -> None:
    x = 4.0 * np.array([[1 - 1.9e-10, 1 + 1.9e-10, 1 - 2.1e-10, 1 + 2.1e-10, 2.0, 0.0]])
    assert significance._tied(x, np.array([[4.0]])).tolist() == [[4.0, 4.0, *x[0, 2:]]]


def test_the_order_statistic_and_the_level_decide_alike() -> None:
    tests = paired(some(20, 50), TopicPlan(3, 50, 1000).counts(), (0.05,))
    assert 0 < (tests.asl < 0.05).sum() < len(tests.asl)


@pytest.mark.parametrize(("alpha", "samples", "k"), [(0.07, 100, 7), (0.05, 1000, 50), (0.01, 100, 1), (0.015, 100, 2)])
def test_the_rank_is_the_ceiling_of_samples_times_alpha(alpha: float, samples: int, k: int) -> None:
    assert rank_of(alpha, samples) == k


@pytest.mark.parametrize(("alpha", "samples"), [(0.0, 100), (1.0, 100), (-1.0, 10), (0.01, 50)])
def test_levels_that_no_sample_can_reach_are_refused(alpha: float, samples: int) -> None:
    with pytest.raises(irassay.InputError, match=r"alpha"):
        rank_of(alpha, samples)


@pytest.mark.parametrize(
    ("alpha", "samples"), [(1e-9 * 1.5, "666666667"), (1e-9, "1e9"), (1e-300, "1e300"), (1e-12, "1e12")]
)
def test_the_samples_that_a_level_needs_are_named_for_any_level(alpha: float, samples: str) -> None:
    with pytest.raises(InputError) as caught:
        rank_of(alpha, 1000)
    assert caught.value.hint == f"use at least {samples} samples"


def test_samples_depend_on_seed_topics_and_replicate_alone() -> None:
    few, many = TopicPlan(5, 20, 10).counts(), TopicPlan(5, 20, 1000).counts()
    assert np.array_equal(few, many[:10])
    assert np.array_equal(TopicPlan(5, 20, 1000).counts(low=990, high=1200), many[990:])
    assert (many.sum(axis=1) == 20).all()
    assert not np.array_equal(many, TopicPlan(6, 20, 1000).counts())
    assert not np.array_equal(many, TopicPlan(5, 20, 1000).counts(second=True))
    # 20,000 draws of 20 topics: 1000 each, sd 31; six of them
    assert np.abs(many.sum(axis=0) - 1000).max() < 190


def test_halves_are_disjoint_and_of_equal_size() -> None:
    one, two = TopicPlan(1, 51, 200).halves()
    assert ((one + two) <= 1).all()
    assert (one.sum(axis=1) == 25).all()
    assert (two.sum(axis=1) == 25).all()
