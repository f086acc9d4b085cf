"""The depth of a pool, as judgments show it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import pytest

import irassay
from irassay.panel.panel import Panel
from irassay.panel.pool_depth import USUAL, pool_depth

TOPICS = [str(topic) for topic in range(10)]
LENGTH = 40


def lists(system: int, topic: str, length: int = LENGTH) -> list[str]:
    """A list whose documents other systems have too, at other ranks."""
    return random.Random(f"{system} {topic}").sample([f"d{i}" for i in range(120)], length)


def pooled(
    contributors: Iterable[int], depth: int, *, missing: Sequence[tuple[int, str, int]] = (), judge_all: bool = False
) -> dict[str, dict[str, int]]:
    """Judgments of the first documents of some systems, without those of (system, topic, rank)."""
    chosen = list(contributors)
    judged = {
        topic: {document for system in chosen for document in lists(system, topic)[: LENGTH if judge_all else depth]}
        for topic in TOPICS
    }
    for system, topic, rank in missing:
        judged[topic].discard(lists(system, topic)[rank - 1])
    return {topic: dict.fromkeys(sorted(documents), 1) for topic, documents in judged.items()}


def panel(qrels: dict[str, dict[str, int]], systems: int = 6) -> Panel:
    runs = {
        f"sys{system}": {
            topic: {document: float(-rank) for rank, document in enumerate(lists(system, topic))} for topic in TOPICS
        }
        for system in range(systems)
    }
    return irassay.align(qrels, runs)


@pytest.mark.parametrize("depth", [5, 10, 20])
def test_the_depth_is_the_rank_down_to_which_the_runs_that_were_pooled_are_judged(depth: int) -> None:
    shown = pool_depth(panel(pooled(range(6), depth)))
    assert (shown.depth, shown.shown, shown.known, shown.complete_runs, shown.runs) == (depth, depth, depth, 6, 6)
    assert f"6 of 6 runs have (nearly) all documents judged down to rank {depth}" in shown.origin
    assert shown.warnings == []


def test_runs_that_did_not_contribute_do_not_hide_the_depth() -> None:
    shown = pool_depth(panel(pooled([0, 1, 2], 10), systems=8))
    assert (shown.shown, shown.complete_runs, shown.runs) == (10, 3, 8)
    alone = pool_depth(panel(pooled([0, 1, 2], 10), systems=8), contributors=[0, 1, 2])
    assert (alone.shown, alone.complete_runs, alone.runs) == (10, 3, 3)


def test_a_few_judgments_that_are_missing_do_not_hide_the_depth() -> None:
    topics = [str(topic) for topic in range(100)]
    runs = {
        f"sys{system}": {
            topic: {document: float(-rank) for rank, document in enumerate(lists(system, topic))} for topic in topics
        }
        for system in range(3)
    }
    judged = {
        topic: dict.fromkeys({one for system in range(3) for one in lists(system, topic)[:20]}, 1) for topic in topics
    }
    del judged["7"][lists(0, "7")[2]]  # one of 2,000 documents of a run
    assert pool_depth(irassay.align(judged, runs))[:5] == (20, False, 20, 3, 3)
    for topic in topics[:5]:
        judged[topic].pop(lists(0, topic)[3], None)  # and so many are no pool
    shown = pool_depth(irassay.align(judged, runs))
    assert (shown.shown, shown.complete_runs) == (20, 2)


@pytest.mark.parametrize("contributors", [[], [0]])
def test_no_depth_is_shown_where_hardly_any_run_was_pooled(contributors: list[int]) -> None:
    shown = pool_depth(panel({**pooled([7, 8], 10), **(pooled([*contributors, 7], 10) if contributors else {})}))
    assert (shown.shown, shown.known, shown.depth) == (None, None, USUAL)
    (warning,) = shown.warnings
    assert warning.code == "pool-depth"
    assert "show no pool depth" in warning.what


def test_runs_that_stop_at_the_same_rank_by_chance_show_no_depth_without_a_fall_below_it() -> None:
    judged = pooled(range(6), 10, judge_all=True)
    for system in range(6):
        judged["0"].pop(lists(system, "0")[14], None)  # one document of 60 below each list's top is not judged
    assert pool_depth(panel(judged)).shown is None


def test_where_everything_is_judged_the_depth_is_the_longest_list() -> None:
    assert pool_depth(panel(pooled(range(6), LENGTH, judge_all=True))).shown == LENGTH


def test_a_depth_that_is_given_is_used_and_one_that_contradicts_the_judgments_is_warned_of() -> None:
    judged = panel(pooled(range(6), 10))
    (warning,) = pool_depth(judged, 20).warnings
    assert "--pool-depth is 20, and the judgments show a pool of depth 10: 6 of 6 runs" in warning.what
    assert (pool_depth(judged, 20).depth, pool_depth(judged, 10).warnings) == (20, [])
    assert pool_depth(panel(pooled([7, 8], 10)), 20).warnings == []  # nothing contradicts it
