"""The page docs/benchmarks.md: the tables, the machine they come from, and how to repeat them."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.harness import ROUNDS, Row
from benchmarks.sizes import TREC8, VARIANTS

PACKAGES = ("irassay", "numpy", "numba", "pandas", "pytrec-eval-terrier", "ir_measures")

HEADER = ("what", "peer", "irassay", "ratio", "target", "met")


def page(results: Mapping[str, list[Row]], seconds: float, load: float) -> str:
    """The whole page; `seconds` is what all benchmarks took together, `load` the machine's before."""
    tables = "\n\n".join(f"{title(name)}\n\n{table(rows)}" for name, rows in results.items())
    lines = f"{TREC8.runs * TREC8.topics * TREC8.depth / 1e6:.2f} million lines"
    sizes = ", ".join(f"{TREC8.megabytes(variant):.0f} MB with {label}" for variant, label in VARIANTS.items())
    return f"""# Benchmarks

Written by `make bench`; do not edit.

A generated collection of TREC-8's size: {TREC8.runs} runs x {TREC8.topics} topics x {TREC8.depth} documents,
{lines};
{sizes}.

Every number is the median of {ROUNDS} rounds in which all contestants ran in turn, each in its own process; ranx,
which compiles for up to a minute in each, ran once.
Peak memory is that of the whole process. Times inside a session start when all is imported and kernels are
loaded; times of whole commands hold everything from start to exit. Before scoring is timed, all scores are
compared with the peer's (to 1e-9).

{machine()} Load before the first benchmark: {load:.1f}.

{tables}

## Repeat it

`make bench` runs everything ({seconds / 60:.0f} minutes on the machine above); `python -m benchmarks reading`
runs one of {", ".join(results)}. The collection is generated once, from a fixed seed, under `.benchmarks/`.
"""


def updated(text: str, results: Mapping[str, list[Row]], load: float) -> str:
    """The page with newer tables of some benchmarks, and where and when these were run."""
    for name, rows in results.items():
        before, heading, rest = text.partition(f"{title(name)}\n\n")
        if not heading:
            raise SystemExit(f"{title(name)} is not in the page\n\nhint: make bench")
        following = rest[rest.index("\n\n## ") :]
        again = f"Run again on its own: {machine()} Load before: {load:.1f}."
        text = f"{before}{heading}{again}\n\n{table(rows)}{following}"
    return text


def title(name: str) -> str:
    return f"## {name.replace('_', ' ').capitalize()}"


def table(rows: list[Row]) -> str:
    cells = [HEADER, *((r.what, r.peer, r.ours, r.ratio, r.target, r.verdict) for r in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in cells]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def machine() -> str:
    packages = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    return (
        f"{date.today().isoformat()}, {_processor()}, {_cores()} cores, {_memory()} GB memory, "
        f"{platform.system()}, Python {platform.python_version()}, {packages}."
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _memory() -> int:
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        from irassay import __version__

        return __version__
