"""Draws of the missing judgments, and the probabilities that they are drawn by."""

from __future__ import annotations

import pickle
import warnings
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay.ask.logistic import brier
from irassay.errors import InputError
from irassay.scoring.lanes import LANES
from irassay.vary.relevance import Evidence, Model, pooled_depth
from irassay.vary.replicates import replicates
from irassay.vary.unjudged import (
    NOTHING_LEARNED,
    NOTHING_MISSING,
    DrawnJudgments,
    Missing,
    Unjudged,
    drawn_judgments,
    unjudged_entries,
)
from irassay.vary.variation import Observed

MEASURES = "AP P@5 nDCG@10 AP' RR"
POOL, SYSTEMS, TOPICS, DEPTH = 8, 6, 12, 30


def files(systems: int = SYSTEMS) -> tuple[dict[str, Any], dict[str, Any]]:
    """Runs that find relevant documents first, judged down to a depth of `POOL`; grades 0 to 2."""
    runs: dict[str, Any] = {f"s{s}": {} for s in range(systems)}
    qrels: dict[str, Any] = {}
    for t in range(TOPICS):
        rng = np.random.default_rng(100 + t)
        truth = np.where(rng.random(90) < 0.25, rng.integers(1, 3, 90), 0)
        pooled: set[int] = set()
        for s in range(SYSTEMS):
            order = np.argsort(-(truth * 0.6 + rng.normal(0, 0.8 + 0.1 * s, 90)))[:DEPTH]
            if s < systems:
                runs[f"s{s}"][str(t)] = {f"d{d}": float(DEPTH - rank) for rank, d in enumerate(order.tolist())}
            pooled |= set(order[:POOL].tolist())
        qrels[str(t)] = {f"d{d}": int(truth[d]) for d in sorted(pooled)}
    return qrels, runs


@cache
def observed(systems: int = SYSTEMS) -> Observed:
    panel = irassay.align(*files(systems))
    return Observed(panel.score(MEASURES), panel)


def fixed(probability: NDArray[np.float64], **more: Any) -> Missing:
    """Documents with these probabilities, half of the relevant ones of grade 2."""
    entries = unjudged_entries(observed().lists)
    nobody = np.zeros(len(entries), dtype=np.int64)
    chance = np.stack([probability, probability / 2])
    return Missing(entries, np.array([1, 2], dtype=np.int8), chance, nobody, nobody > 0, **more)


def drawn(missing: Missing, count: int, **more: Any) -> NDArray[np.int8]:
    """Grades of the missing documents [replicate, document]."""
    plan = drawn_judgments(observed(), missing, replicates=count, seed=more.pop("seed", 0), **more)
    rows = [
        np.concatenate([plan.topic_grades(first, LANES, t) for t in range(TOPICS)]) for first in range(0, count, LANES)
    ]
    return np.concatenate(rows, axis=1)[missing.entries].T[:count]


@pytest.mark.parametrize("deviations", [{}, {"topic_deviation": 1.0, "group_deviation": 0.5}])
def test_grades_are_drawn_as_often_as_their_probabilities_say(deviations: dict[str, float]) -> None:
    """6,400 replicates: each share lies within five of its standard errors."""
    entries = unjudged_entries(observed().lists)
    probability = np.random.default_rng(0).choice((0.0, 0.02, 0.3, 0.8, 1.0), size=len(entries))
    grades = drawn(fixed(probability, **deviations), 6400)
    assert (grades[:, probability == 0.0] == 0).all()
    assert (grades[:, probability == 1.0] >= 1).all()
    for level, chance in ((1, probability), (2, probability / 2)):
        error = np.sqrt(chance * (1 - chance) / 6400)
        np.testing.assert_array_less(np.abs((grades >= level).mean(axis=0) - chance), 5 * error + 1e-12)


def test_documents_of_a_topic_and_of_a_group_go_together() -> None:
    entries = unjudged_entries(observed().lists)
    topic = np.searchsorted(observed().lists.pool, entries, side="right") - 1
    half = np.full(len(entries), 0.5)

    def spread(missing: Missing) -> float:
        """Of the relevant documents of the first topic, as a multiple of what independent draws have."""
        counts = (drawn(missing, 640)[:, topic == 0] >= 1).sum(axis=1)
        return float(counts.var() / ((topic == 0).sum() / 4))

    assert spread(fixed(half)) == pytest.approx(1.0, abs=0.3)
    assert spread(fixed(half, topic_deviation=1.0)) > 2.0
    assert spread(fixed(half, group_deviation=1.0)) > 2.0
    alone = replace(fixed(half, alone_deviation=1.0), alone=np.ones(len(entries), dtype=np.bool_))
    assert spread(alone) > 2.0


