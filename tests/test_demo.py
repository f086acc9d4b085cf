"""`irassay demo`: a collection made on the spot, the same everywhere."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from irassay.cli import run


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


def test_the_same_seed_writes_the_same_collection(tmp_path: Path, capfd: Any) -> None:
    for name in ("one", "two"):
        assert run(["demo", "--out", str(tmp_path / name)]) == 0
    assert f"The collection is in {tmp_path / 'two'}." in capfd.readouterr().err
    made = tree(tmp_path / "one")
    assert made == tree(tmp_path / "two")
    assert {"qrels.txt", "groups.txt"} <= set(made)
    assert len([name for name in made if name.startswith("runs")]) > 2


def test_the_commands_that_the_demo_shows_work_for_the_user(tmp_path: Path, capfd: Any) -> None:
    assert run(["demo", "--out", str(tmp_path / "kept")]) == 0
    demo = capfd.readouterr().out
    assert (
        run(
            [
                "score",
                str(tmp_path / "kept/qrels.txt"),
                str(tmp_path / "kept/runs"),
                "-m",
                "AP",
                "--topics",
                "1-5",
                "--wide",
            ]
        )
        == 0
    )
    assert demo.endswith(capfd.readouterr().out)


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
