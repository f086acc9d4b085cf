"""`python -m benchmarks [NAME...]`: run all benchmarks, or the named ones, and print their tables.

A run of all of them also writes docs/benchmarks.md; `--update` puts the tables of some there in place of older ones.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from importlib import import_module

from benchmarks.harness import Row, say
from benchmarks.page import page, table, updated
from benchmarks.sizes import ROOT

NAMES = (
    *(
        "reading",
        "formats",
        "scoring",
        "end_to_end",
        "startup",
        "power",
        "compare",
        "leaderboard",
        "corpus",
        "variance",
    ),
    "uncertainty",
    "unjudged",
    "threads",
    "cluster",
)


PAGE = ROOT / "docs" / "benchmarks.md"


def main(arguments: list[str]) -> int:
    update = "--update" in arguments
    arguments = [name for name in arguments if name != "--update"]
    unknown = [name for name in arguments if name not in NAMES]
    if unknown:
        say(f"no benchmark named {', '.join(unknown)}\n\nhint: {', '.join(NAMES)}")
        return 2
    # in its own process, so that this one stays small
    subprocess.run([sys.executable, "-m", "benchmarks.generate"], cwd=ROOT, check=True)
    start, load = time.perf_counter(), os.getloadavg()[0]
    if load > 0.5:
        say(f"the machine is busy (load {load:.1f}): the times below mean little")
    results: dict[str, list[Row]] = {}
    for name in arguments or NAMES:
        say(f"== {name}")
        results[name] = import_module(f"benchmarks.{name}").rows()
        print(f"\n{name}\n{table(results[name])}\n", flush=True)
    if not arguments:
        PAGE.write_text(page(results, time.perf_counter() - start, load), encoding="utf-8")
    elif update:
        PAGE.write_text(updated(PAGE.read_text(encoding="utf-8"), results, load), encoding="utf-8")
    missed = [row for rows in results.values() for row in rows if row.met is False]
    for row in missed:
        say(f"target missed: {row.what}: {row.ours}, {row.ratio} {row.peer}, {row.target}")
    say(f"{len(missed)} targets missed" if missed else "all targets met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
