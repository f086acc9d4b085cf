"""Looking into systems, pairs and topics in Chromium: by click, by keyboard and by address; and tables as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest

from irassay.report.csv_text import to_csv
from irassay.report.html import to_html
from irassay.result import Result, Table
from tests.helpers.axe import violations
from tests.helpers.browser import Page
from tests.helpers.figures import NASTY
from tests.helpers.headlines import DEEP, headlined

pytest.importorskip("axe_playwright_python")

NAMES = [f"system {place}" for place in range(6)]
OPEN = "return document.getElementById('look-into').open"
RESULT = headlined(NAMES)
CELLS = Table(
    "cells",
    {
        "=name": ["=1+1", "'@x", 'a "b", c', "plain\nnext"],
        "truth": [True, False, True, None],
        "number": np.array([0.25, np.nan, -1.5, 1e-7]),
        "whole": [1, 2, -3, 10**6],
    },
)
LONG = Table("long", {"place": list(range(3000)), "system": [f"s{place % 7}" for place in range(3000)]})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("look")
    pairs = Table("pairs", {"measure": ["AP"], "system_x": [NAMES[1]], "system_y": [NAMES[3]]})
    real = [("u", RESULT), ("c", Result("compare", (pairs, CELLS, LONG)))]
    nasty = [("u", headlined(NASTY, topics=3))]
    several = [("u", headlined(NAMES, ["one", "two"]))]
    for name, results in (("real", real), ("nasty", nasty), ("several", several)):
        (folder / f"{name}.html").write_text(to_html(results), encoding="utf-8")
    return folder


@pytest.fixture
def page(chromium: Any, folder: Path) -> Iterator[Page]:
    shown = Page(chromium, folder / "real.html")
    yield shown
    shown.quiet()


def scores(system: str, measure: str = "AP") -> dict[str, float]:
    rows = [row for row in RESULT["topic_scores"].rows() if row[:2] == (measure, system)]
    return {str(topic): float(str(score)) for _, _, topic, score in rows}


def title(page: Page) -> str:
    return page.text("#look-into-title") if page.js(OPEN) else ""


def test_a_click_on_a_system_shows_its_topics_the_worst_first(page: Page) -> None:
    page.click(".leaderboard a")
    page.wait(lambda: title(page) == "system 0: topics")
    own = scores(NAMES[0])
    medians = {topic: float(np.median([scores(name)[topic] for name in NAMES])) for topic in own}
    expected = sorted(own, key=lambda topic: own[topic] - medians[topic])
    rows = page.js(
        "return [...document.querySelectorAll('#look-into tbody tr')].map(r => [...r.children].map(c => c.innerText))"
    )
    assert [row[0] for row in rows] == expected
    assert rows[0][1:3] == [f"{own[expected[0]]:.3f}", f"{medians[expected[0]]:.3f}"]
    labels = page.js("return [...document.querySelectorAll('.differences text')].map(one => one.textContent)")
    assert labels[:3] == expected[:3]
    assert page.js("return document.querySelectorAll('.differences .area').length") == len(own)


def test_a_keyboard_opens_the_dialog_moves_in_it_and_closes_it(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.js("document.querySelector('.leaderboard a').focus()")
    page.press(Keys.ENTER)
    page.wait(lambda: title(page) == "system 0: topics")
    seen = set()
    for _ in range(12):
        page.press(Keys.TAB)
        seen.add(page.js("return document.activeElement.name || document.activeElement.tagName"))
        assert page.js(
            "return document.activeElement === document.body || !!document.activeElement.closest('#look-into')"
        )
    assert {"measure", "system", "with", "BUTTON", "A"} <= seen
    page.press(Keys.ESCAPE)
    page.wait(lambda: not page.js(OPEN))
    assert page.js("return location.hash") == ""
    assert page.js("return document.activeElement === document.querySelector('.leaderboard a')")


def test_choosing_a_second_system_shows_the_differences_of_the_pair(page: Page) -> None:
    page.click(".leaderboard a")
    page.wait(lambda: title(page) == "system 0: topics")
    page.js(
        """
        const select = document.querySelector("#look-into select[name=with]");
        select.value = arguments[0];
        select.dispatchEvent(new Event("change"));""",
        NAMES[2],
    )
    page.wait(lambda: title(page) == "system 0 and system 2: topics")
    one, two = scores(NAMES[0]), scores(NAMES[2])
    above = sum(one[topic] > two[topic] for topic in one)
    assert f"above system 2 in {above} of 10 topics" in page.text(".look-into-body p")
    assert page.js("return new URLSearchParams(location.hash.slice(1)).get('with')") == NAMES[2]
    assert page.js("return document.activeElement.name") == "with"
    page.browser.back()
    page.wait(lambda: title(page) == "system 0: topics")


def test_a_pair_in_a_table_leads_to_its_topics(page: Page) -> None:
    page.js("document.getElementById('table-2-0').scrollIntoView()")
    page.wait(lambda: page.js("return document.querySelectorAll('#table-2-0 tbody a').length") == 2)
    page.click("#table-2-0 tbody td:nth-child(3) a")
    page.wait(lambda: title(page) == "system 1 and system 3: topics")


def test_a_topic_shows_where_both_lists_have_which_judged_documents(page: Page) -> None:
    page.open("#measure=AP&system=system%201&with=system%203&topic=t4")
    page.wait(lambda: title(page) == "Topic t4: system 1 and system 3")
    lists = page.js(
        """
        return [...document.querySelectorAll(".ranked-list")].map(list => [...list.querySelectorAll("li")].map(
          item => [item.querySelector(".rank").textContent, item.querySelector(".grade").textContent,
                   item.querySelector(".document").textContent, item.className]));"""
    )
    for items, number in zip(lists, (1, 3), strict=True):
        assert [item[0] for item in items] == [str(rank) for rank in range(1, DEEP + 1)]
        documents = [number + rank for rank in range(1, DEEP + 1)]
        assert [item[2] for item in items] == [f"d{document}" for document in documents]
        assert [item[1] for item in items] == [
            "?" if document % 4 == 3 else str(document % 4) for document in documents
        ]
    assert [item[3] for item in lists[0]].count("shared") == DEEP - 2
    assert page.js("return document.querySelectorAll('.shared-lines path').length") == DEEP - 2
    assert "18 are in both lists" in page.text(".look-into-body p + p")


def test_an_address_that_says_nothing_known_opens_nothing(page: Page) -> None:
    page.open("#system=nobody")
    assert not page.js(OPEN)
    page.open("#system=system%201&with=nobody&topic=none&measure=none")
    page.wait(lambda: title(page) == "system 1: topics")


def test_several_collections_are_looked_into_one_at_a_time(chromium: Any, folder: Path) -> None:
    page = Page(chromium, folder / "several.html")
    page.open("#system=system%200&collection=two")
    page.wait(lambda: title(page) == "system 0: topics")
    assert page.js("return document.querySelector('#look-into select[name=collection]').value") == "two"
    assert page.js("return document.querySelectorAll('#look-into tbody tr').length") == 10


def test_names_in_a_dialog_are_text(chromium: Any, folder: Path) -> None:
    page = Page(chromium, folder / "nasty.html")
    heading = "return document.querySelector('#look-into-title').textContent"

    def wait_for(text: str) -> None:
        page.wait(lambda: text in page.js(heading))

    for place in range(len(NASTY)):
        address = page.js("return document.querySelectorAll('.leaderboard a')[arguments[0]].hash", place)
        (name,) = parse_qs(address[1:])["system"]
        page.js("document.querySelectorAll('.leaderboard a')[arguments[0]].click()", place)
        wait_for(f"{name}: topics")
        page.click("#look-into tbody a")
        wait_for(f": {name} and ")
        assert page.js("return document.querySelectorAll('#look-into :is(script, img, iframe)').length") == 0
    page.quiet()


@pytest.mark.parametrize("look", [{}, {"dark": True}, {"width": 390}])
@pytest.mark.parametrize("place", ["#system=system%201", "#system=system%201&with=system%203&topic=t4"])
def test_axe_finds_nothing_in_an_open_dialog(page: Page, look: dict[str, Any], place: str) -> None:
    page.open(place, **look)
    page.wait(lambda: title(page))
    assert page.js("return document.documentElement.scrollWidth <= innerWidth")
    assert violations(page.browser) == []


def exported(page: Page, table: str) -> str:
    """What the button of a table saves."""
    page.js(
        """
        window.saved = null;
        URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text; }); return "#"; };"""
    )
    page.click(f"#{table} [data-csv]")
    page.wait(lambda: page.js("return window.saved") is not None)
    return str(page.js("return window.saved"))


def test_a_table_is_saved_as_its_file_is(page: Page) -> None:
    lines = list(csv.reader(io.StringIO(exported(page, "table-2-1"))))
    expected = list(csv.reader(io.StringIO(to_csv(CELLS).decode())))
    assert lines[0] == expected[0] == ["'=name", "truth", "number", "whole"]
    assert [line[0] for line in lines] == [line[0].replace("\n", "\\x0a") for line in expected]
    assert [line[1] for line in lines] == [line[1] for line in expected]
    for column in (2, 3):
        for line, other in zip(lines[1:], expected[1:], strict=True):
            assert line[column] == other[column] or float(line[column]) == float(other[column])


def test_a_saved_table_has_all_rows(page: Page) -> None:
    lines = exported(page, "table-2-2").splitlines()
    assert lines[0] == "place,system"
    assert len(lines) == 3001
    assert lines[-1] == "2999,s3"
