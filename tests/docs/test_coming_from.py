"""Commands of other tools and ours, as the page shows them side by side, give the same numbers."""

from __future__ import annotations

import csv
import io
import math
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import ir_measures
import pytest

from irassay.cli import run
from tests.helpers import documented
from tests.helpers.trec_eval_program import printed

PAGE = documented.ROOT / "docs" / "coming_from.md"
pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")


@pytest.fixture(autouse=True)
def collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documented.fill(tmp_path)
    monkeypatch.chdir(tmp_path)


def ours(command: str, capfd: Any) -> bytes:
    words = shlex.split(command)
    exact = ["--format", "csv"] if words[1] == "score" else []
    assert run([*words[1:], *exact]) == 0
    out: str = capfd.readouterr().out
    return out.encode()


def scores(text: bytes) -> list[float]:
    return [float(row["score"]) for row in csv.DictReader(io.StringIO(text.decode()))]


@pytest.mark.parametrize(("theirs", "here"), documented.side_by_side(PAGE, "trec_eval"))
def test_a_command_of_trec_eval_and_ours_give_the_same(theirs: str, here: str, capfd: Any) -> None:
    *options, qrels, file = shlex.split(theirs)[1:]
    expected = printed(*options, Path(qrels).resolve(), Path(file).resolve())
    got = ours(here, capfd)
    if here.startswith("irassay trec_eval"):
        assert got == expected
        return
    values = [line.split() for line in expected.decode().splitlines()]
    if "--per-topic" in here:
        values = [row for row in values if row[1] != "all"]
    assert [f"{score:.4f}" for score in scores(got)] == [value for *_, value in values]
    assert len(values) > 0


@pytest.mark.parametrize(("theirs", "here"), documented.side_by_side(PAGE, "ir_measures"))
def test_a_command_of_ir_measures_and_ours_give_the_same(theirs: str, here: str, capfd: Any) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ir_measures", *shlex.split(theirs)[1:]], capture_output=True, text=True, check=True
    )
    expected = {line.split()[0]: line.split()[1] for line in done.stdout.splitlines()}
    measures = [str(ir_measures.parse_measure(name)) for name in shlex.split(theirs)[3:]]
    assert [f"{score:.4f}" for score in scores(ours(here, capfd))] == [expected[name] for name in measures]


@pytest.mark.parametrize(("theirs", "here"), documented.side_by_side(PAGE, "ranx"))
def test_a_call_of_ranx_and_ours_give_the_same(theirs: str, here: str) -> None:
    ranx = pytest.importorskip("ranx")
    names = documented.names_in_python()
    two = [ranx.Run(names["runs"][name], name=name) for name in ("bm25", "ql")]
    names |= {"ranx": ranx, "ranx_qrels": ranx.Qrels(_relevant(names["qrels"])), "ranx_run": two[0], "ranx_runs": two}
    expected, got = eval(theirs, names), eval(here, names)
    if "compare" in theirs:
        compared = expected.to_dict()["bm25"]["comparisons"]["ql"]["map"]
        assert math.isclose(got["pairs"]["p_value"][0], compared, abs_tol=1e-9)
    else:
        values = list(expected.values()) if isinstance(expected, dict) else [expected]
        assert len(values) == len(got)
        assert all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(values, got.ravel(), strict=True))


def _relevant(qrels: documented.Grades) -> documented.Grades:
    return {topic: {doc: grade for doc, grade in docs.items() if grade > 0} for topic, docs in qrels.items()}


@pytest.mark.parametrize(("theirs", "here"), documented.side_by_side(PAGE, "PyTerrier"))
def test_our_side_of_pyterrier_takes_frames_of_its_shape(theirs: str, here: str) -> None:
    result = eval(here, documented.names_in_python())
    assert result.tables[0]["system" if "system" in result.tables[0].columns else "measure"][0]


def test_the_page_compares_with_every_tool() -> None:
    assert all(
        len(documented.side_by_side(PAGE, tool)) > 1 for tool in ("trec_eval", "ir_measures", "ranx", "PyTerrier")
    )
