"""Images against slow plain Python: lists written out copy by copy, measures by their definitions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay.scoring.lane_sums import LONGEST_COUNTED
from irassay.scoring.lanes import LANES
from irassay.studies.corpus.shallow_pools import shallow_pools
from irassay.vary.documents import ImagePlan
from irassay.vary.lane_scores import LaneScores
from tests.helpers import plain
from tests.helpers.measures import ALL
from tests.helpers.random_collections import random_collection

Copies = NDArray[np.uint8]  # of one image [active documents]
SEEN = (0, 31, 40)  # images that are written out: the ends of a block, and one of the next
MANY = (0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 9, 40)


class CrowdedImages(ImagePlan):
    """Images with far more copies of some documents than drawing ever brings."""

    def multiplicities(self, first: int, count: int = LANES) -> Copies:
        rows = [np.random.default_rng(first + i).choice(MANY, size=self.active) for i in range(count)]
        return np.array(rows, dtype=np.uint8)


@cache
def panel(seed: int) -> irassay.Panel:
    collection = random_collection(seed, pool=30, systems=3)
    with pytest.warns(irassay.IrassayWarning):
        return irassay.align(collection.qrels, collection.runs)


def plan_of(whole: irassay.Panel, kind: type[ImagePlan]) -> ImagePlan:
    active = int(whole.document.max()) + 1
    return kind(7, active + 9, active, 48)


def written_out(whole: irassay.Panel, system: int, topic: int, copies: Copies, depth: int | None) -> list[int]:
    """One list of an image: the places of its documents in the panel's pools."""
    base = int(whole.pool[topic])
    codes = whole.codes[whole.offsets[topic, system] : whole.offsets[topic, system + 1]]
    places = [base + int(code) for code in codes]
    return [place for place in places for _ in range(int(copies[whole.document[place]]))][:depth]


def value(
    measure: Any, whole: irassay.Panel, topic: int, listed: list[int], copies: Copies, known: Callable[[int], bool]
) -> float:
    """A measure's value of one written-out list; documents whose judgment is not known are in no pool."""
    grade = whole.grade.tolist()
    ranked = [grade[place] if grade[place] >= -1 and known(place) else None for place in listed]
    judged = [
        grade[place]
        for place in range(whole.pool[topic], whole.pool[topic + 1])
        if known(place)
        for _ in range(int(copies[whole.document[place]]))
    ]
    return plain.score(measure, ranked, judged, collection=whole.grades, gains=whole.gains)


@pytest.mark.parametrize("depth", [None, 9])
@pytest.mark.parametrize("kind", [ImagePlan, CrowdedImages])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_measure_scores_images_as_the_lists_written_out(
    seed: int, kind: type[ImagePlan], depth: int | None
) -> None:
    whole = panel(seed)
    plan = plan_of(whole, kind)
    systems = [2, 0]
    scores = LaneScores(whole, systems, ALL, plan, depth)
    topics = list(range(len(whole.topics)))
    result = np.empty((len(ALL), len(topics), 2 * LANES, len(systems)))
    for first in (0, LANES):
        scores.score(first, topics, result[:, :, first : first + LANES])
    for image in SEEN:
        copies = plan.multiplicities(image, 1)[0]
        for t in topics:
            for k, s in enumerate(systems):
                listed = written_out(whole, s, t, copies, depth)
                expected = [value(m, whole, t, listed, copies, lambda _: True) for m in ALL]
                assert wrong(result[:, t, image, k], expected) == [], (image, whole.topics[t], whole.systems[s])


def test_a_measure_alone_scores_as_it_does_among_others() -> None:
    """Tables that measures share are large enough for each of them."""
    whole = panel(1)
    plan, topics = plan_of(whole, ImagePlan), range(len(whole.topics))
    together = np.empty((len(ALL), len(topics), LANES, 3))
    LaneScores(whole, range(3), ALL, plan, 9).score(0, topics, together)
    for measure, expected in zip(ALL, together, strict=True):
        alone = np.empty((1, len(topics), LANES, 3))
        LaneScores(whole, range(3), [measure], plan, 9).score(0, topics, alone)
        assert np.array_equal(alone[0], expected), measure


@pytest.mark.parametrize("depth", [None, 9])
@pytest.mark.parametrize("kind", [ImagePlan, CrowdedImages])
def test_every_measure_scores_shallow_pools_as_the_lists_written_out(kind: type[ImagePlan], depth: int | None) -> None:
    whole = panel(3)
    plan = plan_of(whole, kind)
    pools = (6, 15)  # the last one deeper than the lists are cut
    pair = [2, 1]
    result = shallow_pools(LaneScores(whole, pair, ALL, plan, depth), pools, 2)
    assert result.depths == ("6", "15", "full")
    for image in (0, 41):  # 0 is the root
        root = np.ones(plan.active, dtype=np.uint8)
        copies = plan.multiplicities(image - 1, 1)[0] if image else root
        for t in range(len(whole.topics)):
            x, y = (written_out(whole, s, t, copies, depth) for s in pair)
            for k, pool in enumerate((*pools, None)):
                judged = range(len(whole.grade)) if pool is None else {*x[:pool], *y[:pool]}
                scores = [
                    [value(m, whole, t, listed, copies, lambda place: place in judged) for m in ALL]  # noqa: B023
                    for listed in (x, y)
                ]
                expected = [a - b for a, b in zip(*scores, strict=True)]
                assert wrong(result.differences[:, k, image, t], expected) == [], (image, whole.topics[t], pool)


class EndlessImages(ImagePlan):
    """Images with lists far longer than the tables made for usual ones, and than sums are taken for."""

    def multiplicities(self, first: int, count: int = LANES) -> Copies:
        return np.full((count, self.active), 255 - first % 2, dtype=np.uint8)


def test_lists_of_any_length_are_scored_as_written_out() -> None:
    whole = panel(1)
    plan = plan_of(whole, EndlessImages)
    lengths = np.diff(whole.offsets, axis=1)
    topic, system = np.unravel_index(int(lengths.argmax()), lengths.shape)
    assert 255 * lengths.max() > LONGEST_COUNTED
    result = np.empty((len(ALL), 1, LANES, 1))
    LaneScores(whole, [int(system)], ALL, plan).score(0, [int(topic)], result)
    copies = plan.multiplicities(0, 1)[0]
    listed = written_out(whole, int(system), int(topic), copies, None)
    expected = [value(m, whole, int(topic), listed, copies, lambda _: True) for m in ALL]
    assert wrong(result[:, 0, 0, 0], expected) == []


def wrong(result: NDArray[np.float64], expected: list[float]) -> list[str]:
    """The measures whose values differ."""
    return [
        f"{measure}: {a}, not {b}"
        for measure, a, b in zip(ALL, result.tolist(), expected, strict=True)
        if a != pytest.approx(b, abs=1e-12, rel=1e-12)
    ]
