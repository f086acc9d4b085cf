"""Bounds of single topics, and what judging a document is worth; against enumeration in tests/vary."""

from __future__ import annotations

import itertools

import numpy as np

from irassay.ask.pairs import all_pairs
from irassay.ask.unjudged import Bounds, first_bounds, outer_bounds, sum_bounds, worth


def test_weights_of_either_sign_bound_sums() -> None:
    fixed, weights = np.array([1.0, 2.0]), np.array([[0.5, -0.25], [0.5, 0.0]])
    systems, pairs = sum_bounds(fixed, weights)
    assert systems.low.tolist() == [0.75, 2.0]
    assert systems.high.tolist() == [1.5, 2.5]
    assert (pairs.low.tolist(), pairs.high.tolist()) == ([-1.25], [-1.0])


def test_bounds_of_pairs_are_the_extremes_over_all_sets_of_documents_and_over_one_more() -> None:
    rng = np.random.default_rng(3)
    fixed, weights = rng.random(3), rng.normal(size=(3, 5))
    x, y = all_pairs(3)
    every = [fixed + weights @ np.array(chosen) for chosen in itertools.product((0, 1), repeat=5)]
    differences = np.array([scores[x] - scores[y] for scores in every])
    _, pairs = sum_bounds(fixed, weights)
    np.testing.assert_allclose([pairs.low, pairs.high], [differences.min(axis=0), differences.max(axis=0)], atol=1e-14)
    values = np.concatenate([fixed[:, None], weights], axis=1)
    differences = (values[x] - values[y]).T
    _, pairs = first_bounds(fixed, [weights])
    np.testing.assert_allclose([pairs.low, pairs.high], [differences.min(axis=0), differences.max(axis=0)], atol=1e-14)


def test_without_documents_nothing_can_change() -> None:
    fixed = np.array([0.25, 0.5, 1.0])
    for systems, pairs in (sum_bounds(fixed, np.empty((3, 0))), first_bounds(fixed, [np.empty((3, 0))])):
        np.testing.assert_array_equal(systems.low, fixed)
        np.testing.assert_array_equal(systems.high, fixed)
        assert pairs.low.tolist() == pairs.high.tolist() == [-0.25, -0.75, -0.5]


def test_without_a_grade_nothing_can_change() -> None:
    fixed = np.array([0.25, 0.5, 1.0])
    systems, pairs = first_bounds(fixed, [])
    assert systems.low.tolist() == systems.high.tolist() == fixed.tolist()
    assert pairs.low.tolist() == pairs.high.tolist() == [-0.25, -0.75, -0.5]


def test_outer_bounds_take_each_system_alone() -> None:
    bounds = outer_bounds(Bounds(np.array([0.0, 0.25]), np.array([0.5, 1.0])))
    assert (bounds.low.tolist(), bounds.high.tolist()) == ([-1.0], [0.25])


def test_worth_is_the_variance_that_a_document_brings_to_the_pairs() -> None:
    rng = np.random.default_rng(0)
    probability, effects = rng.random(7), rng.random((7, 4))
    pairs = np.triu(rng.random((4, 4)), 1)
    pairs += pairs.T
    x, y = all_pairs(4)
    by_hand = probability * (1 - probability) * ((effects[:, x] - effects[:, y]) ** 2 @ pairs[x, y])
    np.testing.assert_allclose(worth(probability, effects, pairs), by_hand, rtol=1e-12)
