"""The documentation site builds without a warning, loads nothing from elsewhere, and shows what it should."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

import irassay
from tests.helpers import site

LOADED = re.compile(
    r"<(?:script|link|img|iframe|source|video|audio|object|embed)\b[^>]*?\b(?:src|srcset|href|data)\s*=\s*[\"']?"
    r"((?:https?:)?//[^\"'\s>]+)"
)
LOADED_BY_STYLE = re.compile(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s]+)")
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# Title\n", "text"]},
        {
            "cell_type": "code",
            "source": ["1 + 1"],
            "outputs": [
                {"output_type": "stream", "text": ["said\n"]},
                {"output_type": "execute_result", "data": {"text/plain": ["2"]}},
                {"output_type": "display_data", "data": {"text/html": ["<b>\n\nx</b><script>y</script>"]}},
            ],
        },
    ]
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site")
    site.build(place)
    return place


def test_no_page_loads_anything_from_elsewhere(folder: Path) -> None:
    pages, styles = list(folder.rglob("*.html")), list(folder.rglob("*.css"))
    assert len(pages) > 100
    assert {page.name: found for page in pages if (found := LOADED.findall(page.read_text(encoding="utf-8")))} == {}
    assert {page.name: found for page in styles if (found := LOADED_BY_STYLE.findall(page.read_text("utf-8")))} == {}


def test_an_address_elsewhere_would_be_seen() -> None:
    assert LOADED.findall('<link rel="stylesheet" href="https://a.example/b.css"><img src=//c.example/d.png>') == [
        "https://a.example/b.css",
        "//c.example/d.png",
    ]
    assert LOADED.findall('<a href="https://a.example">a link is followed, not loaded</a>') == []


def test_every_public_name_is_in_the_reference(folder: Path) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (folder / "api").glob("*.html"))
    headings = set(re.findall(r'<h\d id="[\w.]*?(\w+)" class="doc', text))
    assert {name for name in irassay.__all__ if not name.startswith("_")} - headings == set()


def test_formulas_become_mathml_and_stay_as_they_are_in_code(folder: Path) -> None:
    page = (folder / "measures" / "AP.html").read_text(encoding="utf-8")
    assert "<math" in page
    assert "<mfrac>" in page
    assert "$$" not in page
    assert "$$RR = 1/r_1$$" in (folder / "contributing.html").read_text(encoding="utf-8")


def test_a_notebook_is_shown_with_its_outputs_and_without_scripts() -> None:
    pytest.importorskip("mkdocs")
    pytest.importorskip("latex2mathml")
    text = runpy.run_path(str(site.ROOT / "docs" / "hooks.py"))["notebook_text"](NOTEBOOK)
    assert text == (
        "# Title\ntext\n\n```python\n1 + 1\n```\n\n"
        "``` { .text .output }\nsaid\n```\n\n``` { .text .output }\n2\n```\n\n"
        '<div class="output"><b>  x</b></div>\n'
    )
