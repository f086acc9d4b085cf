"""Parts of bootstrap corpora: wherever the sums of each were made, all count once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from irassay.ask.spread import Moments
from irassay.compute.executor import CHUNK, State
from irassay.measures import parse
from irassay.studies.corpus.accumulate import GroupStatistics
from irassay.vary.blocks import Block

TOPICS, SYSTEMS, PARTS = 3, 4, 3


def statistics() -> GroupStatistics:
    rng = np.random.default_rng(1)
    measures = parse("AP")
    root = {measure: rng.random((SYSTEMS, TOPICS)) for measure in measures}
    return GroupStatistics(range(TOPICS), tuple(measures), root, (), PARTS * CHUNK, None, True, None, {})


def summed(kept: GroupStatistics, state: State) -> State:
    """As a GPU gives it."""
    scores = state.pop("kept")
    sums, cross = np.zeros((1, TOPICS, SYSTEMS)), np.zeros((1, TOPICS, SYSTEMS, SYSTEMS))
    for t in range(TOPICS):
        Moments(kept.shift[0, t], 0, sums[0, t], cross[0, t]).add(scores[0, t])
    return state | {"kept and summed": scores, "sums": sums, "cross": cross}


def finished(on_gpu: Sequence[bool]) -> State:
    kept, rng = statistics(), np.random.default_rng(2)
    total = kept.start()
    for number, gpu in enumerate(on_gpu):
        part = range(number * CHUNK, (number + 1) * CHUNK)
        scores = rng.random((1, TOPICS, CHUNK, SYSTEMS))
        state = kept.add(part, Block(scores, unanswered=np.zeros(TOPICS, dtype=np.int64)), 1)
        kept.merge(total, part, summed(kept, state) if gpu else state, 1)
    return kept.finish(total, 1)


@pytest.mark.parametrize("on_gpu", [(True, True, True), (True, False, True), (False, True, False)])
def test_work_that_went_on_on_another_device_has_the_same_statistics(on_gpu: tuple[bool, ...]) -> None:
    here, there = finished((False,) * PARTS), finished(on_gpu)
    for name in ("mean", "sd", "triples", "quartiles"):
        assert there[name] == pytest.approx(here[name], rel=1e-12), name


def test_the_statistics_are_those_of_all_scores() -> None:
    rng = np.random.default_rng(2)
    scores = np.concatenate([rng.random((1, TOPICS, CHUNK, SYSTEMS)) for _ in range(PARTS)], axis=2)
    final = finished((False,) * PARTS)
    means, deviations = final["mean"][0].T, final["sd"][0].T
    assert means == pytest.approx(scores[0].mean(axis=1), rel=1e-12)
    assert deviations == pytest.approx(scores[0].std(axis=1, ddof=1), rel=1e-12)
