"""The unpaired bootstrap test on pools that are written out."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from irassay.ask.unpaired import unpaired

Array = NDArray[np.float64]
SCORES = np.round(np.random.default_rng(0).random((4, 6)), 2)
POSITIONS = np.random.default_rng(1).integers(0, 12, (40, 12)).astype(np.int32)


@pytest.mark.parametrize("one_tailed", [False, True])
@pytest.mark.parametrize("names", [None, ["d", "b", "c", "a"]])
def test_some_pairs_are_tested_on_pools_that_begin_with_the_lower_name(
    one_tailed: bool, names: list[str] | None
) -> None:
    pairs = (np.array([0, 1, 1]), np.array([3, 2, 0]))
    tests = unpaired(SCORES, POSITIONS, (0.1,), pairs=pairs, names=names, one_tailed=one_tailed)
    for k, (x, y) in enumerate(zip(*pairs, strict=True)):
        turned = names is not None and names[x] > names[y]
        pool = np.concatenate([SCORES[y], SCORES[x]] if turned else [SCORES[x], SCORES[y]])
        d = pool[POSITIONS[:, :6]].mean(axis=1) - pool[POSITIONS[:, 6:]].mean(axis=1)
        d = np.where(turned, -d, d) if one_tailed else np.abs(d)
        observed = SCORES[x].mean() - SCORES[y].mean()
        bound = observed if one_tailed else abs(observed)
        assert tests.difference[k] == pytest.approx(observed)
        assert tests.count[k] == (d >= bound - 1e-12).sum()
        assert tests.required[k, 0] == pytest.approx(np.sort(d)[::-1][3])


@pytest.mark.parametrize(
    ("size", "near", "beyond"), [(4.0, 3e-10, 5e-10), (0.5, 0.8e-10, 1.2e-10), (1000.0, 0.9e-7, 1.1e-7)]
)
def test_a_tie_is_within_1e_10_of_1_or_of_a_larger_difference(size: float, near: float, beyond: float) -> None:
    scores = np.array([[size, size - near, size - beyond], [0.0, 0.0, 0.0]])
    positions = np.array([[k, 3, 3, 3, 3, 3] for k in range(3)], dtype=np.int32)
    tests = unpaired(scores, positions, (0.4,), whole=lambda values: np.asarray(values[..., 0]))
    assert tests.count.tolist() == [2]
