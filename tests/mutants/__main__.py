"""`python -m tests.mutants [MODULE...]`: modules of `irassay.ask` by name; all of them by default.

What is known is kept in `.mutants`: a run that was stopped goes on, and a test that was added runs on survivors only.
Mutants that survive are printed; docs/testing.md explains those that cannot be killed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from pathlib import Path

import pytest

from tests.mutants.running import Run
from tests.mutants.tests_of import ASK, files_of

FOLDER = Path(".mutants")
OPTIONS = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist"]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at a time (default: one a core)")
    options = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    left = 0
    for name in options.modules or sorted(path.stem for path in ASK.glob("*.py") if path.stem != "__init__"):
        started, run = time.monotonic(), Run(name, files_of(name), FOLDER, options.jobs)
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            status = pytest.main([*OPTIONS, *run.files], plugins=[run])
        if run.failed or status:
            print(f"{name}: without a mutant {' '.join(sorted(set(run.failed))) or status!r} fails", flush=True)
            left += 1
            continue
        survivors, total = run.survivors(), sum(1 for _ in run.mutants())
        seconds = time.monotonic() - started
        print(f"{name}: {total - len(survivors)} of {total} mutants killed, {seconds:.0f} s", *survivors, sep="\n  ")
        sys.stdout.flush()
        left += len(survivors)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
