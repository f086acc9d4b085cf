"""The swap method: golden counts, plain Python on the same samples, edges and degenerate cases."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from irassay.ask.swap import SwapRates, binned_swaps, swap, swap_of
from irassay.errors import InputError
from tests.helpers.golden import golden
from tests.helpers.replicates import replicates_of_topics

GOLDEN = golden("methods")
Floats = NDArray[np.float64]


def means(scores: Any, samples: Any) -> Floats:
    """Mean of every system on every sample of topics, [replicates, systems]."""
    result: Floats = np.asarray(scores, dtype=np.float64)[:, np.asarray(samples)].mean(axis=2).T
    return result


def geometric_means(scores: Any, samples: Any) -> Floats:
    result: Floats = np.exp(means(np.log(np.asarray(scores) + 1e-5), samples)) - 1e-5
    return result


def plain_swap(
    first: Sequence[Sequence[Any]], second: Sequence[Sequence[Any]], width: Any, bins: int
) -> tuple[list[int], list[int]]:
    """Fig. 19 to the letter, for exact numbers or for doubles that lie on no edge."""
    comparisons, swaps = [0] * bins, [0] * bins
    for x in range(len(first[0])):
        for y in range(x + 1, len(first[0])):
            for a, b in zip(first, second, strict=True):
                d, other = a[x] - a[y], b[x] - b[y]
                k = min(int(abs(d) / width), bins - 1)
                comparisons[k] += 1
                swaps[k] += not d * other > 0
    return comparisons, swaps


def exact_means(scores: Any, samples: Any) -> list[list[Fraction]]:
    """The means of scores read as decimals."""
    decimals = [[Fraction(str(value)) for value in row] for row in scores]
    return [[sum((row[t] for t in sample), Fraction(0)) / len(sample) for row in decimals] for sample in samples]


def check_golden(result: SwapRates, expected: Any) -> None:
    assert result.comparisons.tolist() == expected["counter"]
    assert result.swaps.tolist() == expected["swap_counter"]
    rates = [None if math.isnan(rate) else rate for rate in result.rates.tolist()]
    assert rates == expected["swap_rate"]
    row = expected["row_guaranteed"]
    if row is None:
        assert all(map(math.isnan, (result.required_difference, result.ratio, result.share_satisfied)))
        return
    assert result.required_difference == row["abs_diff"]
    assert result.share_satisfied == row["pct_pairs"]
    assert result.max_score == pytest.approx(row["max"], rel=1e-14)
    assert result.ratio == pytest.approx(row["ratio"], rel=1e-14)


@pytest.mark.parametrize(("key", "summary"), [("swap_mean", means), ("swap_GM", geometric_means)])
def test_swap_table_matches_golden_to_the_last_count(key: str, summary: Any) -> None:
    first, second = (summary(GOLDEN["scores"], GOLDEN[name]) for name in ("idx", "idx_prime"))
    check_golden(swap(first, second), GOLDEN[key])


def test_swap_with_zero_scores_matches_golden_and_requires_no_difference() -> None:
    case = GOLDEN["swap_with_zero_scores"]
    result = swap(*(means(case["scores"], case[name]) for name in ("idx", "idx_prime")))
    check_golden(result, case)
    assert result.max_score == pytest.approx(0.4)


def test_swap_counts_equal_plain_python_on_random_samples() -> None:
    rng = np.random.default_rng(1)
    for replicates, systems, width, bins in ((1, 2, 0.01, 21), (300, 7, 0.03, 5), (40, 12, 0.5, 2), (90, 3, 0.2, 1)):
        first, second = rng.random((2, replicates, systems))
        result = swap(first, second, bin_width=width, bins=bins)
        comparisons, swaps = plain_swap(first.tolist(), second.tolist(), width, bins)
        assert (result.comparisons.tolist(), result.swaps.tolist()) == (comparisons, swaps)


def test_swap_counts_in_doubles_equal_exact_fractions_where_ties_and_edges_abound() -> None:
    rng = np.random.default_rng(2)
    # P@10 of ever better systems on ten topics: every mean is a multiple of .01
    scores = ((rng.integers(0, 7, (6, 10)) + np.array([[0], [0], [0], [1], [2], [4]])) / 10).tolist()
    samples, others = rng.integers(0, 10, (2, 300, 10)).tolist()
    first, second = means(scores, samples), means(scores, others)
    exact, exact_second = exact_means(scores, samples), exact_means(scores, others)
    result = swap(first, second, rate=0.2)
    assert (result.comparisons.tolist(), result.swaps.tolist()) == plain_swap(exact, exact_second, Fraction(1, 100), 21)
    pairs = [(x, y) for x in range(6) for y in range(x + 1, 6)]
    reach = [abs(row[x] - row[y]) for row in exact for x, y in pairs]
    required = Fraction(str(result.required_difference))
    assert result.share_satisfied == sum(d >= required for d in reach) / len(reach)
    # the samples do hold what they are here for: ties that doubles blur, and differences just below their edge
    doubles = [abs(row[x] - row[y]) for row in first for x, y in pairs]
    assert any(d != 0 and r == 0 for d, r in zip(doubles, reach, strict=True))
    assert any(int(d / 0.01) < r * 100 for d, r in zip(doubles, reach, strict=True))


def test_a_difference_on_an_edge_belongs_to_the_upper_bin() -> None:
    pitfall = GOLDEN["bin_edge_pitfall"]
    case = np.array([[pitfall["x"][0], pitfall["y"][0]]])
    assert case[0, 0] - case[0, 1] == pitfall["D_float"]
    result = swap(case, case)
    assert np.flatnonzero(result.comparisons).tolist() == [pitfall["bin_from_decimals"]]
    assert (result.required_difference, result.share_satisfied) == (0.05, 1.0)
    for k in range(100):
        near = np.array([[k / 100, 0.0], [k / 100 - 5e-11, 0.0], [k / 100 - 2e-10, 0.0], [k / 100 + 2e-10, 0.0]])
        counts = swap(near, near, bins=101).comparisons
        assert counts[k] == (3 if k else 4)


def test_the_last_bin_is_open_and_takes_any_size() -> None:
    case = np.array([[1.0, 0.0], [1e300, 0.0], [0.2, 0.0]])
    assert swap(case, case).comparisons.tolist() == [0] * 20 + [3]


def test_empty_bins_have_no_rate_and_are_passed_over_for_the_required_difference() -> None:
    first = np.array([[0.5, 0.495]] * 3 + [[0.5, 0.42]] * 20 + [[0.5, 0.35]] * 4)
    second = np.array([[0.1, 0.2]] * 3 + [[0.1, 0.2]] + [[0.2, 0.1]] * 23)
    result = swap(first, second)
    assert np.flatnonzero(~np.isnan(result.rates)).tolist() == [0, 8, 15]
    assert result.rates[[0, 8, 15]].tolist() == [1.0, 0.05, 0.0]  # 1 of 20 is not above 5%
    assert result.required_difference == 0.08
    assert result.share_satisfied == 24 / 27
    assert result.max_score == 0.5
    assert result.ratio == 0.08 / 0.5
    assert swap(first, second, rate=0.049).required_difference == 0.15
    assert swap(first, second, rate=1.0).required_difference == 0.0


def test_one_high_bin_above_the_rate_bars_all_lower_ones() -> None:
    first = np.array([[0.5, 0.45]] * 10 + [[0.5, 0.2]])
    second = np.array([[0.2, 0.1]] * 10 + [[0.1, 0.2]])
    result = swap(first, second)
    assert result.rates[[5, 20]].tolist() == [0.0, 1.0]
    assert all(map(math.isnan, (result.required_difference, result.ratio, result.share_satisfied)))


def test_identical_systems_always_swap() -> None:
    same = np.full((10, 3), 0.25)
    result = swap(same, same)
    assert result.comparisons.tolist() == result.swaps.tolist() == [30] + [0] * 20
    assert math.isnan(result.required_difference)


def test_equal_means_that_differ_by_rounding_are_a_swap() -> None:
    blurred = np.array([[0.1 + 0.2, 0.3]])
    assert blurred[0, 0] > blurred[0, 1]
    assert swap(blurred, blurred).swaps[0] == 1


def test_the_largest_score_may_stand_in_the_second_set() -> None:
    assert swap(np.array([[0.5, 0.1]]), np.array([[0.9, 0.1]])).max_score == 0.9


def test_edges_are_given_as_one_would_write_them() -> None:
    case = np.array([[0.3, 0.0]])
    result = swap(case, case, bin_width=0.1, bins=5)
    assert result.bin_low.tolist() == [0.0, 0.1, 0.2, 0.3, 0.4]
    assert result.required_difference == 0.3


def test_swap_is_the_same_bits_on_any_number_of_threads_and_any_layout() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.random((2, 1000, 9))
    alone = swap(first, second)
    first.setflags(write=False)
    for result in (*(swap(first, second, jobs=jobs) for jobs in (2, 3, 8)), swap(np.asfortranarray(first), second)):
        for name in ("bin_low", "comparisons", "swaps", "rates"):
            assert getattr(result, name).tobytes() == getattr(alone, name).tobytes()
        for name in ("required_difference", "max_score", "ratio", "share_satisfied"):
            assert getattr(result, name) == getattr(alone, name) or math.isnan(getattr(alone, name))


def test_swap_does_not_depend_on_the_order_of_replicates_or_on_swapping_two_systems() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.random((2, 600, 5))
    order = rng.permutation(600)
    expected = swap(first, second)
    for result in (swap(first[order], second[order]), swap(first[:, ::-1], second[:, ::-1])):
        assert result.comparisons.tolist() == expected.comparisons.tolist()
        assert result.swaps.tolist() == expected.swaps.tolist()


def test_memory_of_swap_is_far_below_replicates_times_pairs() -> None:
    first, second = np.random.default_rng(5).random((2, 1000, 129))  # 8,256,000 differences, 66 MB as doubles
    swap(first[:1], second[:1])
    tracemalloc.start()
    swap(first, second)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000


@pytest.mark.parametrize(
    ("first", "options", "message"),
    [
        (np.zeros((4, 1)), {}, "two systems"),
        (np.zeros((0, 3)), {}, "a sample"),
        (np.zeros(4), {}, "shapes"),
        (np.full((4, 3), np.nan), {}, "finite"),
        (np.zeros((4, 3)), {"bin_width": 0.0}, "bin width"),
        (np.zeros((4, 3)), {"bin_width": math.nan}, "bin width"),
        (np.zeros((4, 3)), {"bin_width": math.inf}, "bin width"),
        (np.zeros((4, 3)), {"bin_width": 2e-10}, "bin width"),
        (np.zeros((4, 3)), {"bins": 0}, "one bin"),
        (np.zeros((4, 3)), {"rate": 1.5}, "swap rate"),
        (np.zeros((4, 3)), {"rate": -0.1}, "swap rate"),
    ],
)
def test_swap_refuses_what_it_cannot_count(first: Floats, options: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        swap(first, first, **options)
    if message == "finite":
        with pytest.raises(InputError, match=message):
            swap(np.zeros((4, 3)), first)


def test_swap_refuses_sets_of_different_shape() -> None:
    with pytest.raises(InputError, match="shapes"):
        swap(np.zeros((4, 3)), np.zeros((5, 3)))


def test_without_a_score_above_0_there_is_no_ratio() -> None:
    case = np.array([[-0.25, -0.5]])
    result = swap(case, case)
    assert (result.required_difference, result.max_score) == (0.2, -0.25)
    assert math.isnan(result.ratio)
    assert math.isnan(swap(case + 0.25, case + 0.25).ratio)
    small = swap(case + 0.5, case + 0.5)
    assert small.ratio == 0.2 / 0.25


def test_a_rate_of_0_admits_no_swap_and_bins_hardly_wider_than_rounding_are_admitted() -> None:
    first = np.array([[0.5, 0.45], [0.5, 0.2]])
    with np.errstate(all="raise"):
        assert swap(first, first, rate=0.0).required_difference == 0.05
        assert swap(first, first, bin_width=2.1e-10, bins=1).comparisons.tolist() == [2]


def test_without_ties_zero_differences_are_no_swaps() -> None:
    first, second = np.array([[0.5, 0.5], [0.5, 0.4], [0.5, 0.4]]), np.array([[0.5, 0.4], [0.5, 0.5], [0.4, 0.5]])
    assert binned_swaps(first, second, 0.01, 21).swaps.sum() == 3
    assert binned_swaps(first, second, 0.01, 21, ties=False).swaps.tolist() == [0] * 10 + [1] + [0] * 10


def test_the_two_sets_are_of_one_variation() -> None:
    one, other = replicates_of_topics(30, seed=1), replicates_of_topics(30, seed=2)
    assert swap_of(one, other, 1).swaps.tolist() == swap(one.means[1], other.means[1]).swaps.tolist()
    with pytest.raises(ValueError, match="not of the same variation"):
        swap_of(one, replicates_of_topics(30, variation="documents"), 1)
