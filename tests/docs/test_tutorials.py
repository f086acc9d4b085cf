"""The tutorials show what their code gives, their commands run, and their texts quote only numbers that stand there."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from irassay.cli import run

FOLDER = Path(__file__).parents[2] / "docs" / "tutorials"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
MOST_BYTES = 150_000
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
NO_QUOTE = re.compile(r"^```.*?^```|^#.*?$|`[^`]*`|\]\([^)]*\)|\bsteps? \d+", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"(?<![\w@.])\d[\d,_]*(?:\.\d+)?")


def cells(name: str, kind: str) -> list[dict[str, Any]]:
    notebook = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def text_of(output: dict[str, Any]) -> str:
    """What an output says, without what other versions of irassay or of vl-convert say and draw otherwise."""
    data = output.get("data", {})
    text = "".join(output["text"] if "text" in output else data.get("text/html", data.get("text/plain")))
    return re.sub(r"irassay \d+\.\d+\S*", "irassay VERSION", re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL))


def shown(code: list[dict[str, Any]]) -> list[list[str]]:
    return [[text_of(output) for output in cell["outputs"]] for cell in code]


@pytest.fixture(scope="module", params=NAMES)
def ran(request: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[dict[str, Any]], Path]:
    """A tutorial's name, its cells of code after they ran just now, and the folder where they did."""
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    folder = tmp_path_factory.mktemp(request.param)
    notebook = runpy.run_path(str(FOLDER.parent / "tutorials.py"))["executed"](
        FOLDER / f"{request.param}.ipynb", folder
    )
    return request.param, [cell for cell in notebook.cells if cell.cell_type == "code"], folder


def test_a_tutorial_shows_what_its_code_gives(ran: tuple[str, list[dict[str, Any]], Path]) -> None:
    name, code, _ = ran
    assert shown(cells(name, "code")) == shown(code), "run `make docs`"


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_the_commands_of_a_tutorial_run_and_make_the_same_collection(
    ran: tuple[str, list[dict[str, Any]], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, folder = ran
    for table in folder.glob("*.csv"):
        shutil.copy(table, tmp_path)
    monkeypatch.chdir(tmp_path)
    blocks = [block for cell in cells(name, "markdown") for block in BLOCK.findall("".join(cell["source"]))]
    commands = [shlex.split(line) for block in blocks for line in block.splitlines()]
    assert len(commands) > 2
    for program, *arguments in commands:
        assert program == "irassay"
        assert run(arguments) == 0, arguments
    written = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", NAMES)
def test_every_number_in_the_text_of_a_tutorial_stands_in_its_code_or_outputs(name: str) -> None:
    code = cells(name, "code")
    there = ["".join(cell["source"]) for cell in code] + [text for texts in shown(code) for text in texts]
    known = {plain(number) for number in NUMBER.findall(" ".join(re.sub(r"<[^>]*>", " ", text) for text in there))}
    text = "\n".join("".join(cell["source"]) for cell in cells(name, "markdown"))
    quoted = {plain(number) for number in NUMBER.findall(NO_QUOTE.sub(" ", text))}
    assert len(quoted) > 3
    assert quoted - known == set()


def plain(number: str) -> str:
    return number.rstrip(",_").replace(",", "").replace("_", "")


@pytest.mark.parametrize("name", NAMES)
def test_a_tutorial_is_small_has_no_traces_of_a_machine_and_stands_in_the_index(name: str) -> None:
    text = (FOLDER / f"{name}.ipynb").read_text(encoding="utf-8")
    assert len(text) < MOST_BYTES
    assert not re.search(r"(?<!\w)/(tmp|home|root|Users|usr|var)/|ipykernel_\d|\"execution_count\": \d", text)
    assert f"({name}.ipynb)" in (FOLDER / "index.md").read_text(encoding="utf-8")
