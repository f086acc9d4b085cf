"""The kernels of the paired bootstrap test on arrays that can be looked over, compiled and in plain Python."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from irassay.ask import _paired as kernels
from irassay.ask.constants import INFINITE
from irassay.compute.draws import packed_samples, sums_of_samples


def both(kernel: Any) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("run", [kernel.py_func, kernel], ids=["plain", "compiled"])


def tile(run: Callable[..., bool], z: list[list[float]]) -> tuple[bool, list[Any]]:
    """`differences` of systems with these scores on each topic to one that scores 1."""
    scores = np.array([*z, [0.0] * len(z[0])]).T + 1.0
    first, second = np.arange(len(z)), np.full(len(z), len(z))
    mean, x0 = np.full((2, len(z)), 9.0)
    w, w2 = np.full((2, len(z[0]), len(z)), 9.0)
    near = run(np.ascontiguousarray(scores), first, second, mean, x0, w, w2)
    return near, [mean.tolist(), x0.tolist(), w.T.tolist(), w2.T.tolist()]


@both(kernels.differences)
def test_a_tile_has_centred_differences_and_their_squares(run: Callable[..., bool]) -> None:
    near, (mean, x0, w, w2) = tile(run, [[1.0, 2.0, 6.0], [-2.0, -4.0, 0.0]])
    assert not near
    assert (mean, x0) == ([3.0, -2.0], [pytest.approx(81 / 41), pytest.approx(36 / 20)])
    assert w == [[-2.0, -1.0, 3.0], [0.0, -2.0, 2.0]]
    assert w2 == [[4.0, 1.0, 9.0], [0.0, 4.0, 4.0]]


@both(kernels.differences)
def test_constant_differences_have_an_infinite_statistic_and_leave_nothing(run: Callable[..., bool]) -> None:
    near, (mean, x0, w, w2) = tile(run, [[0.25, 0.25, 0.25 + 1e-9], [0.0, 0.0, 0.0], [-0.5, -0.5, -0.5]])
    assert not near
    assert mean == pytest.approx([0.25, 0.0, -0.5])
    assert x0 == [INFINITE, 0.0, INFINITE]
    assert w == w2 == [[0.0] * 3] * 3
    _, (_, x0, w, _) = tile(run, [[0.25, 0.25, 0.25 + 1e-6]])  # of 1, whose square is above rounding
    assert x0[0] < 3
    assert w[0][2] == pytest.approx(2e-6 / 3, rel=1e-6)


@both(kernels.differences)
@pytest.mark.parametrize(("spread", "near"), [(0.0099, True), (0.01, False), (0.0101, False)])
def test_pairs_are_nearly_equal_below_a_hundredth(run: Callable[..., bool], spread: float, near: bool) -> None:
    # the squares of the centred differences add up to 4 · 0.25 · spread²
    z = [0.5 * spread, -0.5 * spread, 0.5 * spread, -0.5 * spread]
    assert tile(run, [[1.0, 2.0, 6.0, 1.0], z])[0] == near or spread == 0.01  # the edge is rounding
    assert not tile(run, [[1.0, 2.0, 6.0, 1.0]])[0]


@pytest.mark.parametrize("topics", range(10))
def test_weighted_sums_are_those_of_the_topics_that_are_drawn(topics: int) -> None:
    rows = np.arange(30.0).reshape(10, 3) ** 2
    topic, count = np.array([9, 8, 3, *range(7), 5, 5]), np.array([99, 7, *range(2, 10), 50, 60])
    acc = np.full(3, 9.0)
    kernels.weighted_sums.py_func(acc, rows, topic, count, 2, 2 + topics)
    drawn = range(2, 2 + topics)
    assert acc.tolist() == [sum(count[i] * rows[topic[i], j] for i in drawn) for j in range(3)]


@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("size", [1, 9])
def test_replicates_are_counted_and_kept_from_their_bars_on(near: bool, size: int) -> None:
    # w of two pairs: 2, -1, -1 and 1, 0, -1
    z = np.array([[5.0, 2.0, 2.0], [2.0, 1.0, 0.0]])
    scores = np.ascontiguousarray(np.vstack([z, np.zeros(3)]).T)
    first, second = np.array([0, 1]), np.array([2, 2])
    counts = np.array([[9, 9, 9], [1, 1, 1], [2, 1, 0], [1, 0, 2], [0, 3, 0], [0, 2, 1]], dtype=np.int32)
    w = np.ascontiguousarray((z - z.mean(axis=1, keepdims=True)).T)
    sums, (topic, times, start) = sums_of_samples(scores, counts), packed_samples(counts)
    hits, reached = np.array([10, 10]), np.array([0, 0])
    kept_x, kept_m = np.full((2, 2, size), -1.0)
    x0, bar = np.array([1.5, 0.5]), np.array([1.0, 1.5])
    kernels.test_tile(
        kernels.Tile(first, second, x0, 3 * np.array([3.0, 1.0]), near, w, w * w),
        kernels.Samples(sums[1:], topic, times, start[1:]),
        bar,
        tuple(np.zeros((3, 2))),
        kernels.Kept(hits, reached, kept_x, kept_m),
    )
    m = [counts[1:] @ w[:, j] for j in range(2)]
    x = [
        [
            INFINITE if v * v >= 3 * q * (1 - 1e-12) > 0 else v * v / q if q else 0.0
            for v, q in zip(m[j], counts[1:] @ (w[:, j] ** 2), strict=True)
        ]
        for j in range(2)
    ]
    assert INFINITE in x[0]
    assert hits.tolist() == [10 + sum(v >= 1.5 for v in x[0]), 10 + sum(v >= 0.5 for v in x[1])]
    for j in range(2):
        kept = [(v, abs(own)) for v, own in zip(x[j], m[j], strict=True) if v >= bar[j]]
        assert reached[j] == len(kept)
        assert kept_x[j, : min(size, len(kept))] == pytest.approx([v for v, _ in kept[:size]])
        assert kept_m[j, : min(size, len(kept))] == pytest.approx([own for _, own in kept[:size]])
        assert (kept_x[j, min(size, len(kept)) :] == -1.0).all()


def test_the_kth_largest_is_that_of_sorted_values() -> None:
    for values in itertools.chain(*(itertools.product(range(4), repeat=n) for n in (1, 2, 3, 4, 5))):
        for k in range(1, len(values) + 1):
            array = np.array([*values, 9.0, -9.0])  # what lies behind does not count
            assert kernels.kth_largest.py_func(array, len(values), k) == sorted(values)[-k]
            assert sorted(array[: len(values)].tolist()) == sorted(values)
            assert array[len(values) :].tolist() == [9.0, -9.0]


def test_the_bar_is_the_wanted_largest_and_what_is_below_is_forgotten() -> None:
    kept_x = np.array([[3.0, 1.0, 4.0, 1.0, 5.0, 9.0], [2.0, 2.0, 2.0, 8.0, 8.0, 8.0]])
    kept_m, count, bar = kept_x * 10, np.array([5, 3]), np.zeros(2)
    kernels.set_bar(2, np.empty(6), bar, kernels.Kept(np.zeros(2, dtype=np.int64), count, kept_x, kept_m))
    assert bar.tolist() == [4.0, 2.0]
    assert count.tolist() == [2, 3]
    assert [kept_x[0, :2].tolist(), kept_m[0, :2].tolist()] == [[4.0, 5.0], [40.0, 50.0]]
    assert [kept_x[1, :3].tolist(), kept_m[1, :3].tolist()] == [[2.0] * 3, [20.0] * 3]


def kept_of(x: NDArray[np.float64], m: NDArray[np.float64], reached: int) -> Any:
    return kernels.Kept(np.zeros(1, dtype=np.int64), np.array([reached]), x, m)


def test_of_statistics_within_2e_10_the_largest_difference_is_selected_first() -> None:
    kept_x = 4.0 * np.array([[1 - 1.9e-10, 2.0, 1.0, 1 + 1.9e-10, 0.5, 1 - 2.1e-10, 1 + 2.1e-10, 3.0]])
    kept_m = np.array([[10.0, 1.0, 20.0, 30.0, 5.0, 60.0, 0.5, 70.0]])
    ranks = np.array([1, 2, 3])
    critical, out = np.empty((1, 3)), np.empty((1, 3))
    kernels.select(kept_of(kept_x, kept_m, 7), ranks, 10, np.empty(8), critical, out)
    # within 2e-10 of the second lie two, of which 30 is the first; of the third three: 30, 20 and 0.5
    assert critical[0].tolist() == [8.0, 4.0 * (1 + 2.1e-10), 4.0 * (1 + 1.9e-10)]
    assert out[0].tolist() == pytest.approx([0.1, 3.0, 2.0])


def test_ties_are_above_and_below_the_kth_statistic() -> None:
    kept_x = 4.0 * np.array([[1 + 1.9e-10, 1.0, 1 - 1.9e-10, 1 + 2.1e-10, 1 - 2.1e-10]])
    kept_m = np.array([[10.0, 20.0, 30.0, 1.0, 90.0]])
    critical, out = np.empty((1, 1)), np.empty((1, 1))
    kernels.select(kept_of(kept_x, kept_m, 5), np.array([3]), 10, np.empty(5), critical, out)
    assert critical[0].tolist() == [4.0]
    assert out[0].tolist() == [2.0]  # one is larger, so it is the second of the three: 30, 20, 10
