"""`irassay power`: tests of all pairs, and one pair with its histogram."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from irassay.ask import comparison
from irassay.ask.one_tailed import one_tailed
from irassay.ask.significance import paired
from irassay.ask.t_statistic import resampled_t
from irassay.ask.unpaired import unpaired
from irassay.errors import InputError, IrassayWarning
from irassay.report import load_result, save_result
from irassay.report.figure_rows import figure_rows
from irassay.studies.power import pair_tests
from irassay.vary.topics import TopicPlan
from tests.helpers.sampled_studies import MEASURES, SAMPLES, TOPICS, cells, command, of, study, values


def test_paired_power_is_what_the_tests_say_on_the_same_samples(at: Path) -> None:
    result = study("power", alpha="0.05,0.2")
    counts = TopicPlan(0, TOPICS, SAMPLES).counts()
    for measure in MEASURES.split():
        tests = paired(values(measure), counts, (0.05, 0.2))
        rows = of(result, "pairs", measure=measure)
        assert [row["asl"] for row in rows] == tests.asl.tolist()
        assert [row["statistic"] for row in rows] == tests.statistic.tolist()
        assert [(row["system_x"], row["system_y"]) for row in rows][:3] == [("s0", "s1"), ("s0", "s2"), ("s0", "s3")]
        for a, alpha in enumerate((0.05, 0.2)):
            (row,) = of(result, "power", measure=measure, alpha=alpha)
            assert row["significant"] == (tests.asl < alpha).sum()
            assert (row["pairs"], row["topics"], row["resamples"]) == (15, TOPICS, SAMPLES)
            assert row["discriminative_power"] == row["significant"] / 15
            assert row["estimated_difference"] == tests.required[:, a].max()
            assert row["ed_median"] == np.median(tests.required[:, a])
            assert row["ed_p95"] == np.percentile(tests.required[:, a], 95)


def test_other_tests_stand_beside_the_bootstrap(at: Path) -> None:
    result = study("power", other_tests="t,wilcoxon,sign", alpha="0.05,0.2")
    for measure in MEASURES.split():
        scores = values(measure)
        for test in ("t", "wilcoxon", "sign"):
            p = []
            for x, y in itertools.combinations(scores, 2):
                z = np.round(x - y, 10)
                differing = z[z != 0]
                if test == "t":
                    p.append(stats.ttest_rel(x, y).pvalue)
                elif test == "sign":
                    p.append(stats.binomtest(int((z > 0).sum()), len(differing)).pvalue if len(differing) else 1.0)
                else:
                    p.append(comparison.wilcoxon((x - y)[None])[0])  # tested against scipy with the test itself
            for alpha in (0.05, 0.2):
                (row,) = of(result, "other_tests", measure=measure, test=test, alpha=alpha)
                assert row["significant"] == np.count_nonzero(np.array(p) < alpha)
                assert row["discriminative_power"] == row["significant"] / 15
    assert "test no mean difference" in result["other_tests"].caption
    assert "other_tests" not in {table.name for table in study("power").tables}


def test_the_second_system_of_a_pair_may_answer_other_topics(at: Path) -> None:
    result = study("power", unpaired=True, second_topics="1-5", measures="AP")
    scores = values("AP")
    tests = unpaired(scores[:, 5:], TopicPlan(0, TOPICS - 5, SAMPLES).unpaired(5), other=scores[:, :5])
    assert [row["asl"] for row in of(result, "pairs", measure="AP")] == tests.asl.tolist()
    assert [row["mean_difference"] for row in of(result, "pairs", measure="AP")] == tests.difference.tolist()
    assert "one distribution" in result["power"].caption
    assert "other topics than the first" in result["power"].caption


def test_one_tailed_tests_ask_whether_the_first_system_is_better(at: Path) -> None:
    result = study("power", one_tailed=True, paired=True, unpaired=True, measures="AP")
    expected = one_tailed(values("AP"), TopicPlan(0, TOPICS, SAMPLES).counts())
    assert [row["asl"] for row in of(result, "pairs", test="paired")] == expected.asl.tolist()
    two_sided = of(study("power", unpaired=True, measures="AP"), "pairs")
    for row, both in zip(of(result, "pairs", test="unpaired"), two_sided, strict=True):
        assert row["mean_difference"] == both["mean_difference"]
        if row["mean_difference"] > 0:
            assert row["asl"] <= both["asl"]
        else:
            assert row["asl"] >= 0.4  # about half of the samples or more lie above a negative difference
    assert "is the system given first better" in result["power"].caption


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"second_topics": "1-3"}, "--second-topics is for the unpaired test"),
        ({"unpaired": True, "second_topics": "1-999"}, "takes all topics"),
        ({"unpaired": True, "second_topics": "nothing"}, "no judged topic is called nothing"),
        ({"unpaired": True, "other_tests": "t"}, "--other-tests are paired tests"),
        ({"other_tests": "anova"}, "there is no other test 'anova'"),
        ({"one_tailed": True, "other_tests": "t"}, "are two-tailed"),
        ({"one_tailed": True, "histogram": True}, "are two-tailed"),
    ],
)
def test_options_that_do_not_go_together_are_refused(settings: dict[str, Any], what: str, at: Path) -> None:
    with pytest.raises(InputError, match=what):
        study("power", **settings)


def test_system_means_are_sorted_scores(at: Path) -> None:
    means = of(study("power"), "system_means", measure="AP")
    assert [row["mean"] for row in means] == sorted(values("AP").mean(axis=1), reverse=True)
    assert {row["system"] for row in means} == {f"s{s}" for s in range(6)}


def test_curves_and_bars_repeat_the_tests(at: Path) -> None:
    result = study("power", paired=True, unpaired=True)
    for test in ("paired", "unpaired"):
        asl = sorted(row["asl"] for row in of(result, "pairs", measure="AP", test=test))
        assert [row["asl"] for row in of(result, "asl_curves", curve=f"AP, {test}")] == asl
        (bar,) = of(result, "power_bars", measure="AP", bar=f"{test}, alpha 0.05")
        (row,) = of(result, "power", measure="AP", test=test, alpha=0.05)
        assert bar["discriminative_power"] == row["discriminative_power"]


@pytest.mark.parametrize(("alpha", "end"), [("0.05,0.01", 0.2), ("0.3", 0.3)])
def test_asl_curves_end_at_a_level_that_no_test_calls_significant(alpha: str, end: float, at: Path) -> None:
    result = study("power", alpha=alpha)
    figure = next(figure for figure in result.figures if figure.name == "asl_curves")
    assert figure.limits == {"y": (0.0, end)}
    assert f"ends at {end:g}" in figure.caption
    assert [mark.at for mark in figure.marks] == [float(level) for level in alpha.split(",")]


def test_paired_and_unpaired_gives_both(at: Path, capsys: Any) -> None:
    both = study("power", paired=True, unpaired=True)
    assert of(both, "pairs", test="paired") == of(study("power"), "pairs")
    assert of(both, "pairs", test="unpaired") == of(study("power", unpaired=True), "pairs")
    tests = unpaired(values("Q"), TopicPlan(0, TOPICS, SAMPLES).unpaired())
    assert [r["asl"] for r in of(both, "pairs", measure="Q", test="unpaired")] == tests.asl.tolist()
    out, _ = command(capsys, "power", "--scores", "ap.csv", "--paired", "--unpaired", "--resamples", "100")
    assert " paired" in out
    assert " unpaired" in out
    assert "not corrected" in out
    assert "largest over pairs" in " ".join(out.split())


def test_a_paired_test_of_a_geometric_mean_is_one_of_logarithms_and_says_so(at: Path, capsys: Any) -> None:
    with pytest.warns(IrassayWarning, match=r"GM\(AP\) is one of AG\(AP\)"):
        result = study("power", measures="GM(AP)")
    tests = paired(np.log(values("AP") + 1e-5), TopicPlan(0, TOPICS, SAMPLES).counts())
    assert [row["asl"] for row in of(result, "pairs", measure="AG(AP)")] == tests.asl.tolist()
    assert [w.code for w in result.warnings] == ["tested-as"]
    assert {row["measure"] for row in of(result, "system_means")} == {"GM(AP)"}
    _, err = command(capsys, "power", "qrels.txt", "runs", "-m", "GM(AP)", "--resamples", "100")
    assert "AG(AP)" in err


def test_logarithms_asked_for_twice_are_tested_once(at: Path) -> None:
    with pytest.warns(IrassayWarning):
        result = study("power", measures="GM(AP) AG(AP)", histogram=True)
    assert len(of(result, "pairs")) == 15
    assert len(of(result, "pair")) == 1


def test_trec_evals_geometric_mean_is_tested_by_its_logarithms(at: Path) -> None:
    with pytest.warns(IrassayWarning, match="tested-as"):
        result = study("power", measures="GM(AP,variant='trec')")
    assert of(result, "pairs") == of(study("power", measures="AG(AP)"), "pairs")


@pytest.mark.parametrize("measure", ["GM(AP)", "AREA(AP)", "NumRelRet"])
def test_unpaired_tests_go_by_the_summary(measure: str, at: Path) -> None:
    result = study("power", measures=measure, unpaired=True)
    x = values(measure.removesuffix(")").partition("(")[2] or measure)
    kind: dict[str, Any] = {
        "GM(AP)": {"forward": lambda v: np.log(v + 1e-5), "inverse": lambda v: np.exp(v) - 1e-5},
        "AREA(AP)": {
            "whole": lambda v: (np.cumsum(np.sort(v)[..., : TOPICS // 4], -1) / [1, 2, 3]).mean(-1),
        },
        "NumRelRet": {"whole": lambda v: v.sum(-1)},
    }
    tests = unpaired(x, TopicPlan(0, TOPICS, SAMPLES).unpaired(), **kind[measure])
    assert [row["asl"] for row in of(result, "pairs", measure=measure)] == tests.asl.tolist()


def test_counts_have_a_paired_test_too(at: Path) -> None:
    tests = paired(values("NumRelRet"), TopicPlan(0, TOPICS, SAMPLES).counts())
    assert [row["asl"] for row in of(study("power", measures="NumRelRet"), "pairs")] == tests.asl.tolist()


@pytest.mark.parametrize("alpha", ["0.05,0.01", (0.05, 0.01), [0.05, 0.01], "0.05, 0.01,0.05"])
def test_levels_may_be_text_or_numbers(alpha: Any, at: Path) -> None:
    assert [row["alpha"] for row in of(study("power", measures="AP", alpha=alpha), "power")] == [0.05, 0.01]


def test_the_histogram_shows_one_pair_with_its_t_and_asl(at: Path) -> None:
    result = study("power", histogram=True, pair=("s5", "s1"))
    for measure in MEASURES.split():
        (tested,) = of(result, "pairs", measure=measure, system_x="s1", system_y="s5")
        (one,) = of(result, "pair", measure=measure)
        assert (one["system_x"], one["system_y"]) == ("s5", "s1")
        assert one["asl"] == tested["asl"]
        assert one["t"] == pytest.approx(-tested["statistic"], rel=1e-12)
        assert one["mean_difference"] == -tested["mean_difference"]
        bars = of(result, "histogram", measure=measure)
        assert sum(row["samples"] for row in bars) == SAMPLES
        assert {(row["t"], row["asl"]) for row in bars} == {(one["t"], one["asl"])}


def test_the_histogram_is_of_the_best_and_the_median_system_by_default(at: Path) -> None:
    result = study("power", histogram=True)
    order = [row["system"] for row in of(result, "system_means", measure="Q")]
    (one,) = of(result, "pair", measure="Q")
    assert (one["system_x"], one["system_y"]) == (order[0], order[3])


def test_the_statistics_of_the_histogram_are_those_of_plain_samples() -> None:
    z = np.random.default_rng(3).normal(0.1, 0.2, 9)
    plan = TopicPlan(5, 9, 60)
    w = z - z.mean()
    star = []
    for row in plan.counts():
        sample = np.repeat(w, row)
        star.append(sample.mean() / (sample.std(ddof=1) / 3))
    assert resampled_t(z, plan.counts().astype(np.float64)) == pytest.approx(star, rel=1e-9)


def test_a_constant_difference_that_doubles_blur_has_no_spread() -> None:
    z = np.array([0.3 - 0.2, 0.4 - 0.3, 0.5 - 0.4])
    assert resampled_t(z, np.array([[1.0, 1, 1], [3, 0, 0], [0, 2, 1]])).tolist() == [0, 0, 0]


def test_the_screen_shows_the_pair_and_where_the_rest_is(at: Path, capsys: Any) -> None:
    arguments = ["power", "--scores", "ap.csv", "--resamples", "100", "--alpha", "0.05"]
    out, err = command(capsys, *arguments, "--histogram", "--pair", "s5", "--pair", "s0")
    assert "s5" in out
    assert "pairs" in err
    assert "--out" in err
    assert "asl_curves" in err
    assert "< 0.01" in out  # no sample reached t


def test_measures_asked_for_twice_are_studied_once(at: Path) -> None:
    assert cells(study("power", measures="AP MAP AP")) == cells(study("power", measures="AP"))


@pytest.fixture
def few_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irassay.result.long_columns.MOST", 10)
    monkeypatch.setattr("irassay.result.long_columns.PART", 4)
    monkeypatch.setattr("irassay.studies.power.pair_tests.TOGETHER", 64)


@pytest.mark.parametrize("options", [{}, {"unpaired": True, "paired": True}, {"one_tailed": True}])
def test_very_many_pairs_have_the_same_tests_and_figures(
    options: dict[str, Any], at: Path, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    few = study("power", **options)
    request.getfixturevalue("few_in_memory")
    many = study("power", **options)
    assert (few["pairs"].long, many["pairs"].long) == (False, True)
    for name in ("power", "pairs", "system_means", "power_bars"):
        assert list(many[name].rows()) == list(few[name].rows())
    save_result(many, tmp_path / "out")
    assert list(load_result(tmp_path / "out")["pairs"].rows()) == list(few["pairs"].rows())
    for one, other in zip(many.figures, few.figures, strict=True):
        if one.kind == "curve":
            assert _line(figure_rows(one, many[one.table]).rows) == _line(figure_rows(other, few[other.table]).rows)
        else:
            assert figure_rows(one, many[one.table]).rows == figure_rows(other, few[other.table]).rows
            assert one.kind != "pairs" or "of 6 systems by each measure are drawn" in one.caption


def _line(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """The ends of level parts, which are all that a line needs."""
    points = [(row["series"], row["x"], row["y"]) for row in rows]
    inner = zip(points, points[1:], points[2:], strict=False)
    flat = {b for a, b, c in inner if a[0] == c[0] and a[2] == b[2] == c[2]}
    return [point for point in points if point not in flat]


def test_pairs_tested_in_parts_are_the_pairs_tested_together(at: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(5).random((40, 12))
    counts = TopicPlan(0, 12, 200).counts()
    whole = paired(scores, counts, (0.05, 0.01))
    monkeypatch.setattr(pair_tests, "TOGETHER", 64)
    parts = pair_tests.test_pairs(
        "AP", "paired", 40, lambda pairs: paired(scores, counts, (0.05, 0.01), pairs=pairs), 200, (0.05, 0.01)
    )
    n = len(whole.first)
    assert parts.difference(0, n).tolist() == whole.difference.tolist()
    assert parts.statistic(0, n).tolist() == whole.statistic.tolist()
    assert parts.count(0, n).tolist() == whole.count.tolist()
    assert parts.sorted_levels.tolist() == np.sort(whole.asl).tolist()
    assert parts.significant == tuple((whole.asl < alpha).sum() for alpha in (0.05, 0.01))
    assert parts.required[1] == (
        whole.required[:, 1].max(),
        np.median(whole.required[:, 1]),
        np.percentile(whole.required[:, 1], 95),
    )
    assert parts.best_first.tolist() == np.argsort(-scores.mean(axis=1), kind="stable").tolist()


def test_what_very_many_pairs_cost_is_said_before_they_are_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    messages: list[str] = []
    monkeypatch.setattr("irassay.progress.tell", [messages.append])
    pair_tests.announce(1000, 50, 1000, 2, 2, 2, None)
    assert messages == []
    pair_tests.announce(5000, 50, 1000, 2, 2, 2, "out")
    (message,) = messages
    assert message.startswith("12,497,500 pairs of systems, 2 tests of each on 1,000 samples of 50 topics: about 2 min")
    assert message.endswith("0.8 GB of memory, 0.5 GB of temporary files and 2.5 GB in out")
