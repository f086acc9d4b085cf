"""What a result folder has for readers: pictures and tables for papers, and names that do no harm in any of them."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from irassay.errors import IrassayWarning
from irassay.report import render
from irassay.report.folder import save_result
from irassay.report.load import load_result
from irassay.report.pdf import in_order
from irassay.report.vega import vega_figure
from irassay.result import Figure, Result, Table
from tests.helpers.figures import NASTY, kinds

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


PICTURES = """
import hashlib
from irassay.report import render
from irassay.result import FIGURE_KINDS
from tests.helpers.figures import NASTY, kinds, picture
from tests.helpers.named_figures import lying, matrix, strip, tiers

figures = [*kinds(60).values(), *kinds(6).values(), strip(20, 2), tiers(20), matrix(8, 2)]
figures += [lying(kind, 20, 2) for kind in ("bars", "points", "intervals", "forest", "boxes")]
figures.append(picture("points", {"x": [i / 20 for i in range(15)], "y": [0.5] * 15, "point_label": list(NASTY)}))
assert {figure.kind for figure, _ in figures} == set(FIGURE_KINDS)
for figure, table in figures:
    for form, content in render.pictures(figure, table).items():
        print(figure.kind, form, hashlib.sha256(content).hexdigest())
"""


def test_pictures_of_every_kind_are_the_same_bytes_in_every_process() -> None:
    outputs = []
    for seed in ("0", "1", "12345"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        work = subprocess.run([sys.executable, "-c", PICTURES], env=environment, capture_output=True, text=True)
        assert work.returncode == 0, work.stderr
        outputs.append(work.stdout.splitlines())
    assert outputs[0] == outputs[1] == outputs[2]


def test_a_pdf_in_order_has_the_objects_of_the_first_each_where_its_table_says() -> None:
    for figure, table in (kinds(60)["points"], kinds(60)["boxes"], kinds(6)["bars"]):
        first = bytes(render.converter().svg_to_pdf(render.to_svg(vega_figure(figure, table).spec)))
        second = in_order(first)
        assert sorted(contents(first)) == sorted(contents(second))
        assert in_order(second) == second


def contents(pdf: bytes) -> list[bytes]:
    """What the table of a PDF leads to, without numbers and with the lines of dictionaries in order."""
    place = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    offsets = [int(offset) for offset in re.findall(rb"^(\d{10}) \d{5} n", pdf[place:], re.MULTILINE)]
    ends = dict(itertools.pairwise(sorted([*offsets, place])))
    objects = []
    for number, offset in enumerate(offsets, start=1):
        start, content = pdf[offset : ends[offset]].split(b"\n", 1)
        assert start == b"%d 0 obj" % number
        objects.append(b"\n".join(sorted(re.sub(rb"\d+ 0 R", b"", content).split(b"\n"))))
    return objects


def test_a_pdf_that_is_written_otherwise_stays_as_it_is() -> None:
    for pdf in (b"", b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\nstartxref\n0\n%%EOF"):
        assert in_order(pdf) == pdf
