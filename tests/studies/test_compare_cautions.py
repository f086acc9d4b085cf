"""`irassay compare` warns where ties or variances take a verdict away, and offers what suits many systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay.cli import run
from irassay.errors import IrassayWarning
from irassay.scoring.scores import Scores
from irassay.studies.compare.view import pairs, paper
from tests.helpers.paired_scores import random_scores
from tests.helpers.sampled_studies import of


def scores_of(values: NDArray[np.float64]) -> Scores:
    systems, topics = values.shape
    return Scores(("X",), tuple(f"s{s:02}" for s in range(systems)), tuple(map(str, range(topics))), values)


def with_copy(topics: int, differing: int) -> NDArray[np.float64]:
    """Three systems, and a copy of the first that is better on a few topics."""
    values = random_scores(3, topics)
    copy = values[0].copy()
    copy[:differing] += 0.2 + 0.01 * np.arange(differing)
    return np.vstack([values, copy])


@pytest.mark.parametrize(("test", "differing"), [("t", 5), ("sign", 7), ("wilcoxon", 6), ("randomization", 7)])
def test_a_verdict_out_of_reach_names_the_pair_and_its_tied_topics(test: Any, differing: int) -> None:
    said = rf"X: s00 and s03 have the same score on {40 - differing} of 40 topics; {differing} differ: too few for"
    with pytest.warns(IrassayWarning, match=said):
        result = irassay.compare(scores_of(with_copy(40, differing)), measures="X", test=test, correction="bonferroni")
    assert "tied-topics" in [warning.code for warning in result.warnings]
    irassay.compare(scores_of(with_copy(40, 30)), measures="X", test=test, correction="bonferroni")


def test_the_paired_bootstrap_warns_of_ties_and_of_intervals_without_an_end() -> None:
    with pytest.warns(IrassayWarning) as met:
        irassay.compare(
            scores_of(with_copy(40, 4)), measures="X", test="paired-bootstrap", interval="bootstrap-t", resamples=2000
        )
    messages = [str(warning.message) for warning in met]
    assert any("36 of 40 topics; 4 differ: too few for Paired bootstrap test corrected by Holm" in m for m in messages)
    (endless,) = [m for m in messages if "infinite-interval" in m]
    assert "X: s00 and s03 have the same difference on 36 of 40 topics (36 tied)" in endless


def test_an_infinite_interval_of_a_mean_names_the_system() -> None:
    values = random_scores(2, 30)
    values[1] = 0.0
    values[1, :2] = 0.5
    with pytest.warns(IrassayWarning, match="X: s01 has the same score on 28 of 30 topics"):
        irassay.compare(scores_of(values), measures="X", interval="bootstrap-t", resamples=2000, correction="none")


def test_stepdown_names_pairs_that_are_not_testable_and_shows_them_so() -> None:
    with pytest.warns(IrassayWarning, match=r"s00 and s03 .*35 of 40 topics; 5 differ: not testable"):
        result = irassay.compare(scores_of(with_copy(40, 5)), measures="X", correction="stepdown", resamples=500)
    (row,) = of(result, "pairs", system_x="s00", system_y="s03")
    assert np.isnan([row["p_corrected"], row["low"], row["high"]]).all()
    assert row["p_value"] < 1
    shown = dict(zip(pairs(result)["system_y"], pairs(result)["p (stepdown)"], strict=True))
    assert list(pairs(result)["p (stepdown)"]).count("not testable") == 1
    assert set(shown) == {"s01", "s02", "s03"}
    assert "step-down test of the largest |t| (Romano and Wolf) for 6 comparisons" in result["comparison"].caption
    assert "500 resamples" in result["comparison"].caption


@pytest.mark.parametrize("noise", [0.001, 0.0])
def test_tukey_warns_where_variances_of_differences_vary(noise: float) -> None:
    values = random_scores(3, 30)
    copy = values[0] + noise * np.random.default_rng(1).normal(size=30)
    said = r"s0\d and s0\d vary (\S+ times|infinitely) as much as those of s00 and s03, and Tukey's test"
    with pytest.warns(IrassayWarning, match=said):
        irassay.compare(scores_of(np.vstack([values, copy])), measures="X", test="tukey", resamples=500)


def test_tukey_does_not_warn_of_variances_alike() -> None:
    alike = np.random.default_rng(2).normal(0.3, 0.1, (4, 60))
    irassay.compare(scores_of(alike), measures="X", test="tukey", resamples=500)


def test_the_step_down_test_is_offered_above_ten_systems(tmp_path: Path, capsys: Any) -> None:
    for systems, offered in ((10, False), (11, True)):
        values = random_scores(systems, 30)
        table = tmp_path / f"{systems}.csv"
        rows = [f"s{s},{t},X,{values[s, t]}" for s in range(systems) for t in range(30)]
        table.write_text("\n".join(["system,topic,measure,score", *rows, ""]))
        command = ["compare", "--scores", str(table), "-m", "X", "--resamples", "100"]
        assert run(command) == 0
        assert ("--correction stepdown" in capsys.readouterr().out) == offered
        result = irassay.compare(scores=table, measures="X", resamples=100)
        assert ("--correction stepdown" in " ".join(result.findings)) == offered
        assert run([*command, "--correction", "stepdown"]) == 0
        assert "--correction stepdown" not in capsys.readouterr().out


def test_intervals_that_covered_too_seldom_are_warned_of_where_others_cover() -> None:
    scores = scores_of(random_scores(3, 25))
    with pytest.warns(
        IrassayWarning, match="with 25 topics intervals by BCa .* --interval bootstrap-t in 9[45]% at least"
    ):
        irassay.compare(scores, measures="X", interval="bca", correction="none", resamples=500)
    for interval in ("t", "bootstrap-t"):
        irassay.compare(scores, measures="X", interval=interval, correction="none", resamples=500)  # no warning
    many = scores_of(random_scores(3, 200))
    irassay.compare(many, measures="X", interval="bca", correction="none", resamples=500)


def test_what_holm_was_measured_to_do_with_many_systems_stands_in_the_advice() -> None:
    (advice,) = [f for f in irassay.compare(scores_of(random_scores(40, 30)), measures="X").findings if "stepdown" in f]
    assert (
        "(TREC-8 AP, 40 systems, 25 topics, level 0.05) t tests corrected by Holm called some different in 20%"
        in advice
    )
    against_one = irassay.compare(scores_of(random_scores(40, 30)), measures="X", baseline="s00").findings
    (advice,) = [f for f in against_one if "stepdown" in f]
    assert "TREC-8" not in advice  # measured were all pairs


def test_stepdown_names_pairs_with_too_few_topics_that_differ_for_its_last_step() -> None:
    values = random_scores(10, 40)
    copy = values[0] + np.where(np.arange(40) < 6, 0.1, 0.0)
    with pytest.warns(IrassayWarning, match=r"tied-topics") as caught:
        result = irassay.compare(
            scores_of(np.vstack([values, copy])), measures="X", correction="stepdown", resamples=500
        )
    (message,) = [str(w.message) for w in caught if "tied-topics" in str(w.message)]
    assert "34 of 40 topics; 6 differ: too few for the step-down test, whose last step wants |t| = " in message
    wanted = float(message.split("|t| = ")[1].split(",")[0])
    # six equal differences and 34 ties are the largest |t| that there is
    z = np.repeat([1.0, 0.0], [6, 34])
    assert z.mean() / (z.std(ddof=1) / 40**0.5) < wanted
    (row,) = of(result, "pairs", system_x="s00", system_y="s10")
    assert row["p_corrected"] > 0.05


@pytest.mark.parametrize("test", ["sign", "wilcoxon"])
def test_tests_of_no_mean_give_systems_neither_a_direction_nor_ranks(test: Any) -> None:
    values = np.full((2, 50), 0.3)
    values[1] += np.where(np.arange(50) < 42, 0.01, -0.4)  # wins 42 topics, and has the lower mean
    result = irassay.compare(scores_of(values), measures="X", test=test, baseline="s00")
    (row,) = of(result, "comparison", system="s01")
    assert row["difference"] < 0
    assert row["marker"] == ("≠" if row["p_corrected"] < 0.05 else "")
    assert test == "wilcoxon" or row["marker"]
    assert "↑" not in result["comparison"].caption
    note = "test no mean difference"
    assert any(note in f for f in result.findings if f.startswith("For the method section"))
    everyone = irassay.compare(scores_of(values), measures="X", test=test)
    assert {row["rank_low"] for row in of(everyone, "comparison")} == {None}
    assert "ranks" not in " ".join(paper(everyone).columns)


def test_the_verdict_and_the_method_section_say_what_is_equivalent() -> None:
    rng = np.random.default_rng(3)
    base = rng.uniform(0.2, 0.8, 60)
    values = np.stack([base, base + rng.normal(0, 0.02, 60), base + 0.3])
    findings = irassay.compare(scores_of(values), measures="X", baseline="s00", equivalence=0.05).findings
    assert "s01 is equivalent to s00 within ±0.05 by X." in findings
    (method,) = [f for f in findings if f.startswith("For the method section")]
    assert "Equivalence within ±0.05 was tested with two one-sided t tests, with p-values corrected by Holm." in method
    findings = irassay.compare(scores_of(values), measures="X", equivalence=0.001).findings
    assert "No comparison shows equivalence within ±0.001 by X." in findings
