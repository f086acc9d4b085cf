"""The registry: a study is added in one place, and found everywhere else."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
import irassay.studies.study.settings  # its help lists the parts: before any is registered here
from irassay.cli import run
from irassay.errors import InputError
from irassay.result import Result, Table
from irassay.settings import Inputs, option
from irassay.studies.registry import Study, load, parts, register, studies, unregister

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, kw_only=True)
class ListLengths(Inputs):
    """How long the lists of every system are."""

    least: int = option(1, "only lists of at least so many documents", low=1, metavar="N")


def list_lengths(settings: ListLengths, qrels: Any, runs: Any, execution: Any) -> Result:
    """Tables: `lengths` and `lists`."""
    qrels = qrels if isinstance(qrels, irassay.Qrels) else irassay.read_qrels(qrels)
    panel = irassay.align(qrels, runs if isinstance(runs, irassay.Runs) else irassay.read_runs(runs))
    lengths = np.diff(panel.offsets, axis=1)
    return Result(
        "list-lengths",
        (
            Table("lengths", {"system": panel.systems, "documents": lengths.sum(axis=0)}),
            Table("lists", {"documents": lengths.ravel()}),
        ),
    )


def longest(result: Result) -> list[str]:
    """The finding."""
    return [f"The longest run has {max(result['lengths']['documents'])} documents."]


LENGTHS = Study(
    name="list-lengths",
    order=25,
    help="How long lists are.",
    settings=f"{__name__}:ListLengths",
    run=f"{__name__}:list_lengths",
    question="Are the lists long enough?",
    how="Documents were counted.",
    distrust="Length is not quality.",
    findings=f"{__name__}:longest",
    cites=("sakai2016topic",),
    details=("lists",),
    data="runs",
    execution="Saved",
    part=True,
)


@pytest.fixture
def lengths(tmp_path: Path) -> Iterator[list[str]]:
    """A small study at run time, and files to run it on."""
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n2 0 b 1\n")
    (tmp_path / "run.txt").write_text("1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n2 Q0 b 1 1 x\n")
    register(LENGTHS)
    yield [str(tmp_path / name) for name in ("qrels.txt", "run.txt")]
    unregister(LENGTHS.name)


def test_a_registered_study_is_a_command(lengths: list[str], tmp_path: Path, capfd: Any) -> None:
    assert run(["--help"]) == 0
    assert "list-lengths     How long lists are." in capfd.readouterr().out
    assert run(["list-lengths", "--help"]) == 0
    assert "Only lists of at least so many documents." in capfd.readouterr().out
    assert run(["list-lengths", *lengths]) == 0
    out, err = capfd.readouterr()
    assert [line.split() for line in out.splitlines()][-1] == ["x", "3"]
    assert err == "Not shown: lists (saved with --out DIR, printed with --format json)\n"


def test_a_registered_study_is_a_python_function(lengths: list[str]) -> None:
    result = irassay.list_lengths(*lengths, least=2)  # type: ignore[attr-defined]
    assert result.findings == ("The longest run has 3 documents.",)
    assert "list_lengths" in dir(irassay)
    with pytest.raises(TypeError, match="most"):
        irassay.list_lengths(*lengths, most=2)  # type: ignore[attr-defined]


def test_a_registered_study_has_a_page_in_the_documentation(lengths: list[str]) -> None:
    text = runpy.run_path(str(ROOT / "docs" / "commands.py"))["page"](LENGTHS)
    assert "# irassay list-lengths" in text
    assert "| `--least` | `1` | only lists of at least so many documents |" in text
    assert "Topic set size design" in text


def test_a_registered_study_is_in_the_report_with_its_findings_and_notes(lengths: list[str], tmp_path: Path) -> None:
    assert run(["list-lengths", *lengths, "--out", str(tmp_path / "out")]) == 0
    assert irassay.load_result(tmp_path / "out").notes.question == LENGTHS.question
    unregister(LENGTHS.name)  # the folder holds all that the page shows
    assert run(["report", str(tmp_path / "out"), "-o", str(tmp_path / "page.html")]) == 0
    register(LENGTHS)
    page = (tmp_path / "page.html").read_text()
    notes = ["Are the lists long enough?", "Documents were counted.", "Length is not quality.", "Topic set size design"]
    assert all(text in page for text in ["The longest run has 3 documents.", *notes])


def test_a_registered_study_can_be_a_part_of_the_assay(lengths: list[str]) -> None:
    assert list(irassay.study(*map(Path, lengths), only="list-lengths,check")) == ["check", "list-lengths"]


def test_a_name_is_taken_once() -> None:
    with pytest.raises(InputError, match="there is a study 'power' already"):
        register(LENGTHS._replace(name="power"))
    assert "list-lengths" not in studies()
    with pytest.raises(AttributeError):
        irassay.list_lengths  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("study", studies().values(), ids=list(studies()))
def test_every_study_says_all_of_itself_and_its_paths_lead_somewhere(study: Study) -> None:
    assert all([study.help.endswith("."), study.question.endswith("?"), study.how, study.distrust])
    for path in filter(None, (study.settings, study.run, study.findings, study.view)):
        assert callable(load(path))
    assert load(study.settings).__doc__
    assert load(study.run).__doc__


def test_places_are_unique() -> None:
    orders = [study.order for study in studies().values()]
    places = [study.place for study in studies().values()]
    assert (len(set(orders)), len(set(places))) == (len(orders), len(places))
    assert next(iter(parts())) == "uncertainty"


def test_every_function_of_a_study_is_listed() -> None:
    names: dict[str, Any] = {}
    exec("from irassay import *", names)
    assert {name.replace("-", "_") for name in studies()} <= set(names)
    assert set(irassay.__all__) <= set(dir(irassay))
