"""MS MARCO's size: 6,980 topics x 50 systems x 1,000 documents, 349 million lines: read and scored, and whole commands.

`python -m benchmarks.large`, on its own: it writes about 13 GB under .benchmarks and takes a quarter of an hour;
`python -m benchmarks.large power` runs one of reading, compare, power, uncertainty, pairs. The peak of the process
counts: under 4 GB for reading without retrieval scores, 8 GB with them and for each command, which has three minutes.
`pairs` is something else: `power` of 5,000 systems x 50 topics, 12.5 million pairs, under 2 GB.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from benchmarks.harness import command, probe, say
from benchmarks.sizes import ROOT

CORPUS, CANDIDATES, DEPTH = 8_841_823, 4_000, 1_000
MEASURES = "AP nDCG@10 P@10 RR Rprec RBP(p=0.95)"
COMMANDS = {
    "compare": (),
    "power": (),
    "uncertainty": ("--vary", "topics,documents", "--corpus-size", str(CORPUS)),
}
MANY = 5_000  # systems
SECONDS, GIGABYTES = 180.0, 8.0  # of each command, from start to exit


@njit(nogil=True)
def _digits(out: Any, at: int, value: int, width: int) -> int:
    for k in range(width - 1, -1, -1):
        out[at + k] = 48 + value % 10
        value //= 10
    return at + width


@njit(nogil=True)
def _lines(out: Any, topic: int, documents: Any, tag: int) -> int:
    """`1048585 Q0 D1234567 1 12.345678 s07` for each document; scores fall."""
    at = 0
    for r in range(documents.shape[0]):
        at = _digits(out, at, 1_000_000 + topic, 7)
        for byte in (32, 81, 48, 32, 68):
            out[at] = byte
            at += 1
        at = _digits(out, at, documents[r], 7)
        out[at] = 32
        at = _digits(out, at + 1, r + 1, 4)
        out[at] = 32
        at = _digits(out, at + 1, 40 - r // 30, 2)
        out[at] = 46
        at = _digits(out, at + 1, 999_999 - (r % 30) * 33_000 - documents[r] % 1000, 6)
        out[at] = 32
        out[at + 1] = 115
        at = _digits(out, at + 2, tag, 2)
        out[at] = 10
        at += 1
    return at


def generate(folder: Path, topics: int, systems: int) -> None:
    """Runs that share candidates topic by topic, and a handful of judged documents a topic."""
    if (folder / "done").exists():
        return
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    say(f"writing {topics * systems * DEPTH:,} lines to {folder}")
    rng = np.random.default_rng(1)
    buffer = np.empty(DEPTH * 48, dtype=np.uint8)
    files = [open(folder / "runs" / f"s{s:02}.txt", "wb", buffering=1 << 20) for s in range(systems)]  # noqa: SIM115
    with open(folder / "qrels.txt", "w", encoding="ascii") as qrels:
        for t in range(topics):
            candidates = rng.choice(CORPUS, CANDIDATES, replace=False)
            for document in candidates[:6]:
                qrels.write(f"{1_000_000 + t} 0 D{document:07} {int(rng.integers(0, 3))}\n")
            worth = rng.random(CANDIDATES)
            worth[:6] += 0.5
            for s, file in enumerate(files):
                order = np.argpartition(-(worth + rng.random(CANDIDATES)), DEPTH)[:DEPTH]
                file.write(buffer[: _lines(buffer, t, candidates[order], s)].tobytes())
    for file in files:
        file.close()
    (folder / "done").touch()


def scored(folder: str, keep_scores: str) -> Any:
    """The work of one measurement: read, align, score."""
    import irassay

    keep = keep_scores == "True"

    def work() -> float:
        start = time.perf_counter()
        # runs that `align` reads itself are let go of piece by piece
        panel = irassay.align(Path(folder, "qrels.txt"), Path(folder, "runs"), keep_scores=keep)
        aligned = time.perf_counter()
        scores = panel.score(MEASURES)
        end = time.perf_counter()
        say(f"read and aligned {aligned - start:.1f} s, scored {end - aligned:.2f} s")
        return float(scores["AP"].means().mean())

    return work


def read_and_scored(folder: Path) -> int:
    """How many limits are missed."""
    missed = 0
    for keep, most in ((False, 4.0), (True, 8.0)):
        sample = probe("large:scored", os.fspath(folder), keep)
        what = "with retrieval scores" if keep else "without retrieval scores"
        say(f"{what}: {sample.seconds:.1f} s, peak {sample.peak_mb / 1e3:.2f} GB of {most:g}; mean AP {sample.value}")
        missed += sample.peak_mb / 1e3 > most
    return missed


def whole_command(name: str, folder: Path) -> int:
    """The same of a command with two measures, two threads and its other defaults."""
    data = folder / "qrels.txt", folder / "runs"
    arguments = ("-m", "irassay", name, *data, "-m", "AP nDCG@10", *COMMANDS[name], "--jobs", "2", "--format", "json")
    sample = command(*arguments)
    gigabytes = sample.peak_mb / 1e3
    say(f"{name}: {sample.seconds:.1f} s of {SECONDS:g}, peak {gigabytes:.2f} GB of {GIGABYTES:g}")
    return int(sample.seconds > SECONDS) + int(gigabytes > GIGABYTES)


def power_of_many() -> Any:
    """The work of one measurement: all tests and tables of generated scores of 5,000 systems."""
    import irassay
    from irassay.scoring.scores import Scores

    rng = np.random.default_rng(0)
    worth = rng.normal(-1.2, 0.6, (1, MANY, 1)) + rng.normal(0.0, 1.2, (1, 1, 50))
    values = 1 / (1 + np.exp(-worth - rng.normal(0.0, 0.9, (1, MANY, 50))))
    topics = tuple(str(t) for t in range(50))

    def work(systems: int) -> float:
        scores = Scores(("AP",), tuple(f"system{s:04}" for s in range(systems)), topics, values[:, :systems].copy())
        result = irassay.power(scores, resamples=1_000, jobs=2)
        return float(next(iter(result["power"]["discriminative_power"])))

    work(20)  # loads the kernels
    return lambda: work(MANY)


def many_pairs(folder: Path) -> int:
    sample = probe("large:power_of_many")
    peak = sample.peak_mb / 1e3
    say(f"power of {MANY:,} systems: {sample.seconds:.1f} s, peak {peak:.2f} GB of 2; {sample.value} of pairs differ")
    return int(peak > 2.0)


WORK: dict[str, Callable[[Path], int]] = {
    "reading": read_and_scored,
    **{name: partial(whole_command, name) for name in COMMANDS},
    "pairs": many_pairs,
}


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("what", nargs="*", choices=tuple(WORK))
    arguments.add_argument("--topics", type=int, default=6980)
    arguments.add_argument("--systems", type=int, default=50)
    options = arguments.parse_args()
    folder = ROOT / ".benchmarks" / f"large-{options.topics}-{options.systems}"
    chosen = options.what or tuple(WORK)
    if set(chosen) != {"pairs"}:
        generate(folder, options.topics, options.systems)
    missed = sum(WORK[name](folder) for name in chosen)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
