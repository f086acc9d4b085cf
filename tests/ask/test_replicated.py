"""The kernels of rejections over replicates, on numbers with ties that are sorted beside them."""

from __future__ import annotations

import numpy as np
import pytest

from irassay.ask import _replicated as kernels


@pytest.mark.parametrize("k", [1, 2, 3, 4, 7, 8])
def test_the_k_largest_are_kept_by_statistic_and_then_by_difference(k: int) -> None:
    rng = np.random.default_rng(k)
    statistic, difference = rng.integers(0, 4, (60, 12)).astype(float), rng.integers(0, 9, (60, 12)).astype(float)
    held, kept, other = np.zeros(60, dtype=np.int64), np.full((60, k), -9.0), np.full((60, k), -9.0)
    for part in (slice(0, 1), slice(1, 6), slice(6, 12)):
        arrays = [np.ascontiguousarray(values[:, part]) for values in (statistic, difference)]
        kernels.keep_largest(*arrays, held, kept, other)
        assert held.tolist() == [min(k, part.stop)] * 60
        for p in range(60):
            so_far = sorted(zip(statistic[p, : part.stop], difference[p, : part.stop], strict=True))[-k:]
            own = list(zip(kept[p, : held[p]], other[p, : held[p]], strict=True))
            assert sorted(own) == so_far
            assert own[0] == so_far[0]
            assert (kept[p, held[p] :] == -9.0).all()


def test_a_statistic_must_exceed_the_bound_and_that_of_a_constant_difference_is_the_number_of_topics() -> None:
    scores = np.array([[[0.1, 0.5, 0.5, 0.25], [0.2, 0.3 + 0.3, 0.1, 0.35], [0.3, 0.7, 0.4, 0.45]]])
    statistic, difference = np.full((2, 3, 1), 9.0)
    for bound, rejected in ((3.0, [0, 0, 0]), (np.nextafter(3.0, 0), [1, 0, 1]), (0.4, [1, 1, 1])):
        counts = np.full(3, 9)
        arrays = scores, 0, bound, np.arange(3), np.ones(3), np.empty((2, 4)), statistic, difference, counts
        kernels.pair_statistics(*arrays)
        assert counts.tolist() == rejected
    assert statistic[:, 0].tolist() == [3.0, pytest.approx(0.16 / 0.18), 3.0]
    assert difference[:, 0] == pytest.approx([0.4, 0.4 / 3, 0.15])


@pytest.mark.parametrize(
    ("scores", "infinite"),
    [([1.2, 1.1, 0.9], True), ([1.0, 1.0, 1.0 + 2e-6], True), ([1.0, 1.0, 1.000003], False)],
)
def test_rounding_alone_is_no_spread(scores: list[float], infinite: bool) -> None:
    # differences of 0.7, with x of 3 less 9e-16; of 1 with x of 3 (1 - 9e-13) and of 3 (1 - 2e-12)
    base = [0.5, 0.4, 0.2] if scores[0] != 1.0 else [0.0] * 3
    values = np.array([np.stack([scores, base], axis=1)])
    statistic, difference, counts = np.empty((1, 1)), np.empty((1, 1)), np.empty(1, dtype=np.int64)
    kernels.pair_statistics(
        values, 0, 2.0, np.arange(3), np.ones(3), np.empty((2, 2)), statistic, difference, counts
    )  # fmt: skip
    assert (statistic[0, 0] == 3.0) == infinite


def test_equal_systems_have_a_statistic_of_0() -> None:
    scores = np.array([[[0.5, 0.1, 0.1], [0.5, 0.2, 0.2]], [[0.5, 0.1, 0.4], [0.5, 0.2, 0.2]]])
    statistic, difference, counts = np.empty((1, 2)), np.empty((1, 2)), np.empty(1, dtype=np.int64)
    kernels.pair_statistics(
        scores, 1, 0.5, np.arange(2), np.ones(2), np.empty((2, 3)), statistic, difference, counts
    )  # fmt: skip
    assert statistic[0].tolist() == [0.0, 1.0]
    assert difference[0].tolist() == pytest.approx([0.0, 0.15])
    assert counts.tolist() == [1]
