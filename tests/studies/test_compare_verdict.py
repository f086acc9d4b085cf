"""`irassay compare` in words: the verdict and the sentence for a paper say what the tables hold, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.cli import run
from irassay.result import Result
from irassay.studies.compare.method_section import START
from irassay.studies.compare.verdict import FEW_TOPICS
from tests.helpers.comparisons import SAMPLES, TESTS, compared
from tests.helpers.sampled_studies import of


@pytest.fixture
def at(comparison_place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(comparison_place)
    return comparison_place


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_with_a_baseline_the_verdict_says_who_is_better_by_how_much_and_who_has_fewer_judged_documents(
    at: Path,
) -> None:
    result = irassay.compare("qrels.txt", ["runs/s1.txt", "runs/s2.txt", "runs/s3.txt", "runs/s4.txt"], baseline="s1")
    assert list(result.findings[:2]) == [
        "AP: s3 and s2 are better than s1 by 0.195 and 0.103 (Student's paired t test, corrected by Holm, alpha 0.05); "
        "s4 is worse by 0.160, but fewer of its documents are judged (50% of its first 10 against 100%).",
        "nDCG@10: s3 and s2 are better than s1; s4 is not told from s1.",
    ]
    lost = irassay.compare("qrels.txt", ["runs/s2.txt", "runs/s4.txt"], baseline="s4", measures="AP")
    assert lost.findings[0] == (
        "AP: s2 is better than s4 by 0.262 (Student's paired t test, one comparison, alpha 0.05), though fewer of the "
        "first 10 documents are judged of s4 (50%) than of s2 (100%)."
    )


def test_without_a_baseline_the_verdict_says_who_is_first_and_from_whom_it_is_not_told(at: Path) -> None:
    result = compared(correction="none", alpha=1e-5)
    rows, pairs = of(result, "comparison"), of(result, "pairs")
    leader = rows[0]["system"]
    told = {p["system_x"] + p["system_y"] for p in pairs if p["p_corrected"] < 1e-5}
    rest = [row["system"] for row in rows[1:] if "".join(sorted([leader, row["system"]])) not in told]
    assert 0 < len(rest) < 4
    assert result.findings[0] == (
        f"AP: {leader} is first; the tests do not tell {' and '.join(rest)} from {leader}, but they do tell the other "
        f"{4 - len(rest)} (Student's paired t test, not corrected, alpha 1e-05)."
    )
    assert result.findings[1] == f"Of 10 comparisons {len(told)} are significant."
    assert f"of samples of these topics {leader} is first." in result.findings[2]


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize(
    ("alpha", "verdict"),
    [
        (0.05, "By nDCG@10 s2 is first as well; the tests tell it from the other system."),
        (1e-9, "By nDCG@10 s2 is first as well; the tests do not tell it from the other system."),
    ],
)
def test_of_two_systems_the_verdict_speaks_of_the_other_one(at: Path, alpha: float, verdict: str) -> None:
    result = irassay.compare("qrels.txt", ["runs/s2.txt", "runs/s4.txt"], alpha=alpha)
    assert verdict in result.findings


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_of_two_systems_the_verdict_names_the_measures_by_which_they_differ(at: Path) -> None:
    def two(alpha: float) -> Result:
        return irassay.compare("qrels.txt", ["runs/s2.txt", "runs/s4.txt"], measures="AP nDCG@10 P@10", alpha=alpha)

    p = {row["measure"]: row["p_corrected"] for row in of(two(0.05), "pairs")}
    less, more = sorted(("nDCG@10", "P@10"), key=lambda measure: p[measure])
    assert p[less] < p[more]
    assert (
        f"By nDCG@10 and P@10 s2 is first as well; the tests tell it from the other system by {less} only."
        in two((p[less] + p[more]) / 2).findings
    )


@pytest.mark.parametrize("baseline", [None, "s2"])
@pytest.mark.parametrize(
    ("settings", "how"),
    [
        ({"correction": "bonferroni"}, "Student's paired t test, corrected by Bonferroni, alpha 0.05"),
        ({"correction": "none", "alpha": 0.01}, "Student's paired t test, not corrected, alpha 0.01"),
        ({"test": "tukey"}, "Randomised Tukey HSD test, for all pairs at once, alpha 0.05"),
        ({"correction": "stepdown"}, "Student's paired t test, corrected by a step-down test of the largest |t|"),
    ],
)
def test_the_correction_is_named_or_said_not_to_be_there(
    settings: dict[str, Any], how: str, baseline: str | None, at: Path
) -> None:
    assert how in compared(**settings, baseline=baseline).findings[0]


def test_tests_of_no_mean_call_no_system_better(at: Path) -> None:
    for test in ("wilcoxon", "sign"):
        text = " ".join(compared(test=test, baseline="s1", measures="AP nDCG@10").findings)
        assert "differ from s1 with means higher by" in text
        assert "better" not in text
        assert "worse" not in text


@pytest.mark.parametrize("topics", [5, 30])
@pytest.mark.parametrize("baseline", [None, "a"])
def test_nothing_significant_and_few_topics_are_said_plainly(topics: int, baseline: str | None, tmp_path: Path) -> None:
    table, draw = tmp_path / "scores.csv", np.random.default_rng(4)
    rows = [f"{s},{t},X,{draw.random():.4f}" for s in "abc" for t in range(topics)]
    table.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    result = irassay.compare(scores=table, measures="X", baseline=baseline, resamples=SAMPLES)
    assert all(row["p_corrected"] >= 0.05 for row in of(result, "pairs"))
    text = " ".join(result.findings)
    assert "does not show that" in text
    assert ("the tests tell no system from a" if baseline else "the tests do not tell any other system from") in text
    widths = [(row["high"] - row["low"]) / 2 for row in of(result, "pairs")]
    assert f"±{np.median(widths):.{result['pairs'].digits['difference']}f} (median)" in text
    assert ("only 5 topics" in text) == (topics < FEW_TOPICS)


def test_systems_with_the_same_mean_are_first_together(tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    rows = [f"{s},{t},X,{0.1 * ((t + k) % 3)}" for k, s in enumerate("ab") for t in range(12)]
    table.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    assert irassay.compare(scores=table, measures="X").findings[0].startswith("X: a and b are first with the same mean")


def test_many_systems_are_counted_not_listed(tmp_path: Path) -> None:
    table, draw = tmp_path / "scores.csv", np.random.default_rng(4)
    rows = [f"s{s},{t},X,{s / 20 + draw.random() / 50:.4f}" for s in range(9) for t in range(20)]
    table.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    (text, *_) = irassay.compare(scores=table, measures="X", baseline="s0").findings
    assert text.startswith("X: 8 systems (s8, s7, s6, …) are better than s0 by 0.0")


# the sentence for a paper


def test_the_method_sentence_names_everything_that_others_need(at: Path) -> None:
    sentence = next(s for s in compared(baseline="s0", measures="AP nDCG@10").findings if s.startswith(START))
    assert sentence == (
        "For the method section: 4 systems were compared with s0 on 24 topics by AP and nDCG@10, two-sided with "
        "Student's paired t test at alpha = 0.05, with p-values corrected by Holm for 4 comparisons per measure. "
        "Intervals of differences have 95% confidence, simultaneously for all comparisons of a measure (Bonferroni), "
        f"by Student's t. Computed with irassay {irassay.__version__}."
    )


@pytest.mark.filterwarnings("ignore:.*short-intervals")
@pytest.mark.parametrize("test", TESTS)
def test_resamples_and_seed_stand_where_numbers_rest_on_them(test: str, at: Path) -> None:
    def sentence(**more: Any) -> str:
        return next(s for s in compared(test=test, seed=7, **more).findings if s.startswith(START))

    draws = f"on {SAMPLES} resamples (seed 7)"
    assert (draws in sentence()) == (test in ("paired-bootstrap", "randomization", "tukey"))
    assert draws in sentence(interval="percentile", alpha=0.2, correction="none" if test != "tukey" else None)


def test_an_exact_test_rests_on_no_resamples(at: Path) -> None:
    result = compared(test="randomization", topics="1-12", baseline="s3")
    assert "all patterns of signs" in (text := " ".join(result.findings))
    assert "resamples" not in text


@pytest.mark.parametrize("form", ["table", "latex"])
def test_the_command_prints_the_verdict_before_its_tables(form: str, at: Path, capsys: Any) -> None:
    assert run(["compare", "--scores", "scores.csv", "-m", "AP", "--baseline", "s0", "--format", form]) == 0
    text = capsys.readouterr().out
    assert ("are better than s0 by" in text) == ("For the method section:" in text) == (form == "table")
    if form == "table":
        assert text.index("For the method section:") < text.index("Student's paired t test on ")
