"""The page opened from a disk in Chromium: no errors, no requests, every figure drawn, tables and filters work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from irassay.report.figure_rows import figure_rows
from irassay.report.html import to_html
from irassay.result import Result
from tests.helpers.browser import Page
from tests.helpers.pages import LONG, real, strange


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Result]]:
    return real(tmp_path_factory.mktemp("browser") / "c")


@pytest.fixture(scope="module")
def files(results: list[tuple[str, Result]], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    for name, content in (("real", results), ("strange", [("odd", strange())])):
        (folder / f"{name}.html").write_text(to_html(content), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in ("real", "strange")}


@pytest.fixture
def page(chromium: Any, files: dict[str, Path]) -> Iterator[Page]:
    shown = Page(chromium, files["real"])
    yield shown
    shown.quiet()


@pytest.fixture
def odd(chromium: Any, files: dict[str, Path]) -> Iterator[Page]:
    shown = Page(chromium, files["strange"])
    yield shown
    shown.quiet()


def test_every_figure_is_drawn_with_every_row(page: Page, results: list[tuple[str, Result]]) -> None:
    figures = [(figure, result[figure.table]) for _, result in results for figure in result.figures]
    expected = [len(figure_rows(figure, table).rows) for figure, table in figures]
    assert page.drawn() == expected
    for place, (figure, table) in enumerate(figures):
        items, rows = page.items(place), expected[place]
        lines = len(set(table[figure.series])) if figure.kind == "curve" and figure.series else 0
        panels = len(set(table[figure.facet])) if figure.facet else 1
        if figure.kind == "curve":
            assert (items["symbol"], items["line"]) == (rows, lines * panels), figure.name
        else:
            marks = rows * (2 if figure.kind == "boxes" else 1)  # a box and its median
            if figure.kind == "pairs":  # each system beside itself is a cell that is not seen
                marks += panels * len({*table["system_x"], *table["system_y"]})
            assert items[{"points": "symbol"}.get(figure.kind, "rect")] == marks, figure.name


def test_every_kind_of_figure_is_drawn_whatever_its_names_hold(odd: Page) -> None:
    assert odd.drawn() == [30] * 7
    kinds = [odd.items(place) for place in range(7)]
    assert [one.get("rect", one.get("symbol")) for one in kinds] == [30, 30, 30, 30, 30, 30, 60]
    assert odd.js("return document.querySelectorAll('main script:not([type=\"application/json\"])').length") == 0


def test_hovering_shows_the_values(page: Page) -> None:
    page.drawn()
    page.js("document.querySelectorAll('figure')[1].scrollIntoView()")
    page.js(
        """
        const bar = document.querySelectorAll("figure")[1].querySelector(".vega-embed .mark-rect.role-mark path");
        const box = bar.getBoundingClientRect();
        const where = {bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2};
        for (const kind of ["pointerover", "mouseover", "pointermove", "mousemove"]) {
          bar.dispatchEvent(new (kind.startsWith("p") ? PointerEvent : MouseEvent)(kind, where));
        }"""
    )
    tooltip = "return document.querySelector('#vg-tooltip-element.visible')?.textContent || ''"
    page.wait(lambda: "discriminative power" in page.js(tooltip))
    assert "AP" in page.js(tooltip)


def test_tables_sort_both_ways_and_say_so(page: Page) -> None:
    head = "#table-1-0 th:nth-child(8)"
    page.click(f"{head} button")
    upwards = [float(one) for one in page.column("table-1-0", 7)]
    assert upwards == sorted(upwards)
    assert page.js(f"return document.querySelector('{head}').getAttribute('aria-sort')") == "ascending"
    page.click(f"{head} button")
    assert [float(one) for one in page.column("table-1-0", 7)] == sorted(upwards, reverse=True)
    assert page.js(f"return document.querySelector('{head}').getAttribute('aria-sort')") == "descending"
    page.click("#table-1-0 th:nth-child(1) button")
    names = page.column("table-1-0", 0)
    assert names == sorted(names, key=str.lower)


def test_a_long_table_shows_500_rows_at_once_and_finds_the_rest(odd: Page) -> None:
    table = "table-1-7"
    odd.click(f"#{table} summary")
    odd.wait(lambda: len(odd.column(table, 0)) == 500)
    assert odd.column(table, 0)[-1] == "499"
    odd.click(f"#{table} [data-step='1']")
    assert odd.column(table, 0)[0] == "500"
    odd.click(f"#{table} th:first-child button")
    odd.click(f"#{table} th:first-child button")
    assert odd.column(table, 0)[0] == str(LONG - 1)
    odd.type(f"#{table} input", "1230")
    odd.wait(lambda: odd.column(table, 0) == ["1230"])
    assert odd.js(f"return document.querySelector('#{table} [role=status]').textContent") == f"1 of {LONG:,} rows"


def counts(page: Page) -> tuple[int, int]:
    boxes: list[bool] = page.js(
        "return [...document.querySelectorAll('#filters input[name=measure]')].map(b => b.checked)"
    )
    return sum(boxes), len(boxes)


def test_filters_hold_for_every_table_and_figure(page: Page) -> None:
    before = page.drawn()
    page.click("#filters input[value='RR']")
    page.wait(lambda: "RR" not in page.column("table-1-0", 0))
    assert set(page.column("table-1-0", 0)) == {"AP", "Q", "nDCG@10"}
    page.wait(lambda: page.drawn()[1] == before[1] * 3 // 4)
    beside = """
        const figure = document.querySelector("figure .vega-embed");
        const labels = figure.querySelectorAll('.role-legend-label text, .role-mark text[fill="#333333"]');
        return [...labels].map(label => label.textContent).sort();"""
    page.wait(lambda: page.js(beside) == ["AP", "Q", "nDCG@10"])
    assert page.js("return document.querySelector('[data-count]').textContent") == "{} of {}".format(*counts(page))
    page.click("#filters [data-none]")
    page.wait(lambda: page.drawn()[1] == 0)
    page.click("#filters [data-all]")
    page.wait(lambda: page.drawn() == before)


def test_systems_are_filtered_by_their_names(page: Page, results: list[tuple[str, Result]]) -> None:
    means = results[0][1]["system_means"]
    name = str(means["system"][0])
    page.drawn()
    page.type("#filters input[name=system]", name.upper())
    wanted = sum(1 for one in means["system"] if name.lower() in str(one).lower())
    page.wait(lambda: page.drawn()[2] == wanted)
    page.click("#table-1-2 summary")
    page.wait(lambda: set(page.column("table-1-2", 1)) == {name})


@pytest.mark.parametrize(
    ("look", "settings"),
    [("light", {}), ("dark", {"dark": True}), ("phone", {"width": 390}), ("print", {"print_": True})],
)
def test_the_page_fits_and_its_colours_can_be_read(
    page: Page, look: str, settings: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    page.open(**settings)
    page.drawn()
    assert page.js("return document.documentElement.scrollWidth <= innerWidth")
    for selector in ("body", ".finding p", "figcaption", "td", "a", ".question"):
        ratio = page.js(CONTRAST, selector)
        assert ratio >= 4.5, (selector, ratio)
    text = page.js(CONTRAST, ".vega-embed .role-axis-label text")
    assert text >= 4.5
    page.js("scrollTo(0, 0)")
    picture = tmp_path_factory.getbasetemp() / f"{look}.png"
    page.picture(picture)
    assert picture.stat().st_size > 20_000


CONTRAST = """
    const element = document.querySelector(arguments[0]);
    const numbers = text => text.match(/[0-9.]+/g).map(Number);
    const light = colour => {
      const linear = v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
      const [r, g, b] = colour.slice(0, 3).map(v => linear(v / 255));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let behind = element, paper = [255, 255, 255];
    while (behind) {
      const colour = numbers(getComputedStyle(behind).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) { paper = colour; break; }
      behind = behind.parentElement;
    }
    const style = getComputedStyle(element);
    const ink = numbers(element instanceof SVGElement ? style.fill : style.color);
    const [a, b] = [light(ink), light(paper)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);"""


def test_a_reader_without_scripts_sees_pictures_and_rows(chromium: Any, files: dict[str, Path]) -> None:
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        chromium.get(files["real"].as_uri())
        from selenium.webdriver.common.by import By
        from selenium.webdriver.support.ui import WebDriverWait

        pictures = (By.CSS_SELECTOR, "figure svg")
        # no script can say when the page is there: on a busy machine its end comes late
        WebDriverWait(chromium, 30).until(lambda browser: len(browser.find_elements(*pictures)) >= 15)
        assert len(chromium.find_elements(*pictures)) == 15
        assert not chromium.find_element(By.ID, "filters").is_displayed()
        assert chromium.find_element(By.CSS_SELECTOR, "#table-1-0 tbody td").is_displayed()
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_keyboard_reaches_and_works_the_tables(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.js("document.querySelector('#table-1-0 th button').focus()")
    page.browser.switch_to.active_element.send_keys(Keys.ENTER)
    names = page.column("table-1-0", 0)
    assert names == sorted(names, key=str.lower)
    page.browser.switch_to.active_element.send_keys(Keys.TAB)
    assert page.js("return document.activeElement.closest('th').cellIndex") == 1
