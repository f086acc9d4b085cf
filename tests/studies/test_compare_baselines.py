"""`irassay compare` with several baselines: each system against each, all comparisons of a measure in one family."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irassay
from irassay.ask.methods import CORRECTIONS
from irassay.cli import run
from irassay.studies.compare.view import paper
from tests.helpers.comparisons import SAMPLES, TESTS, compared, values
from tests.helpers.sampled_studies import cells, of


@pytest.fixture
def at(comparison_place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(comparison_place)
    return comparison_place


def test_each_system_is_compared_with_each_baseline_and_two_baselines_once(at: Path) -> None:
    result = compared(baseline=("s3", "s0"))
    rows = of(result, "pairs")
    expected = [(0, 3), (1, 3), (2, 3), (4, 3), (1, 0), (2, 0), (4, 0)]
    assert [(row["system_x"], row["system_y"]) for row in rows] == [(f"s{x}", f"s{y}") for x, y in expected]
    p = np.array([stats.ttest_rel(values()[x], values()[y]).pvalue for x, y in expected])
    assert [row["p_value"] for row in rows] == pytest.approx(p.tolist(), rel=1e-9)
    assert [row["p_corrected"] for row in rows] == pytest.approx(CORRECTIONS["holm"].adjust(p).tolist(), rel=1e-9)
    assert result.provenance["comparisons"] == 7


def test_the_comparison_has_a_block_for_each_baseline(at: Path) -> None:
    result = compared(baseline=["s3", "s0"], losses=0.3)
    blocks = [(row["against"], row["system"]) for row in of(result, "comparison")]
    assert blocks[0] == ("s3", "s3")
    assert blocks[5] == ("s0", "s0")
    assert {s for against, s in blocks if against == "s0"} == {"s0", "s1", "s2", "s4"}
    assert len(blocks) == 9
    assert list(paper(result).columns)[:2] == ["against", "system"]
    for row in of(result, "topic_differences"):
        x, y, t = int(row["system"][1:]), int(row["against"][1:]), int(row["topic"]) - 1
        assert row["difference"] == values()[x, t] - values()[y, t]
    assert "lost to s3 and s0 by more than 0.3" in result["losses"].caption
    for row in of(result, "comparison"):
        marker = "" if math.isnan(row["p_corrected"]) or row["p_corrected"] >= 0.05 else "↑↓"[row["difference"] < 0]
        assert row["marker"] == marker


@pytest.mark.parametrize("test", TESTS)
def test_one_baseline_in_a_sequence_or_twice_is_one_baseline(test: str, at: Path) -> None:
    one = compared(baseline="s1", test=test)
    for same in (("s1",), ["s1", "s1"]):
        other = compared(baseline=same, test=test)
        assert cells(other) == cells(one)
        assert other.provenance == one.provenance
        assert (other.findings, other.figures) == (one.findings, one.figures)


def test_the_verdict_has_a_sentence_for_each_baseline(at: Path) -> None:
    text = compared(baseline=("s3", "s0"), measures="AP nDCG@10").findings
    assert "worse than s3 by" in text[0]
    assert "better than s0 by" in text[1]
    assert "compared with s3 and s0" in " ".join(text)
    assert "for 7 comparisons per measure" in " ".join(text)


def test_the_verdict_on_a_baseline_knows_its_comparison_with_another_baseline(tmp_path: Path) -> None:
    table, draw = tmp_path / "scores.csv", np.random.default_rng(4)
    rows = [f"{s},{t},X,{0.5 * (s != 'bad') + 0.1 * draw.random():.4f}" for s in ("bad", "b", "c") for t in range(20)]
    table.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    first, second = irassay.compare(scores=table, measures="X", baseline=("bad", "b")).findings[:2]
    assert " are better than bad by " in first
    assert "bad is worse than b by " in second


def test_two_systems_that_are_both_baselines_are_compared_once(tmp_path: Path) -> None:
    table, draw = tmp_path / "scores.csv", np.random.default_rng(4)
    rows = [f"{s},{t},X,{draw.random():.4f}" for s in "ab" for t in range(20)]
    table.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    result = irassay.compare(scores=table, measures="X", baseline=("a", "b"))
    assert [(row["system_x"], row["system_y"]) for row in of(result, "pairs")] == [("b", "a")]
    assert [row["against"] for row in of(result, "comparison")] == ["a", "a"]
    assert len(paper(result)) == 2


@pytest.mark.parametrize("form", ["table", "latex", "json"])
def test_the_option_may_be_repeated(form: str, at: Path, capsys: Any) -> None:
    command = ["compare", "--scores", "scores.csv", "-m", "AP", "--resamples", str(SAMPLES), "--format", form]
    assert run([*command, "--baseline", "s3", "--baseline", "s0", "--top", "2"]) == 0
    assert "against" in capsys.readouterr().out
    assert run([*command, "--baseline", "s3", "--baseline", "s9"]) == 2
    assert "there is no system 's9'" in capsys.readouterr().err
