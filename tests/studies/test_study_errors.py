"""Bad data for the studies: exit status 2, what and a hint on stderr, nothing on stdout; or a documented answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from irassay.cli import run
from tests.helpers.bad_input import ROWS, SAMPLED, Refusal, runs_of, write, write_small_collection


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_small_collection()


@pytest.fixture
def refused(capsys: Any) -> Refusal:
    return Refusal(capsys)


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