def test_a_document_keeps_its_draws_whatever_other_runs_and_documents_there_are() -> None:
    many, few = observed(), observed(3)
    names = [
        {(topic, document): 0.3 for topic in of.lists.topics for document in of.lists.documents(topic)}
        for of in (many, few)
    ]
    grades = []
    for of, known in zip((many, few), names, strict=True):
        entries = unjudged_entries(of.lists)
        nobody = np.zeros(len(entries), dtype=np.int64)
        missing = Missing(
            entries, np.ones(1, dtype=np.int8), np.full((1, len(entries)), 0.3), nobody, nobody > 0, topic_deviation=0.7
        )
        plan = drawn_judgments(of, missing, replicates=40, seed=3)
        own = dict(zip(known, plan.grades_of(35), strict=True))
        places = list(known)
        grades.append({places[entry]: own[places[entry]] for entry in entries.tolist()})
    common = set(grades[0]) & set(grades[1])
    assert len(common) > 50
    assert all(grades[0][name] == grades[1][name] for name in common)
    assert any(grades[0][name] for name in common)


def test_threads_parts_and_pickles_give_the_same_numbers_and_a_second_set_others() -> None:
    variation = Unjudged(replicates=100)
    plan = variation.plan(observed())
    assert isinstance(plan, DrawnJudgments)
    whole = plan.block(range(100), 1).scores
    np.testing.assert_array_equal(plan.block(range(64, 100), 3).scores, whole[:, :, 64:])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(plan)).block(range(32), 2).scores, whole[:, :, :32])
    first, again, second = (
        replicates(variation, observed(), jobs=jobs, independent=k).means for jobs, k in ((1, 0), (3, 0), (1, 1))
    )
    np.testing.assert_array_equal(first, again)
    assert (first != second).any(axis=(0, 2)).all()


def test_replicates_are_the_scores_of_panels_with_the_drawn_grades() -> None:
    plan = Unjudged(replicates=40).plan(observed())
    assert isinstance(plan, DrawnJudgments)
    block = plan.block(range(40), 2)
    for unit in (0, 33):
        panel = replace(observed().lists, grade=plan.grades_of(unit))
        expected = panel.score(list(observed().bases)).values
        np.testing.assert_allclose(block.scores[:, :, unit], np.swapaxes(expected, 1, 2), atol=1e-12)


def test_judged_documents_keep_their_grades() -> None:
    plan = Unjudged(replicates=3).plan(observed())
    assert isinstance(plan, DrawnJudgments)
    judged = observed().lists.grade >= 0
    for unit in range(3):
        assert (plan.grades_of(unit)[judged] == observed().lists.grade[judged]).all()


def test_what_lists_say_of_a_document_is_counted_over_all_of_them() -> None:
    runs = {"x": {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}, "y": {"1": {"c": 2.0, "d": 1.0}}, "z": {"1": {"c": 1.0}}}
    panel = irassay.align({"1": {"a": 1, "b": 0}}, runs)
    evidence = Evidence.of(panel, panel.grade, [0, 1, 1])
    named = {document: k for k, document in enumerate(panel.documents("1"))}
    order = [named[document] for document in "abcd"]
    assert evidence.lists[order].tolist() == [1, 1, 3, 1]
    assert evidence.best[order].tolist() == [1, 2, 1, 2]
    assert evidence.leader[order].tolist() == [0, 0, 1, 1]
    assert evidence.alone[order].tolist() == [True, True, True, True]  # c is third in x, more than twice the rank
    share = (1 + 0.5) / 3  # of the topic
    odds = np.array([(0 + 5 * share) / 6, (1 + 5 * share) / 6, (1 + 5 * share) / 7, share])
    np.testing.assert_allclose(evidence.columns[order, 4], np.log(odds / (1 - odds)))
    x, y = np.log([(11**-2 + 0.01) / (12**-2 + 0.01), 1.0])  # relevant against not: x has both, y and z nothing judged
    quality = [x, x, (x / 13 + 2 * y / 11) / (1 / 13 + 2 / 11), y]
    np.testing.assert_allclose(evidence.columns[order, 3], quality, atol=1e-12)
    np.testing.assert_allclose(evidence.columns[order, 2], np.log([1 / 11, 1 / 12, 1 / 13 + 2 / 11, 1 / 12]))


