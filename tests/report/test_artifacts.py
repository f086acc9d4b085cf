"""What a result folder has for readers: pictures and tables for papers, and names that do no harm in any of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from irassay.errors import IrassayWarning
from irassay.report import render
from irassay.report.folder import save_result
from irassay.report.load import load_result
from irassay.result import Figure, Result, Table
from tests.helpers.figures import NASTY

TABLE = Table(
    "../scores",
    {"system": NASTY, "x": [0.12345, None, *[-0.5] * (len(NASTY) - 2)], "n": list(range(len(NASTY)))},
    "Scores, 50% & more",
    {"x": 2},
)


def result() -> Result:
    figures = (
        Figure("../up", "points", "../scores", x="system", y="x", caption="C", alt="A"),
        Figure("plain", "bars", "../scores", x="system", y="x", caption="C", alt="A"),
    )
    return Result("demo", (TABLE,), figures=figures)


def names(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def test_a_readable_folder_has_pictures_and_every_form_of_its_tables_and_loads_back(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    save_result(result(), tmp_path / "deep" / "out", readable=True)
    drawn = {f"deep/out/figures/{name}.{form}" for name in ("unnamed-1", "plain") for form in ("svg", "pdf", "png")}
    tables = {f"deep/out/tables/unnamed-1.{form}" for form in ("csv", "tex", "md", "parquet")}
    assert names(tmp_path) == drawn | tables | {"deep/out/result.json"}  # and nothing beside or above it
    assert list(load_result(tmp_path / "deep" / "out")["../scores"].rows()) == list(TABLE.rows())
    save_result(result(), tmp_path / "deep" / "out")  # a folder with figures is ours and can be replaced
    assert names(tmp_path) == {"deep/out/result.json", "deep/out/tables/unnamed-1.csv"}


def test_a_missing_extra_loses_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    save_result(result(), tmp_path / "out", readable=True)
    tables = {path.name for path in (tmp_path / "out" / "tables").iterdir()}
    assert tables == {f"unnamed-1.{form}" for form in ("csv", "tex", "md")}


def test_a_figure_that_cannot_be_drawn_loses_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def broken(*_: object) -> None:
        raise ValueError("no such scale")

    monkeypatch.setattr(render, "pictures", broken)
    with pytest.warns(IrassayWarning, match="no such scale"):
        save_result(result(), tmp_path / "out", readable=True)
    assert "tables/unnamed-1.csv" in names(tmp_path / "out")
