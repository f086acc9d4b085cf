"""Score simulation as a study: the paper's algorithms on golden numbers, and what `irassay variance` says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.ask.agreement import coefficients
from irassay.ask.error_rate import error_rate
from irassay.ask.rejection import Rejections, largest, pair_statistics, significant_share
from irassay.cli import run
from irassay.errors import InputError
from tests.helpers.golden import golden
from tests.helpers.scored_collections import collection

METHODS = golden("methods")
CASES = {name: METHODS[name] for name in ("yang", "yang_distinct")}
COLUMNS = {
    "variance": [
        "model", "krcc", "share_asl_below_alpha", "share_nearly_always_rejected", "mean_rejection_rate",
        "estimated_difference", "raw_significant_share",
    ],
    "error_rate": ["model", "bin_low", "comparisons", "errors", "error_rate"],
    "topics": ["model", "system", "topic", "raw", "mean", "sd"],
}  # fmt: skip


def rejection_of(case: dict[str, Any], piece: int) -> Any:
    sims = np.array(case["sims"])
    found = Rejections(sims.shape[1], len(sims), 0.05)
    for first in range(0, len(sims), piece):
        found.add(pair_statistics(sims[first : first + piece].transpose(0, 2, 1), 0.05), jobs=2)
    return found.result()


@pytest.mark.parametrize("piece", [7, 256])
@pytest.mark.parametrize("name", CASES)
def test_algorithms_3_and_4_match_golden(name: str, piece: int) -> None:
    case = CASES[name]
    found = rejection_of(case, piece)
    pairs = [f"{x}-{y}" for x, y in zip(found.first.tolist(), found.second.tolist(), strict=True)]
    literal = case.get("ASL_literal") or case["ASL"]
    assert dict(zip(pairs, found.rate.tolist(), strict=True)) == literal  # counts: not one may be off
    assert dict(zip(pairs, found.required.tolist(), strict=True)) == pytest.approx(case["ED_by_pair"], rel=1e-12)
    assert found.estimated_difference == pytest.approx(case["ED"], rel=1e-12)


def test_the_letter_of_algorithm_3_and_its_plain_meaning_match_golden() -> None:
    first, second = rejection_of(CASES["yang"], 256), rejection_of(CASES["yang_distinct"], 256)
    assert first.share_asl_below_alpha == CASES["yang"]["PCT_literal"]
    assert first.share_nearly_always_rejected == CASES["yang"]["PCT_of_1_minus_ASL"]
    for name in ("share_asl_below_alpha", "share_nearly_always_rejected", "mean_rejection_rate"):
        assert getattr(second, name) == pytest.approx(CASES["yang_distinct"][name], rel=1e-12)
    assert significant_share(np.array(CASES["yang"]["raw"]), 0.05) == CASES["yang"]["raw_significant_fraction"]


def test_error_rate_and_rank_correlation_match_golden() -> None:
    case = CASES["yang"]
    raw, means = np.array(case["raw"]).mean(axis=1), np.array(case["sims"]).mean(axis=2)
    found = error_rate(raw, means)
    assert found.comparisons.tolist() == case["ER"]["count"]
    assert found.swaps.tolist() == case["ER"]["error"]
    assert found.rates == pytest.approx(case["ER"]["ER"], rel=1e-12)
    taus = coefficients(raw, means)[:, 0]
    assert taus == pytest.approx(case["taus"], rel=1e-12)
    assert taus.mean() == pytest.approx(case["KRCC"], rel=1e-12)


def test_a_difference_of_0_is_in_the_first_bin_and_no_error() -> None:
    found = error_rate(np.array([0.4, 0.2]), np.array([[0.3, 0.3], [0.25, 0.3], [0.3, 0.0]]))
    assert found.comparisons[[0, 5, 20]].tolist() == [1, 1, 1]  # .3 - .25 is on an edge
    assert found.swaps.tolist() == [0] * 5 + [1] + [0] * 15
    assert np.isnan(found.rates[1])


def test_systems_without_any_difference_and_with_a_constant_one_are_distinguished() -> None:
    scores = np.array([[0.3, 0.4, 0.5], [0.3, 0.4, 0.5], [0.2, 0.3, 0.4]]).T[None]
    found = pair_statistics(scores, 0.05)
    assert found.rejected.tolist() == [0, 1, 1]  # .3 - .2 and .4 - .3 differ by rounding only: t is infinite
    assert found.difference[:, 0] == pytest.approx([0, 0.1, 0.1])


def test_the_largest_statistics_do_not_depend_on_the_order_of_replicates() -> None:
    rng = np.random.default_rng(0)
    scores = np.round(rng.random((90, 6, 4)), 1)  # many ties in |t|, broken by the difference
    results = []
    for order, preselected in ((np.arange(90), False), (rng.permutation(90), False), (np.arange(90), True)):
        found = Rejections(4, 90, 0.1)
        for first in range(0, 90, 40):
            piece = pair_statistics(scores[order][first : first + 40], 0.1)
            if preselected:  # where the piece was made: the rest cannot be among the largest of all
                piece = largest(piece, 4, 90, 0.1)
                assert piece.statistic.shape[1] == 9
            found.add(piece)
            found.seen = min(90, first + 40)
        results.append(found.result())
    assert np.array_equal(results[0].required, results[1].required)
    assert np.array_equal(results[0].required, results[2].required)
    whole = pair_statistics(scores, 0.1)
    by_hand = [sorted(zip(x, d, strict=True))[-9][1] for x, d in zip(whole.statistic.tolist(), whole.difference.tolist(), strict=True)]  # fmt: skip  # noqa: E501
    assert results[0].required.tolist() == by_hand


@pytest.fixture(scope="module")
def data() -> tuple[dict[str, Any], dict[str, Any]]:
    return collection(systems=5, topics=6)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, data: tuple[dict[str, Any], dict[str, Any]]) -> Path:
    """The collection on disk, with a run whose scores are made of its ranks."""
    folder = tmp_path_factory.mktemp("variance")
    qrels, runs = data
    (folder / "qrels").write_text("".join(f"{t} 0 {d} {g}\n" for t, of in qrels.items() for d, g in of.items()))
    (folder / "runs").mkdir()
    for name, topics in runs.items():
        lines = [f"{t} Q0 {d} 1 {s} {name}\n" for t, of in topics.items() for d, s in of.items()]
        (folder / "runs" / name).write_text("".join(lines))
    made = [f"{t} Q0 d{i} {i + 1} {50 - i} ranked\n" for t in qrels for i in range(40)]
    (folder / "runs" / "ranked").write_text("".join(made))
    return folder


def test_tables_have_the_columns_of_the_contract_and_agree_with_each_other(data: Any) -> None:
    result = irassay.variance(*data, samples=300, seed=4)
    for name, columns in COLUMNS.items():
        assert list(result[name].columns) == columns
    assert result["variance"]["model"] == ("bst", "kde")
    topics = list(result["topics"].rows())
    assert len(topics) == 2 * 5 * 6
    raw = irassay.align(*data, unanswerable="drop").score("AP")["AP"]
    for model, system, topic, value, mean, sd in topics:
        assert value == raw.values[raw.systems.index(str(system)), raw.topics.index(str(topic))]
        assert abs(float(str(mean)) - float(str(value))) < 0.5
        assert 0 < float(str(sd)) < 0.5
        assert model in ("bst", "kde")
    assert sum(result["error_rate"]["comparisons"]) == 2 * 10 * 300
    rates = np.array(result["pairs"]["rejection_rate"]).reshape(2, 10)
    assert result["variance"]["mean_rejection_rate"] == pytest.approx(rates.mean(axis=1))
    systems = np.array([mean for *_, mean, _ in topics]).reshape(2, 5, 6).mean(axis=2)
    assert result["spread"]["mean"] == pytest.approx(systems.ravel(), rel=1e-12)
    assert {t.name for t in result.tables} >= {"swap", "stability", "ranks", "spread", "estimated_difference"}
    assert "these are not" in result["swap"].caption


def test_figures_draw_the_best_system_or_the_one_asked_for(data: Any) -> None:
    best = irassay.variance(*data, model="bst", samples=20)
    means = dict(zip(best["spread"]["system"], best["spread"]["raw"], strict=True))
    assert set(best["error_bars"]["system"]) == {max(means, key=lambda name: means[name])}
    bars = {f.name: f for f in best.figures}["error_bars"]
    assert (bars.kind, bars.x, bars.y, bars.low, bars.high) == ("intervals", "raw", "mean", "low", "high")
    for low, mean, high in zip(*(best["error_bars"][c] for c in ("low", "mean", "high")), strict=True):
        assert float(str(low)) < float(str(mean)) < float(str(high))
    # with a length the best of those with full lists: only the worst has them
    worst = min(means, key=lambda name: means[name])
    cut = {
        name: {
            t: dict(sorted(of.items(), key=lambda one: -one[1])[: 40 if name == worst else 39]) for t, of in run.items()
        }
        for name, run in data[1].items()
    }
    with pytest.warns(irassay.IrassayWarning, match="short-lists"):
        full = irassay.variance(data[0], cut, model="bst", samples=20, length="40")
    assert set(full["error_bars"]["system"]) == {worst}
    shown = irassay.variance(*data, model="bst", samples=20, show=("s3", "s1"))
    assert list(dict.fromkeys(shown["error_bars"]["system"])) == ["s3", "s1"]
    assert {f.name: f for f in shown.figures}["error_bars"].series == "system"


@pytest.mark.parametrize("options", [{}, {"relevant": "fixed", "length": "30"}, {"exact": True}], ids=str)
@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_the_same_numbers_for_any_number_of_threads(data: Any, options: Any) -> None:
    one, three = (irassay.variance(*data, samples=300, jobs=jobs, **options) for jobs in (1, 3))
    for table in one.tables:
        assert repr(list(table.rows())) == repr(list(three[table.name].rows())), table.name  # nan is nan


def test_adding_a_run_or_a_measure_moves_no_number_of_another(data: Any) -> None:
    qrels, runs = data
    few = irassay.variance(qrels, {k: runs[k] for k in ("s0", "s1")}, samples=50)
    many = irassay.variance(qrels, runs, measures="Bpref AP nDCG@10", samples=50)
    assert next(iter(many["variance"].columns)) == "measure"
    wanted = [
        tuple(row)[1:]
        for row in many["topics"].rows()
        if row[0] == "AP" and row[2] in ("s0", "s1")
    ]  # fmt: skip
    assert list(few["topics"].rows()) == wanted


@pytest.mark.parametrize("measure", ["nDCG@10", "Q", "Bpref", "infAP", "AP'", "RBP(p=0.95)", "GM(AP)", "ERR", "INST"])
def test_any_rank_measure_can_be_asked_for(data: Any, measure: str) -> None:
    result = irassay.variance(*data, measures=measure, samples=40)
    for row in result["variance"].rows():
        assert 0.2 < float(str(row[1])) <= 1  # tau with the raw ranking
    assert all(0 <= float(str(mean)) <= 1 for mean in result["spread"]["mean"])


def test_runs_without_usable_scores_are_left_out_and_listed(files: Path, capfd: Any) -> None:
    assert run(["variance", str(files / "qrels"), str(files / "runs"), "--samples", "30", "--format", "json"]) == 0
    out, err = capfd.readouterr()
    content = json.loads(out)
    assert "unusable-scores" in err
    assert "ranked" in err
    assert [(row["system"], row["simulated_by"], row["code"]) for row in content["unusable"]] == [
        ("ranked", "bst", "rank-derived-scores")
    ]
    by_model = {
        model: {row["system"] for row in content["spread"] if row["model"] == model} for model in ("bst", "kde")
    }
    assert by_model["bst"] - by_model["kde"] == {"ranked"}  # resampling uses the order of scores only
    assert by_model["kde"] < by_model["bst"]
    assert {row["system"] for row in content["error_bars"]} <= by_model["kde"]
    kept = ["variance", str(files / "qrels"), str(files / "runs"), "--samples", "30", "--keep-unusable"]
    assert run([*kept, "--format", "json", "--model", "kde"]) == 0
    content = json.loads(capfd.readouterr().out)
    assert "ranked" in {row["system"] for row in content["spread"]}
    assert content["unusable"][0]["simulated_by"] == "kde"


def test_short_lists_are_reported(data: Any) -> None:
    with pytest.warns(irassay.IrassayWarning, match="short-lists"):
        result = irassay.variance(*data, samples=20, length="100")
    assert len(result["short_lists"]) == 30
    assert set(result["short_lists"]["retrieved"]) == {40}


def test_lists_in_another_order_than_their_scores_are_reported(data: Any) -> None:
    qrels, runs = data
    with pytest.warns(irassay.IrassayWarning, match="score-order"):
        turned = irassay.variance(qrels, runs, samples=20, order="file", model="bst")
    by_score = irassay.variance(qrels, runs, samples=20, model="bst")
    assert turned["topics"]["mean"] != turned["topics"]["raw"]
    assert turned["topics"]["raw"] != by_score["topics"]["raw"]


def test_the_command_prints_its_tables_and_saves_the_rest(files: Path, tmp_path: Path, capfd: Any) -> None:
    command = ["variance", str(files / "qrels"), str(files / "runs"), "--samples", "50", "--top", "4"]
    assert run([*command, "--out", str(tmp_path / "out")]) == 0
    out = capfd.readouterr().out
    assert "krcc" in out
    assert "share_nearly_always_rejected" in out
    assert "rank_q50" not in out
    saved = irassay.load_result(tmp_path / "out")
    assert len(saved["spread"]) == 8
    assert {f.name for f in saved.figures} == {"error_bars", "error_rate"}


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--model", "bts"], "bst, kde or bst,kde"),
        (["--model", ""], "bst, kde or bst,kde"),
        (["--samples", "10"], "10 samples cannot reach alpha"),
        (["--length", "0"], "length is '0'"),
        (["--length", "all"], "write run, or a number"),
        (["--length", "1000000"], "from 1 to 100000"),
        (["--bandwidth", "-1"], "bandwidth"),
        (["--bandwidth", "nan"], "bandwidth"),
        (["--bandwidth", "scot"], "scott, silverman"),
        (["--alpha", "1"], "alpha"),
        (["--show", "nobody"], "--show nobody"),
        (["-m", "AREA(AP)"], "no paired test"),
        (["-m", "AG(AP)"], "not between 0 and 1"),
        (["-m", "NumRet"], "not between 0 and 1"),
        (["--one-per-group"], "needs groups"),
        (["--by", "AP"], "--by alone"),
        (["--topics", "1"], "one topic only"),
    ],
)
def test_bad_settings_are_errors_and_print_nothing(arguments: list[str], what: str, files: Path, capfd: Any) -> None:
    assert run(["variance", str(files / "qrels"), str(files / "runs"), *arguments]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert what in err


def test_without_two_usable_systems_there_is_nothing_to_compare(files: Path, capfd: Any) -> None:
    one = str(files / "runs" / "s0")
    assert run(["variance", str(files / "qrels"), one]) == 2
    assert "one system only" in capfd.readouterr().err
    both = [str(files / "qrels"), one, str(files / "runs" / "ranked"), "--samples", "30"]
    assert run(["variance", *both, "--model", "bst"]) == 0
    capfd.readouterr()
    assert run(["variance", *both]) == 2
    err = capfd.readouterr().err
    assert "1 of 2 systems have scores that can be simulated" in err
    assert "they say no more than the rank" in err


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_infinite_scores_are_never_simulated(data: Any) -> None:
    qrels, runs = data
    odd = {t: {**of, next(iter(of)): float("inf")} for t, of in runs["s0"].items()}
    result = irassay.variance(qrels, {**runs, "odd": odd}, samples=20, keep_unusable=True)
    assert list(result["unusable"].rows()) == [("odd", "none", "infinite-scores", "a score is not a finite number")]


def test_bad_keywords_are_refused_as_on_the_command_line(data: Any) -> None:
    for settings in ({"relevant": "some"}, {"seed": -1}, {"samples": 0}, {"length": 0}, {"bandwidth": 0.0}):
        with pytest.raises(InputError):
            irassay.variance(*data, **settings)


def test_bad_shapes_are_refused() -> None:
    with pytest.raises(InputError, match="not of the same systems"):
        error_rate(np.zeros(3), np.zeros((4, 2)))
    with pytest.raises(ValueError, match="announced"):
        Rejections(3, 40, 0.05).result()
