"""`irassay design`: sample sizes against statsmodels and simulation, generalisability against a two-way ANOVA."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay import Result
from irassay.ask import design
from irassay.ask.comparison import residual_variance
from irassay.cli import run

power_of: Any = pytest.importorskip("statsmodels.stats.power")


def of(result: Result, table: str, **where: object) -> list[dict[str, Any]]:
    names = result[table].columns
    rows = [dict(zip(names, row, strict=True)) for row in result[table].rows()]
    return [row for row in rows if all(row[key] == value for key, value in where.items())]


@pytest.mark.parametrize("topics", [2, 5, 20, 50, 200])
@pytest.mark.parametrize("difference", [0.01, 0.05, 0.2])
def test_the_power_of_the_t_test_agrees_with_statsmodels(topics: int, difference: float) -> None:
    expected = power_of.TTestPower().power(difference / math.sqrt(0.03), topics, 0.05)
    expected = 1.0 if math.isnan(expected) else expected  # scipy's own tail, 16 deviations out
    assert design.t_power(topics, difference, 0.03, 0.05) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("topics", [2, 5, 20, 100])
@pytest.mark.parametrize("systems", [2, 5, 40])
def test_the_power_of_the_analysis_of_variance_agrees_with_statsmodels(topics: int, systems: int) -> None:
    # Cohen's f: the sd of the systems' means over sigma; two systems D/2 off the others, which are equal
    f = math.sqrt((2 * (0.1 / 2) ** 2) / systems / 0.02)
    expected = power_of.FTestAnovaPower().power(f, topics * systems, 0.05, k_groups=systems)
    assert design.anova_power(topics, systems, 0.1, 0.02, 0.05) == pytest.approx(expected, rel=1e-6)


def test_the_topics_needed_agree_with_statsmodels() -> None:
    for difference, power, alpha in ((0.05, 0.8, 0.05), (0.1, 0.9, 0.01), (0.02, 0.5, 0.05)):
        exact = power_of.TTestPower().solve_power(difference / math.sqrt(0.03), power=power, alpha=alpha)
        found = design.fewest(lambda n: design.t_power(n, difference, 0.03, alpha) >= power)  # noqa: B023
        assert found == math.ceil(exact)


def test_the_expected_width_is_what_simulation_gives() -> None:
    rng = np.random.default_rng(0)
    from scipy import stats

    sd = rng.normal(0, 0.3, (40_000, 8)).std(axis=1, ddof=1)
    widths = 2 * stats.t.isf(0.025, 7) * sd / math.sqrt(8)
    # the simulated mean's own error; four of them
    error = widths.std() / math.sqrt(len(widths))
    assert design.expected_width(8, 0.09, 0.05) == pytest.approx(widths.mean(), abs=4 * error)


def test_fewest_is_the_first_that_is_enough() -> None:
    for first in (2, 3, 4, 5, 17, 1000):
        assert design.fewest(lambda n: n >= first) == first  # noqa: B023
    assert design.fewest(lambda n: False) is None


def scores(systems: int = 6, topics: int = 15) -> NDArray[np.float64]:
    rng = np.random.default_rng(4)
    return np.asarray(
        rng.normal(0.3, 0.1, (1, topics)) + rng.normal(0, 0.05, (systems, 1)) + rng.normal(0, 0.08, (systems, topics))
    )


def test_variance_components_are_those_of_a_two_way_analysis_of_variance() -> None:
    pandas = pytest.importorskip("pandas")
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    x = scores()
    rows = [(s, t, x[s, t]) for s in range(6) for t in range(15)]
    table = anova_lm(ols("y ~ C(s) + C(t)", pandas.DataFrame(rows, columns=["s", "t", "y"])).fit())
    of_s, of_t, rest = (table["mean_sq"][name] for name in ("C(s)", "C(t)", "Residual"))
    found = design.components(x)
    assert found.system == pytest.approx((of_s - rest) / 15, rel=1e-9)
    assert found.topic == pytest.approx((of_t - rest) / 6, rel=1e-9)
    assert found.residual == pytest.approx(rest, rel=1e-9)
    # E-rho² of the scores at hand is Cronbach's alpha, (MS_s - MS_e) / MS_s
    assert design.generalizability(found, 15) == pytest.approx((of_s - rest) / of_s, rel=1e-9)


def test_coefficients_by_hand() -> None:
    found = design.Components(system=0.01, topic=0.03, residual=0.02)
    assert design.generalizability(found, 10) == pytest.approx(0.01 / 0.012)
    assert design.dependability(found, 10) == pytest.approx(0.01 / 0.015)
    assert design.topics_for(found, 0.95, absolute=False) == 38
    assert design.topics_for(found, 0.95, absolute=True) == 95
    assert design.generalizability(found, 38) >= 0.95 > design.generalizability(found, 37)
    assert design.topics_for(design.Components(0.0, 0.1, 0.1), 0.9, absolute=False) is None


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    x = scores()
    rows = [f"s{s},{t},AP,{float(x[s, t])!r}" for s in range(6) for t in range(15)]
    path.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    return path


def test_the_study_takes_the_variance_from_the_scores_and_the_difference_from_the_user(table: Path) -> None:
    result = irassay.design(scores=table, min_difference=0.07, power=0.9, alpha=0.01)
    variance = residual_variance(scores())
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
    assert general["e_rho2"] == pytest.approx(design.generalizability(design.components(scores()), 15))
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
