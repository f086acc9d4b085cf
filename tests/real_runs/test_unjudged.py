"""Draws of missing judgments on public runs, half of whose judgments are hidden."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import irassay
from irassay.panel.grades import UNPOOLED
from irassay.studies.phrases import rows_of

pytestmark = pytest.mark.data


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_the_means_of_draws_are_far_nearer_to_the_truth_than_scores_as_judged(data_dir: Path) -> None:
    """docs/unjudged.md has 20 to 25 times nearer for P@10; all first ten documents of these runs are judged."""
    whole = irassay.align(data_dir / "dl2021/human.qrels.xz", data_dir / "dl2021/runs", unanswerable="drop")
    hidden = (np.random.default_rng(0).random(len(whole.grade)) < 0.5) & (whole.grade >= 0)
    panel = replace(whole, grade=np.where(hidden, np.int8(UNPOOLED), whole.grade))
    result = irassay.unjudged(panel, measures=("P@10 RR",), replicates=200)
    truth = dict(zip(whole.systems, whole.score("P@10").means()[0], strict=True))
    rows = [row for row in rows_of(result["bounds"]) if row["measure"] == "P@10"]
    assert all(row["low"] - 1e-12 <= truth[row["system"]] <= row["high"] + 1e-12 for row in rows)
    judged, expected = (
        np.mean([abs(row[name] - truth[row["system"]]) for row in rows]) for name in ("observed", "expected")
    )
    assert expected < judged / 10
    inside = [row["expected_low"] <= truth[row["system"]] <= row["expected_high"] for row in rows]
    assert np.mean(inside) > 0.6
    for row in rows_of(result["checks"]):
        assert row["brier"] < row["brier_of_share"]
