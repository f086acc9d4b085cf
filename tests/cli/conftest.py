"""Fixtures for the tests of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.helpers.shell import Shell


@pytest.fixture
def shell(tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path, capfdbinary)
