"""Findings: plain sentences that say what the tables say, stored in the result."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay import demo
from irassay.errors import IrassayWarning
from irassay.measures import records, summaries
from irassay.references import REFERENCES
from irassay.result import Column, Notes, Result, Table
from irassay.scoring.scores import Scores
from irassay.studies.corpus.run import findings as corpus_findings
from irassay.studies.phrases import percent
from irassay.studies.power.run import findings as power_findings
from irassay.studies.registry import studies
from irassay.studies.variance.run import findings as variance_findings

MODEL = demo.Model(systems=4, groups=2, null_pairs=1, depth=40, documents=2000, pool_depth=20, seed=1)


def power(**changes: Column) -> Result:
    columns: dict[str, Column] = {
        "measure": ["Q", "nDCG@10", "Q", "nDCG@10"],
        "test": ["paired"] * 4,
        "alpha": [0.05, 0.05, 0.01, 0.01],
        "topics": [50] * 4,
        "resamples": [1000] * 4,
        "significant": [244, 187, 100, 50],
        "pairs": [435] * 4,
        "discriminative_power": [0.56, 0.43, 0.23, 0.11],
        "estimated_difference": [0.1, 0.12, 0.2, 0.2],
        "ed_median": [0.04, 0.05, 0.1, 0.1],
        "ed_p95": [0.08, 0.1, 0.1, 0.1],
    }
    return Result("power", (Table("power", columns | changes),))


def test_power_tells_the_shares_and_the_differences() -> None:
    assert power_findings(power()) == [
        "Q tells most pairs of systems apart, 56% of 435, and nDCG@10 fewest, 43%.",
        "Every pair is tested on its own (paired bootstrap test, alpha 0.05 per comparison, not corrected, 50 topics).",
        "To be told apart by Q a pair needs a difference of about 0.04 in the median case, and of 0.10 at most "
        "(estimated differences: largest over pairs, alpha per comparison).",
    ]


def test_with_several_measures_power_names_the_best_and_the_worst_and_the_table() -> None:
    three: dict[str, Column] = {
        "measure": ["AP", "Q", "RR"],
        "alpha": [0.05] * 3,
        **{name: [value] * 3 for name, value in (("test", "paired"), ("topics", 50), ("resamples", 1000))},
        **{name: [value] * 3 for name, value in (("significant", 1), ("pairs", 435), ("ed_median", 0.04))},
        "discriminative_power": [0.5, 0.3, 0.4],
        "estimated_difference": [0.1] * 3,
        "ed_p95": [0.08] * 3,
    }
    assert power_findings(power(**three))[0] == (
        "AP tells most pairs of systems apart, 50% of 435, and Q fewest, 30%. The table power has all 3 measures."
    )
    same = power_findings(power(**three | {"discriminative_power": [0.5] * 3}))
    assert same[0] == "All 3 measures tell 50% of the 435 pairs of systems apart."


def test_a_name_in_a_finding_is_safe_to_show() -> None:
    assert "\\x1b[1m" in power_findings(power(measure=["\x1b[1m"] * 4))[0]


def test_findings_of_corpus_and_variance_come_from_their_tables() -> None:
    systems: dict[str, Column] = {
        "measure": ["AP", "AP", "RR"],
        "system": ["a", "b", "a"],
        "sd": [0.01, 0.03, 0.2],
        "rank_q2.5": [1.0, 2.0, 1.0],
        "rank_q97.5": [3.0, 6.0, 10.0],
    }
    triples: dict[str, Column] = {"measure": ["RR", "AP"], "mean_sd": [0.2, 0.046], "sd_sd": [0.1, 0.035]}
    corpus = Result("corpus", (Table("systems", systems), Table("triples", triples)))
    assert corpus_findings(corpus) == [
        "Over bootstrap corpora the mean score of the median system has a standard deviation of 0.020 (AP) to 0.200 "
        "(RR).",
        "In 95% of them its ranks lie within 3 (AP) to 9 places (RR).",
        "Over bootstrap corpora the difference of two systems on a single topic has a standard deviation of 0.046 "
        "(AP) to 0.200 (RR).",
    ]
    variance: dict[str, Column] = {
        "model": ["bst"],
        "krcc": [0.851],
        "mean_rejection_rate": [0.18],
        "raw_significant_share": [0.7],
    }
    pairs: dict[str, Column] = {"system_x": list("aaabbc"), "system_y": list("bcdcdd")}
    assert variance_findings(Result("variance", (Table("variance", variance), Table("pairs", pairs)))) == [
        "With lists resampled from their own scores (bst) the ranking of systems agrees with the observed one at a tau "
        "of 0.85. Then 18% of pairs are told apart on average, and 70% by the observed scores (paired t test, not "
        "corrected)."
    ]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("findings") / "collection"
    demo.write(MODEL, folder, topics=range(8), judges=demo.JUDGES[:1])
    return folder


ROUND = {"resamples": 40}
# The smallest of each, and what its tables may lack: one topic sample, one measure, one system, no difference.
CASES: list[tuple[str, dict[str, Any]]] = [
    ("check", {}),
    ("compare", {"measures": ("AP",), "resamples": 100}),
    ("compare", {"measures": ("AP nDCG@10",), "baseline": "sys1", "losses": 0.1}),
    ("estimate", {"measures": ("AP",), "trusted_topics": "1-2"}),
    ("estimate", {"measures": ("AP nDCG@10",), "trusted_topics": "1-6", "baseline": "sys1", "top": 2}),
    ("design", {"measures": ("AP nDCG@10",)}),
    ("design", {"measures": ("AP",), "min_difference": 1e-9}),
    ("power", {"measures": ("AP RR",), "histogram": True, "alpha": "0.1", **ROUND}),
    ("power", {"measures": ("AP GM(AP)",), "unpaired": True, "alpha": "0.1", **ROUND}),
    ("swap", {"measures": ("AP RR",), **ROUND}),
    ("swap", {"measures": ("AP",), "swap_rate": 0.0, "bins": 1, **ROUND}),
    ("stability", {"measures": ("AP",), "fuzziness": 1.0, **ROUND}),
    ("agreement", {"measures": ("AP RR",), "alpha": 0.1, **ROUND}),
    ("agreement", {"measures": ("GM(AP) GM(RR)",), "alpha": 0.1, **ROUND}),
    ("gains", {"schemes": "{1:1,2:2,3:3}", "alpha": 0.1, **ROUND}),
    ("gains", {"schemes": "{1:1,2:2,3:3} {1:1,2:1,3:1}", "alpha": 0.1, **ROUND}),
    ("preferred_ranks", {}),
    ("incomplete", {"measures": ("AP",), "rates": "50", "alpha": 0.1, **ROUND}),
    ("incomplete", {"measures": ("AP RR",), "rates": "50,10", "trials": 2, "alpha": 0.1, **ROUND}),
    ("pools", {"measures": ("AP",), "depths": "5", "pool_depth": 20, "alpha": 0.1, **ROUND}),
    ("corpus", {"measures": ("AP",), "images": 20, "corpus_size": 2000}),
    ("corpus", {"measures": ("AP GM(AP)",), "images": 1, "corpus_size": 2000}),
    ("variance", {"measures": ("AP RR",), "samples": 40, "alpha": 0.1}),
    ("unjudged", {"measures": ("AP P@10",), "replicates": 2}),
]


@pytest.mark.filterwarnings("ignore:.*topics (hardly tell|are judged by both)")
@pytest.mark.parametrize(("name", "settings"), CASES)
def test_every_study_has_findings_also_at_its_smallest(name: str, settings: dict[str, Any], files: Path) -> None:
    if name == "estimate":
        settings = {**settings, "cheap": files / "judges" / "noisy.qrels"}
    check(getattr(irassay, name)(files / "qrels.txt", files / "runs", **settings))


def check(result: Result) -> None:
    assert result.findings
    assert all(finding.endswith(".") and "nan" not in finding.lower() for finding in result.findings)
    study = studies()[result.study]
    assert result.notes == Notes(
        study.question, study.how, study.distrust, tuple(REFERENCES[key] for key in study.cites)
    )
    assert set(result.details) == set(study.details) & {table.name for table in result.tables}
    assert result.order == study.place


@pytest.mark.parametrize("settings", [{}, {"tasks": "random"}, {"tasks": "weights"}, {"standardise": True}])
@pytest.mark.parametrize("scores", [[0.5, 0.25], [0.5, 0.5], [0.5, 0.5, 0.25]])
@pytest.mark.parametrize("topics", [0, 1, 2])
def test_the_smallest_leaderboards_have_findings(settings: dict[str, Any], scores: list[float], topics: int) -> None:
    systems = tuple("abc"[: len(scores)])
    names = tuple(map(str, range(topics)))
    part: Any = dict(zip(systems, scores, strict=True))
    if topics:
        part = Scores(("AP",), systems, names, np.repeat(np.array(scores)[:, None], topics, axis=1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IrassayWarning)
        check(irassay.leaderboard({f"C{k}": part for k in range(6)}, resamples=40, **settings))


@pytest.mark.parametrize("settings", [{}, {"ranks": 1}, {"measures": ("NumRelRet",)}, {"relevant": "3"}])
def test_shape_has_findings_without_data(settings: dict[str, Any]) -> None:
    check(irassay.shape(**settings))


def test_a_single_system_has_a_corpus_but_no_pairs(files: Path) -> None:
    check(
        irassay.corpus(
            files / "qrels.txt", [files / "runs" / "sys1.txt"], measures=("AP",), images=10, corpus_size=2000
        )
    )


@pytest.mark.filterwarnings("ignore:.*topics hardly tell")
@pytest.mark.parametrize("name", ["compare", "design", "power", "swap", "stability", "agreement"])
def test_systems_that_do_not_differ_have_findings(name: str, tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    rows = [f"{s},{t},{m},0.5" for s in "ab" for t in range(3) for m in ("AP", "RR")]
    table.write_text("\n".join(["system,topic,measure,score", *rows]))
    check(getattr(irassay, name)(scores=(str(table),), measures=("AP RR",), resamples=100))


def test_runs_that_find_nothing_relevant_have_no_preferred_rank() -> None:
    found = irassay.preferred_ranks({"1": {"a": 1}}, {"x": {"1": {"b": 1.0}}})
    assert found.findings == ("No run retrieves a relevant document for any topic.",)


@pytest.mark.parametrize("settings", [{}, {"per_topic": True}, {"wide": True}])
def test_scores_name_the_best(settings: dict[str, Any], files: Path) -> None:
    from irassay.studies.execution import run_study
    from irassay.studies.score.settings import Score

    check(run_study(Score(**settings), files / "qrels.txt", files / "runs"))


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_a_paper_is_described_under_its_key(files: Path) -> None:
    result = irassay.paper("sakai2007one", files / "qrels.txt", files / "runs", resamples=40)
    assert "of sakai2007one were made" in result.findings[0]
    assert result.notes.references == (REFERENCES["sakai2007one"],)
    assert result.order == studies()["paper"].place


def test_a_result_without_findings_shows_the_sizes_of_its_tables() -> None:
    result = Result("old", (Table("t", {"x": np.arange(2)}), Table("u", {"x": [1]})))
    assert result.summary == ("This result has the tables: t (2 rows), u (1 row).",)
    assert Result("old", ()).summary == ("It has no tables.",)


def test_shares_are_whole_per_cents_where_that_says_enough() -> None:
    assert [percent(x) for x in (0, 0.004, 0.43, 0.996, 1)] == ["0%", "0.4%", "43%", "99.6%", "100%"]


def test_every_reference_is_cited_by_a_measure_a_study_or_a_paper() -> None:
    from irassay.studies.papers import KEYS

    cited = {record.cite for record in records().values()} | {summary.cite for summary in summaries().values()}
    cited |= {key for study in studies().values() for key in study.cites} | set(KEYS)
    assert cited - {""} == set(REFERENCES)
