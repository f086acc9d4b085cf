"""Lists with other grades in every replicate against panels that have these grades."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import irassay
from irassay.measures import parse
from irassay.scoring.grade_lanes import RegradedLists
from irassay.scoring.lanes import LANES
from tests.helpers.measures import ALL
from tests.helpers.random_collections import random_collection


@cache
def panel(seed: int) -> irassay.Panel:
    collection = random_collection(seed, pool=30, systems=3)
    with pytest.warns(irassay.IrassayWarning):
        return irassay.align(collection.qrels, collection.runs)


@pytest.mark.parametrize("lanes", [1, 5, LANES])
@pytest.mark.parametrize("seed", range(3))
def test_every_measure_scores_lanes_as_it_scores_panels(seed: int, lanes: int) -> None:
    of = panel(seed)
    bases = list(dict.fromkeys(measure.base for measure in ALL))
    rng = np.random.default_rng(seed)
    systems = [2, 0]
    lists = RegradedLists(of, systems, bases)
    for topic in range(len(of.topics)):
        low, high = of.pool[topic], of.pool[topic + 1]
        rows = rng.choice((-2, -1, 0, *of.grades), size=(high - low, LANES)).astype(np.int8)
        rows[: (high - low) // 3] = rows[: (high - low) // 3, :1]  # the same in all lanes
        values = lists.values(topic, rows, lanes)
        for lane in {0, lanes // 2, lanes - 1}:
            grade = of.grade.copy()
            grade[low:high] = rows[:, lane]
            expected = replace(of, grade=grade).score(bases).values[:, systems, topic]
            np.testing.assert_allclose(values[:, lane], expected, rtol=1e-12, atol=1e-15)


def test_a_topic_without_lists_or_hits_scores_nothing() -> None:
    runs = {"x": {"1": {"a": 1.0}}, "y": {"2": {"c": 1.0}}}
    with pytest.warns(irassay.IrassayWarning, match="without some of the 2 topics"):
        of = irassay.align({"1": {"a": 0, "b": 1}, "2": {"c": 1}}, runs)
    lists = RegradedLists(of, [0, 1], parse("AP P@5"))
    assert (lists.values(0, np.zeros((2, LANES), dtype=np.int8)) == 0.0).all()
