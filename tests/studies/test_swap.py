"""`irassay swap`: the swap method on samples and on halves of the topics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irassay.ask.swap import swap
from irassay.errors import InputError
from irassay.vary.topics import TopicPlan
from tests.helpers.sampled_studies import MEASURES, SAMPLES, TOPICS, command, of, study, values


def test_swap_is_the_swap_method_on_two_sets_of_samples(at: Path) -> None:
    result = study("swap")
    plan = TopicPlan(0, TOPICS, SAMPLES)
    one, two = plan.counts() / TOPICS, plan.counts(second=True) / TOPICS
    for measure in MEASURES.split():
        x = values(measure).T
        found = swap(one @ x, two @ x)
        (row,) = of(result, "swap", measure=measure)
        bins = of(result, "swap_bins", measure=measure)
        assert [b["comparisons"] for b in bins] == found.comparisons.tolist()
        assert [b["swaps"] for b in bins] == found.swaps.tolist()
        assert row["max_score"] == pytest.approx(found.max_score, rel=1e-12)
        np.testing.assert_equal(row["required_difference"], found.required_difference)
        np.testing.assert_equal(row["share_satisfied"], found.share_satisfied)


def test_disjoint_halves_say_that_they_hold_for_half_the_topics(at: Path, capsys: Any) -> None:
    result = study("swap", disjoint=True)
    first, second = TopicPlan(0, TOPICS, SAMPLES).halves()
    x = values("AP").T
    found = swap(first / 6 @ x, second / 6 @ x)
    assert [b["swaps"] for b in of(result, "swap_bins", measure="AP")] == found.swaps.tolist()
    assert result.provenance["holds_for_topics"] == 6
    assert "6 topics" in result["swap"].caption
    out, _ = command(capsys, "swap", "--scores", "scores.csv", "--disjoint", "--resamples", "50")
    assert "Holds for 6 topics" in " ".join(out.split())
    assert "13 topics" in study("swap")["swap"].caption


def test_independent_halves_are_drawn_without_replacement_and_without_regard_to_each_other(at: Path) -> None:
    result = study("swap", independent_halves=True)
    plan = TopicPlan(0, TOPICS, SAMPLES, TOPICS // 2, replacement=False)
    first, second = plan.counts(), plan.counts(second=True)
    assert first.max() == second.max() == 1
    assert set(first.sum(axis=1)) == set(second.sum(axis=1)) == {TOPICS // 2}
    shared = (first & second).sum(axis=1)
    assert shared.min() < shared.max()  # not disjoint
    x = values("AP").T
    expected = swap(first / (TOPICS // 2) @ x, second / (TOPICS // 2) @ x)
    assert [b["swaps"] for b in of(result, "swap_bins", measure="AP")] == expected.swaps.tolist()
    assert "drawn independently" in result["swap"].caption
    with pytest.raises(InputError, match="disjoint or independent"):
        study("swap", independent_halves=True, disjoint=True)


def test_swap_takes_other_bins(at: Path) -> None:
    result = study("swap", bins=4, bin_width=0.1, swap_rate=0.3, measures="AP")
    assert [row["bin_low"] for row in of(result, "swap_bins")] == [0, 0.1, 0.2, 0.3]
    assert sum(row["comparisons"] for row in of(result, "swap_bins")) == 15 * SAMPLES
    assert "at most 30% of comparisons" in result["swap"].caption
