"""Every study on terminals of 80, 100 and 140 columns: no digit and no name is lost, and no line is too long."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from irassay.cli import run
from irassay.studies.registry import studies
from tests.helpers.judged import write_judged
from tests.helpers.pseudo_terminal import COMMANDS, on_terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

RUNS, FEW = ["qrels.txt", "runs"], ["--resamples", "40"]
MEASURES = ["-m", "AP RBP(p=0.95) nDCG(dcg='jk')@10"]
STUDIES = {
    "score": [*RUNS, *MEASURES],
    "check": [*RUNS, "--groups", "groups.txt"],
    "compare": [*RUNS, *MEASURES, "--baseline", "sys1", "--resamples", "100"],
    "leaderboard": ["--scores", "board.csv", "--resamples", "100"],
    "design": [*RUNS, *MEASURES],
    "uncertainty": [*RUNS, *MEASURES, "--replicates", "20"],
    "power": [*RUNS, *MEASURES, *FEW, "--alpha", "0.05,0.1"],
    "swap": [*RUNS, *MEASURES, *FEW],
    "stability": [*RUNS, *MEASURES, *FEW],
    "agreement": [*RUNS, *MEASURES, *FEW, "--alpha", "0.1"],
    "judges": ["qrels.txt", "noisy.qrels", "half.qrels", "runs", "-m", "AP", *FEW, "--permutations", "99"],
    "estimate": ["qrels.txt", "runs", "--cheap", "noisy.qrels", "-m", "AP", "--trusted-topics", "1-6", "--top", "4"],
    "unjudged": [*RUNS, "-m", "AP P@10", "--replicates", "40"],
    "gains": [*RUNS, "--schemes", "{1:1,2:1} {1:1,2:5}", "--alpha", "0.1", *FEW],
    "preferred-ranks": RUNS,
    "incomplete": [*RUNS, *MEASURES, "--rates", "50,10", "--alpha", "0.1", *FEW],
    "pools": [*RUNS, *MEASURES, "--depths", "5", "--pool-depth", "20", "--alpha", "0.1", *FEW],
    "corpus": [*RUNS, "-m", "AP", "--images", "20", "--corpus-size", "4000"],
    "variance": [*RUNS, "-m", "AP", "--samples", "40", "--alpha", "0.1"],
    "shape": ["-m", "AP RBP(p=0.5)", "--relevant", "4", "--ranks", "3"],
}
OTHERS = {"study", "paper"}  # of several results
RULE = re.compile(r"-+(?:  -+)*")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("widths")
    write_judged(folder)
    lines = ["model,first task,second task,third task", *(f"m{n},0.{n}5,0.{n}25,0.{9 - n}" for n in range(1, 7))]
    (folder / "board.csv").write_text("\n".join([*lines, ""]))
    return folder


@pytest.fixture(scope="module")
def shown(files: Path) -> dict[int, dict[str, str]]:
    """What each study shows on a terminal, by width."""
    commands = json.dumps([[name, *arguments, "-q"] for name, arguments in STUDIES.items()])
    texts = {}
    for width in (80, 100, 140):
        terminal = on_terminal(["-c", COMMANDS, commands], files, width, streams=["stdout"])
        assert terminal.status == 0
        outputs = terminal.text.split("<exit 0>\n")
        assert outputs.pop() == ""
        texts[width] = dict(zip(STUDIES, outputs, strict=True))
    return texts


def cells(plain: str) -> set[str]:
    """The cells of the tables of a command that writes to a pipe: below a rule, at the places of its dashes."""
    texts, spans = set(), []
    for line in plain.splitlines():
        if RULE.fullmatch(line):
            spans = [match.span() for match in re.finditer("-+", line)]
        elif not line:
            spans = []
        else:
            texts |= {line[start:end].strip() for start, end in spans}
    return texts - {""}


def test_every_study_is_shown() -> None:
    assert set(STUDIES) | OTHERS == set(studies())


@pytest.mark.parametrize("width", [80, 100, 140])
@pytest.mark.parametrize("name", STUDIES)
def test_no_line_is_wider_than_the_terminal(name: str, width: int, shown: dict[int, dict[str, str]]) -> None:
    assert max(map(len, shown[width][name].splitlines())) <= width


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize("name", STUDIES)
def test_every_cell_of_the_whole_tables_is_on_every_terminal(
    name: str,
    shown: dict[int, dict[str, str]],
    files: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(files)
    assert run([name, *STUDIES[name]]) == 0
    expected = cells(capfd.readouterr().out)
    assert len(expected) > 5
    for width, texts in shown.items():
        text = " ".join(texts[name].split())
        # a sentence may have several lines, and other cells beside it
        lost = [cell for cell in expected if cell not in text and not all(word in text for word in cell.split())]
        assert lost == [], width
        numbers = [cell for cell in expected if re.fullmatch(r"[-+<]? ?[0-9.]+", cell)]
        words = set(re.split(r"[\s,]|\.(?=\s|$)", texts[name]))
        assert [number for number in numbers if not set(number.split()) <= words] == [], width
