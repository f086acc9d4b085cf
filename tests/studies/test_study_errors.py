"""Bad input to the studies: exit status 2, what and a hint on stderr, nothing on stdout; or a documented answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay import InputError
from irassay.cli import run

SAMPLED = ("power", "swap", "stability", "agreement", "gains", "compare")
ROWS = [
    f"{s},{t},{m},{(t * 7 + k * 3 + n) % 10 / 10}"
    for k, s in enumerate("abc")
    for t in range(1, 6)
    for n, m in enumerate(("AP", "RR"))
]
HEADER = "system,topic,measure,score"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    lines = [f"{t} 0 d{d} {(t + d) % 3}\n" for t in range(1, 6) for d in range(4)]
    Path("qrels.txt").write_text("".join(lines))
    for k, name in enumerate("abc"):
        ranked = [(t, (d * (k + 1) + t) % 4, d) for t in range(1, 6) for d in range(3)]
        Path("runs", name).write_text(
            "".join(f"{t} Q0 d{d} 0 {-r} {name}\n" for t, d, r in dict.fromkeys(ranked) if k != 1 or r < 2)
        )
    Path("scores.csv").write_text("\n".join([HEADER, *ROWS, ""]))
    Path("groups.txt").write_text("a one\nb two\nc two\n")
    return tmp_path


class Refusal:
    def __init__(self, capture: Any) -> None:
        self.capture = capture

    def __call__(self, *arguments: str, hint: bool = True) -> str:
        """What a command that must fail says."""
        self.capture.readouterr()
        status = run(arguments)
        out, err = self.capture.readouterr()
        assert (status, out) == (2, ""), err
        assert err.startswith("error: "), err
        assert ("\n\nhint: " in err) or not hint, err
        assert "Traceback" not in err
        return str(err)


@pytest.fixture
def refused(capsys: Any) -> Refusal:
    return Refusal(capsys)


def write(name: str, rows: list[str]) -> str:
    Path(name).write_text("\n".join([HEADER, *rows, ""]))
    return name


def runs_of(study: str) -> list[str]:
    return [study, "qrels.txt", "runs", *(["-m", "Q nDCG"] if study == "gains" else ["-m", "AP RR"])]


# too little


@pytest.mark.parametrize("study", SAMPLED)
def test_one_system(study: str, refused: Refusal) -> None:
    arguments = runs_of(study)
    arguments[2] = "runs/a"
    assert "one system only" in refused(*arguments)
    if study != "gains":
        table = write("one.csv", [row for row in ROWS if row.startswith("a")])
        assert "one system only" in refused(study, "--scores", table)


@pytest.mark.parametrize("study", SAMPLED)
def test_one_topic(study: str, refused: Refusal) -> None:
    assert "one topic only" in refused(*runs_of(study), "--topics", "3")
    if study != "gains":
        table = write("one.csv", [row for row in ROWS if row[2] == "1"])
        assert "one topic only" in refused(study, "--scores", table)
        assert "one topic only" in refused(study, "--scores", "scores.csv", "--topics", "2")


@pytest.mark.parametrize("study", [*SAMPLED, "preferred-ranks"])
def test_no_common_topics(study: str, refused: Refusal) -> None:
    Path("qrels.txt").write_text("77 0 d1 1\n78 0 d1 1\n")
    arguments = runs_of(study)[: 3 if study == "preferred-ranks" else None]
    assert "topic" in refused(*arguments)


@pytest.mark.parametrize("study", ["power", "swap", "stability", "agreement"])
def test_score_tables_of_systems_on_different_topics(study: str, refused: Refusal) -> None:
    table = write("apart.csv", ["a,1,AP,.5", "a,2,AP,.4", "b,3,AP,.5", "b,4,AP,.2"])
    assert "4 of 8 scores of AP are missing, the first for a on topic 3" in refused(study, "--scores", table)


@pytest.mark.parametrize("study", ["power", "swap", "stability", "agreement"])
def test_missing_cells_in_a_score_table(study: str, refused: Refusal) -> None:
    table = write("holes.csv", ROWS[:-1])
    assert "1 of 15 scores of RR are missing, the first for c on topic 5" in refused(study, "--scores", table)


def test_missing_cells_elsewhere_do_no_harm(capsys: Any) -> None:
    table = write("holes.csv", ROWS[:-1])
    assert run(["power", "--scores", table, "-m", "AP", "--resamples", "100"]) == 0
    assert run(["power", "--scores", table, "--topics", "1-4", "--resamples", "100"]) == 0
    assert "missing" not in capsys.readouterr().err


@pytest.mark.parametrize("study", [study for study in SAMPLED if study != "gains"])
@pytest.mark.parametrize("value", ["nonsense", "nan", "inf"])
def test_a_score_that_is_not_a_number(study: str, value: str, refused: Refusal) -> None:
    table = write("odd.csv", [*ROWS[:-1], f"c,5,RR,{value}"])
    assert "odd.csv:31" in refused(study, "--scores", table)


# which data


@pytest.mark.parametrize("study", SAMPLED)
def test_runs_and_score_tables_together(study: str, refused: Refusal) -> None:
    refused(*runs_of(study), "--scores", "scores.csv")
    refused(study, "qrels.txt", "--scores", "scores.csv")


@pytest.mark.parametrize("study", SAMPLED)
def test_neither_runs_nor_score_tables(study: str, refused: Refusal) -> None:
    refused(study)
    refused(study, "qrels.txt")


def test_preferred_ranks_without_runs(refused: Refusal) -> None:
    refused("preferred-ranks")
    refused("preferred-ranks", "qrels.txt")


@pytest.mark.parametrize("study", ["power", "swap", "stability", "agreement"])
def test_a_score_table_that_is_not_there(study: str, refused: Refusal) -> None:
    assert "nowhere.csv" in refused(study, "--scores", "nowhere.csv", hint=False)


def test_a_measure_that_a_score_table_does_not_have(refused: Refusal) -> None:
    assert "no scores of Q" in (err := refused("power", "--scores", "scores.csv", "-m", "AP Q"))
    assert "AP, RR" in err


@pytest.mark.parametrize("option", [["--depth", "10"], ["--order", "rank"], ["--gains", "1=1,2=3"], ["--names", "tag"]])
def test_options_on_runs_are_not_ignored_for_score_tables(option: list[str], refused: Refusal) -> None:
    assert f"{option[0]} does nothing" in refused("power", "--scores", "scores.csv", *option)


def test_a_geometric_mean_in_a_score_table_without_its_measure(refused: Refusal) -> None:
    table = write("gm.csv", [f"{s},{t},GM(AP)," for s in "ab" for t in (1, 2)])
    assert "give AP as well" in refused("power", "--unpaired", "--scores", table)


# levels and samples


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
    assert "AP is not between 0 and 1" in refused(study, "--scores", table)


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


# where the result goes


@pytest.mark.parametrize("study", [*SAMPLED, "preferred-ranks"])
def test_a_place_that_cannot_be_written_is_an_error_before_any_work(study: str, refused: Refusal) -> None:
    Path("file").write_text("mine")
    Path("foreign").mkdir()
    Path("foreign", "thesis.txt").write_text("mine")
    for place in ("file", "foreign", "file/below"):
        # the judgments do not exist: whoever looks at them first has begun to work
        err = refused(study, "no-such-qrels.txt", "runs", "--out", place)
        assert "no-such-qrels" not in err
        assert place in err
    assert Path("foreign", "thesis.txt").read_text() == "mine"
    assert Path("file").read_text() == "mine"


def test_a_failed_study_leaves_the_earlier_result(refused: Refusal, capsys: Any) -> None:
    assert run(["stability", "--scores", "scores.csv", "--resamples", "10", "--out", "out"]) == 0
    before = Path("out", "result.json").read_bytes()
    refused("stability", "--scores", "nowhere.csv", "--out", "out", hint=False)
    assert Path("out", "result.json").read_bytes() == before


# in Python


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
