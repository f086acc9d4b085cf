"""The two-way analysis of variance, against statsmodels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from irassay.ask.anova import two_way

pd: Any = pytest.importorskip("pandas")
formula: Any = pytest.importorskip("statsmodels.formula.api")
anova: Any = pytest.importorskip("statsmodels.stats.anova")
SHAPES = [(2, 2), (2, 30), (5, 24), (9, 7)]


def long(scores: NDArray[np.float64]) -> Any:
    systems, topics = np.indices(scores.shape)
    return pd.DataFrame({"score": scores.ravel(), "system": systems.ravel(), "topic": topics.ravel()})


@pytest.mark.parametrize("shape", SHAPES)
def test_agrees_with_statsmodels(shape: tuple[int, int]) -> None:
    draw = np.random.default_rng(sum(shape))
    scores = draw.random(shape) + draw.random((shape[0], 1)) / 4 + draw.random(shape[1])
    expected = anova.anova_lm(formula.ols("score ~ C(system) + C(topic)", long(scores)).fit())
    systems, topics, residual, total = two_way(scores)
    for row, name in ((systems, "C(system)"), (topics, "C(topic)"), (residual, "Residual")):
        theirs = expected.loc[name]
        assert row.df == theirs["df"]
        assert [row.sum_of_squares, row.mean_square] == pytest.approx([theirs["sum_sq"], theirs["mean_sq"]], rel=1e-9)
        if name != "Residual":
            assert [row.f, row.p_value] == pytest.approx([theirs["F"], theirs["PR(>F)"]], rel=1e-8)
    assert total.sum_of_squares == pytest.approx(((scores - scores.mean()) ** 2).sum(), rel=1e-9)
    assert total.df == scores.size - 1
    for row in (systems, topics):
        error = residual.mean_square
        omega = (row.sum_of_squares - row.df * error) / (total.sum_of_squares + error)
        assert row.omega_squared == pytest.approx(max(0.0, omega), rel=1e-9)


def test_two_systems_have_the_p_value_of_the_t_test() -> None:
    from scipy import stats

    scores = np.random.default_rng(3).random((2, 20))
    assert two_way(scores)[0].p_value == pytest.approx(stats.ttest_rel(*scores).pvalue, rel=1e-9)


def test_equal_systems_have_p_1_and_constant_differences_an_infinite_f() -> None:
    topics = np.random.default_rng(3).random(20)
    same = two_way(np.stack([topics, topics, topics]))
    assert (same[0].sum_of_squares, same[0].p_value, same[2].sum_of_squares) == (0.0, 1.0, 0.0)
    assert math.isnan(same[0].f)
    shifted = two_way(np.stack([topics, topics + 0.1]))
    assert (shifted[0].f, shifted[0].p_value) == (math.inf, 0.0)
    constant = two_way(np.full((3, 4), 0.3))
    assert all(row.sum_of_squares == 0.0 for row in constant)
    assert math.isnan(constant[0].omega_squared)
