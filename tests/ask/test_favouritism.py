"""Shifts of groups against regressions of statsmodels, and documents against its stratified tables."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.contingency_tables import StratifiedTable

from irassay.ask import favouritism as ask

Array = NDArray[np.float64]
Members = NDArray[np.bool_]
Places = NDArray[np.int64]
Documents = tuple[Members, Members, Members, Places, Places]


def scores(seed: int, systems: int = 12, topics: int = 30) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Reference and judge [systems, topics], and a group of four; the judge is lenient and noisy."""
    draws = np.random.default_rng(seed)
    reference = np.clip(draws.uniform(0.2, 0.6, (systems, 1)) + draws.normal(0, 0.15, (systems, topics)), 0, 1)
    judge = 0.05 + 1.2 * reference + draws.normal(0, 0.05, (systems, topics))
    return reference, judge, np.arange(systems) % 3 == 0


def orders(number: int, blocks: int) -> Places:
    """Random orders of blocks."""
    return np.argsort(np.random.default_rng(0).random((number, blocks)), axis=1)


def test_the_shift_is_the_coefficient_of_membership_in_a_regression_on_reference_scores() -> None:
    reference, judge, member = scores(1)
    x = reference.mean(axis=1)
    shift = ask.group_shift(ask.contrast(member, x), judge, reference, paired=True)
    design = sm.add_constant(np.column_stack([x, member.astype(float)]))
    each = [sm.OLS(d, design).fit().params[2] for d in (judge - reference).T]
    assert shift.value == pytest.approx(np.mean(each))
    interval = stats.ttest_1samp(each, 0.0).confidence_interval()
    assert (shift.low, shift.high) == pytest.approx((interval.low, interval.high))
    assert shift.p_value == pytest.approx(stats.ttest_1samp(each, 0.0).pvalue)


def test_a_lenient_judge_who_moves_good_systems_more_favours_no_group() -> None:
    reference, _, member = scores(2)
    reference[member] += 0.3  # the group is better
    lenient = 0.1 + 1.3 * reference
    weights = ask.contrast(member, reference.mean(axis=1))
    assert ask.group_shift(weights, lenient, reference, paired=True).value == pytest.approx(0.0, abs=1e-12)
    # without regard to scores it would look like favour
    assert ask.unadjusted(member) @ (lenient - reference).mean(axis=1) > 0.08


def test_judges_of_other_topics_are_compared_by_welchs_t() -> None:
    reference, judge, member = scores(3)
    other = judge[:, :20]
    weights = ask.contrast(member, reference.mean(axis=1))
    shift = ask.group_shift(weights, other, reference, paired=False)
    test = stats.ttest_ind(weights @ other, weights @ reference, equal_var=False)
    assert shift.p_value == pytest.approx(test.pvalue)
    assert (shift.low, shift.high) == pytest.approx(tuple(test.confidence_interval(0.95)))
    assert shift.value == pytest.approx((weights @ other).mean() - (weights @ reference).mean())
    weights = ask.unadjusted(member)  # of adjusted ones the reference's mean is 0
    shift = ask.group_shift(weights, other, reference, paired=False)
    assert shift.value == pytest.approx((weights @ other).mean() - (weights @ reference).mean())


def test_scores_are_adjusted_for_from_four_systems_on_where_they_vary_whatever_their_scale() -> None:
    varied = np.array([0.1, 0.2, 0.4, 0.7])
    assert ask.basis(varied[:3]).shape == (3, 1)
    for reference, columns in ((varied, 2), (varied * 1e-9, 2), (np.full(4, 0.3), 1), (np.zeros(4), 1)):
        space = ask.basis(reference)
        assert space.shape == (4, columns)
        np.testing.assert_allclose(space.T @ space, np.eye(columns), atol=1e-12)


def test_unadjusted_weights_are_those_of_two_means() -> None:
    assert ask.unadjusted(np.array([True, False, True, False, False])).tolist() == [
        1 / 2,
        -1 / 3,
        1 / 2,
        -1 / 3,
        -1 / 3,
    ]


def test_a_group_that_the_scores_give_away_has_no_shift() -> None:
    member = np.array([True, True, False, False, False])
    assert np.isnan(ask.contrast(member, member.astype(float))).all()
    nothing = ask.group_shift(ask.contrast(member, member.astype(float)), np.ones((5, 3)), np.ones((5, 3)), paired=True)
    assert np.isnan(nothing).all()


def test_a_group_that_the_scores_nearly_give_away_has_no_shift_either() -> None:
    member, noise = np.arange(6) < 2, np.array([1.0, -1.0, 0.0, 0.0, 0.5, -0.5])
    for away, told in ((3e-5, False), (1e-3, True)):  # what is left of the group is near 6e-9 and 6e-6
        weights = ask.contrast(member, member + away * noise)
        assert np.isfinite(weights).all() == told
        x, d = (member + away * noise)[None], noise[None]
        others = np.stack([np.array([0, 0, 0, 1, 0, 1]) > 0, member])
        assert ask.permutation_p_values(others[0], d, x, others, exact=True).tolist() == [1.0 if told else 0.5]


