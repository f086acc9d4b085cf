"""Counts and sums over replicates, at the edges that scores of real systems seldom meet."""

from __future__ import annotations

import itertools

import numpy as np

from irassay.ask._counting import add_leads, count_leads, pair_squares
from irassay.tolerance import EQUAL


def test_a_difference_of_exactly_the_tolerance_is_none() -> None:
    for row in ([EQUAL, 0.0], [0.0, EQUAL]):
        leads = np.zeros(1, dtype=np.int64)
        add_leads(np.array([row]), leads)
        assert leads.tolist() == [0]


def test_a_margin_missed_by_exactly_the_tolerance_is_reached() -> None:
    fuzziness = np.array([0.5, 0.75])
    lower = 1.0 - (0.5 - EQUAL)
    assert 1.0 - lower == 0.5 * 1.0 - EQUAL  # to the last bit
    minority, ties = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
    count_leads(np.array([[1.0], [lower]]), 0, fuzziness, np.zeros((2, 3), dtype=np.int64), minority, ties)
    assert ties.tolist() == [0, 1]


def test_sums_and_squares_of_pairs_are_those_of_their_differences() -> None:
    scores = np.random.default_rng(4).random((9, 4))
    pairs = list(itertools.combinations(range(4), 2))
    centre = np.linspace(-0.2, 0.3, len(pairs))
    sums, squares = np.empty(len(pairs)), np.empty(len(pairs))
    pair_squares(scores, centre, sums, squares)
    z = np.stack([scores[:, x] - scores[:, y] for x, y in pairs], axis=1) - centre
    np.testing.assert_allclose(sums, z.sum(axis=0), atol=1e-14)
    np.testing.assert_allclose(squares, (z * z).sum(axis=0), atol=1e-14)
