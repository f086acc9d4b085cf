"""The documentation site in a browser: it fits a phone, can be read by all, and asks for nothing but its own files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import axe, site

PAGES = (
    "index",
    "concepts",
    "coming_from",
    "measures",
    "measures/nDCG",
    "commands/uncertainty",
    "api/studies",
    "papers/zobel2020corpus",
    "calibration",
    "data",
    "architecture",
)
SCHEMES = {"light": "default", "dark": "slate"}
WIDE, PHONE = (1280, False), (390, True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site")
    site.build(place)
    return place


def show(browser: Any, page: Path, size: tuple[int, bool], scheme: str = "light") -> None:
    width, mobile = size
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": mobile}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    media = {"media": "", "features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    browser.get(page.as_uri())


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_no_page_of_the_site_is_wider_than_the_screen(
    chromium: Any, folder: Path, name: str, size: tuple[int, bool]
) -> None:
    show(chromium, folder / f"{name}.html", size)
    assert chromium.execute_script("return document.documentElement.scrollWidth") <= size[0]


def test_a_page_of_the_site_asks_for_nothing_but_its_own_files(chromium: Any, folder: Path) -> None:
    chromium.get_log("performance")
    for name in PAGES:
        show(chromium, folder / f"{name}.html", WIDE)
    events = [json.loads(entry["message"])["message"] for entry in chromium.get_log("performance")]
    asked = {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
    assert any(url.endswith("index.html") for url in asked)
    assert {url for url in asked if not url.startswith(("file:", "data:", "blob:"))} == set()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_the_site_can_be_read_by_all(chromium: Any, folder: Path, scheme: str) -> None:
    for name in ("index", "measures/nDCG", "concepts", "coming_from", "api/reading"):
        page = folder / f"{name}.html"
        show(chromium, page, WIDE, scheme)
        chromium.execute_script("localStorage.clear()")  # the theme keeps the scheme of the first page
        show(chromium, page, WIDE, scheme)
        assert chromium.execute_script("return document.body.dataset.mdColorScheme") == SCHEMES[scheme]
        # the theme's own navigation has parts of one name
        assert axe.violations(chromium, "landmark-unique") == []
