"""The first screen in Chromium: what it shows at once, wide and narrow, its switches, and that everybody can use it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from irassay.report.html import to_html
from irassay.result import Result, Table
from tests.helpers.axe import violations
from tests.helpers.browser import Page
from tests.helpers.headlines import MEASURES, TITLE, VERDICT, headlined
from tests.helpers.pages import real

pytest.importorskip("axe_playwright_python")

NAMES = [f"system {place}" for place in range(12)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first")
    whole = [("u", headlined(NAMES)), *real(folder / "c")[:2]]
    several = [("u", headlined(NAMES, ["one", "two"]))]
    plain = [("p", Result("power", (Table("t", {"x": [1]}),), findings=("Only this is known.",)))]
    for name, results in (("whole", whole), ("several", several), ("plain", plain)):
        (folder / f"{name}.html").write_text(to_html(results), encoding="utf-8")
    return folder


@pytest.fixture
def page(chromium: Any, folder: Path) -> Iterator[Page]:
    shown = Page(chromium, folder / "whole.html")
    yield shown
    shown.quiet()


@pytest.mark.parametrize(("width", "height", "systems"), [(1280, 800, 10), (390, 844, 3)])
def test_verdict_budget_and_best_systems_are_on_the_first_screen(
    page: Page, width: int, height: int, systems: int
) -> None:
    page.open(width=width, height=height)
    assert page.seen("h1", height) == [TITLE]
    assert page.seen(".verdict p", height) == [VERDICT[question] for question in ("first", "trust", "threat")]
    budget = page.seen(".budget tbody th", height)
    assert budget == list(MEASURES) if width > 1000 else budget[0] == MEASURES[0]
    assert page.seen(".leaderboard tbody th", height) == NAMES[:systems]
    assert page.js("return document.documentElement.scrollWidth <= innerWidth")
    if width > 1000:
        assert len(page.seen(".watch > ul > li", height)) == 3


def test_the_budget_groups_sources_by_kind_and_switches_between_quantities(page: Page) -> None:
    heads = "return [...document.querySelector('.budget').querySelectorAll('thead th')].map(one => one.innerText)"
    expected = ["measure", "sampling", "model", "scenario", "topics", "documents", "ties", "judgments 50%"]
    assert page.js(heads) == expected
    cells = (
        "return [...document.querySelectorAll('.budget td')].filter(one => one.offsetParent).map(one => one.innerText)"
    )
    shares = page.js(cells)
    assert all(text.endswith("%") for text in shares)
    page.click("label[for=switch-1-1]")
    differences = page.js(cells)
    assert len(differences) == len(shares) == 12
    assert all(0 <= float(text) <= 1 for text in differences)


def test_a_keyboard_works_the_switches(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.js("document.getElementById('switch-2-0').focus()")
    page.press(Keys.ARROW_RIGHT)
    shown = "return [...document.querySelectorAll('.leaderboard')].filter(one => one.offsetParent)"
    captions = f"{shown}.map(one => one.caption.innerText)"
    assert page.js(captions) == ["Systems by mean nDCG@10"]


def test_all_systems_are_shown_on_demand(page: Page) -> None:
    rows = "return [...document.querySelectorAll('.leaderboard tbody tr')].filter(one => one.offsetParent).length"
    assert page.js(rows) == 10
    box = page.js("return document.querySelector('.list:has(.leaderboard) > input').id")
    page.click(f"label[for={box}]")
    assert page.js(rows) == 12


def test_a_switch_of_collections_shows_one_at_a_time(chromium: Any, folder: Path) -> None:
    page = Page(chromium, folder / "several.html")
    shown = "return [...document.querySelectorAll('.budget')].filter(one => one.offsetParent).length"
    assert page.js(shown) == 1
    first = page.js("return document.querySelector('.leaderboard a').hash")
    assert first.endswith("collection=one") or "collection=one&" in first
    page.click(".collections > label:nth-of-type(2)")
    assert page.js(shown) == 1
    visible = "return [...document.querySelectorAll('.leaderboard a')].find(one => one.offsetParent).hash"
    assert "collection=two" in page.js(visible)


def test_a_result_without_a_headline_has_a_plain_title_and_its_finding(chromium: Any, folder: Path) -> None:
    page = Page(chromium, folder / "plain.html")
    assert page.text("h1") == "irassay report"
    assert page.seen(".finding p", 400) == ["Only this is known."]
    assert page.js("return document.body.innerText.match(/Only this is known/g).length") == 1
    assert (
        page.js("return document.querySelectorAll('.verdict, .budget, .leaderboard, .watch, .parts > *').length") == 0
    )


def test_headers_explain_themselves_to_mouse_keyboard_and_screen_reader(page: Page) -> None:
    header = "document.querySelector('.leaderboard thead th:nth-child(6) button')"
    described = f"return document.getElementById({header}.getAttribute('aria-describedby')).textContent"
    assert "rank" in page.js(described)
    assert "In files: rank_low, rank_high" in page.js(described)
    page.js(f"{header}.focus()")
    assert page.js("return document.getElementById('explanation').hidden") is False
    from selenium.webdriver.common.keys import Keys

    page.press(Keys.ESCAPE)
    assert page.js("return document.getElementById('explanation').hidden") is True


def test_contents_mark_the_section_in_view(page: Page) -> None:
    page.open(width=1280)
    current = "return [...document.querySelectorAll('.side [aria-current]')].map(one => one.hash)"
    assert page.js(current) == ["#top"]
    page.js("document.getElementById('study-2').scrollIntoView()")
    page.wait(lambda: page.js(current) == ["#study-2"])
    assert page.js("return document.querySelector('.side').getBoundingClientRect().top") == 0


def test_a_phone_has_the_contents_in_a_menu_that_closes_behind_a_choice(page: Page) -> None:
    page.open(width=390)
    assert not page.js("return document.querySelector('.side').offsetParent")
    page.click(".menu summary")
    page.click(".menu a[href='#study-1']")
    assert page.js("return document.querySelector('.menu').open") is False


def test_print_has_no_controls(page: Page) -> None:
    page.open(print_=True)
    controls = "button:not(th > *), select, nav, input, #filters, .list > label, .switch > input:not(:checked) + label"
    shown = "return [...document.querySelectorAll(arguments[0])].filter(one => one.checkVisibility()).length"
    assert page.js(shown, controls) == 0
    assert page.js(shown, ".budget") == page.js(shown, ".leaderboard") == 1


@pytest.mark.parametrize(
    ("name", "look"),
    [
        ("whole", {}),
        ("whole", {"dark": True}),
        ("whole", {"width": 390}),
        ("whole", {"width": 1280, "dark": True}),
        ("several", {"width": 1280}),
        ("plain", {"width": 1280}),
    ],
)
def test_axe_finds_nothing_that_keeps_people_out(chromium: Any, folder: Path, name: str, look: dict[str, Any]) -> None:
    page = Page(chromium, folder / f"{name}.html")
    page.open(**look)
    page.drawn()
    assert violations(chromium) == []


def test_a_reader_without_scripts_can_switch(chromium: Any, folder: Path) -> None:
    Page(chromium, folder / "whole.html")  # light, wide and on a screen
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        chromium.get((folder / "whole.html").as_uri())
        from selenium.webdriver.common.by import By

        tables = chromium.find_elements(By.CSS_SELECTOR, ".budget")
        assert [table.is_displayed() for table in tables] == [True, False, False]
        chromium.find_element(By.CSS_SELECTOR, "label[for=switch-1-2]").click()
        assert [table.is_displayed() for table in tables] == [False, False, True]
        assert len(chromium.find_elements(By.CSS_SELECTOR, ".leaderboard a")) == 36
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
