"""`irassay study`: the full study at once, and what it does when a part fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay import demo
from irassay.cli import run
from irassay.errors import InputError
from irassay.studies.compare import COMPARED
from irassay.studies.papers.reshape import rows
from irassay.studies.registry import parts

MODEL = demo.Model(systems=5, groups=2, null_pairs=1, depth=60, documents=3000, pool_depth=30, seed=1)
SIZES = ["--resamples", "200", "--images", "5", "--samples", "40", "-m", "AP nDCG@10"]
pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "c"
    demo.write(MODEL, folder, topics=range(10))
    return folder


def data(files: Path) -> list[str]:
    return [str(files / "qrels.txt"), str(files / "runs")]


@pytest.fixture(scope="module")
def full_study(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole one, on the command line."""
    folder = tmp_path_factory.mktemp("full_study") / "out"
    assert run(["study", *data(files), *SIZES, "--groups", str(files / "groups.txt"), "--out", str(folder)]) == 0
    return folder


def test_every_part_is_a_result_folder_and_one_page_shows_them_all(full_study: Path) -> None:
    assert {place.name for place in full_study.iterdir()} == {*parts(), "overview", "report.html"}
    page = (full_study / "report.html").read_text()
    for part in parts():
        saved = irassay.load_result(full_study / part)
        assert saved.study == part
        assert str(saved.provenance["command"]).startswith("irassay study ")
        assert str(saved.provenance["command"]).endswith(f" --out {full_study}")  # so that it runs as it stands
        assert f">{part.capitalize()}<span>" in page  # in the contents
        assert saved.findings, part
    told = irassay.load_result(full_study / "overview")
    assert list(told["parts"]["part"]) == list(parts())
    assert all(told["parts"]["done"])


def test_the_parts_are_what_each_study_alone_says(full_study: Path, files: Path) -> None:
    places: Any = (files / "qrels.txt", files / "runs")
    power = irassay.power(*places, measures="AP nDCG@10", resamples=200)
    assert rows(irassay.load_result(full_study / "power")["power"]) == rows(power["power"])
    corpus = irassay.corpus(*places, measures="AP nDCG@10", images=5)
    assert rows(irassay.load_result(full_study / "corpus")["systems"]) == rows(corpus["systems"])
    incomplete = irassay.incomplete(
        *places, measures=("AP nDCG@10",), resamples=200, rates="50,10", groups=str(files / "groups.txt"),
        one_per_group=True,
    )  # fmt: skip
    assert rows(irassay.load_result(full_study / "incomplete")["incomplete"]) == rows(incomplete["incomplete"])


def test_every_part_shows_as_many_decimals_as_asked_for(files: Path) -> None:
    options: Any = {"only": "compare,design,swap", "resamples": 50, "measures": ("AP",)}
    results = irassay.study(files / "qrels.txt", files / "runs", digits=7, **options)
    for part, column in {"compare": "mean", "design": "power_at_hand", "swap": "required_difference"}.items():
        assert results[part].tables[0].digits[column] == 7, part
    assert results["design"].tables[0].digits.get("alpha") != 7  # a setting, no result


def test_of_many_systems_the_best_are_compared_unless_there_is_a_baseline(files: Path, full_study: Path) -> None:
    lists = {
        f"s{s}": {str(t): {f"d{d}": float((d * (s + 3) + t) % 23) for d in range(12)} for t in range(6)}
        for s in range(COMPARED + 3)
    }
    judged = {str(t): {f"d{d}": int((d + t) % 4 == 0) for d in range(12)} for t in range(6)}
    sizes: Any = {"only": "compare", "resamples": 20, "measures": ("AP",)}
    assert len(irassay.study(judged, lists, **sizes)["compare"]["comparison"]) == COMPARED
    assert len(irassay.study(judged, lists, baseline="s3", **sizes)["compare"]["comparison"]) == COMPARED + 3
    assert not irassay.load_result(full_study / "compare").warnings  # of few systems all are taken without a word


def test_a_part_that_the_data_cannot_give_is_reported_and_the_rest_delivered(
    files: Path, tmp_path: Path, capfd: Any
) -> None:
    groups = tmp_path / "groups"
    groups.write_text("".join(f"{name} all\n" for name in MODEL.names))
    out = tmp_path / "out"
    chosen = ["--only", "swap,incomplete", "--groups", str(groups)]
    assert run(["study", *data(files), *SIZES, *chosen, "--out", str(out)]) == 0
    shown, err = capfd.readouterr()
    assert "incomplete: failed: " in err
    assert "1 of 2 parts were made" in shown
    told = {row["part"]: row for row in rows(irassay.load_result(out / "overview")["parts"])}
    assert told["incomplete"]["problem"] == "there is one group only"
    assert told["swap"]["done"]
    assert (out / "swap" / "tables" / "swap.csv").exists()
    assert "incomplete could not be made: there is one group only." in (out / "report.html").read_text()
    (concern,) = irassay.load_result(out / "overview").headline.concerns
    assert "incomplete" in concern.text
    assert not irassay.load_result(out / "overview").headline.title


