"""Estimates on TREC-8, whose pools of depth 10 stand for a cheap judge, and on DL 2021, whose judges share no topic."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import irassay
from irassay.errors import InputError
from irassay.studies.phrases import rows_of

pytestmark = [pytest.mark.data, pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")]


def test_the_official_means_lie_in_most_intervals_from_25_topics(data_dir: Path) -> None:
    """The other 25 topics' official judgments are hidden; every second topic is a sample as good as any."""
    folder = data_dir / "trec8-adhoc"
    runs = irassay.read_runs(folder / "runs")
    truth = irassay.align(folder / "qrels.txt.gz", runs).score("AP")
    result = irassay.estimate(
        folder / "qrels.txt.gz",
        runs,
        cheap=folder / "depth10.qrels",
        measures="AP",
        trusted_topics=truth.topics[::2],
        top=40,
    )
    means = dict(zip(truth.systems, truth["AP"].means().tolist(), strict=True))
    tuned = [row for row in rows_of(result["estimates"]) if row["method"] == "PPI++"]
    assert len(tuned) == 40
    held = np.mean([row["low"] <= means[row["system"]] <= row["high"] for row in tuned])
    assert held > 0.8  # 40 systems that rise and fall together; by all of them 94% over experiments
    assert np.median([row["width_ratio"] for row in tuned]) < 0.85
    assert np.median([row["rho"] for row in tuned]) > 0.9
    # shallow pools call AP too high for lack of relevant documents: alone they are no estimate
    assert all(row["bias_low"] > 0 for row in rows_of(result["cheap"]))


def test_judges_of_other_topics_are_an_error_that_names_the_way_out(data_dir: Path) -> None:
    folder = data_dir / "dl2021"
    with pytest.raises(InputError, match=r"in both: 53 topics by human\.qrels, 424 by llm") as caught:
        irassay.estimate(folder / "human.qrels.xz", folder / "runs", cheap=folder / "llm.qrels.xz")
    assert "irassay judges" in caught.value.hint
