"""Folds that the package does not know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from irassay.scoring import fold
from irassay.scoring.hits import Hits
from irassay.scoring.recipes import PER_R, Recipe

HITS = Hits(
    rank=np.array([1, 3], dtype=np.int32),
    grade=np.array([2, 1], dtype=np.int8),
    start=np.array([0, 2]),
    size=np.array([4]),
)
JUDGED = np.array([[1, 2, 1]])  # two documents of grade 1, one of grade 2
RECIPE = Recipe(gain=np.array([0.0, 1.0, 2.0]), best=np.array([2, 1]), per=PER_R, par=np.zeros(0))


def mean_gain(rank: Any, grade: Any, n: int, gain: Any, ideal: Any, judged: Any, size: int, par: Any) -> float:
    total = 0.0
    for i in range(n):
        total += gain[grade[i]] / judged[grade[i]]
    return total


def ideal_gain(rank: Any, grade: Any, n: int, gain: Any, ideal: Any, judged: Any, size: int, par: Any) -> float:
    total = 0.0
    for i in range(n):
        total += ideal[rank[i]]
    return total


def test_a_fold_that_is_defined_at_run_time_is_scored() -> None:
    assert fold.value(HITS, JUDGED, replace(RECIPE, fold=mean_gain)).tolist() == [(2 / 1 + 1 / 2) / 3]


def test_a_fold_without_a_file_is_scored() -> None:
    names: dict[str, Any] = {}
    exec("def last(rank, grade, n, gain, ideal, judged, size, par):\n    return float(rank[n - 1])", names)
    assert fold.value(HITS, JUDGED, replace(RECIPE, fold=names["last"])).tolist() == [1.0]


def test_a_fold_reads_the_ideal_list_that_it_declares_and_else_gives_no_number() -> None:
    assert fold.value(HITS, JUDGED, replace(RECIPE, fold=ideal_gain, ideal=True)).tolist() == [(2 + 4) / 3]
    assert np.isnan(fold.value(HITS, JUDGED, replace(RECIPE, fold=ideal_gain))).all()


def test_a_division_by_zero_in_a_fold_is_infinite_and_not_zero() -> None:
    def inverse(rank: Any, grade: Any, n: int, gain: Any, ideal: Any, judged: Any, size: int, par: Any) -> float:
        return float(1.0 / gain[0])

    assert np.isinf(fold.value(HITS, JUDGED, replace(RECIPE, fold=inverse))).all()