def test_all_choices_of_teams_are_taken_where_they_are_few() -> None:
    reference, judge, _ = scores(4)
    blocks = np.arange(12) // 2  # six teams of two systems
    group = np.array([1, 4])
    member = np.isin(blocks, group)
    x, d = reference.mean(axis=1), (judge - reference).mean(axis=1)
    others, exact = ask.assignments(blocks, group, orders(50, 6))
    assert exact
    assert len(others) == 15
    design = sm.add_constant(x)
    residual = sm.OLS(d, design).fit().resid

    def statistic(chosen: NDArray[np.bool_]) -> float:
        own = sm.OLS(chosen.astype(float), design).fit().resid
        return float(abs(own @ residual) / np.sqrt(own @ own))

    every = [statistic(np.isin(blocks, pair)) for pair in combinations(range(6), 2)]
    expected = np.mean(np.array(every) >= statistic(member) - 1e-12)
    others_of_two = ask.permutation_p_values(member, np.stack([d, -d]), np.stack([x, x]), others, exact=True)
    assert others_of_two == pytest.approx([expected, expected])


@pytest.mark.parametrize("seed", range(4))
def test_teams_of_unequal_sizes_are_permuted_as_regressions_say(seed: int) -> None:
    draws = np.random.default_rng(seed)
    blocks = np.repeat(np.arange(6), [1, 2, 3, 4, 2, 1])
    others, exact = ask.assignments(blocks, np.array([0, 3]), orders(15, 6))
    assert exact  # all 15: no fewer than asked for
    member, d = np.isin(blocks, [0, 3]), draws.normal(size=(3, 13))
    x = np.stack([draws.random(13), np.full(13, 0.4), np.isin(blocks, [1, 2]).astype(float)])
    expected = []
    for shift, reference in zip(d, x, strict=True):
        design = np.stack([np.ones(13), reference], axis=1)
        own = [g - design @ np.linalg.pinv(design) @ g for g in others.astype(float)]
        every = [abs(g @ shift) / np.sqrt(g @ g) if g @ g > 1e-9 else 0.0 for g in own]
        here = every[next(k for k, group in enumerate(others) if (group == member).all())]
        expected.append(np.mean(np.array(every) >= here - 1e-12))
    assert ask.permutation_p_values(member, d, x, others, exact=True).tolist() == pytest.approx(expected)
    drawn = ask.permutation_p_values(member, d, x, others, exact=False)
    assert drawn.tolist() == pytest.approx([(15 * p + 1) / 16 for p in expected])


def test_a_group_that_scores_give_away_is_reached_by_no_small_shift() -> None:
    member = np.arange(6) < 2
    given_away = np.arange(6) >= 4
    d = np.array([[0.01, 0.011, -0.01, 0.0, 0.0, 0.0]])
    other = np.stack([member, given_away])
    assert ask.permutation_p_values(member, d, given_away[None].astype(float), other, exact=True).tolist() == [0.5]


def test_without_shifts_p_is_1_and_without_another_choice_there_is_none() -> None:
    member, x = np.arange(6) < 2, np.linspace(0.1, 0.6, 6)[None]
    others, exact = ask.assignments(np.arange(6), np.arange(2), orders(50, 6))
    assert ask.permutation_p_values(member, np.zeros((1, 6)), x, others, exact=exact).tolist() == [1.0]
    assert ask.permutation_p_values(member, np.zeros((1, 6)), x, others[:2], exact=exact).tolist() == [1.0]
    assert np.isnan(ask.permutation_p_values(member, np.zeros((1, 6)), x, others[:1], exact=exact)).all()


def test_random_choices_of_teams_keep_their_number() -> None:
    blocks = np.arange(30)
    others, exact = ask.assignments(blocks, np.arange(10), orders(500, 30))
    assert not exact
    assert (others.sum(axis=1) == 10).all()
    assert len(np.unique(others, axis=0)) > 490


def test_permutation_p_values_are_uniform_without_favour() -> None:
    """300 judges without favour, seed 5: p <= .1 in 10% of them, within binomial bounds of 1 in 1,000."""
    draws = np.random.default_rng(5)
    member = np.arange(20) < 5
    others, exact = ask.assignments(np.arange(20), np.arange(5), orders(199, 20))
    x = draws.uniform(0.2, 0.6, (300, 20))
    shifts = 0.1 * x + draws.normal(0, 0.02, (300, 20))
    low = int((ask.permutation_p_values(member, shifts, x, others, exact=exact) <= 0.1).sum())
    assert stats.binom.ppf(0.001, 300, 0.1) <= low <= stats.binom.ppf(0.999, 300, 0.1)


