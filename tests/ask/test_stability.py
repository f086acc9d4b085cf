"""The stability method: golden rates, plain Python on the same samples, margins and degenerate cases."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from irassay.ask.stability import FUZZINESS, stability
from irassay.errors import InputError
from tests.helpers.golden import golden

GOLDEN = golden("methods")
Floats = NDArray[np.float64]


def means(scores: Any, samples: Any) -> Floats:
    """Mean of every system on every sample of topics, [replicates, systems]."""
    result: Floats = np.asarray(scores, dtype=np.float64)[:, np.asarray(samples)].mean(axis=2).T
    return result


def geometric_means(scores: Any, samples: Any) -> Floats:
    result: Floats = np.exp(means(np.log(np.asarray(scores) + 1e-5), samples)) - 1e-5
    return result


def plain_stability(first: Sequence[Sequence[Any]], fuzziness: Any) -> tuple[float, float]:
    """Fig. 16 with equal scores as a tie, for exact numbers or for doubles that lie on no margin."""
    systems, minority, ties, pairs = len(first[0]), 0, 0, 0
    for x in range(systems):
        for y in range(x + 1, systems):
            ahead = {True: 0, False: 0}
            for row in first:
                if row[x] == row[y] or abs(row[x] - row[y]) < fuzziness * max(row[x], row[y]):
                    ties += 1
                else:
                    ahead[row[x] > row[y]] += 1
            minority += min(ahead.values())
            pairs += 1
    return minority / (len(first) * pairs), ties / (len(first) * pairs)


def exact_means(scores: Any, samples: Any) -> list[list[Fraction]]:
    """The means of scores read as decimals."""
    decimals = [[Fraction(str(value)) for value in row] for row in scores]
    return [[sum((row[t] for t in sample), Fraction(0)) / len(sample) for row in decimals] for sample in samples]


@pytest.mark.parametrize(("key", "summary"), [("stability_mean", means), ("stability_GM", geometric_means)])
def test_stability_matches_golden_to_the_last_count(key: str, summary: Any) -> None:
    expected = GOLDEN[key]
    result = stability(summary(GOLDEN["scores"], GOLDEN["idx"]), [row["f"] for row in expected])
    assert result.minority_rate.tolist() == [row["MR"] for row in expected]
    assert result.proportion_of_ties.tolist() == [row["PT"] for row in expected]
    assert result.fuzziness.tolist() == list(FUZZINESS)


@pytest.mark.parametrize("summary", [means, geometric_means])
def test_zero_against_zero_is_a_tie_as_in_golden(summary: Any) -> None:
    case = GOLDEN["stability_with_zero_scores"]
    (expected,) = case["sensible"]
    result = stability(summary(case["scores"], case["idx"]), [expected["f"]])
    assert result.minority_rate.tolist() == [expected["MR"]]
    assert result.proportion_of_ties.tolist() == [expected["PT"]]


def test_stability_equals_plain_python_on_random_samples() -> None:
    rng = np.random.default_rng(1)
    for replicates, systems in ((1, 2), (300, 7), (40, 12), (257, 3)):
        first = rng.random((replicates, systems))
        result = stability(first, (0.0, 0.01, 0.07, 0.5, 1.0))
        expected = [plain_stability(first.tolist(), f) for f in result.fuzziness]
        assert list(zip(result.minority_rate, result.proportion_of_ties, strict=True)) == expected


def test_stability_in_doubles_equals_exact_fractions_where_ties_and_margins_abound() -> None:
    rng = np.random.default_rng(2)
    scores = (rng.integers(0, 11, (6, 10)) / 10).tolist()  # P@10 on ten topics: every mean is a multiple of .01
    samples = rng.integers(0, 10, (300, 10)).tolist()
    result = stability(means(scores, samples), (0.0, *FUZZINESS, 0.25, 0.5))
    exact = exact_means(scores, samples)
    expected = [plain_stability(exact, Fraction(str(f))) for f in result.fuzziness]
    assert list(zip(result.minority_rate, result.proportion_of_ties, strict=True)) == expected


@pytest.mark.parametrize(("x", "y", "f"), [(0.3, 0.27, 0.1), (0.3, 0.24, 0.2), (0.7, 0.63, 0.1), (0.1, 0.095, 0.05)])
def test_a_difference_of_exactly_the_margin_is_no_tie(x: float, y: float, f: float) -> None:
    # Fig. 16 in doubles would call the first case a tie: abs(0.3 - 0.27) < 0.1 * 0.3
    for nudge, ties in ((0.0, 0.0), (5e-11, 0.0), (-5e-11, 0.0), (-1e-9, 0.0), (1e-9, 1.0)):
        for pair in ([x, y + nudge], [y + nudge, x]):
            assert stability(np.array([pair]), [f]).proportion_of_ties.tolist() == [ties]


def test_without_fuzziness_only_equal_scores_tie() -> None:
    first = np.array([[0.3, 0.1 + 0.2], [0.0, 0.0], [0.3, 0.3], [0.3, 0.3 + 1e-9]])
    assert stability(first, [0.0]).proportion_of_ties.tolist() == [0.75]


def test_identical_systems_tie_always_and_have_no_minority() -> None:
    result = stability(np.full((10, 3), 0.25))
    assert result.proportion_of_ties.tolist() == [1.0] * 20
    assert result.minority_rate.tolist() == [0.0] * 20


def test_the_minority_of_one_pair_is_the_smaller_count() -> None:
    first = np.array([[0.5, 0.1]] * 3 + [[0.1, 0.5]] * 2 + [[0.5, 0.499]] * 5)
    for pair in (first, first[:, ::-1]):
        result = stability(pair, [0.1, 0.9])
        assert result.minority_rate.tolist() == [0.2, 0.0]
        assert result.proportion_of_ties.tolist() == [0.5, 1.0]


def test_fuzziness_comes_back_in_the_order_asked_for() -> None:
    first = np.random.default_rng(3).random((50, 4))
    asked = (0.2, 0.01, 0.1, 0.2)
    result = stability(first, asked)
    assert result.fuzziness.tolist() == list(asked)
    for i, f in enumerate(asked):
        alone = stability(first, [f])
        assert (result.minority_rate[i], result.proportion_of_ties[i]) == (
            alone.minority_rate[0],
            alone.proportion_of_ties[0],
        )


def test_stability_is_the_same_bits_on_any_number_of_threads_and_any_layout() -> None:
    first = np.random.default_rng(4).random((1000, 9))
    alone = stability(first)
    assert not any(array.flags.writeable for array in vars(alone).values())
    first.setflags(write=False)
    for result in (*(stability(first, jobs=jobs) for jobs in (2, 3, 8)), stability(np.asfortranarray(first))):
        assert result.minority_rate.tobytes() == alone.minority_rate.tobytes()
        assert result.proportion_of_ties.tobytes() == alone.proportion_of_ties.tobytes()


def test_memory_of_stability_is_far_below_replicates_times_pairs() -> None:
    first = np.random.default_rng(5).random((1000, 129))  # 8,256,000 differences, 66 MB as doubles
    stability(first[:1])
    tracemalloc.start()
    stability(first)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000


@pytest.mark.parametrize(
    ("first", "fuzziness", "message"),
    [
        (np.zeros((4, 1)), [0.1], "two systems"),
        (np.zeros((0, 3)), [0.1], "a sample"),
        (np.zeros(4), [0.1], "two systems"),
        (np.full((4, 3), np.inf), [0.1], "finite"),
        (np.full((4, 3), -3.0), [0.1], "below 0"),
        (np.full((4, 3), -1.1e-10), [0.1], "below 0"),
        (np.zeros((4, 3)), [-0.1], "fuzziness"),
        (np.zeros((4, 3)), [1.1], "fuzziness"),
        (np.zeros((4, 3)), 0.1, "fuzziness"),
        (np.zeros((4, 3)), [float("nan")], "fuzziness"),
        (np.zeros((4, 3)), [], "fuzziness"),
    ],
)
def test_stability_refuses_what_has_no_margin(first: Floats, fuzziness: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        stability(first, fuzziness)


def test_margins_of_nothing_and_of_the_whole_score_and_scores_1e_10_below_0_are_admitted() -> None:
    result = stability(np.array([[0.5, 0.25], [-1e-10, 0.5]]), [0.0, 1.0])
    assert result.proportion_of_ties.tolist() == [0.0, 0.5]  # 0.5 - 0 is the whole score of 0.5
