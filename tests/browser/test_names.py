"""Figures with names along an axis on the page: laid out for its width, and narrowed by its filters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from irassay.report.html import to_html
from irassay.result import Figure, Result, Table
from tests.helpers.browser import Page
from tests.helpers.named_figures import lying, matrix, pairs, scores

SYSTEMS = 20


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    means, differences = (figure for figure, _ in (lying("intervals", SYSTEMS, 2), matrix(SYSTEMS, 2)))
    changes, table = crowded_strip()
    figures = (replace(means, name="means"), replace(differences, name="pairs"), changes)
    path = tmp_path_factory.mktemp("names") / "page.html"
    result = Result("demo", (scores(SYSTEMS, 2), pairs(SYSTEMS, 2), table), figures=figures)
    path.write_text(to_html([("demo", result)]), encoding="utf-8")
    return path


def crowded_strip() -> tuple[Figure, Table]:
    """A strip with outliers at both ends that have space for their names on a wide page only."""
    values = [-0.9, -0.6, -0.3, *(0.001 * k for k in range(20)), 0.4, 0.7, 0.72]
    outliers = [f"a system of group {k}" for k in range(len(values))]
    table = Table("changes", {"line": ["AP"] * len(values), "change": values, "outlier": outliers})
    figure = Figure(
        "changes", "strip", "changes", x="change", y="line", text="outlier", caption="Changes", alt="A line of points"
    )
    return figure, table


@pytest.fixture
def page(chromium: Any, file: Path) -> Iterator[Page]:
    shown = Page(chromium, file)
    yield shown
    shown.quiet()


def names(page: Page, figure: int) -> list[str]:
    """The labels of the axes of a live figure that are systems."""
    labels: list[str] = page.js(
        """
        const figure = document.querySelectorAll("figure")[arguments[0]];
        const labels = figure.querySelectorAll(".vega-embed .role-axis-label text");
        return [...labels].filter(one => one.getAttribute("opacity") !== "0").map(one => one.textContent);""",
        figure,
    )
    return [label for label in labels if label.startswith("sys")]


def size(page: Page, figure: int) -> tuple[float, float]:
    width, height = page.js(
        """
        const figure = document.querySelectorAll("figure")[arguments[0]];
        const box = figure.querySelector(".vega-embed svg").getBoundingClientRect();
        return [box.width, box.height];""",
        figure,
    )
    return float(width), float(height)


def test_filters_leave_the_names_that_match_and_no_empty_small_figure(page: Page) -> None:
    cells = SYSTEMS * (SYSTEMS - 1)
    assert page.drawn()[:2] == [2 * SYSTEMS, 2 * cells]
    whole = size(page, 0)[1]
    assert len(names(page, 0)) == 2 * SYSTEMS
    page.click("#filters input[value='P@10']")
    page.wait(lambda: page.drawn()[:2] == [SYSTEMS, cells])
    page.type("#filters input[name='system']", "sys1")  # sys1, sys10 to sys19: eleven
    page.wait(lambda: page.drawn()[0] == 11)
    assert all(name.startswith("sys1") for name in names(page, 0))
    assert size(page, 0)[1] < 0.7 * whole
    # of the matrix the rows and the columns of those that match
    assert page.drawn()[1] == cells - 9 * 8
    page.type("#filters input[name='system']", "")
    page.click("#filters [data-all]")
    page.wait(lambda: page.drawn()[:2] == [2 * SYSTEMS, 2 * cells])


def test_small_figures_stand_side_by_side_on_a_wide_page_and_below_each_other_on_a_phone(page: Page) -> None:
    page.drawn()
    wide = [size(page, figure) for figure in (0, 1)]
    page.open(width=390)
    page.drawn()
    narrow = [size(page, figure) for figure in (0, 1)]
    for (wide_width, wide_height), (narrow_width, narrow_height) in zip(wide, narrow, strict=True):
        assert narrow_width <= 390 < wide_width
        assert narrow_height > wide_height
    assert len(names(page, 0)) == 2 * SYSTEMS
    assert page.js("return document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("width", [1280, 390])
def test_figures_of_names_are_no_wider_than_the_page_and_names_of_outliers_do_not_overlap(
    page: Page, width: int
) -> None:
    page.open(width=width)
    page.drawn()
    space = page.js("return document.querySelector('.drawing').getBoundingClientRect().width")
    drawn = page.js("return [...document.querySelectorAll('.live svg')].map(svg => Number(svg.getAttribute('width')))")
    assert len(drawn) == 3
    assert all(0.9 * space < one <= space + 1 for one in drawn[:1] + drawn[2:])
    boxes = page.js(
        """
        const texts = [...document.querySelectorAll("figure:last-of-type .vega-embed .role-mark text")];
        return texts.filter(text => text.textContent.startsWith("a system")).map(text => {
          const {left, right, top, bottom} = text.getBoundingClientRect();
          return [left, right, top, bottom];
        });"""
    )
    assert len(boxes) >= 2
    assert all(a is b or a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2] for a in boxes for b in boxes)
