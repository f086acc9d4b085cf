"""The studies of topic samples, in Python and on the command line: tables, numbers, selection, determinism."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay import Result
from irassay.ask import agreement as ranks
from irassay.ask.significance import paired
from irassay.ask.stability import stability
from irassay.ask.swap import swap
from irassay.ask.unpaired import unpaired
from irassay.cli import run
from irassay.compute.philox import words
from irassay.errors import IrassayWarning
from irassay.report import to_csv
from irassay.result import python_values
from irassay.streams import GROUP_SYSTEMS, SAMPLED_SYSTEMS
from irassay.studies.power.run import statistics
from irassay.vary.topics import TopicPlan

TOPICS, SAMPLES = 13, 200
MEASURES = "AP Q nDCG@10"
CONTRACT = {
    "power": {
        "power": "measure test alpha topics resamples significant pairs discriminative_power estimated_difference "
        "ed_median ed_p95",
        "pairs": "measure test system_x system_y mean_difference statistic asl",
        "system_means": "measure system mean",
    },
    "swap": {
        "swap": "measure required_difference max_score ratio share_satisfied",
        "swap_bins": "measure bin_low comparisons swaps swap_rate",
    },
    "stability": {"stability": "measure fuzziness minority_rate proportion_of_ties"},
    "agreement": {"agreement": "measure_a measure_b systems tau tau_b tau_ap rbo z0 p_value"},
    "gains": {
        "gains": "measure scheme tau_with_default significant pairs discriminative_power estimated_difference",
    },
    "preferred-ranks": {"preferred_ranks": "topic system max_rank level found total"},
}
STUDIES: dict[str, Callable[..., Result]] = {
    "power": irassay.power,
    "swap": irassay.swap,
    "stability": irassay.stability,
    "agreement": irassay.agreement,
    "gains": irassay.gains,
    "preferred-ranks": irassay.preferred_ranks,
}
SAMPLED = [name for name in STUDIES if name != "preferred-ranks"]
FROM_SCORES = [name for name in SAMPLED if name != "gains"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments of three levels, six systems of different quality, their scores, and groups of two."""
    folder = tmp_path_factory.mktemp("collection")
    (folder / "runs").mkdir()
    draw = random.Random(7)
    grades = {(t, d): draw.choice((0, 0, 0, 0, 1, 1, 2, 3)) for t in range(TOPICS) for d in range(40)}
    (folder / "qrels.txt").write_text("".join(f"{t + 1} 0 d{d} {g}\n" for (t, d), g in grades.items()))
    for s in range(6):
        lines = []
        for t in range(TOPICS):
            scores = {d: (0.15 + 0.12 * s) * grades[t, d] + draw.gauss(0, 1) for d in range(40)}
            best = sorted(scores, key=lambda d: -scores[d])[:20]
            lines += [f"{t + 1} Q0 d{d} {r} {scores[d]:.6f} s{s}\n" for r, d in enumerate(best, 1)]
        (folder / "runs" / f"s{s}.txt").write_text("".join(lines))
    panel = irassay.align(irassay.read_qrels(folder / "qrels.txt"), irassay.read_runs(folder / "runs"))
    for name, measures in {
        "scores": MEASURES,
        "ap": "AP",
        "summaries": "AP GM(AP) AG(AP) AREA(AP)",
        "ag": "AG(AP)",
    }.items():
        (folder / f"{name}.csv").write_bytes(to_csv(panel.score(measures).long()))
    (folder / "groups.txt").write_text("".join(f"s{s} g{s // 2}\n" for s in range(6)))
    return folder


