"""`irassay design`: the topics that a study needs."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irassay
from irassay.ask import design
from irassay.ask import generalizability as general
from irassay.ask.comparison import residual_variance
from irassay.ask.set_size import power_law
from irassay.ask.significance import paired
from irassay.ask.swap import swap
from irassay.cli import run
from irassay.studies.design.by_size import Curve, rows_by_size
from irassay.studies.design.plans import plans
from irassay.studies.design.settings import Design
from irassay.vary.topics import TopicPlan
from tests.helpers.paired_scores import scores_with_effects
from tests.helpers.sampled_studies import of

pytestmark = pytest.mark.filterwarnings("ignore:.*topics hardly tell")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    x = scores_with_effects()
    rows = [f"s{s},{t},AP,{float(x[s, t])!r}" for s in range(6) for t in range(15)]
    path.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    return path


def designs(result: irassay.Result) -> dict[str, dict[str, Any]]:
    return {row["design"]: row for row in of(result, "design")}


def test_the_study_takes_the_variance_from_the_scores_and_the_difference_from_the_user(table: Path) -> None:
    result = irassay.design(scores=table, min_difference=0.07, power=0.9, alpha=0.01)
    x = scores_with_effects()
    variance, within = residual_variance(x), float(x.var(axis=1, ddof=1).mean())
    rows = designs(result)
    assert list(rows) == ["t test", "one-way ANOVA", "two-way ANOVA", "interval of width 0.14"]
    t, one, two, interval = rows.values()
    assert [row["variance"] for row in rows.values()] == pytest.approx([2 * variance, within, variance, 2 * variance])
    assert [row["systems"] for row in rows.values()] == [2, 6, 6, 2]
    assert t["power_at_hand"] == pytest.approx(design.t_power(15, 0.07, 2 * variance, 0.01))
    n = t["topics_needed"]
    assert design.t_power(n, 0.07, 2 * variance, 0.01) >= 0.9 > design.t_power(n - 1, 0.07, 2 * variance, 0.01)
    for row, two_way in ((one, False), (two, True)):
        n, power = row["topics_needed"], row["power_at_hand"]
        powers = [design.anova_power(k, 6, 0.07, row["variance"], 0.01, two_way=two_way) for k in (15, n, n - 1)]
        assert power == pytest.approx(powers[0])
        assert powers[1] >= 0.9 > powers[2]
    n = interval["topics_needed"]
    width = [design.expected_width(k, 2 * variance, 0.01) for k in (n, n - 1)]
    assert width[0] <= 0.14 < width[1]
    assert "observed" not in result["design"].caption
    curve = of(result, "design_curve", design="t test")
    assert [row["power"] for row in curve] == sorted(row["power"] for row in curve)
    assert {row["topics"] for row in of(result, "d_study", coefficient="Phi")} > {15}


def test_the_topics_needed_have_intervals_by_chi_square_and_by_samples_of_the_topics(table: Path) -> None:
    result = irassay.design(scores=table, resamples=300, seed=5)
    x = scores_with_effects()
    sampled = [2 * residual_variance(x[:, np.repeat(np.arange(15), row)]) for row in TopicPlan(5, 15, 300).counts()]
    (boot,) = of(result, "topics_needed", design="t test", method="topic bootstrap")
    assert [boot["variance_low"], boot["variance_high"]] == pytest.approx(
        np.quantile(sampled, [0.025, 0.975]) * 15 / 14
    )
    (chi,) = of(result, "topics_needed", design="t test", method="chi-square")
    centre = np.eye(6) - 1 / 6
    s = centre @ np.cov(x) @ centre
    box = 14 * np.trace(s) ** 2 / np.trace(s @ s)
    assert (chi["variance_low"], chi["variance_high"]) == pytest.approx(
        design.chi_square_interval(chi["variance"], float(box))
    )
    for row in (boot, chi):
        for bound in ("low", "high"):
            needed, variance = row[f"topics_needed_{bound}"], row[f"variance_{bound}"]
            assert (
                design.t_power(needed, 0.05, variance, 0.05) >= 0.8 > design.t_power(needed - 1, 0.05, variance, 0.05)
            )
    # with 15 topics the chi-square interval held the true number more often than the bootstrap (docs/comparison.md)
    assert (
        f"it takes {chi['topics_needed']} topics ({chi['topics_needed_low']} to {chi['topics_needed_high']}) by AP"
        in result.findings[0]
    )
    assert "Those of topics, by chi-square, held the true number in at least" in " ".join(result.findings)


def measured(method: str, topics: int) -> float:
    """The worst share in the table of docs/comparison.md."""
    page = (Path(__file__).parents[2] / "docs" / "comparison.md").read_text(encoding="utf-8")
    section = page[page.index("## Topics needed") : page.index("## Held-out")]
    head, *lines = [line.split(" | ") for line in section.splitlines() if line.startswith("| ")]
    place = [cell.strip("| ") for cell in head].index(str(topics))
    return min(float(line[place].strip("*").split()[0]) for line in lines if line[1] == f"t test, {method}")


def test_findings_captions_and_a_warning_say_how_often_such_intervals_held(many: irassay.Scores, table: Path) -> None:
    result = irassay.design(many)  # 40 topics: measured with 25
    share = measured("topic bootstrap", 25)
    assert share < 0.9
    assert (
        f"by samples of these topics, held the true number in at least {100 * share:.0f}% of experiments with 25 topics"
        in " ".join(result.findings)
    )
    assert f"t test chi-square {100 * measured('chi-square', 25):.0f}%" in result["topics_needed"].caption
    assert not result.warnings
    few = irassay.design(scores=table)
    (warning,) = few.warnings
    assert warning.code == "few-topics"
    for method in ("topic bootstrap", "chi-square"):
        assert f"{method} in as few as {100 * measured(method, 10):.0f}%" in str(warning)


def test_pairs_need_different_numbers_of_topics(table: Path) -> None:
    result = irassay.design(scores=table)
    variances = design.pair_variances(scores_with_effects())
    rows = of(result, "across_pairs", design="t test")
    assert [row["share_of_pairs"] for row in rows] == [0.05, 0.5, 0.95]
    assert [row["variance"] for row in rows] == pytest.approx(np.quantile(variances, [0.05, 0.5, 0.95]))
    for row in rows:
        assert row["power_at_hand"] == design.t_power(15, 0.05, row["variance"], 0.05)
    assert rows[0]["topics_needed"] < rows[1]["topics_needed"] < rows[2]["topics_needed"]
    needed = rows[2]["topics_needed"]
    assert f"Some pairs need more: for 95% of them {needed} topics are enough by AP." in result.findings


def test_bonferroni_divides_alpha_by_the_number_of_pairs_and_says_so(table: Path) -> None:
    plain, corrected = (irassay.design(scores=table, correction=name) for name in ("none", "bonferroni"))
    assert [row["alpha"] for row in designs(plain).values()] == [0.05] * 4
    assert [row["alpha"] for row in designs(corrected).values()] == [0.05 / 15, 0.05, 0.05, 0.05 / 15]
    assert designs(corrected)["t test"]["topics_needed"] > designs(plain)["t test"]["topics_needed"]
    assert "alpha 0.05 per comparison, not corrected" in plain.findings[0]
    assert "alpha 0.05, Bonferroni for 15 comparisons" in corrected.findings[0]
    more = irassay.design(scores=table, correction="bonferroni", systems=20)
    assert designs(more)["t test"]["alpha"] == 0.05 / 190


def test_coefficients_have_intervals_for_random_systems_and_for_these(table: Path) -> None:
    result = irassay.design(scores=table, reliability=0.9)
    x = scores_with_effects()
    squares = general.mean_squares(x)
    (whole,) = of(result, "generalizability")
    expected = {"E-rho²": ("Feldt", whole["e_rho2"]), "Phi": ("Arteaga", whole["phi"])}
    for name, (method, value) in expected.items():
        random, topics = of(result, "coefficients", coefficient=name)
        assert (random["method"], topics["method"]) == (method, "topic bootstrap")
        for row in (random, topics):
            assert row["value"] == value
            assert row["low"] < value < row["high"]
            assert row["topics_for_low"] <= row["topics_for"] <= row["topics_for_high"]
    low, high = general.feldt_interval(squares, 6, 15)
    (feldt, _) = of(result, "coefficients", coefficient="E-rho²")
    assert (feldt["low"], feldt["high"]) == (general.coefficient(low, 15), general.coefficient(high, 15))
    assert "exchangeable random sample" in result["coefficients"].caption


def test_more_systems_and_another_width_may_be_asked_for(table: Path) -> None:
    result = irassay.design(scores=table, systems=30, width=0.05)
    assert designs(result)["two-way ANOVA"]["systems"] == 30
    assert "interval of width 0.05" in designs(result)


@pytest.fixture(scope="module")
def many() -> irassay.Scores:
    # bounded scores of 8 systems on 40 topics, seed 4
    rng = np.random.default_rng(4)
    x = rng.beta(2, 3, (1, 40)) * 0.5 + np.linspace(0, 0.2, 8)[:, None] + rng.uniform(0, 0.3, (8, 40))
    return irassay.Scores(("AP",), tuple(f"s{k}" for k in range(8)), tuple(map(str, range(40))), x)


def test_by_size_measures_in_sets_of_the_topics_and_extrapolates(many: irassay.Scores) -> None:
    result = irassay.design(many, by_size=True, resamples=200)
    x = many["AP"].values
    for what in ("estimated difference", "swap's required difference"):
        measured = of(result, "by_size", what=what, kind="measured")
        beyond = of(result, "by_size", what=what, kind="extrapolated")
        whole = [40] if what == "estimated difference" else []
        assert [row["topics"] for row in measured] == [8, 12, 16, *whole]
        assert [row["topics"] for row in beyond] == [*([] if whole else [40]), 80, 160]
        # through the value measured with the most topics
        sizes, values = ([row[name] for row in measured] for name in ("topics", "value"))
        law = power_law(sizes, values, [row["topics"] for row in beyond])
        known = [row for row in beyond if not math.isnan(row["value"])]
        assert [row["value"] for row in known] == pytest.approx(law[: len(known)])
        assert known or not whole  # an estimated difference is known here, swap's is not
        for row in (*measured, *beyond):
            assert row["low"] <= row["value"] <= row["high"] or math.isnan(row["low"])
            assert math.isnan(row["low"]) == math.isnan(row["high"])
        for earlier, later in itertools.pairwise([measured[-1], *known]):
            assert later["value"] <= earlier["value"]
            assert later["high"] <= measured[-1]["high"] <= 1
    sets = TopicPlan(0, 40, 20, 12, replacement=False).counts() > 0
    largest = [
        paired(np.ascontiguousarray(x[:, chosen]), TopicPlan(k, 12, 200).counts(), (0.05,)).required.max()
        for k, chosen in enumerate(sets)
    ]
    row = of(result, "by_size", what="estimated difference", topics=12)[0]
    assert row["value"] == pytest.approx(np.mean(largest))
    # each size's own factor: delete-d by NumPy
    factor = math.exp(stats.t.isf(0.025, 19) * np.log(largest).std(ddof=1) * math.sqrt(12 / 28))
    assert (row["low"], row["high"]) == pytest.approx((row["value"] / factor, min(1, row["value"] * factor)))
    (all_of_them,) = of(result, "by_size", what="estimated difference", topics=40, kind="measured")
    assert all_of_them["value"] == paired(x, TopicPlan(0, 40, 200).counts(), (0.05,)).required.max()
    first, second = TopicPlan(0, 40, 200, 12, replacement=False).halves()
    assert ((first + second) <= 1).all()
    (row,) = of(result, "by_size", what="swap's required difference", topics=12)
    assert row["value"] == swap(first @ x.T / 12, second @ x.T / 12, bins=101).required_difference
    assert {figure.name for figure in result.figures} == {"design", "d_study", "by_size"}
    (twice,) = of(result, "by_size", what="estimated difference", topics=80)
    value = f"{twice['value']:.3f} ({twice['low']:.3f} to {twice['high']:.3f})"
    now = f"measured with 40 topics {all_of_them['value']:.3f}."
    assert result.findings[-2].startswith(
        "Extrapolated to 80 topics, the estimated difference (largest over pairs, alpha"
    )
    assert result.findings[-2].endswith(f"not corrected) would be: AP {value}, {now}")
    assert "the difference from which on at most 5% swap would be: AP" in result.findings[-1]


def curve(spread: float, slope: float = -0.5) -> Curve:
    """Three sizes and two beyond them, and subsets whose logarithms have this standard deviation."""
    sizes = np.array([10, 15, 20, 50, 100])
    values = 0.5 * (sizes / 10) ** slope
    noise = np.exp(np.random.default_rng(0).normal(0, spread, (20, 1)))
    return Curve("x", tuple(sizes.tolist()), 3, values, values * noise, (40,) * 5)


def test_extrapolated_differences_stay_within_what_the_measure_allows_or_are_not_known() -> None:
    wide = curve(0.3).rows("AP", 50, 1.0)
    assert max(row["high"] for row in wide) == 1.0
    assert wide[2]["high"] == wide[3]["high"] > wide[4]["high"] or wide[3]["high"] < wide[2]["high"]
    assert max(row["high"] for row in curve(0.3).rows("AP", 50, math.inf)) > 1
    unknown = curve(0.8).rows("AP", 50, 1.0)
    assert [math.isnan(row["value"]) for row in unknown] == [False] * 3 + [True] * 2
    assert all(math.isnan(row[name]) for row in unknown for name in ("low", "high"))
    rising = curve(0.1, slope=0.2).rows("AP", 50, 1.0)
    assert [row["value"] for row in rising[2:]] == [rising[2]["value"]] * 3


def test_by_size_needs_topics_and_leaves_swap_out_where_scores_have_no_bounds(
    many: irassay.Scores, table: Path
) -> None:
    with pytest.raises(irassay.InputError, match="there are 15"):
        irassay.design(scores=table, by_size=True)
    large = irassay.Scores(("AP",), many.systems, many.topics, 100 * many["AP"].values)
    result = irassay.design(large, by_size=True, resamples=100)
    assert {row["what"] for row in of(result, "by_size")} == {"estimated difference"}
    assert "by_size" not in irassay.design(many)


def test_extrapolated_differences_cover_what_twice_the_topics_give() -> None:
    # 8 systems with skewed topics; 30 experiments of 40 topics, seed 0; three binomial errors below .95
    rng = np.random.default_rng(0)
    population = np.linspace(0.1, 0.5, 8)[:, None] * rng.beta(1, 2, (1, 4000)) + rng.beta(1, 4, (8, 4000)) / 2

    def draw(topics: int) -> Any:
        return np.ascontiguousarray(population[:, rng.permutation(4000)[:topics]])

    estimated = [paired(draw(80), TopicPlan(k, 80, 200).counts()).required.max() for k in range(40)]
    # swap's is not known beyond the topics at hand here: two disjoint sets take half of them at most
    first, second = TopicPlan(0, 4000, 1000, 16, replacement=False).halves()
    required = swap(first @ population.T / 16, second @ population.T / 16, bins=101).required_difference
    truth = {("estimated difference", 80): float(np.mean(estimated)), ("swap's required difference", 16): required}
    covered = [
        row["low"] <= truth[row["what"], row["topics"]] <= row["high"]
        for k in range(30)
        for row in rows_by_size(Design(seed=k, resamples=200), "AP", draw(40), 1)
        if (row["what"], row["topics"]) in truth and not math.isnan(row["low"])
    ]
    assert len(covered) > 40  # some draws have no required difference at all sizes, or none that is known
    assert np.mean(covered) > 0.95 - 3 * math.sqrt(0.05 * 0.95 / 30)


def test_the_bootstrap_of_the_topics_needed_covers_the_number_that_the_true_variance_gives() -> None:
    # residuals that grow with the topic, so that chi-square intervals are too short; 300 experiments, seed 1
    rng = np.random.default_rng(1)

    def draw(topics: int) -> Any:
        return rng.normal(0, 0.1, (6, topics)) * rng.exponential(1, (1, topics))

    truth = residual_variance(draw(400_000))
    covered = np.zeros(2)
    for k in range(300):
        x = draw(60)
        plan = next(iter(plans(Design(), "AP", x, TopicPlan(k, 60, 500).counts())))
        needed = plan.needed(2 * truth)
        covered += [row["topics_needed_low"] <= needed <= row["topics_needed_high"] for row in plan.intervals()]
    chi, boot = covered / 300
    # a percentile method on 60 skewed topics stays below .95 (docs/studies.md): .85 less three binomial errors
    assert boot > 0.85 - 3 * math.sqrt(0.85 * 0.15 / 300)
    assert chi < boot - 0.15


def test_scores_without_any_residual_need_the_fewest_topics(tmp_path: Path) -> None:
    path = tmp_path / "flat.csv"
    # quarters and eighths: sums without rounding
    rows = [f"{s},{t},AP,{t / 8 + k / 4}" for k, s in enumerate("abc") for t in range(4)]
    path.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
    result = irassay.design(scores=path)
    needed = {name: row["topics_needed"] for name, row in designs(result).items()}
    assert needed.pop("one-way ANOVA") > 2  # topics differ, and it would give every system its own
    assert set(needed.values()) == {2}
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
    assert "share_of_pairs" in out
    assert "design_curve" in err
    assert run(["design", "--scores", str(table), "--latex"]) == 0
    assert "needed & topics" in capsys.readouterr().out
