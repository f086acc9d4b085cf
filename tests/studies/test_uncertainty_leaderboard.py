"""The leaderboard of `irassay uncertainty` and what can be looked into, against scipy and against the runs' lines."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irassay
from irassay.ask.letters import spell_out
from irassay.ask.verdicts import t_test_p_values
from irassay.cli import run
from irassay.result import Result
from irassay.scoring.scores import Scores
from irassay.studies.uncertainty.details import MOST_TOPICS, detail_tables
from irassay.studies.uncertainty.leaderboard import tiers
from tests.helpers.budgets import rows, uncertainty

pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
MEASURES = "AP GM(AP) nDCG@10 AREA(AP)"


@pytest.fixture(scope="module")
def result(tied_demo: Path) -> Result:
    return uncertainty(tied_demo, measures=MEASURES, vary="topics,ties", replicates=200)


@pytest.fixture(scope="module")
def scores(tied_demo: Path) -> Scores:
    return irassay.align(tied_demo / "qrels.txt", tied_demo / "runs").score(MEASURES)


def different_pairs(values: Any) -> set[tuple[int, int]]:
    """Pairs that paired t tests call different by Holm's correction at .05, the lower place first."""
    pairs = list(itertools.combinations(range(len(values)), 2))
    p = [float(stats.ttest_rel(values[x], values[y]).pvalue) for x, y in pairs]
    different = set()
    for k, place in enumerate(np.argsort(p)):
        if p[place] * (len(p) - k) >= 0.05:
            break
        different.add(pairs[place])
    return different


def test_means_and_intervals_are_those_of_scipy(result: Result, scores: Scores) -> None:
    for measure in ("AP", "nDCG@10"):
        for row in rows(result, "leaderboard", measure=measure):
            values = scores[measure].values[scores.systems.index(row["system"])]
            interval = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
            assert row["mean"] == pytest.approx(values.mean(), abs=1e-12)
            assert (row["mean_low"], row["mean_high"]) == pytest.approx(tuple(interval), abs=1e-12)


def test_intervals_of_geometric_means_are_those_of_the_logarithms(result: Result, scores: Scores) -> None:
    for row in rows(result, "leaderboard", measure="GM(AP)"):
        logs = np.log(scores["AP"].values[scores.systems.index(row["system"])] + 1e-5)
        interval = stats.ttest_1samp(logs, 0.0).confidence_interval(0.95)
        expected = [math.exp(end) - 1e-5 for end in (interval.low, interval.high)]
        assert [row["mean_low"], row["mean_high"]] == pytest.approx(expected, rel=1e-9)
        assert row["mean_low"] < row["mean"] < row["mean_high"]


def test_systems_share_a_letter_exactly_where_the_tests_tell_nothing(result: Result, scores: Scores) -> None:
    for measure in ("AP", "nDCG@10"):
        listed = rows(result, "leaderboard", measure=measure)
        values = [scores[measure].values[scores.systems.index(row["system"])] for row in listed]
        different = different_pairs(values)
        for x, y in itertools.combinations(range(len(listed)), 2):
            shared = spell_out(listed[x]["letters"]) & spell_out(listed[y]["letters"])
            assert bool(shared) != ((x, y) in different)
        for place, row in enumerate(listed):
            assert row["rank_low"] == 1 + sum(y == place for _, y in different)  # from the best on: x is the better
            assert row["rank_high"] == len(listed) - sum(x == place for x, _ in different)
    assert any(different_pairs(scores["AP"].values))


def test_rows_go_from_the_best_system_on_and_measures_without_a_test_have_no_tiers(result: Result) -> None:
    assert list(dict.fromkeys(result["leaderboard"]["measure"])) == MEASURES.split()
    for measure in MEASURES.split():
        listed = rows(result, "leaderboard", measure=measure)
        assert [row["mean"] for row in listed] == sorted((row["mean"] for row in listed), reverse=True)
        tested = measure != "AREA(AP)"
        assert all((row[name] is not None) == tested for row in listed for name in ("letters", "rank_high", "mean_low"))
        assert sum(row["share_first"] for row in listed) == pytest.approx(1.0)


def test_so_many_systems_that_nobody_reads_letters_have_ranks_only() -> None:
    rng = np.random.default_rng(1)
    values = np.linspace(0, 0.3, 200)[:, None] + rng.normal(0.3, 0.15, (1, 50)) + rng.normal(0, 0.15, (200, 50))
    marks = tiers(values.mean(axis=1), t_test_p_values(values.T))
    assert set(marks["letters"]) == {None}
    best = int(np.argmax(values.mean(axis=1)))
    assert marks["rank_low"][best] == 1
    assert int(str(marks["rank_high"][best])) < 200


