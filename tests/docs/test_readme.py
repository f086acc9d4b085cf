"""What the README says works: its commands and its Python run as they stand there, on a small collection."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from irassay import demo
from irassay.cli import run

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
ELSEWHERE = ("demo", "trec_eval", "--help", "COMMAND")  # run in other tests, or no whole command
COMMANDS = [
    words
    for text in [line for kind, block in BLOCKS if kind == "sh" for line in block.splitlines()]
    + re.findall(r"`(irassay [^`]*)`", README)
    if (words := shlex.split(text, comments=True))[0] == "irassay" and words[1] not in ELSEWHERE
]


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the README names."""
    folder = tmp_path_factory.mktemp("readme") / "collection"
    model = demo.Model(systems=6, depth=50, pool_depth=20, documents=5_000)
    demo.write(model, folder, topics=range(12), judges=demo.JUDGES[:1])
    first = folder / "runs" / "sys1.txt"
    (folder / "runs" / "bm25.txt").write_text(first.read_text(encoding="ascii").replace("sys1", "bm25"))
    first.unlink()
    shutil.copy(folder / "qrels.txt", folder / "human.qrels")
    shutil.copy(folder / "judges" / "noisy.qrels", folder / "llm.qrels")
    (folder / "board.csv").write_text("system,A,B,C\nx,0.4,0.5,0.6\ny,0.3,0.5,0.5\nz,0.2,0.3,0.7\n")
    return folder


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_of_the_readme_runs(words: list[str], collection: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(collection)
    assert run(words[1:]) == 0
    assert words[1] != "study" or (collection / "results" / "report.html").exists()


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_the_python_of_the_readme_runs(collection: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    monkeypatch.chdir(collection)
    (block,) = [block for kind, block in BLOCKS if kind == "python"]
    exec(block, {})


def test_the_readme_is_short_and_its_commands_are_found() -> None:
    assert len(README.splitlines()) < 120
    assert len(COMMANDS) > 10
