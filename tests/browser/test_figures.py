"""Figures in the page: as wide as the page, with labels apart, and saved as files of their own."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from irassay.report.html import to_html
from irassay.result import Figure, Mark, Result, Table
from tests.helpers.browser import Page

MEASURES = ("AP", "nDCG@10", "Q", "RBP(p=0.95)", "RR")
WIDTHS = """
    return [...document.querySelectorAll("figure")].map(figure => [
      figure.querySelector(".drawing").getBoundingClientRect().width,
      figure.querySelector(".live svg").getBoundingClientRect().width,
      Number(figure.querySelector(".live svg").getAttribute("width"))])"""
TEXTS = """
    const boxes = [...document.querySelectorAll("figure")][arguments[0]]
      .querySelectorAll('.live .role-mark text[fill="#333333"]');
    return [...boxes].map(text => text.getBoundingClientRect()).map(b => [b.left, b.top, b.right, b.bottom])"""


def results() -> Result:
    """Curves that end at the right, curves that end above, small figures and a scatter plot."""
    steps = range(11)
    rows = [(name, x, 0.3 + 0.02 * place + 0.01 * x) for place, name in enumerate(MEASURES) for x in steps]
    rising = [(name, x, 0.001 * (x + place) ** 3) for place, name in enumerate(MEASURES) for x in steps]
    tables = tuple(
        Table(name, {"measure": [m for m, _, _ in of], "x": [x for _, x, _ in of], "y": [y for _, _, y in of]})
        for name, of in (("flat", rows), ("rising", rising))
    )
    common: dict[str, Any] = {"x": "x", "y": "y", "caption": "C", "alt": "A"}
    figures = (
        Figure("flat", "curve", "flat", series="measure", **common),
        Figure("rising", "curve", "rising", series="measure", limits={"y": (0, 0.2)}, **common),
        Figure("small", "curve", "flat", facet="measure", marks=(Mark("y", 0.35, "5%"),), **common),
        Figure("points", "points", "flat", facet="measure", point_label="x", **common),
    )
    return Result("power", tables, (), {}, figures)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("figures") / "page.html"
    path.write_text(to_html([("power", results())]), encoding="utf-8")
    return path


@pytest.fixture
def page(chromium: Any, file: Path) -> Iterator[Page]:
    shown = Page(chromium, file)
    yield shown
    shown.quiet()


@pytest.mark.parametrize("width", [340, 390, 700, 1280])
def test_a_figure_fills_the_page_and_its_fonts_keep_their_size(page: Page, width: int) -> None:
    page.open(width=width)
    page.drawn()
    for space, drawn, own in page.js(WIDTHS):
        assert drawn == pytest.approx(own, abs=1)  # it is not scaled
        assert 0.94 * space - 12 < drawn <= space + 1
    assert page.js("return document.documentElement.scrollWidth") <= width


def test_a_wide_page_has_more_small_figures_side_by_side(page: Page) -> None:
    columns = """
        const titles = [...document.querySelectorAll("figure")][2].querySelectorAll(".live .role-title-text text");
        return new Set([...titles].map(text => Math.round(text.getBoundingClientRect().left))).size"""
    counts = []
    for width in (390, 700, 1280):
        page.open(width=width)
        page.drawn()
        counts.append(page.js(columns))
    assert counts == [1, 2, 3]


def test_a_figure_is_drawn_again_when_the_page_changes_its_width(page: Page) -> None:
    page.open(width=1200)
    page.drawn()
    before = page.js(WIDTHS)[0][2]
    size = {"width": 600, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    page.wait(lambda: page.js(WIDTHS)[0][2] < 600 < before)
    space, _, own = page.js(WIDTHS)[0]
    assert own <= space + 1


@pytest.mark.parametrize("width", [340, 1280])
@pytest.mark.parametrize("figure", [0, 1])
def test_labels_at_the_ends_of_lines_do_not_overlap(page: Page, width: int, figure: int) -> None:
    page.open(width=width)
    page.drawn()
    boxes = page.js(TEXTS, figure)
    assert len(boxes) == len(MEASURES)
    for place, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[:place]:
            apart = max(left - other[2], other[0] - right, top - other[3], other[1] - bottom)
            assert apart > -2.5  # boxes of text have space above and below the letters


def test_a_filter_takes_the_label_of_a_line_away_with_the_line(page: Page) -> None:
    page.drawn()
    page.click("#filters input[value='RR']")
    page.wait(lambda: len(page.js(TEXTS, 0)) == len(MEASURES) - 1)
    page.wait(lambda: len(page.js(TEXTS, 1)) == len(MEASURES) - 1)
    titles = 'return document.querySelectorAll("figure")[2].querySelectorAll(".live .role-title-text").length'
    page.wait(lambda: page.js(titles) == len(MEASURES) - 1)


@pytest.mark.parametrize("dark", [False, True])
def test_a_figure_is_saved_on_white_in_the_fonts_of_a_publication(page: Page, dark: bool, tmp_path: Path) -> None:
    page.open(dark=dark)
    page.drawn()
    allow = {"behavior": "allow", "downloadPath": str(tmp_path)}
    page.browser.execute_cdp_cmd("Browser.setDownloadBehavior", allow)
    for name in ("flat", "rising", "small", "points"):
        for place, form in enumerate(("svg", "png")):
            path = tmp_path / f"power-{name}.{form}"
            page.click(f'figure[data-file="power-{name}"] .export button:nth-child({place + 1})')
            page.wait(path.exists)
    for name in ("flat", "rising", "small", "points"):
        root = ElementTree.parse(tmp_path / f"power-{name}.svg").getroot()
        assert root[0].get("fill") == "white"
        assert 350 < float(str(root.get("width"))) < 460  # points: the width of a page of text
        texts = [one for one in root.iter("{http://www.w3.org/2000/svg}text") if one.get("font-size")]
        assert {"Helvetica" in str(one.get("font-family")) for one in texts} == {True}
        assert {one.get("fill") for one in texts} <= {"#111111", "#333333", "#767676"}
        assert {float(str(one.get("font-size")).removesuffix("px")) for one in texts} <= {8.1, 9, 10}
        content = (tmp_path / f"power-{name}.png").read_bytes()
        assert content.startswith(b"\x89PNG")
        assert int.from_bytes(content[16:20], "big") == pytest.approx(float(str(root.get("width"))) * 300 / 72, abs=3)


def test_the_page_prints_the_picture_for_print(page: Page) -> None:
    page.drawn()
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": []})
    shown = """
        const visible = name => [...document.querySelectorAll(`figure ${name} svg`)].map(
          svg => svg.getBoundingClientRect().width > 0);
        return [visible(".still"), visible(".live")]"""
    assert page.js(shown) == [[True] * 4, [False] * 4]
    page.click("#filters input[value='RR']")  # a filtered page prints what it shows
    page.wait(lambda: page.js(shown) == [[False] * 4, [True] * 4])
