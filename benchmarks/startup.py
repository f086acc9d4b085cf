"""What a user waits for before anything is computed: the help text, the very first command, any later one."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from tempfile import TemporaryDirectory

from benchmarks.harness import Row, Sample, command, side_by_side, within
from benchmarks.sizes import ROOT, SMALL

HEAVY = ("numpy", "numba")


def rows() -> list[Row]:
    score = ("-m", "irassay", "score", SMALL.qrels, SMALL.folder / "short", "-m", "AP nDCG@10")
    command(*score)  # fills the cache for the warm ones
    best = side_by_side(
        {
            "irassay --help": partial(command, "-m", "irassay", "--help"),
            "first irassay score": lambda: _cold(*score),
            "later irassay score": partial(command, *score),
        }
    )
    return [
        within("irassay --help", best["irassay --help"], 0.5),
        _imports(),
        within("the very first irassay score, small collection, empty cache", best["first irassay score"], 8),
        within("any later irassay score, small collection", best["later irassay score"], 2),
    ]


def _cold(*arguments: object) -> Sample:
    with TemporaryDirectory() as cache:
        return command(*arguments, environment={"IRASSAY_CACHE": cache})


def _imports() -> Row:
    """Which heavy packages `irassay --help` imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "irassay", "--help"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    modules = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    imported = [name for name in HEAVY if name in modules]
    return Row(
        "imported by irassay --help",
        "",
        ", ".join(imported) or "neither",
        "",
        f"not {' or '.join(HEAVY)}",
        not imported,
    )
