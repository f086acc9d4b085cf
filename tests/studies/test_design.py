"""`irassay design`: the topics that a study needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay.ask import design
from irassay.ask.comparison import residual_variance
from irassay.cli import run
from tests.helpers.paired_scores import scores_with_effects
from tests.helpers.sampled_studies import of


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    x = scores_with_effects()
    rows = [f"s{s},{t},AP,{float(x[s, t])!r}" for s in range(6) for t in range(15)]
    path.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    return path


def test_the_study_takes_the_variance_from_the_scores_and_the_difference_from_the_user(table: Path) -> None:
    result = irassay.design(scores=table, min_difference=0.07, power=0.9, alpha=0.01)
    variance = residual_variance(scores_with_effects())
    t, anova, interval = of(result, "design")
    assert (t["design"], t["variance"]) == ("t test", pytest.approx(2 * variance))
    assert (anova["design"], anova["variance"], anova["systems"]) == ("one-way ANOVA", pytest.approx(variance), 6)
    assert t["power_at_hand"] == pytest.approx(design.t_power(15, 0.07, 2 * variance, 0.01))
    assert anova["power_at_hand"] == pytest.approx(design.anova_power(15, 6, 0.07, variance, 0.01))
    n, m = t["topics_needed"], anova["topics_needed"]
    assert design.t_power(n, 0.07, 2 * variance, 0.01) >= 0.9 > design.t_power(n - 1, 0.07, 2 * variance, 0.01)
    assert design.anova_power(m, 6, 0.07, variance, 0.01) >= 0.9 > design.anova_power(m - 1, 6, 0.07, variance, 0.01)
    assert interval["design"] == "interval of width 0.14"
    n = interval["topics_needed"]
    width = [design.expected_width(k, 2 * variance, 0.01) for k in (n, n - 1)]
    assert width[0] <= 0.14 < width[1]
    (general,) = of(result, "generalizability")
    assert general["e_rho2"] == pytest.approx(design.generalizability(design.components(scores_with_effects()), 15))
    assert "observed" not in result["design"].caption
    curve = of(result, "design_curve", design="t test")
    assert [row["power"] for row in curve] == sorted(row["power"] for row in curve)
    assert {row["topics"] for row in of(result, "d_study", coefficient="Phi")} > {15}


def test_more_systems_and_another_width_may_be_asked_for(table: Path) -> None:
    result = irassay.design(scores=table, systems=30, width=0.05)
    assert of(result, "design")[1]["systems"] == 30
    assert of(result, "design")[2]["design"] == "interval of width 0.05"


def test_scores_without_any_residual_need_the_fewest_topics(tmp_path: Path) -> None:
    path = tmp_path / "flat.csv"
    # quarters and eighths: sums without rounding
    rows = [f"{s},{t},AP,{t / 8 + k / 4}" for k, s in enumerate("abc") for t in range(4)]
    path.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    result = irassay.design(scores=path)
    assert {row["topics_needed"] for row in of(result, "design")} == {2}
    assert of(result, "generalizability")[0]["e_rho2"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    "option",
    [
        "--alpha=0",
        "--power=1",
        "--min-difference=0",
        "--min-difference=nan",
        "--width=0",
        "--reliability=2",
        "--systems=1",
    ],
)
def test_options_out_of_range_are_refused(option: str, table: Path, capsys: Any) -> None:
    assert run(["design", "--scores", str(table), option]) == 2
    assert "hint:" in capsys.readouterr().err


def test_the_command_shows_both_tables_and_writes_latex(table: Path, capsys: Any) -> None:
    assert run(["design", "--scores", str(table), "--min-difference", "0.05"]) == 0
    out, err = capsys.readouterr()
    assert "topics_needed" in out
    assert "e_rho2" in out
    assert "design_curve" in err
    assert run(["design", "--scores", str(table), "--latex"]) == 0
    assert "topics\\_needed" in capsys.readouterr().out


def test_design_has_no_samples_to_ask_for(table: Path, capsys: Any) -> None:
    assert run(["design", "--scores", str(table), "--resamples", "100"]) == 2
    assert "resamples" in capsys.readouterr().err
