"""Bounds of scores and differences against every way in which the unjudged documents could be relevant."""

from __future__ import annotations

import itertools
import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay.ask.pairs import all_pairs
from irassay.measures import Measure, parse
from irassay.measures.core.registry import records
from irassay.vary.unjudged import unjudged_entries
from irassay.vary.unjudged_bounds import BoundedScores, MeasureBounds

Array = NDArray[np.float64]
SYSTEMS, DEPTH = 4, 6
# every measure whose bounds are called exact, in the forms that change what it depends on; then others
EXACT = (
    "P@3 P@10 P(rel=2)@4 RBP(p=0.5) RBP(p=0.8,rel=2) INSQ DCG@4 DCG(dcg='exp-log2')@5 CG@4 SetP SetP@3 NumRelRet "
    "RR RR@2 RR(rel=2) Success@2 WRR WRR(penalties={1:9,2:1.5}) ERR ERR@3 ERR(rel=1) GM(P@3) AREA(RBP) P'@3 RR'"
)
OTHERS = "AP Q nDCG@5 nDCG R@5 PMeasure Rprec INST Bpref AP' nERR NWRR"


@cache
def panel(seed: int) -> irassay.Panel:
    """Lists of a few of nine documents, two or three of them without a judgment; the first topic may have none."""
    rng = np.random.default_rng(seed)
    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {f"s{s}": {} for s in range(SYSTEMS)}
    for t in range(3):
        judged = rng.choice(9, size=6, replace=False)
        qrels[str(t)] = {f"d{d}": int(g) for d, g in zip(judged, rng.choice(3, size=6, p=(0.6, 0.2, 0.2)), strict=True)}
        qrels[str(t)] |= {"low": 0, "top": 2 if t else 0}
        for s in range(SYSTEMS):
            order = rng.permutation(9)[: rng.integers(1, DEPTH + 1)]
            runs[f"s{s}"][str(t)] = {f"d{d}": float(-rank) for rank, d in enumerate(order)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", irassay.IrassayWarning)
        return irassay.align(qrels, runs)


def bounds(of: irassay.Panel, measure: Measure) -> MeasureBounds:
    return BoundedScores(of, range(SYSTEMS), [measure], range(len(of.topics)), jobs=2).of(0)


def every_way(of: irassay.Panel, measure: Measure) -> list[tuple[Array, Array]]:
    """By topic, the scores [way, system] of every assignment of grades to the unjudged documents, and differences."""
    entries = unjudged_entries(of)
    topics = []
    for t in range(len(of.topics)):
        own = entries[(entries >= of.pool[t]) & (entries < of.pool[t + 1])]
        values = []
        for grades in itertools.product((0, *of.grades), repeat=len(own)):
            grade = of.grade.copy()
            grade[entries] = 0
            grade[own] = grades
            values.append(replace(of, grade=grade).score([measure.base]).values[0, :, t])
        scores = np.array(values)
        x, y = all_pairs(SYSTEMS)
        topics.append((scores, scores[:, x] - scores[:, y]))
    return topics


def ends(topics: list[tuple[Array, Array]], measure: Measure, of: int) -> tuple[Array, Array]:
    """The smallest and largest over all ways, summarised over topics."""
    low, high = (np.stack([extreme(each[of], axis=0) for each in topics], axis=1) for extreme in (np.min, np.max))
    return measure.summarise(low), measure.summarise(high)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("measure", parse(EXACT), ids=str)
def test_exact_bounds_are_the_ends_of_all_ways(measure: Measure, seed: int) -> None:
    own, topics = bounds(panel(seed), measure), every_way(panel(seed), measure)
    assert own.how == "exact"
    low, high = ends(topics, measure, 0)
    np.testing.assert_allclose(own.systems.low, low, atol=1e-12)
    np.testing.assert_allclose(own.systems.high, high, atol=1e-12)
    if own.how_pairs == "exact":
        low, high = ends(topics, measure, 1)
        np.testing.assert_allclose(own.pairs.low, low, atol=1e-12)
        np.testing.assert_allclose(own.pairs.high, high, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("measure", parse("ERR ERR@3 GM(P@3) AREA(RBP)"), ids=str)
def test_outer_bounds_hold_in_all_ways(measure: Measure, seed: int) -> None:
    own = bounds(panel(seed), measure)
    assert (own.how, own.how_pairs) == ("exact", "outer")
    x, y = all_pairs(SYSTEMS)
    topics = [scores for scores, _ in every_way(panel(seed), measure)]
    for way in itertools.islice(itertools.product(*map(range, map(len, topics))), 0, None, 37):
        scores = measure.summarise(np.stack([of[k] for of, k in zip(topics, way, strict=True)], axis=1))
        difference = scores[x] - scores[y]
        assert (own.pairs.low <= difference + 1e-12).all()
        assert (difference <= own.pairs.high + 1e-12).all()


@pytest.mark.parametrize("measure", parse(OTHERS), ids=str)
def test_scenarios_are_called_so_and_lie_within_all_ways(measure: Measure) -> None:
    own, topics = bounds(panel(1), measure), every_way(panel(1), measure)
    assert (own.how, own.how_pairs) == ("scenario", "scenario")
    for part, of in ((own.systems, 0), (own.pairs, 1)):
        low, high = ends(topics, measure, of)
        assert (low - 1e-12 <= part.low).all()
        assert (part.low <= part.high).all()
        assert (part.high <= high + 1e-12).all()


def test_every_measure_that_says_it_rises_is_held_to_it_here() -> None:
    tried = {measure.name for measure in parse(EXACT)}
    assert {name for name, record in records().items() if record.rises} - {"nERR"} <= tried


@pytest.mark.parametrize("seed", range(4))
def test_bounds_of_rbp_are_as_far_apart_as_its_residual_down_to_the_end_of_the_list(seed: int) -> None:
    of = panel(seed)
    own = bounds(of, parse("RBP(p=0.7)")[0]).systems
    tail = 0.7 ** np.diff(of.offsets, axis=1)
    residual = of.score("RBPRes(p=0.7)").means()[0] - tail.mean(axis=0)
    np.testing.assert_allclose(own.high - own.low, residual, atol=1e-12)


def test_what_both_lists_share_cancels() -> None:
    """Two equal lists differ by nothing, whatever is relevant; a list and its reverse by what their weights differ."""
    runs = {name: {"1": {d: float(-k if name != "reverse" else k) for k, d in enumerate("abc")}} for name in ("x", "y")}
    runs["reverse"] = {"1": {d: float(k) for k, d in enumerate("abc")}}
    of = irassay.align({"1": {"a": 0, "z": 1}}, runs)
    scores = BoundedScores(of, range(3), parse("RBP(p=0.5)"), [0]).of(0)
    assert scores.pairs.low.tolist() == [0.0, -0.375, -0.375]
    assert scores.pairs.high.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("together", [1, 2])
def test_bounds_do_not_depend_on_how_many_topics_go_together(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    measure = parse("RBP(p=0.8)")[0]
    whole = bounds(panel(2), measure)
    monkeypatch.setattr("irassay.vary.unjudged_bounds.TOGETHER", together)
    parts = bounds(panel(2), measure)
    np.testing.assert_allclose(parts.pairs.low, whole.pairs.low, atol=1e-15)
    np.testing.assert_allclose(parts.pairs.high, whole.pairs.high, atol=1e-15)


def test_gains_that_fall_with_grades_make_no_bounds_of_what_rises_with_grades() -> None:
    of = panel(0)
    assert bounds(of, parse("RBP(gains={1:2,2:1})")[0]).how == "exact"
    assert bounds(of, parse("ERR(stop='linear',gains={1:2,2:1})")[0]).how == "scenario"
