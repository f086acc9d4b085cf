"""`irassay unjudged`: bounds, draws and priorities for documents that nobody judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay import demo
from irassay.cli import run
from irassay.errors import InputError, IrassayWarning
from irassay.result import Result
from irassay.studies.phrases import rows_of

MODEL = demo.Model(systems=6, null_pairs=1, groups=3, depth=40, candidates=300, pool_depth=6, seed=2)
SHARED: dict[str, Any] = {"measures": ("P@10 RBP(p=0.8) AP ERR@10",), "replicates": 300}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unjudged") / "collection"
    demo.write(MODEL, folder, topics=range(10))
    return folder


@pytest.fixture(scope="module")
def result(files: Path) -> Result:
    return irassay.unjudged(files / "qrels.txt", files / "runs", groups=files / "groups.txt", **SHARED)


def test_tables_are_those_of_the_contract(result: Result) -> None:
    columns = {table.name: set(table.columns) for table in result.tables}
    assert {"measure", "system", "low", "observed", "high", "exact", "expected", "sd"} <= columns["bounds"]
    assert {"measure", "system_x", "system_y", "low", "high", "share_reversed"} <= columns["pairs"]
    assert list(result["judge_next"].columns)[:4] == ["topic", "document", "probability", "value"]
    assert {"summary", "depths", "checks", "calibration", "coefficients", "groups"} <= set(columns)
    assert {figure.name for figure in result.figures} == {"draws", "calibration"}


def test_bounds_are_exact_where_the_measure_depends_on_the_list_alone(result: Result) -> None:
    rows = rows_of(result["bounds"])
    assert {row["measure"]: row["exact"] for row in rows} == {"P@10": "yes", "RBP": "yes", "AP": "no", "ERR@10": "yes"}
    assert {row["measure"]: row["bounds"] for row in rows_of(result["summary"])} == {
        "P@10": "exact",
        "RBP": "exact",
        "AP": "scenario",
        "ERR@10": "outer",
    }
    assert all(row["low"] - 1e-12 <= row["observed"] <= row["high"] + 1e-12 for row in rows)
    exact = [row for row in rows if row["exact"] == "yes"]
    assert all(row["low"] == pytest.approx(row["observed"]) for row in exact)  # as judged is the worst of all ways
    assert all(row["low"] <= row["expected"] <= row["high"] for row in exact)
    assert any(row["high"] > row["low"] + 0.05 for row in exact)


def test_differences_are_no_wider_than_the_bounds_of_their_systems(result: Result) -> None:
    ends = {(row["measure"], row["system"]): row for row in rows_of(result["bounds"])}
    narrower = 0
    for row in rows_of(result["pairs"]):
        if row["bounds"] == "scenario":
            continue
        x, y = ends[row["measure"], row["system_x"]], ends[row["measure"], row["system_y"]]
        low, high = x["low"] - y["high"], x["high"] - y["low"]
        assert low - 1e-12 <= row["low"] <= row["observed"] + 1e-12
        assert row["observed"] - 1e-12 <= row["high"] <= high + 1e-12
        narrower += row["high"] < high - 1e-9
    assert narrower > 10  # what both lists hold cancels


def test_settled_pairs_are_those_that_no_document_can_reverse(result: Result) -> None:
    for summary in rows_of(result["summary"], "settled"):
        pairs = [row for row in rows_of(result["pairs"]) if row["measure"] == summary["measure"]]
        settled = [row for row in pairs if row["low"] > 0 or row["high"] < 0]
        assert summary["settled"] == len(settled)
        assert all(row["share_reversed"] == 0 for row in settled)


def test_depths_count_what_is_judged_and_what_is_expected(result: Result) -> None:
    rows = rows_of(result["depths"])
    assert all(row["judged"] + row["unjudged"] == row["documents"] for row in rows)
    assert rows[0]["best_rank"] == "1 to 10"
    assert sum(row["expected"] for row in rows) > 0


def test_judgments_for_a_pair_are_of_its_documents_and_are_written(files: Path, tmp_path: Path) -> None:
    path = tmp_path / "next.txt"
    with pytest.warns(IrassayWarning, match="no random sample"):
        result = irassay.unjudged(
            files / "qrels.txt", files / "runs", pair=("sys1", "sys2"), judge_next=path, judge_most=15, **SHARED
        )
    rows = rows_of(result["judge_next"])
    assert len(rows) == 15
    assert [row["value"] for row in rows] == sorted((row["value"] for row in rows), reverse=True)
    assert path.read_text().splitlines() == [f"{row['topic']} {row['document']}" for row in rows]
    panel = irassay.align(files / "qrels.txt", files / "runs")
    for row in rows:
        lists = [panel.ranking(system, row["topic"])[:10] for system in ("sys1", "sys2")]
        assert (row["document"] in lists[0]) != (row["document"] in lists[1])  # of P@10, what both hold does nothing
        place = panel.documents(row["topic"]).index(row["document"])
        assert panel.grade[panel.pool[panel.topics.index(row["topic"])] + place] < 0


def test_value_is_the_variance_that_a_document_brings(files: Path) -> None:
    pair: dict[str, Any] = {"pair": ("sys1", "sys2"), "judge_most": 5, "replicates": 2}
    for measure, change in (("P@10", 0.1), ("AP", None)):
        result = irassay.unjudged(files / "qrels.txt", files / "runs", measures=(measure,), **pair)
        panel = irassay.align(files / "qrels.txt", files / "runs", unanswerable="drop")
        for row in rows_of(result["judge_next"]):
            t = panel.topics.index(row["topic"])
            place = int(panel.pool[t]) + panel.documents(row["topic"]).index(row["document"])
            changes = []
            for grade in (0, *panel.grades):
                grades = panel.grade.copy()
                grades[place] = grade
                scores = irassay.Panel.score(_with(panel, grades), measure).means()[0]
                changes.append(scores[0] - scores[1])
            effects = np.array(changes[1:]) - changes[0]
            p = row["probability"]
            lowest, highest = np.sort(p * (1 - p) * effects**2)[[0, -1]]
            assert lowest * (1 - 1e-9) <= row["value"] <= highest * (1 + 1e-9)
            if change is not None:
                assert row["value"] == pytest.approx(p * (1 - p) * (change / len(panel.topics)) ** 2)


def _with(panel: irassay.Panel, grade: Any) -> irassay.Panel:
    from dataclasses import replace

    return replace(panel, grade=grade)


def test_probabilities_that_are_given_are_taken(files: Path, tmp_path: Path) -> None:
    panel = irassay.align(files / "qrels.txt", files / "runs")
    path = tmp_path / "p.txt"
    path.write_text("".join(f"{topic} {name} 0\n" for topic in panel.topics for name in panel.documents(topic)))
    result = irassay.unjudged(files / "qrels.txt", files / "runs", probabilities=path, **SHARED)
    assert "checks" not in result
    rows = [row for row in rows_of(result["bounds"]) if row["measure"] in ("P@10", "RBP", "ERR@10", "AP")]
    assert all(row["expected"] == pytest.approx(row["observed"]) and row["sd"] < 1e-12 for row in rows)
    assert len(result["judge_next"]) == 0
    path.write_text("1 a\n")
    with pytest.raises(InputError, match=r"p\.txt:1: expected 3 columns"):
        irassay.unjudged(files / "qrels.txt", files / "runs", probabilities=path, **SHARED)


def test_options_that_cannot_be_are_errors(files: Path, tmp_path: Path) -> None:
    data = files / "qrels.txt", files / "runs"
    with pytest.raises(InputError, match="--pair names sys1"):
        irassay.unjudged(*data, pair=("sys1",))
    with pytest.raises(InputError, match="there is no system 'nobody'"):
        irassay.unjudged(*data, pair=("sys1", "nobody"))
    with pytest.raises(InputError, match="there is no such folder"):
        irassay.unjudged(*data, judge_next=tmp_path / "none" / "next.txt")
    judged = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
    runs = {name: {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}} for name in "xy"}
    with pytest.raises(InputError, match="every document that the runs retrieve is judged"):
        irassay.unjudged(judged, runs)


def test_the_command_prints_short_tables_and_saves_all(files: Path, tmp_path: Path, capfd: Any) -> None:
    arguments = ["unjudged", str(files / "qrels.txt"), str(files / "runs"), "-m", "P@10 AP", "--replicates", "200"]
    out = tmp_path / "out"
    assert run([*arguments, "--out", str(out), "--judge-next", str(tmp_path / "next.txt")]) == 0
    printed = capfd.readouterr()
    assert "settled" in printed.out
    assert "no random sample" in printed.err
    names = {path.stem for path in (out / "tables").iterdir()}
    assert {"bounds", "pairs", "judge_next", "checks"} <= names
    assert json.loads((out / "result.json").read_text())["study"] == "unjudged"
    assert run([*arguments, "--pair", "sys1"]) == 2
    assert "a pair is two systems" in capfd.readouterr().err


def test_one_thread_and_three_give_the_same_result(files: Path) -> None:
    one, three = (
        irassay.unjudged(files / "qrels.txt", files / "runs", jobs=jobs, measures=("AP P@10",), replicates=50)
        for jobs in (1, 3)
    )
    for table in one.tables:
        for name, column in table.columns.items():
            assert list(column) == list(three[table.name][name]) or np.array_equal(
                np.asarray(column, dtype=float), np.asarray(three[table.name][name], dtype=float), equal_nan=True
            )
