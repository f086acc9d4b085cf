"""Every example of the documentation runs: as it is written, on a small collection and with few samples."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from irassay.cli import cli, known_commands, run
from tests.helpers import documented

PAGES = {str(page.relative_to(documented.ROOT)): page for page in documented.pages()}
WITH_COMMANDS = [name for name, page in PAGES.items() if list(documented.commands(page))]
# numbers of samples that are enough to run; the last value of an option counts
SMALL = {
    "resamples": "300",
    "replicates": "40",
    "images": "20",
    "samples": "64",
    "trials": "1",
    "permutations": "200",
    "details": "0",
}
SOME_PARTS = ["--only", "check,compare,swap"]  # of `irassay study`; tests/studies run them all
OTHER_PROGRAMS = ("make", "dask", "pip", "python", "uv", "docker", "podman", "conda", "cd", "git")
ELSEWHERE = {
    "demo": "tests/demo runs it",
    "--cluster": "tests/compute/test_dask_cluster.py runs one",
}


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documented")
    documented.fill(folder)
    return folder


def smaller(words: list[str]) -> list[str]:
    """The arguments of an irassay command, with smaller numbers where it has such options."""
    command = cli.get_command(click.Context(cli), words[1])
    assert command is not None, f"there is no command {words[1]!r}"
    options = {option.removeprefix("--") for parameter in command.params for option in parameter.opts}
    fewer = [word for name, few in SMALL.items() if name in options for word in (f"--{name}", few)]
    return [*words[1:], *fewer, *(SOME_PARTS if words[1] == "study" else [])]


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize("name", WITH_COMMANDS)
def test_every_command_of_the_page_runs(
    name: str, collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    folder = tmp_path / "work"
    shutil.copytree(collection, folder)
    monkeypatch.chdir(folder)
    for words in documented.commands(PAGES[name]):
        if words[0] in OTHER_PROGRAMS or any(word in ELSEWHERE for word in words):
            continue
        assert words[0] == "irassay", words
        prepare(words)
        status = run(smaller(words))
        assert status == 0, f"{' '.join(words)}\n{capfd.readouterr().err}"
        if words[1] == "init":
            Path("irassay.toml").write_text(documented.COLLECTIONS)


def prepare(words: list[str]) -> None:
    """What somebody who gives this command has, or has not: commands of a page are alternatives."""
    if "--out" in words:
        shutil.rmtree(words[words.index("--out") + 1], ignore_errors=True)
    if words[1] == "init":
        Path("irassay.toml").unlink()
    elif words[1:3] == ["leaderboard", "results/"]:
        shutil.rmtree("results", ignore_errors=True)
        documented.fill_results(Path("results"))
    elif words[1:3] == ["report", "results"]:
        shutil.rmtree("results", ignore_errors=True)
        assert run(["shape", "--out", "results/shape"]) == 0


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if documented.blocks(page, "python")])
def test_the_python_of_the_page_runs(
    name: str, collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pandas")
    shutil.copytree(collection, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    assert (
        run(["score", "qrels.txt", "run.txt", "-m", "AP", "--per-topic", "--format", "trec", "-o", "trec_eval.out"])
        == 0
    )
    shutil.copy("scores.csv", "more.csv")
    assert run(["power", "--scores", "scores.csv", "--resamples", "300", "--out", "results/power"]) == 0
    names = documented.names_in_python()
    for block in documented.blocks(PAGES[name], "python"):
        if "dask_jobqueue" not in block:  # it needs a batch system
            exec(compile(block, name, "exec"), names)
    if "irassay.integrations.ir_measures" in sys.modules:
        sys.modules["irassay.integrations.ir_measures"].unregister()


def test_the_pages_have_an_example_of_every_command() -> None:
    shown = {words[1] for page in PAGES.values() for words in documented.commands(page) if words[0] == "irassay"}
    beside = documented.side_by_side(documented.ROOT / "docs" / "coming_from.md", "trec_eval")
    assert set(known_commands()) - shown - {here.split()[1] for _, here in beside} == set()
