"""Running contestants side by side, and the rows that come out.

The process that runs this stays small: a child's peak memory counts from what its parent had at the fork.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.probe import megabytes
from benchmarks.sizes import ROOT

ROUNDS = 3


@dataclass(frozen=True)
class Sample:
    """One measurement, or the medians of several."""

    seconds: float
    peak_mb: float
    value: float | None = None


@dataclass(frozen=True)
class Row:
    """One line of a benchmark: what was measured, the peer's number, ours, and whether the target is met."""

    what: str
    peer: str
    ours: str
    ratio: str
    target: str
    met: bool | None

    @property
    def verdict(self) -> str:
        return {None: "", True: "yes", False: "**no**"}[self.met]


Contestant = Callable[[], Sample]


def probe(function: str, *arguments: object) -> Sample:
    """Run `MODULE:FUNCTION` of this package in its own process and read off its measurement."""
    command = [sys.executable, "-m", "benchmarks.probe", f"benchmarks.{function}", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, check=True, text=True)
    return Sample(**json.loads(done.stdout.splitlines()[-1]))


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """What contestants run in: bytecode is kept, as it is of any package that was installed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | dict(more or {})


def command(*arguments: object, variables: Mapping[str, str] | None = None) -> Sample:
    """Run a whole Python command line, from start to exit, its output thrown away; its value: seconds of processors."""
    start = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        env=environment(variables),
    )
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, child.args)
    return Sample(seconds, megabytes(usage.ru_maxrss), usage.ru_utime + usage.ru_stime)


def side_by_side(contestants: Mapping[str, Contestant], rounds: int = ROUNDS) -> dict[str, Sample]:
    """Medians over rounds in which every contestant runs once, so that a busy machine disturbs them alike."""
    samples: dict[str, list[Sample]] = {name: [] for name in contestants}
    for number in range(1, rounds + 1):
        for name, run in contestants.items():
            samples[name].append(sample := run())
            say(f"round {number} of {rounds}: {name}: {seconds(sample.seconds)}, {sample.peak_mb:.0f} MB")
    return {
        name: Sample(
            statistics.median(s.seconds for s in of),
            statistics.median(s.peak_mb for s in of),
            statistics.median(values) if (values := [s.value for s in of if s.value is not None]) else None,
        )
        for name, of in samples.items()
    }


def once(name: str, run: Contestant) -> Sample:
    """One measurement of a contestant that prepares for so long that rounds of it would be most of a benchmark."""
    return side_by_side({name: run}, rounds=1)[name]


def faster(what: str, peer: str, theirs: Sample, ours: Sample, at_least: float | None) -> Row:
    """How many times faster ours is."""
    ratio = theirs.seconds / ours.seconds
    return Row(
        what,
        f"{peer}: {seconds(theirs.seconds)}",
        seconds(ours.seconds),
        f"{ratio:.1f}x",
        "" if at_least is None else f"at least {at_least:g}x faster",
        None if at_least is None else ratio >= at_least,
    )


def leaner(what: str, peer: str, theirs: Sample, ours: Sample, at_most: float | None) -> Row:
    """What part of the peer's peak memory ours takes."""
    share = ours.peak_mb / theirs.peak_mb
    return Row(
        what,
        f"{peer}: {theirs.peak_mb:.0f} MB",
        f"{ours.peak_mb:.0f} MB",
        f"{share:.2f}",
        "" if at_most is None else f"below {at_most:g} of it",
        None if at_most is None else share < at_most,
    )


def within(what: str, ours: Sample, limit: float) -> Row:
    """A time that has a limit and no peer."""
    return Row(what, "", seconds(ours.seconds), "", f"under {limit:g} s", ours.seconds < limit)


def below(what: str, ours: Sample, limit: float) -> Row:
    """A peak memory that has a limit and no peer."""
    return Row(what, "", f"{ours.peak_mb:.0f} MB", "", f"below {limit:.0f} MB", ours.peak_mb < limit)


def growth(what: str, few: int, many: int, half: Sample, full: Sample, slack: float = 1.2) -> Row:
    """Linear: twice as much takes no more than twice the time, within what a shared machine adds."""
    ratio, limit = full.seconds / half.seconds, many / few * slack
    return Row(
        f"{few} to {many} {what}",
        f"{few}: {seconds(half.seconds)}",
        seconds(full.seconds),
        f"{ratio:.2f} times",
        f"at most {limit:.2g} times",
        ratio <= limit,
    )


def seconds(value: float) -> str:
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.3g} ms"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
