"""`irassay compare` on the command line, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay.cli import run
from irassay.errors import InputError
from tests.helpers.comparisons import SAMPLES, TESTS, compared
from tests.helpers.sampled_studies import of


@pytest.fixture
def at(comparison_place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(comparison_place)
    return comparison_place


def command(capture: Any, *arguments: str) -> tuple[str, str]:
    capture.readouterr()
    status = run(["compare", "--scores", "scores.csv", "-m", "AP", "--resamples", str(SAMPLES), *arguments])
    out, err = capture.readouterr()
    assert status == 0, err
    return out, err


def test_the_screen_shows_the_comparison_and_the_topics(at: Path, capsys: Any) -> None:
    out, err = command(capsys, "--baseline", "s0", "--losses", "0.99")
    assert "mean [95% CI]" in out
    assert "difference [95% CI]" in out
    assert "p (holm)" in out
    assert "No topic is lost to s0 by more than 0.99" in out
    assert "the first 5" in out
    assert "Not shown: pairs, topic_differences" in err
    out, err = command(capsys)
    assert "letters" in out
    assert "share_first" in out
    assert "difference [95% CI]" in out  # all pairs of a few systems
    assert out.startswith("AP: ")
    assert err == "Not shown: anova, more of topics (saved with --out DIR, printed with --format json)\n"


@pytest.mark.parametrize("form", ["latex", "markdown", "csv"])
def test_the_table_alone_to_paste(form: str, at: Path, capsys: Any) -> None:
    out, err = command(capsys, "--baseline", "s0", f"--{form}")
    assert (out, err) == command(capsys, "--baseline", "s0", "--format", form)
    assert err == ""
    if form == "latex":
        assert "\\begin{tabular}" in out
        assert "$-$" in out or "$\\uparrow$" in out
    elif form == "markdown":
        assert out.count("\n| ") == 7
    else:
        rows = list(csv.DictReader(io.StringIO(out)))
        expected = of(compared(baseline="s0"), "comparison")
        assert [float(row["mean"]) for row in rows] == [row["mean"] for row in expected]  # unrounded
        assert rows[0]["difference"] == ""
    assert "topics where" not in out


def test_json_holds_every_table(at: Path, capsys: Any) -> None:
    content = json.loads(command(capsys, "--baseline", "s0", "--format", "json")[0])
    assert set(content) == {"provenance", "comparison", "pairs", "topics", "topic_differences", "anova"}


def test_the_baseline_stays_whatever_is_selected(at: Path) -> None:
    best = compared(top=2).provenance["systems"]
    assert "s0" not in best  # type: ignore[operator]
    assert compared(top=2, baseline="s0").provenance["systems"] == ["s0", *best]  # type: ignore[misc]


# what cannot be compared


class Refused:
    def __init__(self, capture: Any) -> None:
        self.capture = capture

    def __call__(self, *arguments: str, study: str = "compare") -> str:
        self.capture.readouterr()
        status = run([study, *(() if "--scores" in arguments else ("--scores", "scores.csv")), *arguments])
        out, err = self.capture.readouterr()
        assert (status, out) == (2, ""), err
        assert "\n\nhint: " in err
        return str(err)


@pytest.fixture
def refused(capsys: Any, at: Path) -> Refused:
    return Refused(capsys)


def test_an_unknown_baseline_gets_a_suggestion(refused: Refused) -> None:
    assert "there is no system 's11'" in (err := refused("--baseline", "s11"))
    assert "hint: one is called s1" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--test", "tukey", "--correction", "holm"], "takes no further correction"),
        (["--alpha", "0"], "alpha is 0"),
        (["--alpha", "1.5"], "alpha is 1.5"),
        (["--confidence", "1"], "confidence is 1"),
        (["--confidence", "nan"], "confidence is nan"),
        (["--losses", "0.1"], "--losses are topics lost to a baseline"),
        (["--baseline", "s0", "--losses", "nan"], "--losses is nan"),
        (["--equivalence", "0"], "margin of 0"),
        (["--test", "tukey", "--resamples", "19"], "--resamples 20 "),
        (["--correction", "stepdown", "--resamples", "19"], "--resamples 20 "),
        (["--correction", "stepdown", "--test", "sign"], "is a test of the largest |t|"),
        (["--digits", "18"], "--digits is 18"),
        (["--equivalence", "0.1", "--alpha", "0.5"], "alpha is 0.5"),
        (["--test", "paired-bootstrap", "--resamples", "199"], "--resamples 200 "),
        (["--test", "randomization", "--correction", "bonferroni", "--resamples", "150"], "--resamples 200 "),
        (["--test", "t", "--interval", "bootstrap-t", "--resamples", "150"], "--resamples 200 "),
        (["--test", "t", "--interval", "bca", "--resamples", "399"], "--resamples 400 "),
        (["--test", "randomization", "--topics", "1-5"], "5 topics are too few"),
        (["--topics", "3"], "one topic only"),
        (["--top", "1"], "top"),
        (["-m", "AREA(AP)"], "has no value per topic"),
        (["-m", "RR"], "no scores of RR"),
    ],
)
def test_what_cannot_be_done_is_an_error_with_a_hint(arguments: list[str], said: str, refused: Refused) -> None:
    assert said in refused(*arguments)


def test_one_system_is_no_comparison(refused: Refused, tmp_path: Path) -> None:
    table = tmp_path / "one.csv"
    table.write_text("system,topic,measure,score\na,1,AP,0.3\na,2,AP,0.5\n")
    assert "one system only" in refused("--scores", str(table))


def test_scores_that_are_missing_or_no_numbers(refused: Refused, tmp_path: Path) -> None:
    table = tmp_path / "odd.csv"
    table.write_text("system,topic,measure,score\na,1,AP,0.3\na,2,AP,0.5\nb,1,AP,0.3\n")
    assert "1 of 4 scores of AP are missing" in refused("--scores", str(table))
    table.write_text("system,topic,measure,score\na,1,AP,0.3\na,2,AP,0.5\nb,1,AP,0.3\nb,2,AP,nan\n")
    assert "odd.csv:5" in refused("--scores", str(table))


@pytest.mark.parametrize("test", TESTS)
def test_identical_systems_are_compared_without_a_verdict(test: Any, tmp_path: Path) -> None:
    table = tmp_path / "same.csv"
    rows = [f"{s},{t},AP,0.{t % 7 + 1}" for s in "ab" for t in range(20)]
    table.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    for baseline in (None, "a"):
        (pair,) = of(irassay.compare(scores=table, test=test, baseline=baseline, resamples=200), "pairs")
        assert pair["p_corrected"] == 1.0
        assert (pair["difference"], pair["tied"]) == (0.0, 20)
        assert pair["low"] <= 0.0 <= pair["high"]
        assert math.isnan(pair["effect_size"])


def test_python_refuses_what_the_command_line_refuses(at: Path) -> None:
    for settings in ({"test": "anova"}, {"correction": "sidak", "test": "t"}, {"interval": "bayes"}, {"alpha": 2.0}):
        with pytest.raises(InputError) as caught:
            compared(**settings)
        assert caught.value.hint