def test_shares_of_first_places_are_those_of_the_samples_of_topics(result: Result) -> None:
    for measure in MEASURES.split():
        sampled = {row["system"]: row for row in rows(result, "systems", measure=measure, variation="topics")}
        for row in rows(result, "leaderboard", measure=measure):
            assert row["share_first"] == sampled[row["system"]]["share_first"]


def test_without_samples_of_topics_and_without_lists_columns_are_missing(tied_demo: Path, scores: Scores) -> None:
    board = uncertainty(tied_demo, measures="AP", vary="ties", replicates=20)["leaderboard"]
    assert "share_first" not in board.columns
    assert "First in" not in board.caption
    ready = irassay.uncertainty(scores["AP"], replicates=20)
    assert "judged_at_10" not in ready["leaderboard"].columns
    assert "topic_scores" in ready
    assert "top_documents" not in ready
    assert set(ready.headline.tables) == {"budget", "leaderboard", "topic_scores"}


# what a reader can look into


def test_top_documents_are_the_first_lines_of_the_runs_with_their_grades(tied_demo: Path, result: Result) -> None:
    grades = {}
    for line in (tied_demo / "qrels.txt").read_text().splitlines():
        topic, _, document, grade = line.split()
        grades[topic, document] = int(grade)
    lists: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for path in (tied_demo / "runs").iterdir():
        for line in path.read_text().splitlines():
            topic, _, document, _, score, system = line.split()
            lists[system, topic].append((float(score), document))
    listed: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in rows(result, "top_documents"):
        listed[row["system"], row["topic"]].append((row["rank"], row["document"], row["grade"]))
    assert listed.keys() == lists.keys()
    for (system, topic), entries in lists.items():
        best = sorted(entries, reverse=True)[:20]  # by score, ties by document, both descending
        expected = [(k, name, grades.get((topic, name))) for k, (_, name) in enumerate(best, 1)]
        assert listed[system, topic] == expected
    assert any(row["grade"] is None for row in rows(result, "top_documents"))


def test_topic_scores_are_those_of_each_topic_once_for_each_base(result: Result, scores: Scores) -> None:
    assert list(dict.fromkeys(result["topic_scores"]["measure"])) == ["AP", "nDCG@10"]  # GM and AREA have AP's
    for row in rows(result, "topic_scores"):
        one = scores[row["measure"]]
        place = one.systems.index(row["system"]), one.topics.index(row["topic"])
        assert row["score"] == one.values[place]


def test_details_are_of_so_many_best_systems(tied_demo: Path) -> None:
    few = uncertainty(tied_demo, measures="nDCG@10 AP", vary="topics", replicates=20, details=2)
    best = [row["system"] for row in rows(few, "leaderboard", measure="nDCG@10")][:2]
    for table in ("topic_scores", "top_documents"):
        assert list(dict.fromkeys(few[table]["system"])) == best
        assert "Only the 2 best of 8 systems by nDCG@10 (--details N)." in few[table].caption
    none = uncertainty(tied_demo, measures="AP", vary="topics", replicates=20, details=0)
    assert not {"topic_scores", "top_documents"} & {table.name for table in none.tables}
    assert set(none.headline.tables) == {"budget", "leaderboard"}


def test_of_many_topics_those_are_kept_on_which_the_systems_differ_most() -> None:
    topics = tuple(str(t) for t in range(MOST_TOPICS + 30))
    values = np.full((2, len(topics)), 0.5)
    alike = [3, 50, 77]
    values[0] += np.linspace(0.1, 0.2, len(topics))
    values[0, alike] = 0.5
    (table,) = detail_tables(Scores(("AP",), ("a", "b"), topics, values), None, 20)
    kept = list(dict.fromkeys(table["topic"]))
    assert len(kept) == MOST_TOPICS
    assert not {topics[t] for t in alike} & set(kept)
    assert kept == sorted(kept, key=int)
    assert f"Only the {MOST_TOPICS} of {len(topics)} topics on which their AP differs most." in table.caption


def test_some_names_of_a_selected_panel_are_those_of_all(tied_demo: Path) -> None:
    panel = irassay.align(tied_demo / "qrels.txt", tied_demo / "runs").select(["7", "2"])
    entries = np.arange(0, len(panel.grade), 7)
    every = [name for topic in panel.topics for name in panel.documents(topic)]
    assert panel.documents_of(entries) == [every[k] for k in entries.tolist()]


def test_a_terminal_shows_neither_the_leaderboard_nor_the_details(tied_demo: Path, capfd: Any) -> None:
    data = [str(tied_demo / "qrels.txt"), str(tied_demo / "runs")]
    assert run(["uncertainty", *data, "-m", "AP", "--vary", "topics", "--replicates", "20"]) == 0
    out, err = capfd.readouterr()
    assert "DEMO-0" not in out
    assert "judged@10" not in out
    for name in ("leaderboard", "topic_scores", "top_documents"):
        assert name in err
