"""What is read off the source of a fold is what the fold does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from irassay.measures import records
from irassay.scoring.fold_shapes import counted_terms, first_hit_only, values_by_first_rank
from tests.helpers.measures import FOLDS

LONGEST = 40


def fold_of(body: str) -> Any:
    names: dict[str, Any] = {}
    exec(f"def fold(rank, grade, n, gain, ideal, judged, size, par):\n{body}", names)
    return names["fold"]


def discounted(rank: Any, grade: Any, n: int, gain: Any, ideal: Any, judged: Any, size: int, par: Any) -> float:
    total = 0
    for j in range(n):
        total += 2.0 * (j + 3) / (rank[j] + 1) - float(j) * rank[j] / 7
    return total


def quadratic(rank: Any, grade: Any, n: int, gain: Any, ideal: Any, judged: Any, size: int, par: Any) -> float:
    total = 0.0
    for i in range(n):
        total += i * i / rank[i]
    return total


def by_hits(rank: Any, grade: Any, n: int, gain: Any, ideal: Any, judged: Any, size: int, par: Any) -> float:
    total = 0.0
    for i in range(n):
        total += rank[i] / (i + 1)
    return total


def graded(rank: Any, grade: Any, n: int, gain: Any, ideal: Any, judged: Any, size: int, par: Any) -> float:
    total = 0.0
    for i in range(n):
        total += gain[grade[i]] / rank[i]
    return total


@pytest.mark.parametrize("fold", [records()["AP"].function, discounted], ids=["AP", "discounted"])
def test_a_sum_of_terms_with_the_hits_above_is_taken_apart(fold: Any) -> None:
    terms = counted_terms(fold, LONGEST)
    assert terms is not None
    alone, by_hits_above = terms
    rng = np.random.default_rng(8)
    for n in (0, 1, 7, LONGEST):
        rank = np.sort(rng.permutation(LONGEST)[:n]) + 1
        value = fold(rank.tolist(), [1] * n, n, [], [], [], LONGEST, [])
        here = alone[rank - 1] + by_hits_above[rank - 1] * np.arange(n)
        assert here.sum() == pytest.approx(value, rel=1e-13)


@pytest.mark.parametrize("fold", [quadratic, by_hits, graded], ids=lambda fold: fold.__name__)
def test_other_sums_are_left_alone(fold: Any) -> None:
    assert counted_terms(fold, LONGEST) is None


def test_of_the_measures_average_precision_alone_is_such_a_sum() -> None:
    assert [name for name, record in FOLDS.items() if counted_terms(record.function, LONGEST) is not None] == ["AP"]


@pytest.mark.parametrize(("name", "expected"), [("RR", True), ("Judged", True), ("AP", False), ("ERR", False)])
def test_folds_that_look_at_the_first_hit_only_are_known(name: str, expected: bool) -> None:
    assert first_hit_only(FOLDS[name].function) is expected


def by_number(rank: Any, grade: Any, n: int, gain: Any, ideal: Any, judged: Any, size: int, par: Any) -> float:
    return n / rank[0] if n > 0 else 0.0


def beyond_zero(rank: Any, grade: Any, n: int, gain: Any, ideal: Any, judged: Any, size: int, par: Any) -> float:
    return 1.0 / rank[0] if n > 0 else 0.5


def test_folds_that_depend_on_the_rank_of_the_first_hit_alone_are_known_by_it() -> None:
    known = [name for name, record in FOLDS.items() if values_by_first_rank(record.function, LONGEST) is not None]
    assert known == ["RR", "Success"]
    reciprocal = values_by_first_rank(records()["RR"].function, LONGEST)
    assert reciprocal is not None
    assert reciprocal.tolist() == [0.0, *(1 / r for r in range(1, LONGEST + 1))]
    assert values_by_first_rank(by_number, LONGEST) is None
    assert values_by_first_rank(beyond_zero, LONGEST) is None


def test_a_fold_whose_source_cannot_be_read_has_no_shape() -> None:
    fold = fold_of("    return 1.0 / rank[0] if n > 0 else 0.0")
    assert not first_hit_only(fold)
    assert counted_terms(fold, LONGEST) is None
    assert values_by_first_rank(fold, LONGEST) is None