def test_a_bug_in_a_part_costs_no_other_part_and_is_an_exit_status(
    files: Path, tmp_path: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: Any, **more: Any) -> Any:
        raise RuntimeError("out of luck")

    monkeypatch.setattr("irassay.studies.power.run.run", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    out = tmp_path / "out"
    assert run(["study", *data(files), *SIZES, "--only", "power,swap", "--out", str(out)]) == 1
    assert "bug: RuntimeError: out of luck" in capfd.readouterr().err
    assert {place.name for place in out.iterdir()} == {"swap", "overview", "report.html"}


def test_nothing_but_failures_is_an_input_error(files: Path, tmp_path: Path, capfd: Any) -> None:
    out = tmp_path / "out"
    only = ["--only", "power,swap", "--topics", "1"]
    assert run(["study", *data(files), *SIZES, *only, "--out", str(out)]) == 2
    assert "there is one topic only" in capfd.readouterr().err
    assert not any(irassay.load_result(out / "overview")["parts"]["done"])


def test_an_earlier_study_is_replaced_and_nothing_else_ever(files: Path, tmp_path: Path, capfd: Any) -> None:
    out = tmp_path / "out"
    for only in ("stability,swap", "swap"):
        assert run(["study", *data(files), *SIZES, "--only", only, "--out", str(out), "--force"]) == 0
    assert {place.name for place in out.iterdir()} == {"swap", "overview", "report.html"}  # no page of another day
    assert run(["study", "no-such-qrels", *data(files)[1:], "--out", str(out)]) == 2
    assert (out / "swap" / "result.json").exists()  # a full study that cannot begin leaves the earlier one
    (out / "swap" / "mine.txt").write_text("mine")
    assert run(["study", *data(files), *SIZES, "--only", "swap", "--out", str(out)]) == 2
    assert (out / "swap" / "mine.txt").read_text() == "mine"
    assert run(["study", *data(files), "--out", str(files)]) == 2
    assert "not empty" in capfd.readouterr().err


def test_an_interrupted_study_keeps_what_was_done_and_can_be_run_again(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    def interrupted(*given: Any, **more: Any) -> Any:
        raise KeyboardInterrupt

    out = tmp_path / "out"
    command = ["study", *data(files), *SIZES, "--only", "power,swap", "--out", str(out)]
    with monkeypatch.context() as patch:
        patch.setattr("irassay.studies.swap.run.run", interrupted)
        assert run(command) == 130
    assert [place.name for place in out.iterdir()] == ["checkpoint"]
    assert {place.name for place in (out / "checkpoint").iterdir()} == {"power", "study.json"}
    capfd.readouterr()
    assert run(command) == 0
    assert "power: kept from the interrupted run" in capfd.readouterr().err
    assert {place.name for place in out.iterdir()} == {"power", "swap", "overview", "report.html"}


def test_in_python_results_come_by_part_and_failures_beside_them(files: Path) -> None:
    found = irassay.study(
        files / "qrels.txt", files / "runs", only="power,agreement", measures=("AP",), resamples=100, jobs=1
    )
    assert list(found) == ["power"]
    assert len(found) == 1
    assert isinstance(found.failures["agreement"], InputError)
    assert found["power"]["power"]["measure"][0] == "AP"
    with pytest.raises(KeyError, match="power"):
        found["agreement"]
    assert found.report is None


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--only", "pwer"], "the parts are uncertainty, compare, check, power, design"),
        (["-m", "APP"], "APP"),
        (["--only", ""], "the parts are"),
    ],
)
def test_bad_settings_are_errors_before_any_work(arguments: list[str], what: str, tmp_path: Path, capfd: Any) -> None:
    assert run(["study", "no-such-qrels", "no-such-run", *arguments, "--out", str(tmp_path / "out")]) == 2
    assert what in capfd.readouterr().err
    assert not (tmp_path / "out").exists()


def test_judgments_that_cannot_be_read_are_an_error_and_leave_nothing(files: Path, tmp_path: Path, capfd: Any) -> None:
    assert run(["study", "no-such-qrels", str(files / "runs"), "--out", str(tmp_path / "out")]) == 2
    assert "no-such-qrels" in capfd.readouterr().err
    assert not (tmp_path / "out").exists()
