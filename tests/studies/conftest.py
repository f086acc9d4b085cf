"""Fixtures for the tests of studies."""

from __future__ import annotations

from pathlib import Path

import pytest

import irassay
from irassay import Result, demo
from irassay.errors import IrassayWarning
from irassay.studies.papers import KEYS
from tests.helpers.budgets import write_tied_demo
from tests.helpers.comparisons import write_comparison
from tests.helpers.papers import MODEL, SMALL
from tests.helpers.sampled_studies import write_collection


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the collection of `tests.helpers.sampled_studies`."""
    folder = tmp_path_factory.mktemp("collection")
    write_collection(folder)
    return folder


@pytest.fixture
def at(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same folder, as the current one."""
    monkeypatch.chdir(place)
    return place


@pytest.fixture(scope="session")
def comparison_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the collection of `tests.helpers.comparisons`."""
    folder = tmp_path_factory.mktemp("comparison")
    write_comparison(folder)
    return folder


@pytest.fixture(scope="session")
def tied_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the collection of `tests.helpers.budgets`."""
    folder = tmp_path_factory.mktemp("tied") / "demo"
    write_tied_demo(folder)
    return folder


@pytest.fixture(scope="session")
def paper_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the collection of `tests.helpers.papers`."""
    folder = tmp_path_factory.mktemp("papers") / "c"
    demo.write(MODEL, folder, topics=range(12))
    return folder


@pytest.fixture(scope="session")
def paper_results(paper_files: Path) -> dict[str, Result]:
    """Every paper on it."""
    data, groups = (paper_files / "qrels.txt", paper_files / "runs"), str(paper_files / "groups.txt")
    with pytest.warns(IrassayWarning):
        return {key: irassay.paper(key, *data, groups=groups, **SMALL) for key in KEYS}