def documents(seed: int, favour: float, topics: int = 30) -> Documents:
    draws = np.random.default_rng(seed)
    topic = np.repeat(np.arange(topics), 60)
    grade = draws.integers(0, 3, len(topic))
    exposed = draws.random(len(topic)) < 0.3
    compared = ~exposed & (draws.random(len(topic)) < 0.9)
    logit = -1.5 + 1.2 * grade + draws.normal(0, 0.6, topics)[topic] + favour * exposed
    return exposed, compared, draws.random(len(topic)) < 1 / (1 + np.exp(-logit)), topic, grade


def test_mantel_haenszel_agrees_with_statsmodels() -> None:
    exposed, compared, relevant, topic, grade = documents(1, 0.8)
    result = ask.mantel_haenszel(exposed, compared, relevant, topic, grade)
    tables, above, weights = [], 0.0, 0.0
    of_topic = np.zeros((4, 30))
    for t in range(30):
        for g in range(3):
            here = (topic == t) & (grade == g)
            a, b = (int((here & exposed & (relevant == r)).sum()) for r in (True, False))
            c, d = (int((here & compared & (relevant == r)).sum()) for r in (True, False))
            if a + b and c + d:
                tables.append(np.array([[a, b], [c, d]]))
                weight = (a + b) * (c + d) / (a + b + c + d)
                above += weight * (a / (a + b) - c / (c + d))
                weights += weight
                n = a + b + c + d
                of_topic[:, t] += (a * d / n, b * c / n, weight * (a / (a + b) - c / (c + d)), weight)
    assert result.odds_ratio.value == pytest.approx(StratifiedTable(tables).oddsratio_pooled)
    assert result.chance.value == pytest.approx(above / weights)
    assert result.documents == exposed.sum()
    one, two, difference, informative = of_topic
    log = np.log(result.odds_ratio.value)
    chance = result.chance.value
    for value, deviations, (low, high, p) in (
        (log, one / one.sum() - two / two.sum(), (*np.log(result.odds_ratio[1:3]), result.odds_ratio.p_value)),
        (chance, (difference - chance * informative) / weights, result.chance[1:]),
    ):
        error = np.sqrt(30 / 29 * (deviations**2).sum())
        half = stats.t.ppf(0.975, 29) * error
        assert (low, high) == pytest.approx((value - half, value + half))
        assert p == pytest.approx(2 * stats.t.sf(abs(value) / error, 29), rel=1e-6)


def tables_of(*topics: tuple[int, int, int, int]) -> ask.Relevance:
    """Mantel-Haenszel of relevant and other documents of the exposed and of the compared, a tuple a topic."""
    rows = [
        (topic, kind < 2, kind % 2 == 0)
        for topic, counts in enumerate(topics)
        for kind, number in enumerate(counts)
        for _ in range(number)
    ]
    topic, exposed, relevant = (np.array(column) for column in zip(*rows, strict=True))
    return ask.mantel_haenszel(exposed, ~exposed, relevant, topic, np.zeros(len(rows), dtype=np.int64))


def test_two_topics_with_documents_of_both_kinds_are_enough() -> None:
    even = tables_of((1, 1, 1, 1), (1, 1, 1, 1), (2, 3, 0, 0))
    assert (even.topics, even.documents) == (2, 9)
    assert even.odds_ratio == (1.0, 1.0, 1.0, 1.0)
    assert even.chance == (0.0, 0.0, 0.0, 1.0)


def test_odds_without_documents_of_a_kind_are_none_and_a_chance_without_deviation_is_certain() -> None:
    for counts, chance in (((2, 0, 0, 2), 1.0), ((0, 2, 2, 0), -1.0)):
        whole = tables_of(counts, counts)
        assert np.isnan(whole.odds_ratio).all()
        assert whole.chance == (chance, chance, chance, 0.0)


def test_intervals_of_documents_cover_their_truth() -> None:
    """Odds of e^.8 in every topic and grade; 200 sets of 30 topics, seeds 100 on; binomial bounds around 95%."""
    results = [ask.mantel_haenszel(*documents(seed, 0.8)).odds_ratio for seed in range(100, 300)]
    covered = sum(result.low <= np.exp(0.8) <= result.high for result in results)
    assert covered >= stats.binom.ppf(0.01, 200, 0.93)
    clean = [ask.mantel_haenszel(*documents(seed, 0.0)).odds_ratio.p_value < 0.05 for seed in range(100, 300)]
    assert sum(clean) <= stats.binom.ppf(0.99, 200, 0.07)


def test_documents_of_one_topic_tell_nothing() -> None:
    exposed, compared, relevant, topic, grade = documents(2, 0.0, topics=1)
    result = ask.mantel_haenszel(exposed, compared, relevant, topic, grade)
    assert result.topics == 1
    assert np.isnan(result.odds_ratio.value)
    assert np.isnan(result.chance.low)
