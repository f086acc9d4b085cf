"""`python -m tests.fuzz`: cases one after the other until one has a problem, or until Ctrl-C.

The seed of the running case is in `.fuzz/running`, should the process die with it. A problem is printed, and its
shrunk files, command and message are written to `.fuzz/TARGET-SEED`.
"""

from __future__ import annotations

import argparse
import itertools
import shlex
import shutil
import sys
import time
from pathlib import Path

from tests.fuzz.cases import TARGETS, Case, case
from tests.fuzz.checking import problem
from tests.fuzz.shrinking import kind_of, shrunk

FOLDER = Path(".fuzz")
EVERY = 10.0  # seconds between two lines of progress
# of every hundred cases; pages take a hundred times as long as reading
WEIGHTS = {"result folders": 2, "options": 8, "formats": 15, "trec": 20, "collections files": 5}
KERNELS = ("formats", "trec", "formats", "trec", "runs", "judgments", "options")  # what comes to compiled code


def main() -> int:
    options = _options()
    FOLDER.mkdir(exist_ok=True)
    targets = [options.target] if options.target else KERNELS if options.kernels else _mixed()
    started = shown = time.monotonic()
    done, seen = 0, set[str]()
    for number in itertools.count(options.seed):
        if done == options.cases:
            break
        target = targets[number % len(targets)]
        (FOLDER / "running").write_text(f"--target {target!r} --seed {number}\n")
        one = case(target, number)
        if message := problem(one, options.seconds):
            if kind_of(message) not in seen:
                _report(one, message, options.seconds)
            if not options.go_on:
                return 1
            seen.add(kind_of(message))
        done += 1
        if (now := time.monotonic()) - shown >= EVERY:
            shown = now
            print(f"{done} cases, {done / (now - started):.1f} per second, seed {number}", flush=True)
    print(f"{done} cases, {len(seen)} kinds of problems, {done / (time.monotonic() - started):.1f} per second")
    return 1 if seen else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--cases", type=int, default=-1, help="how many cases (default: until Ctrl-C)")
    parser.add_argument("--target", choices=TARGETS, help="only this kind of input")
    parser.add_argument("--kernels", action="store_true", help="only what comes to compiled code")
    parser.add_argument("--seconds", type=int, default=60, help="a case that takes longer has a problem")
    parser.add_argument("--go-on", action="store_true", help="do not stop at a problem; show one of each kind")
    return parser.parse_args()


def _mixed() -> list[str]:
    """The targets, each as often as its weight, mixed."""
    rest = (100 - sum(WEIGHTS.values())) // (len(TARGETS) - len(WEIGHTS))
    left = {target: WEIGHTS.get(target, rest) for target in TARGETS}
    mixed = []
    while any(left.values()):
        for target in TARGETS:
            if left[target]:
                left[target] -= 1
                mixed.append(target)
    return mixed


def _report(one: Case, message: str, seconds: int) -> None:
    small = shrunk(one, lambda tried: problem(tried, seconds))
    message = problem(small, seconds) or message
    folder = FOLDER / f"{one.target}-{one.seed}".replace(" ", "-")
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in small.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    text = f"irassay {shlex.join(small.arguments)}\n\n{message}\n"
    (folder / "problem.txt").write_bytes(text.encode("utf-8", "surrogateescape"))
    again = f"python -m tests.fuzz --target {one.target!r} --seed {one.seed} --cases 1"
    print(f"PROBLEM {folder}: {again}\n{text}".encode("utf-8", "backslashreplace").decode(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
