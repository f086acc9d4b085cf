"""The verdict of `irassay uncertainty` for every kind of data: three sentences that say only what the tables have."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.errors import IrassayWarning
from irassay.result import Headline, Result, Table
from irassay.scoring.scores import Scores
from irassay.studies.tables import columns
from irassay.studies.uncertainty.headline import headline
from irassay.studies.uncertainty.scenarios import OWN_GROUP

pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")


def board(measure: str, means: Sequence[float], letters: Sequence[str], high: int, **more: Any) -> list[dict[str, Any]]:
    """A leaderboard of the systems s1, s2, …; `high` is the lowest rank that tests leave to the first."""
    names = [f"s{k}" for k in more.pop("order", range(1, len(means) + 1))]
    return [
        {
            "measure": measure,
            "system": name,
            "mean": mean,
            "mean_low": mean - 0.05,
            "mean_high": mean + 0.05,
            "letters": marks,
            "rank_low": 1,
            "rank_high": high if k == 0 else len(means),
            "share_first": 0.9 if k == 0 else 0.1 / (len(means) - 1),
            **more,
        }
        for k, (name, mean, marks) in enumerate(zip(names, means, letters, strict=True))
    ]


def budget(measure: str, **resolved: tuple[float | None, float | None]) -> list[dict[str, Any]]:
    kinds = {"topics": "sampling", "documents": "sampling", "ties": "model", "simulation": "model"}
    return [
        {
            "measure": measure,
            "variation": name.replace("_", " "),
            "kind": kinds.get(name, "scenario"),
            "pairs_resolved": share,
            "surviving_difference": least,
        }
        for name, (share, least) in resolved.items()
    ]


def made(leaderboard: list[dict[str, Any]], rows: list[dict[str, Any]], *tables: Table, topics: int = 50) -> Headline:
    listed = (
        Table("leaderboard", columns(leaderboard), digits={"mean": 4}),
        Table("budget", columns(rows)),
        *tables,
    )
    return headline(Result("uncertainty", listed, provenance={"topics": [str(t) for t in range(topics)]}))


TOPICS = budget("AP", topics=(0.78, 0.03))


@pytest.mark.parametrize(
    ("rows", "first"),
    [
        (
            board("AP", [0.46912, 0.4, 0.3], ["a", "b", "c"], 1),
            "s1 is first by AP (0.469, 95% interval 0.419 to 0.519), and in 90% of topic samples. "
            "Paired t tests tell it from both others.",
        ),
        (board("AP", [0.5, 0.4, 0.3], ["a", "ab", "b"], 2), "Paired t tests do not tell it from s2."),
        (board("AP", [0.5, 0.4, 0.3], ["a", "a", "a"], 3), "Paired t tests do not tell it from s2 and s3."),
        (board("AP", [0.5 - k / 100 for k in range(9)], ["a"] * 9, 9), "Paired t tests tell it from no other system."),
        (
            board("AP", [0.5 - k / 100 for k in range(9)], ["a"] * 6 + ["b"] * 3, 6),
            "Paired t tests tell it from 3 of 8 others.",
        ),
        (board("AP", [0.5, 0.4], ["a", "b"], 1), "Paired t tests tell it from the other system."),
        (
            board("AP", [0.5, 0.5, 0.3], ["a", "a", "b"], 2),
            "s1 and s2 share the first place by AP (0.500). Paired t tests tell them from the other system.",
        ),
        (board("AP", [0.5, 0.5], ["a", "a"], 2), "Both systems have the same AP, 0.500."),
        (
            board("AP", [0.5, 0.4, 0.3], ["", "", ""], 3, rank_high=None, mean_low=None, mean_high=None),
            "s1 is first by AP (0.500), and in 90% of topic samples.",
        ),
        (
            board("AP", [0.5, 0.4], ["a", "b"], 1) + board("RR", [0.5, 0.4], ["a", "a"], 2),
            "(0.500, 95% interval 0.450 to 0.550) and RR, and in 90% of topic samples.",
        ),
        (
            board("AP", [0.5, 0.4], ["a", "b"], 1) + board("RR", [0.5, 0.4], ["a", "a"], 2, order=[2, 1]),
            "0.550) but not by the other measure, and in",
        ),
        (
            board("AP", [0.5, 0.4], ["a", "b"], 1)
            + board("RR", [0.5, 0.4], ["a", "a"], 2)
            + board("Q", [0.5, 0.4], ["a", "a"], 2, order=[2, 1]),
            "0.550) and 1 of 2 other measures, and in",
        ),
        (
            board("AP", [0.5, 0.4], ["a", "b"], 1, share_first=0.3),
            "0.550), but only in 30% of topic samples. Paired",
        ),
    ],
)
def test_who_is_first_and_how_sure(rows: list[dict[str, Any]], first: str) -> None:
    assert first in made(rows, TOPICS).verdict["first"]


LEADER = board("AP", [0.5, 0.4], ["a", "b"], 1)


@pytest.mark.parametrize(
    ("rows", "trust"),
    [
        (TOPICS, "Differences of at least 0.030 by AP survive topic samples."),
        (
            TOPICS + budget("RR", topics=(0.6, 0.09)) + budget("Q", topics=(0.6, 0.05)),
            "Differences of at least 0.030 by AP and 0.090 by RR survive topic samples.",
        ),
        (
            TOPICS + budget("RR", topics=(0.6, None)),
            "Differences of at least 0.030 by AP survive topic samples. "
            "By RR no difference is so large that it survives topic samples.",
        ),
        (budget("AP", topics=(1.0, 0.01)), "By AP every difference survives topic samples."),
        (budget("AP", documents=(0.9, 0.01), ties=(0.5, 0.2)), "Differences of at least 0.010 by AP survive bootstrap"),
        (budget("AP", topics_5=(0.9, 0.02)), "Differences of at least 0.020 by AP survive samples of 5 topics."),
    ],
)
def test_which_differences_to_trust(rows: list[dict[str, Any]], trust: str) -> None:
    assert made(LEADER, rows).verdict["trust"].startswith(trust)


@pytest.mark.parametrize(
    ("rates", "trust"),
    [
        ([0.0, 0.05, 0.01], "All 3 differences by AP survive topic samples."),
        ([0.0, 0.06, 0.3], "Of 3 differences by AP 1 survives topic samples."),
        ([0.2, 0.06, 0.3], "Of 3 differences by AP none survive topic samples."),
        ([0.2], "The difference by AP does not survive topic samples."),
        ([0.02], "The difference by AP survives topic samples."),
    ],
)
def test_of_few_systems_it_says_how_many_pairs_survive(rates: list[float], trust: str) -> None:
    rows = [
        {"measure": m, "variation": v, "reversed": rate if (m, v) == ("AP", "topics") else 0.0}
        for m in ("AP", "RR")
        for v in ("topics", "documents")
        for rate in rates
    ]
    few = budget("AP", topics=(None, None), documents=(None, None)) + budget("RR", topics=(None, None))
    assert made(LEADER, few, Table("pairs", columns(rows))).verdict["trust"] == trust


def test_scenarios_alone_say_nothing_about_which_differences_to_trust() -> None:
    assert "trust" not in made(LEADER, budget("AP", pools=(0.9, 0.01))).verdict


@pytest.mark.parametrize(
    ("rows", "threat"),
    [
        (TOPICS, "Topic samples leave the order of 22% of the pairs open by AP."),
        (
            budget("AP", topics=(0.9, 0.1), documents=(0.7, 0.1), pools=(0.5, 0.1), gains=(0.6, 0.1)),
            "Bootstrap corpora leave the order of 30% of the pairs open by AP, topic samples 10%, shallower pools 50%.",
        ),
        (
            budget("AP", topics=(0.9, 0.1), simulation=(0.1, 0.4), ties=(0.8, 0.1)),
            "Topic samples leave the order of 10% of the pairs open by AP, orders of tied documents 20%.",
        ),
        (
            budget("AP", topics=(0.99, 0.1), pools=(1.0, 0.1)),
            "No source of variation leaves the order of more than 2% of the pairs open by AP.",
        ),
    ],
)
def test_what_threatens_the_order(rows: list[dict[str, Any]], threat: str) -> None:
    assert made(LEADER, rows).verdict["threat"] == threat


def test_a_verdict_is_short() -> None:
    rows = [
        row for m in ("AP", "nDCG@10", "Q", "RR") for row in board(m, [0.5 - k / 99 for k in range(30)], "a" * 30, 9)
    ]
    sources = dict.fromkeys(("topics", "documents", "pools", "gains", "ties"), (0.5, 0.1))
    verdict = made(rows, [row for m in ("AP", "nDCG@10") for row in budget(m, **sources)]).verdict
    assert list(verdict) == ["first", "trust", "threat"]
    assert sum(len(text.split()) for text in verdict.values()) <= 70


def test_concerns_are_few_topics_silent_tests_and_systems_that_rest_on_their_own_judgments() -> None:
    silent = [row | {"rank_high": 2} for row in LEADER]
    own = {"measure": "AP", "variation": "left out", "scenario": OWN_GROUP, "largest_shift": -0.06, "system": "s1"}
    scenarios = Table("scenarios", columns([own | {"ranks_lost_most": 0.0}]))
    titles = {one.title: one for one in made(silent, TOPICS, scenarios, topics=8).concerns}
    assert set(titles) == {"Few topics", "No significant difference", "Groups that fed the pool"}
    assert titles["Few topics"].severity == 0.8
    assert titles["Groups that fed the pool"].severity == 0.5  # twice the difference that survives
    assert titles["Groups that fed the pool"].text.startswith("s1 would lose 0.060 AP if its own group")
    assert made(LEADER, TOPICS).concerns == ()
    lost = Table("scenarios", columns([own | {"largest_shift": -1e-4, "ranks_lost_most": 3.0}]))
    ten = board("AP", [0.5 - k / 99 for k in range(10)], "a" * 10, 9)
    (concern,) = made(ten, TOPICS, lost).concerns
    assert concern.severity == 0.3  # 3 of 10 ranks
    assert concern.text.endswith("; a system would lose up to 3 ranks by AP.")


@pytest.mark.parametrize("systems", [2, 3, 4, 5])
@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize("measures", [("AP",), ("AP", "RR", "X")])
def test_any_data_have_a_verdict(systems: int, alike: bool, measures: tuple[str, ...]) -> None:
    values = np.random.default_rng(3).random((len(measures), systems, 6))
    if alike:
        values[:] = values[:, :1]
    names = tuple("abcde"[:systems])
    result = irassay.uncertainty(Scores(measures, names, tuple("123456"), values), replicates=40)
    verdict = result.headline.verdict
    assert set(verdict) >= {"first"}
    every = "Both" if systems == 2 else f"All {systems}"
    assert alike == verdict["first"].startswith(f"{every} systems have the same AP")
    for text, other in itertools.product((*verdict.values(), *result.findings), ("nan", "None", "inf ")):
        assert other not in text
        assert text.endswith(".")


def test_names_are_safe_to_show() -> None:
    values = np.random.default_rng(3).random((1, 3, 6))
    result = irassay.uncertainty(Scores(("\x1b[1m",), ("\x1b[2m", "b", "c"), tuple("123456"), values), replicates=40)
    assert "\x1b" not in "".join([*result.headline.verdict.values(), *(one.text for one in result.headline.concerns)])


def test_several_collections_have_a_verdict_each() -> None:
    parts = {}
    for k, name in enumerate(("one", "two")):
        values = np.random.default_rng(k + 4).random((1, 6, 9)) / 2 + np.linspace(0.4, 0, 6)[:, None]
        parts[name] = irassay.Collection(name=name, qrels=Scores(("AP",), tuple("abcdef"), tuple("123456789"), values))
    with pytest.warns(IrassayWarning):
        result = irassay.uncertainty(list(parts.values()), replicates=40)
    for question in ("first", "trust", "threat"):
        assert result.headline.verdict[question].startswith("one: ")
        assert " two: " in result.headline.verdict[question]
    assert list(result["leaderboard"].columns)[:3] == ["collection", "measure", "system"]
    assert set(result["topic_scores"]["collection"]) == {"one", "two"}
