"""Sample sizes against statsmodels and simulation, generalisability against a two-way ANOVA."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from irassay.ask import design
from tests.helpers.paired_scores import scores_with_effects

power_of: Any = pytest.importorskip("statsmodels.stats.power")


@pytest.mark.parametrize("topics", [2, 5, 20, 50, 200])
@pytest.mark.parametrize("difference", [0.01, 0.05, 0.2])
def test_the_power_of_the_t_test_agrees_with_statsmodels(topics: int, difference: float) -> None:
    expected = power_of.TTestPower().power(difference / math.sqrt(0.03), topics, 0.05)
    expected = 1.0 if math.isnan(expected) else expected  # scipy's own tail, 16 deviations out
    assert design.t_power(topics, difference, 0.03, 0.05) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("topics", [2, 5, 20, 100])
@pytest.mark.parametrize("systems", [2, 5, 40])
def test_the_power_of_the_analysis_of_variance_agrees_with_statsmodels(topics: int, systems: int) -> None:
    # Cohen's f: the sd of the systems' means over sigma; two systems D/2 off the others, which are equal
    f = math.sqrt((2 * (0.1 / 2) ** 2) / systems / 0.02)
    expected = power_of.FTestAnovaPower().power(f, topics * systems, 0.05, k_groups=systems)
    assert design.anova_power(topics, systems, 0.1, 0.02, 0.05) == pytest.approx(expected, rel=1e-6)


def test_the_topics_needed_agree_with_statsmodels() -> None:
    for difference, power, alpha in ((0.05, 0.8, 0.05), (0.1, 0.9, 0.01), (0.02, 0.5, 0.05)):
        exact = power_of.TTestPower().solve_power(difference / math.sqrt(0.03), power=power, alpha=alpha)
        result = design.fewest(lambda n: design.t_power(n, difference, 0.03, alpha) >= power)  # noqa: B023
        assert result == math.ceil(exact)


def test_the_expected_width_is_what_simulation_gives() -> None:
    rng = np.random.default_rng(0)
    from scipy import stats

    sd = rng.normal(0, 0.3, (40_000, 8)).std(axis=1, ddof=1)
    widths = 2 * stats.t.isf(0.025, 7) * sd / math.sqrt(8)
    # the simulated mean's own error; four of them
    error = widths.std() / math.sqrt(len(widths))
    assert design.expected_width(8, 0.09, 0.05) == pytest.approx(widths.mean(), abs=4 * error)


def test_fewest_is_the_first_that_is_enough() -> None:
    for first in (2, 3, 4, 5, 17, 1000):
        assert design.fewest(lambda n: n >= first) == first  # noqa: B023
    assert design.fewest(lambda n: False) is None


def test_variance_components_are_those_of_a_two_way_analysis_of_variance() -> None:
    pandas = pytest.importorskip("pandas")
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    x = scores_with_effects()
    rows = [(s, t, x[s, t]) for s in range(6) for t in range(15)]
    table = anova_lm(ols("y ~ C(s) + C(t)", pandas.DataFrame(rows, columns=["s", "t", "y"])).fit())
    of_s, of_t, rest = (table["mean_sq"][name] for name in ("C(s)", "C(t)", "Residual"))
    result = design.components(x)
    assert result.system == pytest.approx((of_s - rest) / 15, rel=1e-9)
    assert result.topic == pytest.approx((of_t - rest) / 6, rel=1e-9)
    assert result.residual == pytest.approx(rest, rel=1e-9)
    # E-rho² of the scores at hand is Cronbach's alpha, (MS_s - MS_e) / MS_s
    assert design.generalizability(result, 15) == pytest.approx((of_s - rest) / of_s, rel=1e-9)


def test_coefficients_by_hand() -> None:
    result = design.Components(system=0.01, topic=0.03, residual=0.02)
    assert design.generalizability(result, 10) == pytest.approx(0.01 / 0.012)
    assert design.dependability(result, 10) == pytest.approx(0.01 / 0.015)
    assert design.topics_for(result, 0.95, absolute=False) == 38
    assert design.topics_for(result, 0.95, absolute=True) == 95
    assert design.generalizability(result, 38) >= 0.95 > design.generalizability(result, 37)
    assert design.topics_for(design.Components(0.0, 0.1, 0.1), 0.9, absolute=False) is None
