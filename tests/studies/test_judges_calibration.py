"""Intervals and tests of `judges` on judges of known error: docs/judges.py in small, with binomial bounds."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from scipy import stats

from docs import judges
from irassay.ask.label_agreement import COEFFICIENTS, jackknife

SIZE = 25


@pytest.fixture(scope="module")
def population() -> Mapping[str, judges.Judged]:
    """1,500 topics: 60 sets of 25."""
    return judges.population(3)


def sets(one: judges.Judged) -> list[judges.Judged]:
    return [one.part(low, low + SIZE) for low in range(0, len(one.confusion), SIZE)]


@pytest.mark.parametrize("judge", judges.JUDGES)
def test_intervals_hold_the_truth(population: Mapping[str, judges.Judged], judge: str) -> None:
    """Of an interval that covers 90% fewer than the bound are seen once in 1,000 times."""
    one, least = population[judge], stats.binom.ppf(0.001, 60, 0.9)
    for coefficient in COEFFICIENTS.values():
        truth = float(coefficient(one.confusion.sum(axis=0)))
        assert sum(judges.covers(jackknife(part.confusion, coefficient), truth) for part in sets(one)) >= least
    for estimate in (judges.documents, lambda part: judges.shift(part, 0), lambda part: judges.shift(part, 1)):
        truth = estimate(one).value
        assert sum(judges.covers(estimate(part), truth) for part in sets(one)) >= least


def test_judges_without_a_favourite_are_seldom_accused(population: Mapping[str, judges.Judged]) -> None:
    """Of a test with 10% false alarms more than the bound are seen once in 1,000 times."""
    most = stats.binom.ppf(0.999, 60, 0.1)
    for judge in judges.JUDGES[:2]:
        parts = sets(population[judge])
        assert sum(judges.documents(part).p_value < 0.05 for part in parts) <= most
        assert sum(judges.shift(part, 0).p_value < 0.05 for part in parts) <= most


def test_a_judge_with_a_favourite_is_found_by_its_documents(population: Mapping[str, judges.Judged]) -> None:
    """docs/judges.md has the power; of one with 70% fewer than the bound are seen once in 1,000 times."""
    own = population[judges.JUDGES[2]]
    assert judges.documents(own).value > 0.05
    accused = sum(judges.documents(part).p_value < 0.05 for part in sets(own))
    assert accused >= stats.binom.ppf(0.001, 60, 0.7)
