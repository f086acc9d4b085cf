"""Orders of systems by two judges, beside the ceiling, against scipy and loops."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irassay.ask.agreement import coefficients, conservative_interval, rbo, tau, tau_ap, tau_b
from irassay.ask.judged_order import NAMES, Means, order_coefficients, order_row

SYSTEMS, SAMPLES = 14, 60


def means(seed: int, noise: float = 0.03) -> Means:
    """Scores with ties, so that every rule for them is used."""
    draws = np.random.default_rng(seed)
    observed = np.round(np.linspace(0.2, 0.6, SYSTEMS) + np.random.default_rng(0).normal(0, noise, SYSTEMS), 2)
    return Means(
        observed + draws.normal(0, noise, SYSTEMS).round(2), observed + draws.normal(0, noise, (SAMPLES, SYSTEMS))
    )


def test_each_ranking_may_have_its_own_reference() -> None:
    one, other = means(1).sampled.round(2), means(2).sampled.round(2)
    result = coefficients(one, other, p=0.8)
    for row in (0, 7, SAMPLES - 1):
        expected = [tau(one[row], other[row]), tau_b(one[row], other[row]), tau_ap(one[row], other[row])]
        assert result[row] == pytest.approx([*expected, rbo(one[row], other[row], p=0.8)])
        assert result[row, 1] == pytest.approx(stats.kendalltau(one[row], other[row]).statistic)
    assert coefficients(one, other, p=0.8, jobs=3).tobytes() == result.tobytes()


def test_a_constant_reference_is_the_same_given_once_or_for_each_ranking() -> None:
    reference, rankings = means(3)
    repeated = np.tile(reference, (SAMPLES, 1))
    assert coefficients(repeated, rankings).tobytes() == coefficients(reference, rankings).tobytes()


def test_top_k_tau_is_tau_of_the_references_best_systems() -> None:
    reference, rankings = means(4)
    best = np.argsort(-reference, kind="stable")[:5]
    result = order_coefficients(reference, rankings, 5, 0.9, 1)[:, NAMES.index("tau_top")]
    assert result == pytest.approx([tau(reference[best], ranking[best]) for ranking in rankings])


def test_top_k_tau_of_equal_scores_is_tau_and_not_tau_b() -> None:
    result = order_coefficients(np.array([0.4, 0.3, 0.2, 0.1]), np.array([[0.5, 0.5, 0.4, 0.6]]), 3, 0.9, 1)
    assert result[0, NAMES.index("tau_top")] == pytest.approx(2 / 3)


def test_values_are_the_observed_ones_and_rbo_alone_is_kept_above_0() -> None:
    draws = np.random.default_rng(0)
    up = np.linspace(0.1, 0.9, SYSTEMS)
    reference, judge = Means(up, np.tile(up, (9, 1))), Means(up[::-1], draws.normal(up, 0.1, (9, SYSTEMS)))
    row = order_row(reference, judge, top=5, p=0.9)
    assert row["tau"] == row["tau_top"] == -1.0
    sampled = order_coefficients(reference.sampled, judge.sampled, 5, 0.9, 1)
    for k, name in enumerate(NAMES):
        low, high = conservative_interval(row[name], sampled[:, k])
        assert low < 0
        assert (row[f"{name}_low"], row[f"{name}_high"]) == (0.0 if name == "rbo" else low, high)
    near = order_row(reference, Means(up, draws.normal(up, 0.1, (9, SYSTEMS))), top=5, p=0.9)
    assert 0 < near["rbo_low"] < 1


def test_the_ceiling_is_the_reference_on_samples_against_itself() -> None:
    reference, judge = means(5), means(6)
    row = order_row(reference, judge, top=5, p=0.9)
    own = [tau_b(reference.observed, sample) for sample in reference.sampled]
    assert row["tau_b_ceiling"] == pytest.approx(np.mean(own))
    assert (row["tau_b_ceiling_low"], row["tau_b_ceiling_high"]) == pytest.approx(
        tuple(np.quantile(own, [0.025, 0.975]))
    )
    drawn = [tau_b(reference.observed, sample) for sample in judge.sampled]
    assert row["tau_b_on_draws"] == pytest.approx(np.mean(drawn))
    both = [tau(a, b) for a, b in zip(reference.sampled, judge.sampled, strict=True)]
    assert (row["tau_low"], row["tau_high"]) == pytest.approx(conservative_interval(row["tau"], both))


def test_a_judge_who_copies_the_reference_reaches_the_ceiling() -> None:
    reference = means(7)
    row = order_row(reference, reference, top=5, p=0.9)
    assert row["tau_b"] == 1.0
    for name in NAMES:
        assert row[f"{name}_on_draws"] == row[f"{name}_ceiling"]


def test_judges_without_common_topics_have_one_judge_on_disjoint_topics_as_ceiling() -> None:
    reference, judge, splits = means(8), means(9), (means(10).sampled, means(11).sampled)
    row = order_row(reference, judge, splits, top=5, p=0.9)
    assert row["tau_ceiling"] == pytest.approx(np.mean([tau(a, b) for a, b in zip(*splits, strict=True)]))
    assert np.isnan(row["tau_on_draws"])
