"""Bad settings of the studies: levels, samples, measures, systems and keywords in Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay import InputError
from irassay.cli import run
from tests.helpers.bad_input import SAMPLED, Refusal, runs_of, write, write_small_collection


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_small_collection()


@pytest.fixture
def refused(capsys: Any) -> Refusal:
    return Refusal(capsys)


@pytest.mark.parametrize("alpha", ["0", "1", "-0.1", "1.5", "0.05,2", "nan", "five", "", "0.05,"])
def test_alpha_outside_its_range_or_not_a_number(alpha: str, refused: Refusal) -> None:
    assert "alpha" in refused("power", "--scores", "scores.csv", f"--alpha={alpha}")
    if "," not in alpha:
        for study in ("agreement", "gains"):
            assert "alpha" in refused(*runs_of(study), f"--alpha={alpha}")


@pytest.mark.parametrize("study", ["power", "agreement", "gains"])
def test_too_few_samples_for_alpha(study: str, refused: Refusal) -> None:
    err = refused(*runs_of(study), "--resamples", "50", "--alpha", "0.01")
    assert "50 samples cannot reach alpha = 0.01" in err
    assert "100" in err


@pytest.mark.parametrize("study", SAMPLED)
@pytest.mark.parametrize(
    "option",
    [
        ["--resamples", "0"],
        ["--resamples", "many"],
        ["--seed", "-1"],
        ["--seed", str(2**64)],
        ["--jobs", "0"],
        ["--top", "1"],
        ["--sample-systems", "1"],
    ],
)
def test_numbers_that_are_none_or_too_small(study: str, option: list[str], refused: Refusal) -> None:
    assert option[0].strip("-") in refused(*runs_of(study), *option)


@pytest.mark.parametrize(
    ("study", "option"),
    [
        ("swap", "--swap-rate=2"),
        ("swap", "--swap-rate=nan"),
        ("swap", "--bin-width=0"),
        ("swap", "--bin-width=nan"),
        ("swap", "--bin-width=-1"),
        ("swap", "--bins=0"),
        ("stability", "--fuzziness=much"),
        ("stability", "--fuzziness=0.2-0.1"),
        ("stability", "--fuzziness=0.1-"),
        ("stability", "--fuzziness=-0.1"),
        ("stability", "--fuzziness=1.5"),
        ("stability", "--fuzziness=0.005-0.02"),
        ("stability", "--fuzziness=0.1-9"),
        ("stability", "--fuzziness="),
        ("agreement", "--rbo-p=0"),
        ("agreement", "--rbo-p=1"),
        ("agreement", "--rbo-p=nan"),
    ],
)
def test_options_out_of_range(study: str, option: str, refused: Refusal) -> None:
    refused(study, "--scores", "scores.csv", option)


# measures


def test_one_measure_agrees_with_nobody(refused: Refusal) -> None:
    assert "one measure only" in refused("agreement", "--scores", "scores.csv", "-m", "AP")


@pytest.mark.parametrize("study", ["swap", "stability"])
@pytest.mark.parametrize("measure", ["AG(AP)", "NumRelRet", "DCG@10", "WRR"])
def test_bins_and_margins_need_normalised_measures(study: str, measure: str, refused: Refusal) -> None:
    err = refused(study, "qrels.txt", "runs", "-m", f"AP {measure}")
    assert f"{measure} is not between 0 and 1" in err
    assert ("use GM" in err) == measure.startswith("AG")


@pytest.mark.parametrize("study", ["swap", "stability"])
def test_percentages_in_a_score_table_are_not_normalised(study: str, refused: Refusal) -> None:
    table = write("percent.csv", ["a,1,AP,50", "a,2,AP,40", "b,1,AP,30", "b,2,AP,2"])
    assert "divide percentages by 100" in refused(study, "--scores", table)
    table = write("unknown.csv", ["a,1,mine,50", "a,2,mine,40", "b,1,mine,30", "b,2,mine,2"])
    assert "mine is not between 0 and 1" in refused(study, "--scores", table)


def test_the_area_has_no_paired_test(refused: Refusal) -> None:
    err = refused("power", "qrels.txt", "runs", "-m", "AP AREA(AP)")
    assert "AREA(AP) has no value per topic" in err
    assert "--unpaired" in err
    refused("power", "qrels.txt", "runs", "-m", "AREA(AP)", "--paired", "--unpaired")


@pytest.mark.parametrize("study", SAMPLED)
def test_an_unknown_measure(study: str, refused: Refusal) -> None:
    arguments = runs_of(study)
    arguments[4] = "nDGC@10"
    assert "nDGC" in refused(*arguments)


@pytest.mark.parametrize("measure", ["AP", "Q(rel=1)", "Q(gains={1:1,2:2})", "GM(Q)"])
def test_measures_that_take_no_other_gains(measure: str, refused: Refusal) -> None:
    assert "does not take other gains" in refused("gains", "qrels.txt", "runs", "-m", measure)


@pytest.mark.parametrize(
    "schemes",
    [
        "", "1:1,2:2", "{1:1,2:2", "{1:1,2}", "{one:1,2:2}", "{1:1,2:x}", "{}", "{1:1,1:2,2:3}", "{0:1,1:1,2:2}",
        "{1:-1,2:2}", "{1:nan,2:2}", "{1:inf,2:1}", "{1:1}", "{1:1,2:2} nonsense",
    ],
)  # fmt: skip
def test_malformed_gain_schemes(schemes: str, refused: Refusal) -> None:
    refused("gains", "qrels.txt", "runs", "-m", "Q", "--schemes", schemes)


def test_gains_twice(refused: Refusal) -> None:
    refused("gains", "qrels.txt", "runs", "-m", "Q", "--gains", "1=1,2=3")


def test_a_measure_that_is_the_same_for_all_systems_tells_none_apart(capsys: Any) -> None:
    table = write("constant.csv", [f"{s},{t},AP,0.{t}" for s in "abc" for t in range(1, 6)])
    assert run(["power", "--scores", table, "--paired", "--unpaired", "--format", "json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert {(row["test"], row["asl"]) for row in content["pairs"]} == {("paired", 1.0), ("unpaired", 1.0)}
    assert {row["discriminative_power"] for row in content["power"]} == {0.0}
    assert {row["statistic"] for row in content["pairs"]} == {0.0}


@pytest.mark.parametrize("study", ["swap", "stability", "agreement"])
def test_other_studies_of_a_measure_that_is_the_same_for_all_systems_have_an_answer(study: str, capsys: Any) -> None:
    rows = [f"{s},{t},AP,0.{t}" for s in "abc" for t in range(1, 6)]
    table = write("constant.csv", [*rows, *(row.replace("AP", "RR") for row in rows)])
    assert run([study, "--scores", table, "--resamples", "100", "--format", "json"]) == 0
    content = json.loads(capsys.readouterr().out)
    first = content[study][0]
    if study == "swap":
        assert first["required_difference"] is None
    elif study == "stability":
        assert (first["minority_rate"], first["proportion_of_ties"]) == (0.0, 1.0)
    else:
        assert (first["tau"], first["tau_b"]) == (0.0, None)


# systems


def test_pairs_that_cannot_be_shown(refused: Refusal) -> None:
    table = ["power", "--scores", "scores.csv"]
    assert "there is no system 'z'" in refused(*table, "--histogram", "--pair", "a", "--pair", "z")
    assert "two systems" in refused(*table, "--histogram", "--pair", "a")
    assert "two systems" in refused(*table, "--histogram", "--pair", "a", "--pair", "b", "--pair", "c")
    assert "itself" in refused(*table, "--histogram", "--pair", "a", "--pair", "a")
    assert "--histogram" in refused(*table, "--pair", "a", "--pair", "b")
    assert "--paired" in refused(*table, "--unpaired", "--histogram")


def test_a_pair_that_was_not_selected(refused: Refusal) -> None:
    best = irassay.power(scores="scores.csv", resamples=100, top=2).provenance["systems"]
    (left,) = set("abc") - set(best)  # type: ignore[call-overload]
    refused("power", "--scores", "scores.csv", "--top", "2", "--histogram", "--pair", "a", "--pair", left)


def test_systems_chosen_by_a_measure_that_is_not_there(refused: Refusal) -> None:
    assert "--by Q is not among the measures" in refused("swap", "--scores", "scores.csv", "--top", "2", "--by", "Q")
    assert "they are AP, RR" in refused(*runs_of("power"), "--top", "2", "--by", "Q")
    assert "--by alone" in refused(*runs_of("power"), "--by", "AP")


def test_groups_that_select_nothing(refused: Refusal) -> None:
    table = ["power", "--scores", "scores.csv"]
    assert "needs groups" in refused(*table, "--one-per-group")
    assert "--groups alone" in refused(*table, "--groups", "groups.txt")
    assert "nowhere.txt" in refused(*table, "--groups", "nowhere.txt", "--one-per-group", hint=False)
    Path("groups.txt").write_text("a one\nb two\n")
    assert "1 of 3 systems are in no group, the first is c" in refused(
        *table, "--groups", "groups.txt", "--one-per-group"
    )
    Path("groups.txt").write_text("a one\nb one\nc one\n")
    assert "one system only" in refused(*table, "--groups", "groups.txt", "--one-per-group")


@pytest.mark.parametrize(
    ("study", "settings"),
    [
        (irassay.power, {"alpha": "x"}),
        (irassay.power, {"alpha": ()}),
        (irassay.power, {"alpha": (0.05, None)}),
        (irassay.power, {"resamples": 0}),
        (irassay.power, {"top": -1}),
        (irassay.power, {"sample_systems": 0}),
        (irassay.power, {"histogram": True, "pair": "ab"}),
        (irassay.power, {"seed": -1}),
        (irassay.swap, {"bins": 0}),
        (irassay.swap, {"swap_rate": -0.1}),
        (irassay.swap, {"resamples": 0}),
        (irassay.stability, {"fuzziness": (0.1, 2)}),
        (irassay.stability, {"fuzziness": []}),
        (irassay.agreement, {"rbo_p": 1.0}),
        (irassay.gains, {}),
    ],
)
def test_python_refuses_what_the_command_line_refuses(study: Any, settings: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        study(scores="scores.csv", **settings)
    assert caught.value.what
    assert caught.value.hint


@pytest.mark.parametrize("study", [irassay.power, irassay.gains, irassay.preferred_ranks])
def test_python_without_data(study: Any) -> None:
    with pytest.raises(InputError, match="hint: give QRELS and runs"):
        study()
