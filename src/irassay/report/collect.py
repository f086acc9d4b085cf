"""Saved results in folders and in the folders below them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from irassay.errors import InputError
from irassay.report.load import load_result
from irassay.result import Result


def collect_results(folders: Iterable[str | os.PathLike[str]]) -> list[tuple[str, Result]]:
    """Name and result of every result folder: the given ones, and those below a given one, each once.

    Below a folder they come in the order of their studies: what is in the data, then how far to trust it.
    """
    results: list[tuple[str, Result]] = []
    seen: set[str] = set()
    for folder in folders:
        root = Path(folder)
        places = [root] if (root / "result.json").exists() or not root.is_dir() else _below(root)
        if not places:
            raise InputError("there is no irassay result in this folder", str(folder), "give a folder made with --out")
        loaded = []
        for place in places:
            whole = os.path.realpath(place)
            if whole not in seen:
                seen.add(whole)
                loaded.append((Path(whole).name, load_result(place)))
        results += sorted(loaded, key=lambda named: named[1].order)
    return results


def _below(root: Path) -> list[Path]:
    places = []
    for place, inside, files in os.walk(root):
        # half-written neighbours and results themselves have nothing more inside
        inside[:] = [] if "result.json" in files else sorted(name for name in inside if not name.startswith("."))
        if "result.json" in files:
            places.append(Path(place))
    return sorted(places)
