"""The order of systems in replicates against the observed one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irassay.ask.agreement import coefficients, rbo, tau, tau_ap, tau_b
from irassay.ask.order import agreement_with_observed, order_row
from irassay.errors import InputError
from tests.helpers.replicates import replicates_of_topics


@pytest.mark.parametrize("distinct", [3, 20, 10**6])
@pytest.mark.parametrize("systems", [2, 5, 31])
def test_coefficients_of_many_rankings_are_those_of_each_alone_and_scipys(distinct: int, systems: int) -> None:
    random = np.random.default_rng(systems)
    observed, *means = random.integers(0, distinct, (151, systems)) / distinct
    result = coefficients(observed, means)
    for row, mean in zip(result, means, strict=True):
        alone = [function(observed, mean) for function in (tau, tau_b, tau_ap, rbo)]
        np.testing.assert_allclose(row, alone, rtol=0, atol=1e-12)
        assert row[1] == pytest.approx(stats.kendalltau(observed, mean).statistic, abs=1e-12, nan_ok=True)
    for jobs in (2, 5):
        assert coefficients(observed, means, jobs=jobs).tobytes() == result.tobytes()


def test_the_observed_order_is_the_reference_of_tau_ap() -> None:
    replicates = replicates_of_topics(20)
    result = agreement_with_observed(replicates, 0)
    expected = [tau_ap(replicates.observed[0], mean) for mean in replicates.means[0]]
    np.testing.assert_allclose(result[:, 2], expected, rtol=0, atol=1e-12)
    assert not np.allclose(expected, [tau_ap(mean, replicates.observed[0]) for mean in replicates.means[0]])


def test_the_row_has_means_and_quantiles_over_replicates() -> None:
    replicates = replicates_of_topics()
    values = agreement_with_observed(replicates, 1)
    row = order_row(replicates, 1)
    assert list(row) == [
        f"{name}{end}" for name in ("tau", "tau_b", "tau_ap", "rbo") for end in ("", "_q2.5", "_q97.5")
    ]
    assert [row[name] for name in ("tau", "tau_b", "tau_ap", "rbo")] == pytest.approx(values.mean(axis=0), abs=1e-12)
    assert [row["rbo_q2.5"], row["rbo_q97.5"]] == np.quantile(values[:, 3], [0.025, 0.975]).tolist()


def test_few_replicates_and_scenarios_have_no_quantiles() -> None:
    for replicates in (replicates_of_topics(199), replicates_of_topics(240, kind="scenario")):
        row = order_row(replicates, 0)
        assert np.isnan([row["tau_q2.5"], row["rbo_q97.5"]]).all()
        assert np.isfinite([row["tau"], row["rbo"]]).all()


def test_rankings_of_other_systems_or_a_p_of_one_are_errors() -> None:
    with pytest.raises(ValueError, match="same systems"):
        coefficients([1, 2, 3], [[1, 2]])
    with pytest.raises(InputError, match="p of RBO"):
        coefficients([1, 2], [[1, 2]], p=1.0)
