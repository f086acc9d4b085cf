"""Which tests run against the mutants of a module."""

from __future__ import annotations

import re
from pathlib import Path

import irassay

ASK = Path(irassay.__file__).parent / "ask"
TESTS = Path(__file__).parent.parent / "ask"
SAMPLING = "test_calibration"  # levels and coverage, which take seconds each


def files_of(name: str) -> list[str]:
    """The test files that name a module or, of kernels, what imports it; the one that mirrors it first."""
    mention = re.compile(rf"irassay\.ask\.{name}\b|from irassay\.ask import [^\n]*\b{name}\b")
    mirror = TESTS / f"test_{name.lstrip('_')}.py"
    places = [path for path in (mirror, *sorted(TESTS.glob("test_*.py"))) if path.exists() and path.stem != SAMPLING]
    files = [str(path) for path in places if path == mirror or mention.search(path.read_text(encoding="utf-8"))]
    if name.startswith("_") or not files:
        users = (path.stem for path in sorted(ASK.glob("*.py")) if mention.search(path.read_text(encoding="utf-8")))
        files += [file for user in users for file in files_of(user)]
    return list(dict.fromkeys(files))
