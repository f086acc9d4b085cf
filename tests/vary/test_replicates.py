"""Replicates of every variation against plain NumPy and SciPy: each replicate scored on its own, each pair tested."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.scoring.scores import Scores
from irassay.vary.documents import Documents, ImagePlan, active_documents
from irassay.vary.gains import Gains
from irassay.vary.judgments import Judgments
from irassay.vary.pools import LeftOut, Pools
from irassay.vary.replicates import replicates
from irassay.vary.scores import ScorePlan
from irassay.vary.simulation import Simulation
from irassay.vary.ties import TieOrders, Ties
from irassay.vary.topics import TopicPlan, Topics
from irassay.vary.variation import Observed
from tests.helpers.varied_panels import (
    BASES,
    DROPPED,
    Floats,
    assert_same,
    by_measure,
    expanded,
    judged_only,
    observed,
    pooled_by,
    reduced_grades,
    reference,
    rescored,
    verdicts_on,
    whole_panel,
)

SEED, NUMBER = 2, 36  # more than 32, which are scored side by side


def test_the_collection_has_what_makes_variations_differ() -> None:
    panel, seen = whole_panel(), observed()
    assert DROPPED in panel.topics
    assert DROPPED not in seen.scores.topics
    assert len(seen.scores.systems) == len(panel.systems) - 1
    assert set(panel.grade.tolist()) == {-2, -1, 0, 1, 2}


def test_what_was_observed_is_scipys_tests_on_the_collection_itself() -> None:
    result = replicates(Topics(replicates=2), observed())
    scores = observed().scores
    for m, one in enumerate(scores.by_measure()):
        assert result.verdicts[m].tolist() == verdicts_on(one.values, one.name)
        assert result.tested[m] == (not one.name.startswith("AREA"))
        assert np.isnan(result.p_values[m]).all() == (not result.tested[m])
    np.testing.assert_allclose(result.observed, scores.means(), rtol=0, atol=1e-15)
    assert (result.measures, result.systems, result.topics) == (scores.measures, scores.systems, 8)


# topics

TOPICS: dict[str, tuple[dict[str, Any], TopicPlan]] = {
    "topics": ({}, TopicPlan(SEED, 8, NUMBER)),
    "topics 5": ({"size": 5}, TopicPlan(SEED, 8, NUMBER, 5)),
    "topics 12": ({"size": 12}, TopicPlan(SEED, 8, NUMBER, 12)),
    "topics 5 without replacement": (
        {"size": 5, "without_replacement": True},
        TopicPlan(SEED, 8, NUMBER, 5, replacement=False),
    ),
    "topics halves": ({"halves": True}, TopicPlan(SEED, 8, NUMBER, 4, replacement=False)),
}


@pytest.mark.parametrize("label", TOPICS)
def test_samples_of_topics_are_the_scores_of_the_topics_drawn(label: str) -> None:
    options, plan = TOPICS[label]
    result = replicates(Topics(seed=SEED, replicates=NUMBER, **options), observed())
    values = rescored(whole_panel())
    assert_same(result, reference(observed().scores, by_measure([values] * NUMBER, observed().scores, plan.counts())))
    assert (result.variation, result.kind, result.topic_covariance) == (label, "sampling", None)
    fresh = not plan.replacement
    assert result.sd_scale == pytest.approx(1.0 if fresh else np.sqrt(8 / 7))


def test_samples_hold_as_many_topics_as_asked_and_none_twice_without_replacement() -> None:
    for label, size, most in (("topics 5", 5, 5), ("topics 12", 12, 12), ("topics 5 without replacement", 5, 1)):
        counts = TOPICS[label][1].counts()
        assert set(counts.sum(axis=1).tolist()) == {size}
        assert counts.max() <= most
        assert len({tuple(row) for row in counts.tolist()}) > NUMBER / 2


def test_every_column_of_a_score_table_is_sampled_by_its_own_values() -> None:
    random = np.random.default_rng(0)
    values = random.random((3, 5, 8))
    values[0, 1], values[0, 2] = values[0, 0], values[0, 0] + 0.125  # a copy, and one and the same difference
    values[1, 1] = values[1, 0] - 0.25
    # trec_eval's name and ours for one measure, in tables of two origins, and a name that means nothing
    known = (*irassay.parse("AP"), *irassay.parse("AP"), None)
    scores = Scores(("map", "AP", "mine"), tuple("abcde"), tuple("12345678"), values, known)
    result = replicates(Topics(seed=SEED, replicates=NUMBER), Observed(scores))
    counts = TopicPlan(SEED, 8, NUMBER).counts()
    drawn = [[np.repeat(one, times, axis=1) for times in counts] for one in values]
    assert_same(result, reference(scores, drawn))
    assert result.better[0, 0] == result.worse[0, 0] == 0
    assert result.worse[0, 1] == result.better[1, 0] == NUMBER


# documents


def images(number: int = NUMBER, depth: int | None = None, independent: int = 0) -> list[Floats]:
    panel = whole_panel()
    active = active_documents(panel)
    plan = ImagePlan(SEED, 300, active, number, independent)
    copies = plan.multiplicities(0, number)
    return [rescored(expanded(panel, one[panel.document], depth)) for one in copies]


@pytest.mark.parametrize("depth", [None, 20])
def test_bootstrap_corpora_are_the_scores_of_lists_written_out_copy_by_copy(depth: int | None) -> None:
    variation = Documents(seed=SEED, replicates=NUMBER, corpus_size=300, depth=depth)
    result = replicates(variation, observed())
    drawn = images(depth=depth)
    assert_same(result, reference(observed().scores, by_measure(drawn, observed().scores)))
    assert result.topic_covariance is not None
    for m, values in enumerate(by_measure(drawn, observed().scores)):
        if result.measures[m].startswith(("GM(", "AREA(")):  # no means over topics: they have no such part
            assert np.isnan(result.topic_covariance[m]).all()
            continue
        of_topics = [np.cov(np.array([one[:, t] for one in values]).T) for t in range(8)]
        np.testing.assert_allclose(result.topic_covariance[m], np.sum(of_topics, axis=0) / 64, rtol=0, atol=1e-12)


def test_corpora_with_samples_of_topics_are_both_at_once() -> None:
    variation = Documents(seed=SEED, replicates=NUMBER, corpus_size=300)
    result = replicates(variation, observed(), with_topics=True)
    counts = TopicPlan(SEED, 8, NUMBER).counts()
    assert_same(result, reference(observed().scores, by_measure(images(), observed().scores, counts)))
    assert (result.variation, result.topic_covariance) == ("documents+topics", None)
    assert result.sd_scale == pytest.approx(np.sqrt(8 / 7))


# judgments and pools


def reduced(keep: int, number: int = NUMBER) -> list[Floats]:
    panel = whole_panel()
    plans = [reduced_grades(panel, trial, keep, seed=SEED) for trial in range(number)]
    return [rescored(replace(panel, grade=grade)) for grade in plans]


@pytest.mark.parametrize("keep", [50, 7])
def test_parts_of_the_judgments_are_the_scores_of_trials_one_after_the_other(keep: int) -> None:
    result = replicates(Judgments(seed=SEED, replicates=NUMBER, keep=keep), observed())
    assert_same(result, reference(observed().scores, by_measure(reduced(keep), observed().scores)))
    assert (result.variation, result.kind, result.random) == (f"judgments {keep}%", "scenario", True)
    assert result.sd_scale == pytest.approx(np.sqrt(keep / (100 - keep)))


@pytest.mark.parametrize("keep", [50, 7, 1])
def test_every_topic_keeps_a_relevant_and_ten_nonrelevant_judgments_where_it_has_them(keep: int) -> None:
    panel = whole_panel()
    lanes = Judgments(seed=SEED, replicates=32, keep=keep).plan(observed()).scores.plan  # type: ignore[attr-defined]
    for t in range(len(panel.topics)):
        grade = panel.grade[panel.pool[t] : panel.pool[t + 1]]
        copies, judged = (rows.reshape(len(grade), 32) for rows in lanes.of_topic(panel, lanes.rows(0), 0, t))
        assert (copies == 1).all()
        relevant, other = int((grade >= 1).sum()), int((grade == 0).sum())
        assert set(judged[grade >= 1].sum(axis=0).tolist()) <= {min(relevant, max(1, relevant * keep // 100))}
        assert set(judged[grade == 0].sum(axis=0).tolist()) == {min(other, max(10, other * keep // 100))}
        for lane in (0, 31):
            trial = reduced_grades(panel, lane, keep, seed=SEED)[panel.pool[t] : panel.pool[t + 1]]
            assert np.array_equal(judged[grade >= 0, lane] == 1, trial[grade >= 0] >= 0)


def test_parts_of_the_judgments_with_samples_of_topics_are_both_at_once() -> None:
    result = replicates(Judgments(seed=SEED, replicates=NUMBER), observed(), with_topics=True)
    counts = TopicPlan(SEED, 8, NUMBER).counts()
    assert_same(result, reference(observed().scores, by_measure(reduced(50), observed().scores, counts)))
    assert result.variation == "judgments 50%+topics"


def test_shallow_pools_are_the_scores_with_the_judgments_of_the_first_documents() -> None:
    panel = whole_panel()
    result = replicates(Pools(depths="3,10,25"), observed())
    pools = [rescored(judged_only(panel, pooled_by(panel, range(6), depth))) for depth in (3, 10, 25)]
    assert_same(result, reference(observed().scores, by_measure(pools, observed().scores)))
    assert (result.kind, result.random, result.replicates) == ("scenario", False, 3)


def test_groups_left_out_are_the_scores_without_what_only_they_contributed() -> None:
    panel = whole_panel()
    members = {"one": ["s0"], "both": ["s1", "copy"], "other": ["s2", "s3"]}
    result = replicates(LeftOut(pool_depth=12, members=members), observed())
    every = {(t, code) for t in range(9) for code in range(panel.pool[t + 1] - panel.pool[t])}
    scores = []
    for names in members.values():
        own = [panel.systems.index(name) for name in names]
        others = [s for s in range(6) if s not in own]
        lost = pooled_by(panel, own, 12) - pooled_by(panel, others, 12)
        assert lost
        scores.append(rescored(judged_only(panel, every - lost)))
    assert_same(result, reference(observed().scores, by_measure(scores, observed().scores)))


# other lists, other gains


def of_lists(plan: Any, number: int = NUMBER) -> list[Floats]:
    """The topic scores of a plan whose samples other tests check."""
    values = plan.values(0, number)  # [base, topic, system, sample]
    kept = [whole_panel().topics.index(topic) for topic in observed().scores.topics]
    return [values[..., i][:, kept].transpose(0, 2, 1) for i in range(number)]


@pytest.mark.parametrize("model", ["bst", "kde"])
def test_simulated_lists_are_the_scores_of_their_samples(model: str) -> None:
    result = replicates(Simulation(seed=SEED, replicates=NUMBER, model=model), observed())
    plan = ScorePlan(SEED, model).simulation(whole_panel(), BASES, samples=NUMBER, systems=observed().systems)
    assert_same(result, reference(observed().scores, by_measure(of_lists(plan), observed().scores)))
    assert (result.kind, result.paired) == ("model", False)
    assert result.variation == {"bst": "simulation", "kde": "simulation kde"}[model]


@pytest.mark.parametrize("with_topics", [False, True])
def test_orders_of_ties_are_the_scores_of_their_samples(with_topics: bool) -> None:
    result = replicates(Ties(seed=SEED, replicates=NUMBER), observed(), with_topics=with_topics)
    plan = TieOrders.of(whole_panel(), BASES, seed=SEED, samples=NUMBER, systems=observed().systems)
    counts = TopicPlan(SEED, 8, NUMBER).counts() if with_topics else None
    assert_same(result, reference(observed().scores, by_measure(of_lists(plan), observed().scores, counts)))
    assert (result.variation, result.kind) == ("ties+topics" if with_topics else "ties", "model")


def test_gain_schemes_are_the_scores_under_each_of_them() -> None:
    variation = Gains(schemes="{1:1,2:1} {1:1,2:9}")
    result = replicates(variation, observed())
    panels = [replace(whole_panel(), gains={1: 1.0, 2: gain}) for gain in (1.0, 9.0)]
    scores = [rescored(panel) for panel in panels]
    assert not np.array_equal(scores[0], scores[1])
    assert_same(result, reference(observed().scores, by_measure(scores, observed().scores)))
    assert (result.kind, result.random) == ("scenario", False)
    assert variation.scenarios(observed()) == ("{1:1,2:1}", "{1:1,2:9}")
    assert Gains().scenarios(observed()) == ("{1:1,2:1}", "{1:1,2:2}", "{1:1,2:3}")
