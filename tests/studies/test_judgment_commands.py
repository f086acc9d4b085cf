"""`irassay incomplete`, `pools` and `shape` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay import demo
from irassay.cli import run

MODEL = demo.Model(systems=5, groups=2, null_pairs=1, depth=60, documents=3000, pool_depth=30, seed=1)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "c"
    demo.write(MODEL, folder, topics=range(12))
    return folder


def test_incomplete_prints_a_row_per_rate_and_measure_and_saves_the_rest(
    files: Path, tmp_path: Path, capfd: Any
) -> None:
    command = ["incomplete", str(files / "qrels.txt"), str(files / "runs"), "-m", "AP AP'", "--rates", "50,10"]
    assert run([*command, "--resamples", "100", "--out", str(tmp_path / "out")]) == 0
    out = capfd.readouterr().out
    assert "tau_with_full" in out
    assert sum(line.split()[:1] in (["100"], ["50"], ["10"]) for line in out.splitlines()) == 6
    saved = irassay.load_result(tmp_path / "out")
    assert list(saved["incomplete"].columns) == [
        "rate", "trial", "measure", "mean_score", "significant", "pairs", "discriminative_power",
        "estimated_difference", "inconsistent", "tau_with_full",
    ]  # fmt: skip
    assert {table.name for table in saved.tables} >= {"incomplete", "agreement", "statistics", "systems"}
    again = irassay.incomplete(
        files / "qrels.txt", files / "runs", measures=("AP AP'",), rates="50,10", resamples=100, jobs=3
    )
    assert list(again["incomplete"].rows()) == list(saved["incomplete"].rows())


def test_pools_names_what_each_system_alone_found(files: Path, capfd: Any) -> None:
    command = ["pools", str(files / "qrels.txt"), str(files / "runs"), "-m", "AP", "--depths", "5", "--format", "json"]
    assert run([*command, "--resamples", "50", "--pool-depth", "30"]) == 0
    content = json.loads(capfd.readouterr().out)
    assert {row["system_or_group"] for row in content["uniques"]} == set(MODEL.names)
    assert {"pool", "measure", "system", "score", "rank", "significant_with_full"} <= set(content["pools"][0])


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize("command", ["incomplete", "pools"])
def test_one_measure_and_a_geometric_mean_are_answered(command: str, files: Path, capfd: Any) -> None:
    for measure in ("AP", "GM(AP)"):
        data = [command, str(files / "qrels.txt"), str(files / "runs"), "-m", measure, "--resamples", "50"]
        assert run([*data, "--format", "json"]) == 0
        content = json.loads(capfd.readouterr().out)
        table = content["incomplete" if command == "incomplete" else "summary"]
        # with all judgments both say what `power` says: a geometric mean is tested by its logarithms
        power = irassay.power(files / "qrels.txt", files / "runs", measures=measure, resamples=50, alpha="0.05")
        assert table[0]["significant"] == power["power"]["significant"][0]
        assert table[0]["measure"] == measure


def test_shape_needs_no_data(capfd: Any) -> None:
    assert run(["shape", "-m", "AP RBP(p=0.5)", "--relevant", "4", "--ranks", "2"]) == 0
    out = capfd.readouterr().out
    assert "0.2500" in out  # AP of one of four relevant documents at rank 1
    assert "0.1250" in out  # and at rank 2


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["incomplete", "--rates", "0"], "rates"),
        (["incomplete", "--alpha", "2"], "alpha"),
        (["incomplete", "--one-per-group"], "needs groups"),
        (["pools", "--depths", "x"], "depths"),
        (["pools", "-m", "AREA(AP)"], "no paired test"),
        (["incomplete", "-m", "AREA(AP)"], "no paired test"),
        (["pools", "--pooled", "missing"], "no such file"),
    ],
)
def test_bad_settings_are_errors_and_print_nothing(arguments: list[str], what: str, files: Path, capfd: Any) -> None:
    assert run([arguments[0], str(files / "qrels.txt"), str(files / "runs"), *arguments[1:]]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert what in err


def test_judgments_without_any_relevant_document_are_an_error_and_no_bug(tmp_path: Path, capfd: Any) -> None:
    (tmp_path / "qrels").write_text("1 0 a 0\n2 0 a 0\n")
    for name in ("x", "y"):
        (tmp_path / name).write_text(f"1 Q0 a 1 1 {name}\n2 Q0 a 1 1 {name}\n")
    data = [str(tmp_path / "qrels"), str(tmp_path / "x"), str(tmp_path / "y")]
    for command in ("preferred-ranks", "incomplete", "pools", "power"):
        assert run([command, *data]) == 2
        assert run([command, *data, "--unanswerable", "zero"]) in (0, 2)
        assert "bug:" not in capfd.readouterr().err
