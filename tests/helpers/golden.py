"""The golden files: exact numbers that were computed elsewhere (tests/golden/README.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "golden"


def golden(name: str) -> dict[str, Any]:
    """The content of a golden file: `measures`, `methods` or `names`."""
    content: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text())
    return content
