"""Findings: plain sentences that say what the tables say."""

from __future__ import annotations

from pathlib import Path

import pytest

from irassay.measures.core.references import REFERENCES as OF_MEASURES
from irassay.report.findings import FINDINGS, findings, percent
from irassay.report.notes import NOTES, REFERENCES, note_of
from irassay.result import Column, Result, Table
from tests.helpers.pages import real


def power(**changes: Column) -> Result:
    columns: dict[str, Column] = {
        "measure": ["Q", "nDCG@10", "Q", "nDCG@10"], "test": ["paired"] * 4, "alpha": [0.05, 0.05, 0.01, 0.01],
        "topics": [50] * 4, "resamples": [1000] * 4, "significant": [244, 187, 100, 50], "pairs": [435] * 4,
        "discriminative_power": [0.56, 0.43, 0.23, 0.11], "estimated_difference": [0.1, 0.12, 0.2, 0.2],
        "ed_median": [0.04, 0.05, 0.1, 0.1], "ed_p95": [0.08, 0.1, 0.1, 0.1],
    }  # fmt: skip
    return Result("power", (Table("power", columns | changes),))


def test_findings_of_power_give_the_shares_and_the_differences() -> None:
    assert findings(power()) == [
        "Q separates 56% of the 435 pairs of systems and nDCG@10 43% (bootstrap test, paired, alpha 0.05 per "
        "comparison, 50 topics).",
        "In Q a difference of 0.10 was enough for every pair, 0.04 for half of them.",
    ]


def test_a_name_in_a_finding_is_safe_to_show() -> None:
    assert "\\x1b[1m" in findings(power(measure=["\x1b[1m"] * 4))[0]


def test_findings_of_corpus_and_variance_come_from_their_tables() -> None:
    systems: dict[str, Column] = {
        "measure": ["AP", "AP", "RR"], "system": ["a", "b", "a"], "sd": [0.01, 0.03, 0.2],
        "rank_q2.5": [1.0, 2.0, 1.0], "rank_q97.5": [3.0, 6.0, 10.0],
    }  # fmt: skip
    triples: dict[str, Column] = {"measure": ["RR", "AP"], "mean_sd": [0.2, 0.046], "sd_sd": [0.1, 0.035]}
    corpus = Result("corpus", (Table("systems", systems), Table("triples", triples)))
    assert findings(corpus) == [
        "Over images of the corpus the mean score of the median system has a standard deviation of: AP 0.020 (95% of "
        "its ranks lie within 3 places) and RR 0.200 (95% of its ranks lie within 9 places).",
        "On a single topic the difference of two systems has a standard deviation of: AP 0.046 and RR 0.200.",
    ]
    variance: dict[str, Column] = {
        "model": ["BST"], "krcc": [0.851], "mean_rejection_rate": [0.18], "raw_significant_share": [0.7],
    }  # fmt: skip
    assert findings(Result("variance", (Table("variance", variance),))) == [
        "Simulated by BST, the ranking of systems agrees with the raw one at a tau of 0.85; a pair is called different "
        "in 18% of replicates on average, against 70% of pairs on the raw scores."
    ]


def test_every_study_finds_something_of_its_own(tmp_path: Path) -> None:
    for name, result in real(tmp_path / "c"):
        sentences = findings(result)
        assert sentences, name
        assert all(sentence.endswith(".") and "nan" not in sentence.lower() for sentence in sentences)
        assert not sentences[0].startswith("This study made"), name


@pytest.mark.parametrize("study", [*FINDINGS, "compare", "design", "never heard of"])
def test_tables_of_another_version_still_have_findings(study: str) -> None:
    assert findings(Result(study, (Table("t", {"x": [1, 2]}),))) == ["This study made t (2 rows)."]
    assert findings(Result(study, ())) == ["This study made no tables."]
    assert note_of(study).how


def test_shares_are_whole_per_cents_where_that_says_enough() -> None:
    assert [percent(x) for x in (0, 0.004, 0.43, 0.996, 1)] == ["0%", "0.4%", "43%", "99.6%", "100%"]


def test_every_study_has_notes_and_every_note_its_references() -> None:
    assert set(FINDINGS) <= set(NOTES)
    assert {key for note in NOTES.values() for key in note.cites} == set(REFERENCES)
    shared = set(REFERENCES) & set(OF_MEASURES)
    assert {key: REFERENCES[key] for key in shared} == {key: OF_MEASURES[key] for key in shared}
