"""What a test needs that a machine may lack: data, a browser, LaTeX, a GPU."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_unless_required(what: str, reason: str) -> NoReturn:
    """Skip the test, unless $IRASSAY_REQUIRE lists what is missing: then it fails."""
    if what in os.environ.get("IRASSAY_REQUIRE", "").split(","):
        pytest.fail(reason)
    pytest.skip(reason)
