"""The familywise error of the step-down test on real scores."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import irassay
from irassay.ask import stepdown
from irassay.ask.pairs import all_pairs
from irassay.vary.topics import TopicPlan


@pytest.mark.data
def test_it_keeps_the_familywise_error_on_trec8_systems_shifted_to_one_mean(data_dir: Path) -> None:
    folder = data_dir / "trec8-adhoc"
    panel = irassay.align(irassay.read_qrels(folder / "qrels.txt.gz"), irassay.read_runs(folder / "runs"))
    scores = panel.score("AP")["AP"].values
    shifted = scores - scores.mean(axis=1, keepdims=True)
    rng, experiments, pairs = np.random.default_rng(1), 200, all_pairs(len(scores))
    rejected = 0
    for e in range(experiments):
        drawn = shifted[:, rng.integers(0, scores.shape[1], scores.shape[1])]
        counts = TopicPlan(e, scores.shape[1], 299).counts()
        rejected += bool((stepdown.stepdown(drawn, pairs, counts).p_values < 0.05).any())
    # the binomial error of .05 in 200 experiments is .015: three of them
    assert rejected / experiments < 0.05 + 3 * math.sqrt(0.05 * 0.95 / experiments)