def test_the_depth_of_the_pools_is_seen_from_the_judgments() -> None:
    model = Model(observed().lists, tuple(range(SYSTEMS)))
    assert model.pool_depth == POOL
    assert Model(observed().lists, tuple(range(SYSTEMS)), 3).pool_depth == 3
    assert pooled_depth(np.array([1, 1, 2, 2, 3, 3]), np.array([0, 1, 1, 0, 0, 0], dtype=np.int8)) == 3


def test_judgments_that_pooling_does_not_explain_teach_nothing() -> None:
    panel = observed().lists
    whole = Model(panel, tuple(range(SYSTEMS)))
    deep = np.flatnonzero((whole.whole.best > POOL) & (panel.grade < 0))[::7]
    grade = panel.grade.copy()
    grade[deep] = 2  # somebody judged deep documents because they were relevant
    chosen = Model(replace(panel, grade=grade), tuple(range(SYSTEMS)))
    assert chosen.pool_depth == POOL
    np.testing.assert_allclose(chosen.fit.raw, whole.fit.raw)


def test_probabilities_are_better_than_the_share_of_relevant_documents() -> None:
    model = Model(observed().lists, tuple(range(SYSTEMS)))
    share = float(model.relevant.mean())
    assert brier(model.left_out, model.relevant) < 0.9 * share * (1 - share)
    chance = model.chance(model.missing)
    assert chance.shape == (2, len(model.missing))
    assert (chance[1] <= chance[0]).all()


def test_given_probabilities_are_drawn_independently(tmp_path: Path) -> None:
    panel = observed().lists
    path = tmp_path / "p.txt"
    entries = unjudged_entries(panel)
    names = [(topic, document) for topic in panel.topics for document in panel.documents(topic)]
    path.write_text("".join(f"{t} {d} 0.25\n" for t, d in (names[entry] for entry in entries.tolist())))
    missing = Unjudged(probabilities=str(path)).missing(panel)
    assert (missing.probability == 0.25).all()
    assert (missing.topic_deviation, missing.group_deviation, missing.alone_deviation) == (0.0, 0.0, 0.0)
    assert missing.level.tolist() == [1, 2]
    path.write_text(f"{names[entries[0]][0]} {names[entries[0]][1]} 0.5\n")
    with pytest.warns(irassay.IrassayWarning, match=f"{len(entries) - 1} of {len(entries)} unjudged documents have no"):
        few = Unjudged(probabilities=str(path)).missing(panel)
    assert few.probability[few.probability > 0].tolist() == [0.5]
    path.write_text("0 nowhere 0.5\n")
    with pytest.raises(InputError, match="no document that is named here is retrieved and not judged"):
        Unjudged(probabilities=str(path)).missing(panel)


def test_why_missing_judgments_cannot_vary() -> None:
    panel = irassay.align({"1": {"a": 1, "b": 0}}, {"x": {"1": {"a": 2.0, "b": 1.0}}})
    assert Unjudged().unusable(Observed(panel.score("AP"), panel)) == NOTHING_MISSING
    panel = irassay.align({"1": {"a": 1}}, {"x": {"1": {"a": 2.0, "b": 1.0}}})
    assert Unjudged().unusable(Observed(panel.score("AP"), panel)) == NOTHING_LEARNED
    assert Unjudged(probabilities="p.txt").unusable(Observed(panel.score("AP"), panel)) == ""
    assert Unjudged().unusable(observed()) == ""


def test_uncertainty_varies_the_missing_judgments() -> None:
    from irassay.studies.phrases import rows_of

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", irassay.IrassayWarning)
        result = irassay.uncertainty(*files(), measures=("AP",), vary="unjudged,unjudged+topics", replicates=40)
    rows = {row["variation"]: row for row in rows_of(result["budget"])}
    assert {name: row["kind"] for name, row in rows.items()} == {"unjudged": "model", "unjudged+topics": "model"}
    assert 0 < rows["unjudged"]["sd_difference"] < rows["unjudged+topics"]["sd_difference"]
