"""What other studies than `uncertainty` and `check` give to the first screen of a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay.errors import IrassayWarning
from irassay.result import Result, Table, worst_first
from irassay.studies.concerns import few_topics, of_warnings
from irassay.studies.power.headline import headline as power_headline
from irassay.studies.registry import load, studies
from irassay.studies.study.findings import findings as study_findings
from irassay.studies.study.findings import headline as study_headline
from irassay.studies.variance.headline import headline as variance_headline

pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")


def test_every_headline_is_a_function_that_can_be_loaded() -> None:
    paths = {name: study.headline for name, study in studies().items() if study.headline}
    assert set(paths) >= {"uncertainty", "check", "study", "compare", "power", "variance", "leaderboard"}
    assert all(callable(load(path)) for path in paths.values())


def power(pairs: int = 10) -> Result:
    rows: dict[str, Any] = {
        "measure": ["RR", "AP", "Q", "AP"],
        "test": ["paired"] * 4,
        "alpha": [0.05, 0.05, 0.05, 0.01],
        "pairs": [pairs] * 4,
        "estimated_difference": [0.2, 0.1, 0.15, 0.3],
    }
    return Result("power", (Table("power", rows),), provenance={"measures": ["AP", "Q", "RR"]})


def test_power_says_which_differences_its_test_finds_by_the_first_two_measures() -> None:
    assert power_headline(power()).verdict == {
        "trust": "Differences of at least 0.100 by AP and 0.150 by Q are enough for any two systems to be called "
        "different (paired bootstrap test, alpha 0.05)."
    }
    assert power_headline(power(pairs=3)).verdict == {}


def test_compare_says_who_is_first_and_shows_all_systems_only_without_a_baseline(tied_demo: Path) -> None:
    data = tied_demo / "qrels.txt", tied_demo / "runs"
    every = irassay.compare(*data, measures="AP", resamples=40)
    assert every.headline.verdict == {"first": every.findings[0]}
    assert every.headline.tables == {"leaderboard": "comparison"}
    assert {"measure", "system", "mean"} <= set(every["comparison"].columns)
    one = irassay.compare(*data, measures="AP", baseline="sys1", resamples=40)
    assert one.headline.tables == {}
    assert one.headline.verdict == {"first": one.findings[0]}


def test_a_full_study_of_the_demo_fills_the_first_screen(tied_demo: Path) -> None:
    data, groups = (tied_demo / "qrels.txt", tied_demo / "runs"), str(tied_demo / "groups.txt")
    results = irassay.study(*data, only="uncertainty,check,power", groups=groups, resamples=200, details=3)
    headlines = [result.headline for result in results.values()]
    assert headlines[0].title == headlines[1].title == "demo: 8 systems, 3 groups, 12 topics"
    assert list(headlines[0].verdict) == ["first", "trust", "threat"]
    assert list(headlines[0].tables) == ["budget", "leaderboard", "topic_scores", "top_documents"]
    assert set(results["uncertainty"]["top_documents"]["system"]) <= set(
        results["uncertainty"]["leaderboard"]["system"]
    )
    assert len(set(results["uncertainty"]["top_documents"]["system"])) == 3
    assert len(set(results["uncertainty"]["leaderboard"]["system"])) == 8
    worst = worst_first(headlines)
    assert "Few topics" in [one.title for one in worst[:3]]
    assert len({one.title for one in worst[:3]}) == 3
    assert results.overview.headline.concerns == ()


def test_warnings_of_one_code_are_one_concern_that_counts_them() -> None:
    warnings = [IrassayWarning("tied", "x and\x1b y are tied"), IrassayWarning("tied", "more"), IrassayWarning("z", "")]
    (concern,) = of_warnings(warnings, {"tied": ("Ties", 0.4), "other": ("Other", 0.9)})
    assert concern == (0.4, "Ties", "X and\\x1b y are tied. So it is in 1 more case.")


def test_variance_names_the_systems_that_it_cannot_take() -> None:
    unusable = Table("unusable", {"system": ["a", "a", "b"], "code": ["c"] * 3, "reason": ["no scores"] * 3})
    (concern,) = variance_headline(Result("variance", (unusable,))).concerns
    assert concern.text == "No density can be fitted to the scores of a and 1 more: no scores."
    assert variance_headline(Result("variance", ())).concerns == ()


def parts(**problems: str) -> Result:
    columns: dict[str, Any] = {
        "part": list(problems),
        "done": [not p for p in problems.values()],
        "problem": list(problems.values()),
    }
    return Result("study", (Table("parts", columns),))


def test_a_full_study_says_what_failed_and_nothing_where_nothing_did() -> None:
    assert study_headline(parts(check="", power="")).concerns == ()
    assert study_findings(parts(check="", power="")) == ["All 2 parts were made."]
    assert study_findings(parts(check="")) == ["check was made."]
    failed = parts(check="", power="too few topics.", swap="a bug")
    assert study_findings(failed) == ["power could not be made: too few topics.", "swap could not be made: a bug."]
    (concern,) = study_headline(failed).concerns
    assert concern.text.startswith("Nothing is known about what power and swap would have shown")


@pytest.mark.parametrize(("topics", "severity"), [(3, 0.8), (9, 0.8), (10, 0.55), (25, 0.2), (50, None), (0, None)])
def test_few_topics_are_the_worse_the_fewer_they_are(topics: int, severity: float | None) -> None:
    concern = few_topics(topics)
    assert (concern and concern.severity) == severity
