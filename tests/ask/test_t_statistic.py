"""The t statistic and what is derived from it, against scipy and where rounding decides."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from irassay.ask import t_statistic as ask
from irassay.errors import InputError


@pytest.mark.parametrize("shape", [(7,), (3, 7), (2, 3, 7)])
def test_moments_are_those_of_each_row(shape: tuple[int, ...]) -> None:
    z = np.random.default_rng(1).normal(0.1, 1, shape)
    mean, sd, t = ask.moments(z)
    assert mean == pytest.approx(z.mean(axis=-1))
    assert sd == pytest.approx(z.std(axis=-1, ddof=1))
    assert t == pytest.approx(stats.ttest_1samp(z, 0.0, axis=-1).statistic)
    required = ask.required_difference(z, 0.1)
    assert required == pytest.approx(stats.t.ppf(0.95, 6) * z.std(axis=-1, ddof=1) / math.sqrt(7))


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_a_constant_difference_has_an_infinite_t_and_none_has_0(scale: float) -> None:
    constant = scale * np.array([0.1, 0.3 - 0.2, 0.1, 0.5 - 0.4])
    for z, t in ((constant, math.inf), (-constant, -math.inf), (0 * constant, 0.0)):
        assert [float(part) for part in ask.moments(z)[1:]] == [0.0, t]
        assert ask.required_difference(z, 0.05) == 0.0
    for spread, varies in ((1e-5, True), (1e-7, False)):  # 1e-12 of the square is rounding
        assert (ask.moments(scale * np.array([1.0, 1.0 + spread, 1.0, 1.0])).sd > 0) == varies


def test_t_follows_from_x_and_is_infinite_where_x_is_the_number_of_topics_up_to_rounding() -> None:
    z = np.random.default_rng(2).normal(0.1, 1, (5, 9))
    x = z.sum(axis=1) ** 2 / (z * z).sum(axis=1)
    assert ask.absolute_t(x, 9) == pytest.approx(np.abs(ask.moments(z).t))
    edge = 9 * (1 - 1e-12)
    with np.errstate(all="raise", under="ignore"):
        below, *others = ask.absolute_t(np.array([np.nextafter(edge, 0), edge, 9.0, 9.0 + 1e-12]), 9)
    assert below == pytest.approx(math.sqrt(8 * 9 / (9 * 1e-12)), rel=1e-3)
    assert others == [math.inf] * 3
    assert ask.absolute_t(np.array([0.0]), 9).tolist() == [0.0]


def test_tails_and_quantiles_are_scipys() -> None:
    t, df = np.array([-1.0, 0.0, 0.5, 30.0, math.inf]), 7.5
    assert ask.survival(t, df) == pytest.approx(stats.t.sf(t, df))
    assert ask.upper_quantile(0.01, df) == pytest.approx(stats.t.isf(0.01, df))


@pytest.mark.parametrize(("topics", "alpha"), [(2, 0.05), (9, 0.3), (50, 0.01)])
def test_the_critical_statistic_is_reached_where_p_is_alpha(topics: int, alpha: float) -> None:
    x = ask.critical(topics, alpha)
    assert 2 * stats.t.sf(ask.absolute_t(np.array([x]), topics)[0], topics - 1) == pytest.approx(alpha)


@pytest.mark.parametrize(("topics", "alpha", "message"), [(1, 0.05, "one topic"), (9, 0.0, "alpha"), (9, 1.0, "alpha")])
def test_no_level_of_0_or_1_and_no_single_topic_has_a_critical_statistic(
    topics: int, alpha: float, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        ask.critical(topics, alpha)


def test_t_of_samples_is_that_of_centred_differences_written_out() -> None:
    z = np.array([0.1, -0.2, 0.4, 0.3])
    counts = np.array([[1, 1, 1, 1], [2, 0, 2, 0], [0, 3, 0, 1], [0, 1, 2, 1]])
    samples = [np.repeat(z - z.mean(), row) for row in counts]
    expected = [row.mean() / (row.std(ddof=1) / 2) for row in samples]
    assert ask.resampled_t(z, counts) == pytest.approx(expected, abs=1e-12)
    assert ask.resampled_t(z, np.array([[0, 0, 4, 0], [0, 4, 0, 0]])).tolist() == [math.inf, -math.inf]


@pytest.mark.parametrize("scale", [1e-14, 1.0, 1e14])
def test_t_of_samples_does_not_depend_on_the_scale_and_is_0_without_spread(scale: float) -> None:
    counts = np.array([[1, 2, 0], [3, 0, 0], [0, 1, 2]])
    assert ask.resampled_t(scale * np.array([0.1, 0.3 - 0.2, 0.1]), counts).tolist() == [0.0, 0.0, 0.0]
    assert ask.resampled_t(np.zeros(3), counts).tolist() == [0.0, 0.0, 0.0]
    z = np.array([0.1, 0.3, 0.6])
    assert ask.resampled_t(scale * z, counts) == pytest.approx(ask.resampled_t(z, counts))
