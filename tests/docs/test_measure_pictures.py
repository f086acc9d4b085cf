"""The pictures of the documentation are what the measures say, and can be seen."""

from __future__ import annotations

import runpy
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from irassay.measures import records
from irassay.studies.measures import explain, listing

DOCS = Path(__file__).parents[2] / "docs"
BAR = "{http://www.w3.org/2000/svg}rect"


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    pictures: Callable[[], dict[str, str]] = runpy.run_path(str(DOCS / "build.py"))["pictures"]
    return pictures()


def test_every_measure_has_its_current_picture(made: dict[str, str]) -> None:
    kept = {path.stem: path.read_text(encoding="utf-8") for path in (DOCS / "img").glob("*.svg")}
    assert set(made) == set(records())
    assert {name: text == made.get(name) for name, text in kept.items()} == dict.fromkeys(made, True), "run `make docs`"


def test_pictures_are_well_formed_and_have_a_bar_for_every_rank(made: dict[str, str]) -> None:
    for name, text in made.items():
        bars = ET.fromstring(text).findall(BAR)
        assert len(bars) == 20, name
        # lists of the pictures have no unjudged document, and one relevant in twenty costs more than it is worth
        if name not in ("Unjudged", "Utility"):
            assert any(float(bar.get("height", "0")) > 0 for bar in bars), name


def test_the_picture_of_the_reciprocal_rank_halves_from_rank_1_to_rank_2(made: dict[str, str]) -> None:
    first, second, *_ = (float(bar.get("height", "0")) for bar in ET.fromstring(made["RR"]).findall(BAR))
    assert first == 2 * second


def test_the_listing_and_the_explanations_name_everything() -> None:
    measures, summaries = listing()
    assert [str(text).split("@")[0].split("(")[0].rstrip("[") for text in measures.columns["measure"]] == list(
        records()
    )
    assert list(summaries.columns["summary"]) == ["GM(m)", "AG(m)", "AREA(m)"]
    for name, record in records().items():
        text = explain(name)
        assert record.formula in text
        assert f"[{record.cite}]" in text
    assert "IPrec(variant='exact')@recall" in explain("IPrec")
    assert "NWRR(penalties={1:4,2:3,3:2})[@k]" in explain("NWRR")
    assert "Area under the mean of the worst topics" in explain("AREA")
