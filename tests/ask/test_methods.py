"""Tests, corrections and intervals are entries of a table, and an entry is all that a new one needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import irassay
from irassay.ask import methods
from irassay.ask.methods import CORRECTIONS, INTERVALS, TESTS, Comparisons


def median_test(data: Comparisons) -> NDArray[np.float64]:
    wins = (data.differences > 0).sum(axis=1)
    return np.array([stats.binomtest(int(n), data.differences.shape[1]).pvalue for n in wins])


def test_an_entry_is_all_that_a_new_test_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    entry = methods.SignificanceTest("median", "Median test", "of the median difference", median_test)
    monkeypatch.setitem(methods.TESTS, "median", entry)
    table = tmp_path / "scores.csv"
    rows = [f"{system},{t},AP,{0.1 * (t % 5) + shift}" for system, shift in (("a", 0.2), ("b", 0.0)) for t in range(12)]
    table.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    result = irassay.compare(scores=table, test="median", correction="none")  # type: ignore[arg-type]
    assert list(result["pairs"]["p_value"]) == [stats.binomtest(12, 12).pvalue]
    assert result["comparison"].caption.startswith("Median test on 12 topics")


def test_names_are_those_of_the_entries_and_own_intervals_exist() -> None:
    tables: list[dict[str, Any]] = [TESTS, CORRECTIONS, INTERVALS]
    assert all(name == entry.name for table in tables for name, entry in table.items())
    assert {test.interval for test in TESTS.values()} <= {"", "tukey", *INTERVALS}


def test_differences_are_those_of_the_first_system_to_the_second() -> None:
    scores, pairs = np.array([[0.5, 0.2], [0.1, 0.4]]), (np.array([0, 1]), np.array([1, 0]))
    nothing: Any = None
    data = Comparisons(scores, pairs, nothing, nothing, nothing, False, nothing, nothing)
    assert data.differences.tolist() == [[0.4, -0.2], [-0.4, 0.2]]
