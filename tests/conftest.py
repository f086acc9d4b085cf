"""Fixtures for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# timings never go into tests: a busy machine is no failure
settings.register_profile("irassay", deadline=None)
settings.load_profile("irassay")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of the real runs; without it the test is skipped, unless $IRASSAY_REQUIRE asks for `data`."""
    place = os.environ.get("IRASSAY_DATA")
    if place:
        return Path(place)
    missing = "IRASSAY_DATA is not set: the real runs are not here"
    if "data" in os.environ.get("IRASSAY_REQUIRE", "").split(","):
        pytest.fail(missing)
    pytest.skip(missing)
