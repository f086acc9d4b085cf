"""The two-way analysis of variance, against statsmodels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from irassay.ask.anova import pair_interactions, system_interaction, two_way

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


def test_the_scale_of_scores_changes_no_f_and_no_share_of_the_variance() -> None:
    scores = np.random.default_rng(8).random((4, 12))
    for one, small in zip(two_way(scores)[:2], two_way(scores * 1e-8)[:2], strict=True):
        assert (small.f, small.p_value, small.omega_squared) == pytest.approx((one.f, one.p_value, one.omega_squared))


GROUP = np.repeat([0, 1, 2], [4, 6, 7])[np.random.default_rng(1).permutation(17)]


@pytest.mark.parametrize("scale", [1.0, 1e-8, 1e8])
def test_differences_by_groups_of_topics_have_scipys_one_way_analysis(scale: float) -> None:
    from scipy import stats

    z = scale * (np.random.default_rng(5).normal(size=(4, 17)) + np.linspace(0, 1, 3)[GROUP])
    result = pair_interactions(z, GROUP)
    assert (result.df, result.df_error) == (2, 14)
    for row, f, p in zip(z, result.f, result.p_value, strict=True):
        assert (f, p) == pytest.approx(tuple(stats.f_oneway(*(row[g == GROUP] for g in range(3)))), rel=1e-9)


def test_systems_by_groups_are_the_sums_of_squares_of_their_definition() -> None:
    scores = np.random.default_rng(6).random((4, 17))
    rest = scores - scores.mean(axis=0)
    between = within = 0.0
    for own in rest:
        for g in range(3):
            cell = own[g == GROUP]
            between += len(cell) * (cell.mean() - own.mean()) ** 2
            within += ((cell - cell.mean()) ** 2).sum()
    result = system_interaction(scores, GROUP)
    assert (result.df, result.df_error) == (3 * 2, 3 * 14)
    assert result.f.tolist() == pytest.approx([between / 6 / (within / 42)])


def test_two_systems_by_groups_are_their_differences_by_groups() -> None:
    scores = np.random.default_rng(7).random((2, 17))
    systems, pairs = system_interaction(scores, GROUP), pair_interactions(scores[:1] - scores[1:], GROUP)
    assert systems[:2] == pairs[:2]
    assert [*systems.f, *systems.p_value] == pytest.approx([*pairs.f, *pairs.p_value])


def test_differences_that_groups_explain_wholly_have_an_infinite_f_and_constant_ones_p_1() -> None:
    wholly = np.array([0.1, 0.3, 0.7])[GROUP]
    result = pair_interactions(np.stack([wholly, np.full(17, 0.3)]), GROUP)
    assert (result.f[0], result.p_value[0]) == (math.inf, 0.0)
    assert math.isnan(result.f[1])
    assert result.p_value[1] == 1.0
