"""What the deviations and ranks of `uncertainty` cover on a known truth; docs/coverage.md has it at full size."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from irassay import demo

# short lists of few candidates are made fast
MODEL = demo.Model(systems=6, null_pairs=0, groups=3, depth=30, documents=5000, seed=3)
TOPICS, REPETITIONS, REPLICATES = 25, 150, 400
AP = 0


@pytest.fixture(scope="module")
def known_truth() -> Any:
    return import_module("docs.known_truth")


@pytest.fixture(scope="module")
def true(known_truth: Any) -> Any:
    return known_truth.truth(MODEL, 5000)


@pytest.fixture(scope="module")
def fresh(known_truth: Any, true: Any) -> Any:
    return known_truth.fresh_topics(MODEL, true, (TOPICS,), REPLICATES, range(REPETITIONS), documents=False)


def error(rate: float, repetitions: int = REPETITIONS) -> float:
    """That of independent repetitions; pairs and systems of one repetition count as one."""
    return math.sqrt(rate * (1 - rate) / repetitions)


def test_deviations_of_topics_cover_true_means_and_differences(fresh: Any) -> None:
    covered = fresh.intervals[:, 0, :2, 0, :, 0].mean(axis=0)
    # z instead of t with 25 topics covers .938; 150 repetitions: the binomial error is .02, the band three of them
    assert np.abs(covered - 0.938).max() < 3 * error(0.938)


def test_deviations_of_topics_are_those_of_fresh_topics(fresh: Any) -> None:
    stated, actual = (fresh.intervals[:, 0, :2, 0, :, k].mean(axis=0) for k in (1, 2))
    # squares of a normal error average with a relative error of √(2/150) = .115; three of them
    assert stated / actual == pytest.approx(1.0, abs=3 * math.sqrt(2 / REPETITIONS))


def test_the_true_ranks_of_all_systems_are_not_excluded(fresh: Any) -> None:
    assert (fresh.ranks[:, 0, :, 1].mean(axis=0) > 0.95 - 3 * error(0.95)).all()
    assert fresh.ranks[:, 0, AP, 2].mean() < 5.5  # of 6: some ranks are excluded


def test_documents_with_topics_is_conservative_and_the_total_is_not(known_truth: Any, true: Any) -> None:
    parts = known_truth.fresh_topics(MODEL, true, (TOPICS,), REPLICATES, range(12)).intervals[:, 0]
    topics, both, total = (parts[:, :2, k, :, 1].mean(axis=0) for k in range(3))
    assert (both > 1.05 * topics).all()
    # topics of the demo have documents of their own: there is next to no part that they share
    assert (total >= topics).all()
    assert total == pytest.approx(topics, rel=0.05)


def test_bootstrap_corpora_spread_about_as_fresh_corpora_do(known_truth: Any) -> None:
    fixed = known_truth.fresh_corpora(MODEL, (TOPICS,), REPLICATES, 24, 12, range(5)).intervals[:, 0, AP]
    stated, actual = fixed[..., 1].mean(axis=0), fixed[..., 2].mean(axis=0)
    # 60 corpora: squares average with a relative error of √(2/60) = .18
    assert stated / actual == pytest.approx(1.0, abs=3 * math.sqrt(2 / 60))
    assert (fixed[..., 0].mean(axis=0) > 0.93 - 3 * error(0.93, 60)).all()
