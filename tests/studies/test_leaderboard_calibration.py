"""Rank sets and best sets hold the truth as often as they promise: docs/calibration.md has the same at full size."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

EXPERIMENTS = 200


@pytest.fixture(scope="module")
def calibration() -> Any:
    return import_module("docs.calibration_leaderboard")


@pytest.fixture(scope="module")
def population(calibration: Any) -> NDArray[np.float64]:
    """Scores [collections, systems, topics]: collections and topics differ in how hard they are and whom they suit."""
    rng = np.random.default_rng(0)
    strength = np.linspace(0.5, 0.4, calibration.SYSTEMS)[None, :, None]
    suits = 0.05 * rng.standard_normal((30, calibration.SYSTEMS, 1))
    hard = 0.1 * rng.standard_normal((30, 1, calibration.TOPICS))
    noise = 0.1 * rng.standard_normal((30, calibration.SYSTEMS, calibration.TOPICS))
    return np.asarray(np.clip(strength + suits + hard + noise, 0, 1))


@pytest.mark.parametrize("cell", [(2, 25, "fixed"), (6, 25, "fixed"), (8, 25, "random")])
def test_rank_sets_and_the_best_set_hold_the_truth(
    calibration: Any, population: NDArray[np.float64], cell: tuple[int, int, str]
) -> None:
    tally = calibration.experiments(population, cell, range(EXPERIMENTS))
    # units 0 to 199; 95% is promised, less three binomial errors (4.6%)
    least = EXPERIMENTS * (0.95 - 3 * math.sqrt(0.95 * 0.05 / EXPERIMENTS))
    assert tally.all >= least
    assert tally.best >= least
    assert tally.one >= least
    assert tally.width < calibration.SYSTEMS  # the sets are not just everything
    assert tally.size < calibration.SYSTEMS


def test_draws_call_equal_systems_different_with_too_few_topics_and_holm_does_not(calibration: Any) -> None:
    few, _ = calibration.false_calls((20, (8,)), range(EXPERIMENTS))
    enough, corrected = calibration.false_calls((20, (25, 25)), range(EXPERIMENTS))
    error = math.sqrt(0.05 * 0.95 / EXPERIMENTS)
    assert few / EXPERIMENTS > 0.05 + 2 * error  # why `random` does not draw
    assert enough / EXPERIMENTS < 0.05 + 3 * error
    assert corrected / EXPERIMENTS < 0.05 + 3 * error
