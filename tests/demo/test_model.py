"""The demo collection keeps its promises: one population, null pairs, a known truth, the same numbers everywhere."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irassay
from irassay import demo
from irassay.demo._kernels import fill_normals, permute
from irassay.demo.truth import sampled

SMALL = demo.Model(systems=6, null_pairs=1, depth=100, documents=5000, pool_depth=30, seed=4)


def test_the_files_and_the_panel_are_the_same_collection(tmp_path: Path) -> None:
    demo.write(SMALL, tmp_path / "c", topics=range(5))
    read = irassay.align(tmp_path / "c" / "qrels.txt", tmp_path / "c" / "runs", keep_scores=True)
    made = demo.panel_of(SMALL, range(5))
    assert (read.systems, read.topics, read.grades) == (made.systems, made.topics, made.grades)
    for topic in made.topics:
        judged = int(np.count_nonzero(made.grade[made.pool[int(topic) - 1] : made.pool[int(topic)]] >= 0))
        assert made.documents(topic)[:judged] == read.documents(topic)[:judged]
        for system in made.systems:
            assert made.ranking(system, topic) == read.ranking(system, topic)
    assert np.array_equal(read.judged_counts(), made.judged_counts())
    measures = "AP nDCG@10 Bpref Judged@50 Q'"
    assert np.array_equal(read.score(measures).values, made.score(measures).values)
    # five decimals hold a step's multiples, not every bit of them
    assert read.scores == pytest.approx(made.scores, abs=1e-12)


def test_the_order_of_the_files_is_the_order_by_score(tmp_path: Path) -> None:
    demo.write(SMALL, tmp_path / "c", topics=range(3))
    by_file = irassay.align(tmp_path / "c" / "qrels.txt", tmp_path / "c" / "runs", order="file")
    by_score = irassay.align(tmp_path / "c" / "qrels.txt", tmp_path / "c" / "runs", order="trec")
    assert np.array_equal(by_file.codes, by_score.codes)


def test_a_topic_is_the_same_alone_and_among_others_and_for_any_number_of_threads() -> None:
    whole = demo.panel_of(SMALL, range(6), jobs=1).score("AP RR").values
    assert np.array_equal(demo.panel_of(SMALL, [4], jobs=2).score("AP RR").values[..., 0], whole[..., 4])
    assert np.array_equal(demo.panel_of(SMALL, range(6), jobs=3).score("AP RR").values, whole)


def test_adding_systems_moves_no_other_systems_list() -> None:
    more = demo.Model(systems=9, groups=2, null_pairs=0, depth=100, documents=5000, seed=4)
    fewer = demo.Model(systems=4, groups=2, null_pairs=0, depth=100, documents=5000, seed=4)
    assert np.array_equal(demo.answer(more, 3).lists[:4], demo.answer(fewer, 3).lists)


def test_another_seed_gives_another_collection() -> None:
    other = demo.Model(systems=6, null_pairs=1, depth=100, documents=5000, seed=5)
    assert not np.array_equal(demo.answer(SMALL, 0).lists, demo.answer(other, 0).lists)


def test_another_corpus_keeps_topics_and_systems_and_changes_the_documents() -> None:
    other = replace(SMALL, corpus=1)
    assert other.lineup == SMALL.lineup
    one, two = SMALL.topic(3), other.topic(3)
    assert one.ease == two.ease
    for system in SMALL.lineup:
        assert SMALL.edge(system, one)[one.grades == 1][0] == other.edge(system, two)[two.grades == 1][0]
    scores = [demo.panel_of(m, range(3)).score("AP").values for m in (SMALL, other, replace(SMALL, corpus=2))]
    assert len({values.tobytes() for values in scores}) == 3
    assert not np.array_equal(SMALL.documents_of(one), other.documents_of(two))


def test_in_other_corpora_the_number_of_relevant_documents_is_binomial_about_its_mean() -> None:
    numbers = [n for n in range(40) if 20 <= len(SMALL.topic(n).grades) <= 200]
    counts = np.array([[len(replace(SMALL, corpus=c).topic(n).grades) for c in range(1, 101)] for n in numbers])
    expected = np.array([len(SMALL.topic(n).grades) for n in numbers])  # rounded
    variance = expected * (1 - expected / SMALL.size)
    assert len(numbers) > 20
    # seed 4, 100 corpora: means within 4 standard errors and the rounding; ratios of variances average to 1 ± .03 (4 of
    # the √(2/99/topics))
    assert (np.abs(counts.mean(axis=1) - expected) < 0.5 + 4 * np.sqrt(variance / 100)).all()
    assert (counts.var(axis=1, ddof=1) / variance).mean() == pytest.approx(
        1.0, abs=4 * math.sqrt(2 / 99 / len(numbers))
    )


def test_pooling_judges_what_somebody_found_and_complete_judgments_every_relevant_document() -> None:
    answered = demo.answer(SMALL, 1)
    pooled, complete = answered.judged(SMALL, "pool"), answered.judged(SMALL, "complete")
    assert set(pooled.tolist()) == set(answered.lists[:, :30].ravel().tolist())
    assert set(complete.tolist()) == set(pooled.tolist()) | set(range(len(answered.topic.grades)))
    assert len(complete) > len(pooled)


def test_twins_share_parameters_but_not_lists() -> None:
    ((one, two),) = SMALL.twins
    first, second = SMALL.system(one), SMALL.system(two)
    assert (first.strength, first.step) == (second.strength, second.step)
    assert first.group != second.group
    answered = demo.answer(SMALL, 0)
    assert not np.array_equal(answered.lists[first.number], answered.lists[second.number])


def test_twins_differ_by_chance_alone() -> None:
    ((one, two),) = SMALL.twins
    scores = demo.panel_of(SMALL, range(400), judgments="complete").score("AP")["AP"]
    x, y = (scores.values[scores.systems.index(name)] for name in (one, two))
    # seed 4, 400 topics: a t statistic beyond 3.3 has a chance of one in a thousand
    assert abs(float(stats.ttest_rel(x, y).statistic)) < 3.3
    assert x.std() > 0.1
    assert abs(x - y).max() > 0.1


@pytest.mark.parametrize("system", ["sys1", "sys2", "sys3", "sys4"])
@pytest.mark.parametrize("measure", ["AP", "P@10", "nDCG@20", "Q(rel=2)"])
def test_the_true_mean_is_what_fresh_topics_converge_to(system: str, measure: str, big: irassay.Scores) -> None:
    truth = demo.true_mean(SMALL, measure, system, topics=10_000)
    values = big[measure].values[big.systems.index(system)]
    error = math.hypot(truth.error, values.std(ddof=1) / math.sqrt(len(values)))
    # 16 comparisons at 3.7 standard errors: one in three hundred runs would fail, and the seed is fixed
    assert abs(values.mean() - truth.mean) < 3.7 * error
    assert 0 < truth.error < 0.01


@pytest.fixture(scope="module")
def big() -> irassay.Scores:
    return demo.panel_of(SMALL, range(1500), judgments="complete").score("AP P@10 nDCG@20 Q(rel=2)")


def test_rounded_scores_leave_the_truth_of_ties_to_chance_too() -> None:
    # scores in steps of one half: nearly every document is tied, and ties are broken without regard to relevance
    coarse = demo.System("coarse", 0, 0, 1.8, 0.5)
    hits, judged_counts = sampled(SMALL, coarse, range(3000))
    first = np.array([hits.rank[hits.start[i]] if hits.start[i] < hits.stop[i] else 10**9 for i in range(3000)])
    truth = float((1.0 / first).mean())
    values = []
    for number in range(3000):
        topic = SMALL.topic(number + 10_000)
        noise = np.empty(SMALL.size)
        fill_normals(noise, np.uint64(99), np.uint64(number), np.uint32(1))
        noise[: len(topic.grades)] += SMALL.edge(coarse, topic)
        score = np.floor(noise / 0.5 + 0.5)
        shuffle = np.empty(SMALL.size, dtype=np.int64)
        permute(shuffle, SMALL.size, np.uint64(99), np.uint64(number), np.uint32(2))
        ranked = np.lexsort((shuffle, -score))[: SMALL.depth]
        found = np.flatnonzero(ranked < len(topic.grades))
        values.append(1.0 / (found[0] + 1) if len(found) else 0.0)
    assert judged_counts[:, 1:].sum() > 0
    # both are means of 3000 values with an SD below .4: five standard errors of their difference
    assert abs(truth - float(np.mean(values))) < 5 * 0.4 * math.sqrt(2 / 3000)


def test_the_permutation_hits_every_number_once() -> None:
    for size in (1, 2, 7, 64, 1000):
        out = np.empty(size, dtype=np.int64)
        permute(out, size, np.uint64(1), np.uint64(2), np.uint32(3))
        assert sorted(out.tolist()) == list(range(size))


def test_normal_numbers_have_the_moments_of_a_normal_distribution() -> None:
    out = np.empty(200_001)
    fill_normals(out, np.uint64(0), np.uint64(0), np.uint32(0))
    # standard errors at n = 200,001: .0022, .0032 and .011; six of each
    assert abs(out.mean()) < 0.014
    assert abs(out.var() - 1) < 0.019
    assert abs(float(stats.kurtosis(out))) < 0.066


def test_what_has_no_true_mean_is_refused() -> None:
    for measure in ("Judged@10", "GM(AP)", "NumRelRet"):
        with pytest.raises(irassay.InputError, match="no true mean"):
            demo.true_mean(SMALL, measure, "sys1", topics=10)
    with pytest.raises(irassay.InputError, match="no system 'x'"):
        demo.true_mean(SMALL, "AP", "x")


@pytest.mark.parametrize(
    "bad", [{"systems": 0}, {"null_pairs": 4}, {"candidates": 50}, {"documents": 99}, {"depth": 0}, {"corpus": -1}]
)
def test_a_model_that_cannot_be_is_refused(bad: dict[str, int]) -> None:
    with pytest.raises(irassay.InputError):
        demo.Model(**{"systems": 6, "null_pairs": 1, "depth": 100, "documents": 5000, **bad})
