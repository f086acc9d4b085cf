"""`irassay leaderboard`: what the three kinds of tasks infer, families and tests over collections."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irassay
from irassay.report.text import undefined
from irassay.scoring.scores import Scores
from tests.helpers.leaderboards import SYSTEMS, collections, column, leaderboard, means, refusal


def test_fixed_tasks_have_welchs_intervals_over_the_topics_of_these_collections() -> None:
    parts = collections(3)
    result = leaderboard(parts)
    values = np.stack([part.values for part in parts.values()])  # [collections, systems, topics]
    each = values.var(axis=2, ddof=1) / 30 / 9
    freedom = each.sum(axis=0) ** 2 / (each**2 / 29).sum(axis=0)
    half = stats.t.isf(0.025, freedom) * np.sqrt(each.sum(axis=0))
    place = [SYSTEMS.index(name) for name in column(result, "system")]
    mean = values.mean(axis=(0, 2))
    np.testing.assert_allclose(column(result, "mean"), mean[place], rtol=1e-12)
    np.testing.assert_allclose(column(result, "mean_low"), (mean - half)[place], rtol=1e-9)
    np.testing.assert_allclose(column(result, "mean_high"), (mean + half)[place], rtol=1e-9)
    assert set(column(result, "inference")) == {"these collections, topics sampled"}


def test_random_tasks_are_a_t_test_over_collections_without_their_topics() -> None:
    parts = collections(8)
    per_topic = leaderboard(parts, "random-tasks", tasks="random")
    alone = leaderboard(means(parts), "random-tasks", tasks="random")
    np.testing.assert_allclose(column(per_topic, "p_value", "pairs"), column(alone, "p_value", "pairs"), rtol=1e-9)
    scores = np.array([[part[s] for part in means(parts).values()] for s in SYSTEMS])
    for x, y, p, corrected in zip(
        *(column(alone, name, "pairs") for name in ("system_x", "system_y", "p_value", "p_corrected")), strict=True
    ):
        expected = stats.ttest_rel(scores[SYSTEMS.index(x)], scores[SYSTEMS.index(y)]).pvalue
        assert p == pytest.approx(expected, rel=1e-8)
        assert corrected >= p
    low, high = stats.t.interval(0.95, 7, scores.mean(axis=1), stats.sem(scores, axis=1))
    place = [SYSTEMS.index(name) for name in column(alone, "system")]
    np.testing.assert_allclose(column(alone, "mean_low"), low[place], rtol=1e-9)
    np.testing.assert_allclose(column(alone, "mean_high"), high[place], rtol=1e-9)


def test_random_tasks_always_say_that_leaderboards_are_rarely_random() -> None:
    result = leaderboard(means(collections(6)), "random-tasks", tasks="random")
    phrase = "as if these tasks were a random sample; leaderboards rarely are"
    for name in ("leaderboard", "pairs", "ranks", "critical_difference"):
        assert phrase in result[name].caption
    assert any(phrase in sentence for sentence in result.findings)
    assert phrase in str(result.warnings[0])


def test_all_weightings_are_sensitivity_and_no_confidence() -> None:
    result = leaderboard(means(collections(6)), tasks="weights")
    for name in ("mean_low", "mean_high", "rank_low", "rank_high", "best_set"):
        assert all(map(undefined, column(result, name)))
    assert all(map(undefined, column(result, "p_value", "pairs")))
    assert "sensitivity, not confidence" in result["weightings"].caption
    assert sum(column(result, "share_first", "weightings")) == pytest.approx(1.0)
    pairs = result["weighted_pairs"]
    share = dict(zip(zip(pairs["system_x"], pairs["system_y"], strict=True), pairs["share_better"], strict=True))
    assert share["a", "d"] == 1.0
    assert share["a", "b"] + share["b", "a"] == 1.0


def test_one_score_for_each_collection_has_no_interval_and_says_so() -> None:
    result = leaderboard(means(collections(3)), "no-topics")
    for name in ("mean_low", "mean_high", "rank_low", "rank_high", "best_set"):
        assert all(map(undefined, column(result, name)))
    assert "ranks" not in result
    assert any("no intervals and no tests" in sentence for sentence in result.findings)


def test_findings_name_who_cannot_be_told_apart_from_the_first_place() -> None:
    result = leaderboard(collections(4))
    best = [
        s for s, inside in zip(column(result, "system"), column(result, "best_set"), strict=True) if inside == "yes"
    ]
    assert best == ["a", "b"]
    assert "a and b cannot be told apart from the first place; 2 of 5 systems are in the best set." in result.findings


def test_mean_ranks_and_borda_say_that_they_depend_on_who_takes_part() -> None:
    result = leaderboard(collections(3))
    warning = "Mean rank and Borda's count depend on which systems take part."
    assert warning in result["leaderboard"].caption
    assert warning in result.findings
    assert sum(column(result, "borda")) == 3 * 10  # pairs on each collection
    assert sum(column(result, "mean_rank")) == pytest.approx(15)


def test_the_order_of_systems_and_of_collections_moves_no_number() -> None:
    parts = collections(3)
    turned = {name: parts[name].select(systems=SYSTEMS[::-1]) for name in reversed(parts)}
    one, other = leaderboard(parts), leaderboard(turned)
    for name in ("system", "rank_low", "rank_high", "best_set"):
        assert column(one, name) == column(other, name)
    for name in ("mean", "mean_low", "mean_high"):
        assert column(one, name) == pytest.approx(column(other, name), rel=1e-12)


def test_families_of_collections_are_the_sample(tmp_path: Path) -> None:
    data = means(collections(12))
    # each collection twice, under another name: families of two copies must say what the twelve alone say
    doubled = {**data, **{f"{name}x": scores for name, scores in data.items()}}
    file = tmp_path / "families.txt"
    file.write_text("".join(f"{name} {name.removesuffix('x')}\n" for name in doubled))
    alone = leaderboard(data, "random-tasks", tasks="random")
    families = leaderboard(doubled, "random-tasks", tasks="random", families=str(file))
    for name in ("mean", "mean_low", "mean_high", "rank_low", "rank_high"):
        np.testing.assert_allclose(column(alone, name), column(families, name), rtol=1e-9)
    np.testing.assert_allclose(column(alone, "p_value", "pairs"), column(families, "p_value", "pairs"), rtol=1e-6)
    file.write_text("C0 x\n")
    assert "11 of 12 collections are in no family" in refusal(data, tasks="random", families=str(file)).what
    file.write_text("".join(f"{name} {'odd' if n % 2 else 'even'}\n" for n, name in enumerate(data)))
    assert "2 families of collections" in refusal(data, tasks="random", families=str(file)).what


def test_a_random_sample_needs_six_collections() -> None:
    error = refusal(means(collections(5)), tasks="random")
    assert "there are 5 collections, and a random sample of them needs 6" in error.what
    assert "--tasks fixed" in error.hint


def test_a_test_that_holm_leaves_no_chance_is_an_error_that_says_so() -> None:
    error = refusal(means(collections(8)), tasks="random", test="wilcoxon")
    assert "over 8 collections has no p-value below 0.0078, and Holm over 10 pairs needs one below 0.005" in error.what
    assert "nothing could be significant" in error.what
    result = leaderboard(means(collections(12)), "random-tasks", tasks="random", test="wilcoxon")
    scores = np.array([[part[s] for part in means(collections(12)).values()] for s in SYSTEMS])
    assert column(result, "p_value", "pairs")[1] == pytest.approx(stats.wilcoxon(scores[0], scores[2]).pvalue)
    assert "Wilcoxon's p-values test no mean difference" in result["pairs"].caption


@pytest.mark.parametrize("test", ["paired-bootstrap", "randomization", "sign"])
def test_other_tests_over_collections_are_those_of_compare(test: Any) -> None:
    data = means(collections(12))
    result = leaderboard(data, "random-tasks", tasks="random", test=test, resamples=2000)
    scores = np.array([[part[s] for part in data.values()] for s in SYSTEMS])
    table = Scores(("m",), SYSTEMS, tuple(data), scores)
    compared = irassay.compare(table, measures="m", test=test, resamples=2000)
    np.testing.assert_allclose(column(result, "p_value", "pairs"), column(compared, "p_value", "pairs"), rtol=1e-9)
    np.testing.assert_allclose(
        column(result, "p_corrected", "pairs"), column(compared, "p_corrected", "pairs"), rtol=1e-9
    )


def test_the_collections_that_decide_the_order_are_found_by_leaving_each_out() -> None:
    data = {
        "X": {"a": 0.9, "b": 0.1, "c": 0.0},
        "Y": {"a": 0.1, "b": 0.3, "c": 0.0},
        "Z": {"a": 0.1, "b": 0.3, "c": 0.2},
    }
    result = leaderboard(data, "no-topics")
    assert column(result, "first", "without") == ["b", "a", "a"]
    assert column(result, "first_changes", "without") == ["yes", "no", "no"]
    assert "Without X another system would be first: b." in result.findings
    taus = column(result, "tau_without", "collections")
    assert min(taus) == taus[0] < 1


def test_the_win_matrix_counts_collections() -> None:
    data = {"X": {"a": 0.9, "b": 0.1}, "Y": {"a": 0.1, "b": 0.3}, "Z": {"a": 0.3, "b": 0.3}}
    result = leaderboard(data, "no-topics")
    matrix = result["win_matrix"]
    share = dict(zip(zip(matrix["system_x"], matrix["system_y"], strict=True), matrix["win_rate"], strict=True))
    assert share == {("a", "a"): 0.5, ("b", "b"): 0.5, ("a", "b"): 0.5, ("b", "a"): 0.5}
    assert next(zip(*(column(result, name, "pairs") for name in ("wins", "losses", "ties")), strict=True)) == (1, 1, 1)


def test_groups_hold_every_pair_that_no_test_tells_apart_and_no_other() -> None:
    result = leaderboard(collections(4))
    members: dict[str, set[str]] = {}
    for group, system in zip(*(column(result, name, "groups") for name in ("group", "system")), strict=True):
        members.setdefault(group, set()).add(system)
    for x, y, p in zip(*(column(result, n, "pairs") for n in ("system_x", "system_y", "p_corrected")), strict=True):
        assert (p >= 0.05) == any({x, y} <= group for group in members.values())


def test_few_topics_for_many_systems_take_holm_and_say_so() -> None:
    parts = collections(2, topics=4)
    assert "Ranks by Holm, because 8 topics are too few for draws of 5 systems" in leaderboard(parts)["ranks"].caption
    assert "step-down" in leaderboard(collections(2, topics=5))["ranks"].caption