@pytest.fixture
def at(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(place)
    return place


def study(name: str, *, scores: bool = False, **more: Any) -> Result:
    """A study of the collection in the current folder."""
    if name == "preferred-ranks":
        return STUDIES[name]("qrels.txt", "runs", **more)
    more = {"resamples": SAMPLES, "measures": "Q nDCG@10" if name == "gains" else MEASURES, **more}
    if scores:
        return STUDIES[name](scores="scores.csv", **more)
    return STUDIES[name]("qrels.txt", "runs", **more)


def command(capture: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    """What a command that succeeds says, on stdout and on stderr."""
    capture.readouterr()
    status = run(arguments)
    out, err = capture.readouterr()
    assert status == 0, err
    return out, err


def cells(result: Result, names: list[str] | None = None) -> dict[str, list[tuple[object, ...]]]:
    return {
        t.name: [tuple(None if isinstance(v, float) and math.isnan(v) else v for v in row) for row in t.rows()]
        for t in result.tables
        if names is None or t.name in names
    }


def of(result: Result, table: str, **where: object) -> list[dict[str, Any]]:
    columns = result[table].columns
    rows = [dict(zip(columns, row, strict=True)) for row in result[table].rows()]
    return [row for row in rows if all(row[key] == value for key, value in where.items())]


def values(measure: str) -> NDArray[np.float64]:
    panel = irassay.align(irassay.read_qrels("qrels.txt"), irassay.read_runs("runs"))
    return panel.score(measure)[measure].values


# tables


@pytest.mark.parametrize("name", STUDIES)
def test_tables_have_the_columns_of_the_contract(name: str, at: Path) -> None:
    result = study(name)
    assert result.study == name
    for table, columns in CONTRACT[name].items():
        assert " ".join(result[table].columns) == columns


@pytest.mark.parametrize("name", STUDIES)
def test_a_saved_result_comes_back_equal(name: str, at: Path, tmp_path: Path, capsys: Any) -> None:
    options = [] if name == "preferred-ranks" else ["--resamples", str(SAMPLES), "-m", "Q nDCG@10"]
    _, err = command(capsys, name, "qrels.txt", "runs", *options, "--out", str(tmp_path / "out"))
    assert str(tmp_path / "out") in err
    back = irassay.load_result(tmp_path / "out")
    made = study(name) if name == "preferred-ranks" else study(name, measures="Q nDCG@10")
    assert cells(back) == cells(made)
    assert [t.caption for t in back.tables] == [t.caption for t in made.tables]
    assert back.figures == made.figures
    assert back.study == name


@pytest.mark.parametrize("name", STUDIES)
def test_json_holds_every_table_with_all_digits(name: str, at: Path, capsys: Any) -> None:
    options = [] if name == "preferred-ranks" else ["--resamples", str(SAMPLES), "-m", "Q nDCG@10"]
    out, _ = command(capsys, name, "qrels.txt", "runs", *options, "--format", "json")
    content = json.loads(out)
    made = study(name) if name == "preferred-ranks" else study(name, measures="Q nDCG@10")
    for table in made.tables:
        assert [tuple(record) for record in content[table.name]] == [tuple(table.columns)] * len(table)
        told = [tuple(record.values()) for record in content[table.name]]
        assert told == cells(made)[table.name]


@pytest.mark.parametrize("name", STUDIES)
def test_figures_draw_columns_that_exist(name: str, at: Path) -> None:
    for figure in study(name).figures:
        for channel in (figure.x, figure.y, figure.series, figure.value):
            assert channel is None or channel in study(name)[figure.table].columns


@pytest.mark.parametrize("name", FROM_SCORES)
def test_a_score_table_gives_the_same_numbers_as_the_runs(name: str, at: Path, capsys: Any) -> None:
    assert cells(study(name, scores=True)) == cells(study(name))
    arguments = ["--resamples", str(SAMPLES), "--format", "json"]
    one, _ = command(capsys, name, "qrels.txt", "runs", "-m", MEASURES, *arguments)
    two, _ = command(capsys, name, "--scores", "scores.csv", *arguments)
    assert {**json.loads(one), "provenance": 0} == {**json.loads(two), "provenance": 0}


@pytest.mark.parametrize("name", SAMPLED)
def test_any_number_of_threads_gives_the_same_bits(name: str, at: Path) -> None:
    assert cells(study(name, jobs=1)) == cells(study(name, jobs=3))


@pytest.mark.parametrize("name", ["power", "swap", "stability"])
def test_other_measures_in_the_call_change_nothing(name: str, at: Path) -> None:
    alone, among = study(name, measures="Q"), study(name, measures="RR AP Q nDCG@10")
    for table in CONTRACT[name]:
        assert of(alone, table) == of(among, table, measure="Q")


def test_another_seed_gives_other_samples(at: Path) -> None:
    assert cells(study("power"), ["pairs"]) == cells(study("power", seed=0), ["pairs"])
    assert cells(study("power"), ["pairs"]) != cells(study("power", seed=1), ["pairs"])


def test_a_data_frame_of_every_table(at: Path) -> None:
    pytest.importorskip("pandas")
    for table in study("power").tables:
        assert list(table.to_pandas().columns) == list(table.columns)


# power


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
    assert "enough for every pair" in " ".join(out.split())


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


def test_trec_evals_geometric_mean_is_tested_by_the_logarithms_it_is_said_to_be(at: Path) -> None:
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


# one pair


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
    assert statistics(z, plan.counts().astype(np.float64)) == pytest.approx(star, rel=1e-9)


def test_a_constant_difference_that_doubles_blur_has_no_spread() -> None:
    z = np.array([0.3 - 0.2, 0.4 - 0.3, 0.5 - 0.4])
    assert statistics(z, np.array([[1.0, 1, 1], [3, 0, 0], [0, 2, 1]])).tolist() == [0, 0, 0]


def test_the_screen_shows_the_pair_and_where_the_rest_is(at: Path, capsys: Any) -> None:
    arguments = ["power", "--scores", "ap.csv", "--resamples", "100", "--alpha", "0.05"]
    out, err = command(capsys, *arguments, "--histogram", "--pair", "s5", "--pair", "s0")
    assert "s5" in out
    assert "pairs" in err
    assert "--out" in err
    assert "asl_curves" in err
    assert "< 0.01" in out  # no sample reached t


def test_small_p_values_are_shown_as_below_what_is_shown(at: Path, capsys: Any) -> None:
    rows = [f"s{s},{t},{m},{(s + t / 9) / 40}\n" for s in range(30) for t in (1, 2, 3) for m in ("AP", "Q")]
    (at / "many.csv").write_text("system,topic,measure,score\n" + "".join(rows))
    out, _ = command(capsys, "agreement", "--scores", "many.csv", "--resamples", "100")
    assert "< 0.0001" in out


def test_measures_asked_for_twice_are_studied_once(at: Path) -> None:
    assert cells(study("power", measures="AP MAP AP")) == cells(study("power", measures="AP"))


# swap and stability


def test_swap_is_the_swap_method_on_two_sets_of_samples(at: Path) -> None:
    result = study("swap")
    plan = TopicPlan(0, TOPICS, SAMPLES)
    one, two = plan.counts() / TOPICS, plan.counts(second=True) / TOPICS
    for measure in MEASURES.split():
        x = values(measure).T
        found = swap(one @ x, two @ x)
        (row,) = of(result, "swap", measure=measure)
        bins = of(result, "swap_bins", measure=measure)
        assert [b["comparisons"] for b in bins] == found.comparisons.tolist()
        assert [b["swaps"] for b in bins] == found.swaps.tolist()
        assert row["max_score"] == pytest.approx(found.max_score, rel=1e-12)
        np.testing.assert_equal(row["required_difference"], found.required_difference)
        np.testing.assert_equal(row["share_satisfied"], found.share_satisfied)


def test_disjoint_halves_say_that_they_hold_for_half_the_topics(at: Path, capsys: Any) -> None:
    result = study("swap", disjoint=True)
    first, second = TopicPlan(0, TOPICS, SAMPLES).halves()
    x = values("AP").T
    found = swap(first / 6 @ x, second / 6 @ x)
    assert [b["swaps"] for b in of(result, "swap_bins", measure="AP")] == found.swaps.tolist()
    assert result.provenance["holds_for_topics"] == 6
    assert "6 topics" in result["swap"].caption
    out, _ = command(capsys, "swap", "--scores", "scores.csv", "--disjoint", "--resamples", "50")
    assert "Holds for 6 topics" in " ".join(out.split())
    assert "13 topics" in study("swap")["swap"].caption


def test_swap_takes_other_bins(at: Path) -> None:
    result = study("swap", bins=4, bin_width=0.1, swap_rate=0.3, measures="AP")
    assert [row["bin_low"] for row in of(result, "swap_bins")] == [0, 0.1, 0.2, 0.3]
    assert sum(row["comparisons"] for row in of(result, "swap_bins")) == 15 * SAMPLES
    assert "0.3 of comparisons" in result["swap"].caption


@pytest.mark.parametrize("measure", ["AP", "GM(AP)", "AREA(AP)"])
def test_stability_is_the_stability_method_on_the_samples(measure: str, at: Path) -> None:
    result = study("stability", measures=measure, fuzziness="0.01,0.05,0.1")
    x = values("AP")
    index = [np.repeat(np.arange(TOPICS), row) for row in TopicPlan(0, TOPICS, SAMPLES).counts()]
    (asked,) = irassay.parse(measure)
    means = np.stack([asked.summarise(x[:, sample]) for sample in index])
    found = stability(means, (0.01, 0.05, 0.1))
    assert [row["minority_rate"] for row in of(result, "stability")] == found.minority_rate.tolist()
    assert [row["proportion_of_ties"] for row in of(result, "stability")] == found.proportion_of_ties.tolist()


@pytest.mark.parametrize(
    ("fuzziness", "margins"),
    [
        ("0.01-0.20", [k / 100 for k in range(1, 21)]),
        ("0.05-0.07", [0.05, 0.06, 0.07]),
        ("0.1,0.02", [0.1, 0.02]),
        (0.25, [0.25]),
        ("1e-2", [0.01]),
        ((0.1, 0.2), [0.1, 0.2]),
    ],
)
def test_margins_are_a_list_or_a_range(fuzziness: Any, margins: list[float], at: Path) -> None:
    rows = of(study("stability", measures="AP", fuzziness=fuzziness), "stability")
    assert [row["fuzziness"] for row in rows] == margins


# agreement


def test_agreement_lists_every_ordered_pair_of_measures(at: Path) -> None:
    result = study("agreement", rbo_p=0.8)
    names = MEASURES.split()
    means = {name: values(name).mean(axis=1) for name in names}
    rows = of(result, "agreement")
    assert [(r["measure_a"], r["measure_b"]) for r in rows] == [(a, b) for a in names for b in names if a != b]
    for row in rows:
        a, b = means[row["measure_a"]], means[row["measure_b"]]
        tau = ranks.tau(a, b)
        assert (row["tau"], row["tau_b"], row["tau_ap"]) == (tau, ranks.tau_b(a, b), ranks.tau_ap(a, b))
        assert row["rbo"] == ranks.rbo(a, b, p=0.8)
        assert row["systems"] == 6
        assert row["z0"] == ranks.z0(tau, 6)
        assert row["p_value"] == ranks.p_value(row["z0"])


def test_the_interval_on_tau_is_over_the_shared_samples(at: Path) -> None:
    counts = TopicPlan(0, TOPICS, SAMPLES).counts() / TOPICS
    replicates = ranks.tau_replicates(counts @ values("AP").T, counts @ values("Q").T)
    (row,) = of(study("agreement"), "intervals", measure_a="AP", measure_b="Q")
    assert (row["tau_low"], row["tau_high"]) == ranks.interval(replicates)


def test_verdicts_count_every_pair_of_systems_once(at: Path) -> None:
    result = study("agreement", alpha=0.1)
    tested = {name: of(study("power"), "pairs", measure=name) for name in ("AP", "Q")}
    a, b = ([(r["asl"] < 0.1) * np.sign(r["mean_difference"]) for r in tested[name]] for name in ("AP", "Q"))
    (row,) = of(result, "verdicts", measure_a="AP", measure_b="Q")
    assert row["pairs"] == 15
    assert row["same"] == sum(x == y != 0 for x, y in zip(a, b, strict=True))
    assert row["opposite"] == sum(x * y < 0 for x, y in zip(a, b, strict=True))
    assert row["only_a"] == sum(x != 0 == y for x, y in zip(a, b, strict=True))
    assert row["only_b"] == sum(y != 0 == x for x, y in zip(a, b, strict=True))
    assert row["neither"] == sum(x == y == 0 for x, y in zip(a, b, strict=True))


def test_a_summary_without_topic_values_agrees_but_has_no_verdicts(at: Path) -> None:
    result = study("agreement", measures="AP AREA(AP) NumRelRet")
    assert len(of(result, "agreement")) == 6
    assert {(r["measure_a"], r["measure_b"]) for r in of(result, "verdicts")} == {("AP", "NumRelRet")}


# gains and preferred ranks


def test_equal_gains_make_a_graded_measure_binary(at: Path) -> None:
    schemes = "{1:1,2:2,3:3} {1:1,2:1,3:1} {1:10,2:20,3:30}"
    result = study("gains", schemes=schemes, measures="Q nDCG@10")
    power = study("power", measures="Q Q(rel=1) nDCG@10 nDCG(rel=1)@10", alpha=0.05)
    for measure, binary in {"Q": "Q(rel=1)", "nDCG@10": "nDCG(rel=1)@10"}.items():
        default, equal, _ = of(result, "gains", measure=measure)
        for row, name in ((default, measure), (equal, binary)):
            (told,) = of(power, "power", measure=name)
            for column in ("significant", "pairs", "discriminative_power", "estimated_difference"):
                assert row[column] == pytest.approx(told[column], abs=1e-12)
        assert equal["tau_with_default"] == ranks.tau(values(measure).mean(axis=1), values(binary).mean(axis=1))
        assert default["tau_with_default"] == 1.0


def test_gains_ten_times_as_large_change_nothing_in_a_ratio_of_gains(at: Path) -> None:
    result = study("gains", schemes="{1:1, 2:2, 3:3}  {1:10,2:20,3:30}", measures="nDCG@10")
    one, ten = of(result, "gains")
    assert (one["scheme"], ten["scheme"]) == ("{1:1,2:2,3:3}", "{1:10,2:20,3:30}")
    assert ten["tau_with_default"] == 1.0
    assert one["significant"] == ten["significant"]


def test_schemes_may_name_grades_that_do_not_occur(at: Path) -> None:
    one = study("gains", schemes="{1:1,2:2,3:3}", measures="Q")
    assert (
        of(study("gains", schemes="{1:1,2:2,3:3,4:9}", measures="Q"), "gains")[0]["significant"]
        == of(one, "gains")[0]["significant"]
    )


def test_preferred_ranks_of_a_collection_made_by_hand() -> None:
    qrels = {
        "1": {"s": 3, "a": 2, "b": 1, "c": 1, "n": 0},  # one run stops at s, the other only has a
        "2": {"b": 1, "c": 1},
        "3": {"a": 2},  # nobody finds it
        "4": {"n": 0},  # nothing is relevant: left out
    }
    runs = {
        "x": {"1": ["b", "s", "a"], "2": ["n", "m"], "3": ["n"], "4": ["n"]},
        "y": {"1": ["n", "c", "b", "m", "a", "k", "a2"], "2": ["n", "k", "c", "b"], "3": ["m"], "4": ["m"]},
    }
    ranked = {
        name: {t: {d: -float(r) for r, d in enumerate(docs)} for t, docs in run.items()} for name, run in runs.items()
    }
    with pytest.warns(IrassayWarning, match="1 topic without relevant documents, dropped: 4"):
        result = irassay.preferred_ranks(irassay.read_qrels(qrels), irassay.read_runs(ranked))
    assert list(result["preferred_ranks"].rows()) == [
        ("1", "y", 5, 3, 0, 1),
        ("1", "y", 5, 2, 1, 1),
        ("1", "y", 5, 1, 2, 2),
        ("2", "y", 3, 3, 0, 0),
        ("2", "y", 3, 2, 0, 0),
        ("2", "y", 3, 1, 1, 2),
        ("3", None, None, 3, 0, 0),
        ("3", None, None, 2, 0, 1),
        ("3", None, None, 1, 0, 0),
    ]
    with pytest.warns(IrassayWarning, match="no-relevant"):
        kept = irassay.preferred_ranks(irassay.read_qrels(qrels), irassay.read_runs(ranked), unanswerable="zero")
    assert {row[0] for row in kept["preferred_ranks"].rows()} == {"1", "2", "3", "4"}


# score tables


def test_measures_of_a_score_table_are_selected_with_m(at: Path, capsys: Any) -> None:
    one = study("power", scores=True, measures="Q AP")
    assert list(dict.fromkeys(python_values(one["system_means"]["measure"]))) == ["Q", "AP"]
    out, _ = command(capsys, "power", "--scores", "scores.csv", "-m", "MAP", "--resamples", "100", "--format", "json")
    assert {row["measure"] for row in json.loads(out)["power"]} == {"AP"}


def test_a_summary_comes_from_the_measure_in_a_score_table(at: Path) -> None:
    runs = study("power", measures="GM(AP) AREA(AP)", unpaired=True)
    table = study("power", scores=True, measures="GM(AP) AREA(AP)", unpaired=True)
    whole = irassay.power(scores="summaries.csv", resamples=SAMPLES, unpaired=True)
    assert cells(table) == cells(runs)
    for name in ("GM(AP)", "AREA(AP)"):
        assert of(whole, "pairs", measure=name) == of(runs, "pairs", measure=name)


def test_logarithms_in_a_score_table_are_not_taken_again(at: Path) -> None:
    runs = study("power", measures="AG(AP)")
    for table in ("ag.csv", "summaries.csv"):
        scores = irassay.power(scores=table, measures="AG(AP)", resamples=SAMPLES)
        assert cells(scores) == cells(runs)


def test_a_column_may_be_called_anything(at: Path, tmp_path: Path) -> None:
    text = (at / "ap.csv").read_text().replace(",AP,", ",satisfaction (1-5),")
    (tmp_path / "own.csv").write_text(text)
    own = irassay.power(scores=[tmp_path / "own.csv"], resamples=SAMPLES)
    assert [r["asl"] for r in of(own, "pairs")] == [r["asl"] for r in of(study("power", measures="AP"), "pairs")]
    assert of(own, "power")[0]["measure"] == "satisfaction (1-5)"
    same = irassay.power(scores=tmp_path / "own.csv", resamples=SAMPLES, measures=["satisfaction (1-5)"])
    assert cells(own) == cells(same)


def test_tables_of_trec_eval_are_asked_for_by_either_name(at: Path, tmp_path: Path, capsys: Any) -> None:
    for s in range(6):
        arguments = ["-m", "AP gm_map num_rel_ret", "--per-topic", "--format", "trec", "-o", str(tmp_path / f"s{s}")]
        command(capsys, "score", "qrels.txt", f"runs/s{s}.txt", *arguments)
    told = [
        irassay.power(scores=str(tmp_path / "*"), measures=name, resamples=SAMPLES, unpaired=True)
        for name in ("map", "AP", "GM(AP)", "NumRelRet")
    ]
    assert cells(told[0]) == cells(told[1])
    assert [of(result, "power")[0]["measure"] for result in told] == ["map", "map", "GM(AP)", "num_rel_ret"]
    exact = study("power", measures="NumRelRet", unpaired=True)
    assert [r["asl"] for r in of(told[3], "pairs")] == [r["asl"] for r in of(exact, "pairs")]


def test_a_constant_difference_has_an_infinite_t_that_is_kept(tmp_path: Path) -> None:
    rows = ["a,1,AP,.3", "a,2,AP,.4", "a,3,AP,.5", "b,1,AP,.2", "b,2,AP,.3", "b,3,AP,.4"]
    (tmp_path / "c.csv").write_text("\n".join(["system,topic,measure,score", *rows]))
    result = irassay.power(scores=tmp_path / "c.csv", histogram=True)
    irassay.save_result(result, tmp_path / "out")
    for found in (result, irassay.load_result(tmp_path / "out")):
        assert [(row["t"], row["asl"]) for row in of(found, "pair")] == [(math.inf, 0.0)]
        assert {row["discriminative_power"] for row in of(found, "power")} == {1.0}


def test_topics_are_selected_in_a_score_table_as_in_runs(at: Path) -> None:
    assert cells(study("swap", scores=True, topics="2-7,11")) == cells(study("swap", topics="2-7,11"))


# systems


def test_the_best_systems_are_chosen_by_a_measure_and_stay_in_input_order(at: Path, capsys: Any) -> None:
    order = np.argsort(-values("Q").mean(axis=1), kind="stable")
    best = [f"s{i}" for i in sorted(order[:3].tolist())]
    for scores in (False, True):
        result = study("power", scores=scores, top=3, by="Q")
        assert result.provenance["systems"] == best
        assert [r["system_y"] for r in of(result, "pairs", measure="AP")] == [best[1], best[2], best[2]]
    out, _ = command(
        capsys, "power", "qrels.txt", "runs", "-m", MEASURES, "--top", "3", "--by", "Q-measure", "--resamples", "100",
        "--format", "json",
    )  # fmt: skip
    assert json.loads(out)["provenance"]["systems"] == best
    assert study("gains", top=3, by="Q").provenance["systems"] == best


def test_selecting_systems_does_not_move_the_tests_of_those_kept(at: Path) -> None:
    result = study("power", top=3)
    for row in of(result, "pairs"):
        where = {key: row[key] for key in ("measure", "system_x", "system_y")}
        assert of(study("power"), "pairs", **where) == [row]


@pytest.mark.parametrize("scores", [False, True])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_one_system_of_each_group_is_drawn_by_the_seed(scores: bool, seed: int, at: Path) -> None:
    key = words(6, seed=seed, stream=GROUP_SYSTEMS).tolist()
    drawn = [f"s{min(2 * g, 2 * g + 1, key=lambda i: key[i])}" for g in range(3)]
    options: dict[str, Any] = {"scores": scores, "seed": seed, "groups": "groups.txt", "one_per_group": True}
    assert study("power", **options).provenance["systems"] == drawn
    means = dict(zip([f"s{s}" for s in range(6)], values("AP").mean(axis=1), strict=True))
    worst = min(drawn, key=lambda name: means[name])
    assert study("power", top=2, **options).provenance["systems"] == [name for name in drawn if name != worst]


@pytest.mark.parametrize("seed", [0, 1, 2**63])
def test_a_sample_of_systems_is_drawn_by_the_seed(seed: int, at: Path, capsys: Any) -> None:
    order = np.argsort(words(6, seed=seed, stream=SAMPLED_SYSTEMS), kind="stable")
    drawn = [f"s{i}" for i in sorted(order[:4].tolist())]
    assert study("swap", sample_systems=4, seed=seed).provenance["systems"] == drawn
    out, _ = command(
        capsys, "swap", "--scores", "ap.csv", "--sample-systems", "4", "--seed", str(seed), "--format", "json"
    )
    assert json.loads(out)["provenance"]["systems"] == drawn


def test_samples_of_systems_differ_between_seeds(at: Path) -> None:
    found = {str(study("swap", sample_systems=3, seed=s, resamples=2).provenance["systems"]) for s in range(12)}
    assert len(found) > 5


@pytest.mark.parametrize("option", ["sample_systems", "top"])
def test_fewer_systems_than_asked_for_are_all_taken_and_it_is_said(option: str, at: Path) -> None:
    asked: dict[str, Any] = {option: 9}
    with pytest.warns(IrassayWarning, match="there are 6 systems, and all of them are taken"):
        result = study("power", **asked)
    assert len(result.provenance["systems"]) == 6  # type: ignore[arg-type]
    assert [w.code for w in result.warnings] == ["fewer-systems"]


# panels and scores in memory


def panel(**policy: Any) -> irassay.Panel:
    return irassay.align(irassay.read_qrels("qrels.txt"), irassay.read_runs("runs"), **policy)


@pytest.mark.parametrize("name", FROM_SCORES)
def test_a_panel_or_scores_give_the_same_numbers_as_the_runs(name: str, at: Path) -> None:
    expected = cells(study(name))
    more: dict[str, Any] = {"resamples": SAMPLES, "measures": MEASURES}
    assert cells(STUDIES[name](panel(), **more)) == expected
    assert cells(STUDIES[name](panel().score(MEASURES), **more)) == expected


@pytest.mark.parametrize("measure", ["AP", "AG(AP)"])
def test_scores_of_one_measure_are_enough(measure: str, at: Path) -> None:
    alone = irassay.power(panel().score(measure)[measure], resamples=SAMPLES)
    assert of(alone, "pairs") == of(study("power", measures=measure), "pairs")


def test_frames_are_data_as_files_are(at: Path) -> None:
    pandas = pytest.importorskip("pandas")
    qrels, runs = irassay.read_qrels("qrels.txt"), [*Path("runs").iterdir()]
    names = ["topic", "Q0", "document", "rank", "score", "run"]
    frame = pandas.concat([pandas.read_csv(path, sep=" ", names=names, dtype={"topic": str}) for path in sorted(runs)])
    assert of(irassay.power(qrels, frame, measures=MEASURES, resamples=SAMPLES), "power") == of(study("power"), "power")


def test_a_panel_is_aligned_already(at: Path) -> None:
    for settings in ({"depth": 10}, {"runs": "runs"}, {"scores": "scores.csv"}):
        with pytest.raises(irassay.InputError):
            irassay.power(panel(), resamples=SAMPLES, **settings)
    with pytest.raises(irassay.InputError, match="--depth does nothing to ready-made scores"):
        irassay.power(panel().score("AP"), resamples=SAMPLES, depth=10)


def test_topics_of_a_panel_are_selected_and_those_without_relevant_documents_dropped(at: Path) -> None:
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 0}, "3": {"b": 1}, "4": {"a": 1}}
    runs = {"x": {t: {"a": 2.0, "b": 1.0} for t in "1234"}, "y": {t: {"b": 2.0, "a": 1.0} for t in "1234"}}
    with pytest.warns(IrassayWarning, match="no-relevant"):
        made = irassay.align(irassay.read_qrels(qrels), irassay.read_runs(runs))
    assert irassay.power(made, measures="AP", resamples=100).provenance["topics"] == ["1", "3", "4"]
    kept = irassay.power(made, measures="AP", resamples=100, unanswerable="zero", topics="2-4")
    assert kept.provenance["topics"] == ["2", "3", "4"]
