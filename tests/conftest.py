"""Fixtures for all tests."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import irassay.compute.kernel  # noqa: F401 - kernels are there from the first test on, whichever it is
from irassay.compute.gpu import cupy
from irassay.errors import InputError, MissingExtraError
from tests.helpers.requirements import skip_unless_required

# timings never go into tests: a busy machine is no failure
settings.register_profile("irassay", deadline=None)
settings.load_profile("irassay")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of the real runs; without it the test is skipped, unless $IRASSAY_REQUIRE asks for `data`."""
    place = os.environ.get("IRASSAY_DATA")
    if not place:
        skip_unless_required("data", "IRASSAY_DATA is not set: the real runs are not here")
    return Path(place)


@pytest.fixture(scope="session")
def pdflatex() -> str:
    """The program; without it the test is skipped, unless $IRASSAY_REQUIRE asks for `latex`."""
    program = shutil.which("pdflatex")
    if program is None:
        skip_unless_required("latex", "there is no pdflatex: tables are not compiled")
    return program


@pytest.fixture(scope="session")
def gpu() -> None:
    """A GPU; without one the test is skipped, unless $IRASSAY_REQUIRE asks for `gpu`."""
    try:
        cupy()
    except (MissingExtraError, InputError) as error:
        skip_unless_required("gpu", f"no GPU here: {error}".splitlines()[0])


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A headless Chromium; without one the test is skipped, unless $IRASSAY_REQUIRE asks for `browser`."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    binary = next((found for name in names if (found := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    if not (binary and driver and importlib.util.find_spec("selenium")):
        missing = "there is no Chromium with its chromedriver, or no selenium: the page is not opened"
        skip_unless_required("browser", missing)
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for word in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "disable-gpu", "hide-scrollbars"):
        options.add_argument(f"--{word}")
    # a browser asks for updates and lists of its own accord; what is left on the wire is the page's doing
    for word in ("background-networking", "component-update", "default-apps", "extensions", "sync"):
        options.add_argument(f"--disable-{word}")
    options.add_argument("--no-first-run")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        yield browser
    finally:
        browser.quit()
