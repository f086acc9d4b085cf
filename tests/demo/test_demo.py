"""`irassay demo`: a collection made on the spot, the same everywhere."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay.cli import run
from irassay.cli.demo_commands import DEMO
from irassay.studies.registry import parts


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_demo_shows_its_commands_and_leaves_nothing_behind(
    tmp_path: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = os.getcwd()
    assert run(["demo"]) == 0
    out, err = capfd.readouterr()
    assert "$ irassay check collection/qrels.txt collection/runs" in err
    assert "$ irassay score collection/qrels.txt collection/runs" in err
    assert str(tmp_path) not in out + err
    assert all(caption in out for caption in ("The collection", "Problems:", "Ties:"))
    assert os.getcwd() == before
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `irassay demo --out` leaves."""
    folder = tmp_path_factory.mktemp("demo") / "kept"
    assert run(["demo", "--out", str(folder)]) == 0
    return folder


def test_the_same_seed_writes_the_same_collection(kept: Path, tmp_path: Path) -> None:
    DEMO.write(tmp_path / "again")
    made = {name: content for name, content in tree(kept).items() if not name.startswith(("results", "report"))}
    assert made == tree(tmp_path / "again")
    assert {"qrels.txt", "groups.txt"} <= set(made)
    assert len([name for name in made if name.startswith("runs")]) > 2


def test_what_the_demo_keeps_is_a_whole_study_and_its_report(kept: Path) -> None:
    assert set(parts()) < {place.name for place in (kept / "results").iterdir()}
    page = (kept / "report.html").read_text()
    assert page.startswith("<!doctype html>")
    for part in parts():
        assert irassay.load_result(kept / "results" / part).study == part
        assert f">{part.capitalize()}<span>" in page  # in the contents
    assert all(irassay.load_result(kept / "results" / "overview")["parts"]["done"])


@pytest.mark.parametrize("kind", ["full folder", "file", "inside a file"])
def test_the_demo_overwrites_nothing(tmp_path: Path, capfd: Any, kind: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    place = {"full folder": "full", "file": "full/mine", "inside a file": "full/mine/new"}[kind]
    assert run(["demo", "--out", str(tmp_path / place)]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(f"error: {tmp_path / place}: ")
    assert tree(tmp_path) == {"full/mine": b"mine"}
