"""`irassay paper`: every table and figure of the papers, with the studies' numbers, under the papers' numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay import Result, demo
from irassay.cli import run
from irassay.errors import InputError, IrassayWarning
from irassay.studies.papers import KEYS, paper_of
from irassay.studies.papers.shaping import rows

# The checklist of the readings (shared/papers/README.md, "Outputs"), number by number.
CHECKLIST = {
    "sakai2007bootstrap": "T1 F1 F4 F5 F10 F11 F12 F13 T2 T3 F14 F15 F17 F18 T4 F20 T5",
    "sakai2008incomplete": "T1 F1 T2 F2 F3 F4 T3 T4 F5 F6 T5 T6 F7 F8 T7",
    "zobel2020corpus": "T1 T2 F1 T3 F2 T4 F3 F4 F5 F6 F7",
    "sakai2007one": "T1 F8 T2 T3 F9 T4 F10 T5 T6 T7 T8 T9",
}
# One user's data gives once what a paper shows for each of its collections.
ONCE = {
    "sakai2007bootstrap": {"F12": "F10", "F13": "F11", "F18": "F17"},
    "sakai2008incomplete": {"F4": "F3", "F6": "F5", "F8": "F7"},
    "sakai2007one": {"T8": "T7", "T9": "T7"},
}
# CONTRACTS, "Paper presets", for judgments of two levels.
SMALL: dict[str, Any] = {"resamples": 60, "images": 12, "corpus_size": 3000, "seed": 5}
MODEL = demo.Model(systems=7, groups=3, null_pairs=1, depth=60, documents=3000, pool_depth=30, seed=1)
pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "c"
    demo.write(MODEL, folder, topics=range(12))
    return folder


@pytest.fixture(scope="module")
def made(files: Path) -> dict[str, Result]:
    """Every paper, small."""
    groups = str(files / "groups.txt")
    with pytest.warns(IrassayWarning):
        return {key: irassay.paper(key, files / "qrels.txt", files / "runs", groups=groups, **SMALL) for key in KEYS}


def test_the_list_is_the_checklist_of_the_readings() -> None:
    assert {key: [item.number for item in paper_of(key).items] for key in KEYS} == {
        key: numbers.split() for key, numbers in CHECKLIST.items()
    }


def test_the_command_lists_every_item(capfd: Any) -> None:
    assert run(["paper", "--list"]) == 0
    out = capfd.readouterr().out
    for key, numbers in CHECKLIST.items():
        part = out[out.index(f"{key}: ") :]
        assert [line.split()[0] for line in part.splitlines()[4:]][: len(numbers.split())] == numbers.split()


@pytest.mark.parametrize("key", CHECKLIST)
def test_every_item_is_delivered_under_its_number(key: str, made: dict[str, Result]) -> None:
    result = made[key]
    tables, figures = {t.name: t for t in result.tables}, {f.name: f for f in result.figures}
    for number in CHECKLIST[key].split():
        source = ONCE.get(key, {}).get(number, number)
        (row,) = rows(result["contents"], {"item": number})
        assert row["delivered"] is True
        assert row["as"] == source
        item = (tables if number[0] == "T" else figures)[source]
        # the caption names every number that it answers for
        assert item.caption.startswith(("Table", "Figure"))
        assert number[1:] in item.caption.split(":")[0].replace(",", "").split()
    assert all(len(table) for table in result.tables)
    assert result.study == key
