"""What a user waits for before anything is computed: the help text, the very first command, any later one.

Below 100,000 lines nothing is compiled, so that a first command is like any other; above, kernels are, once. Seconds of
processors stand beside the seconds of the clock: other work on the machine lengthens those less.
"""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from tempfile import TemporaryDirectory

from benchmarks.harness import Row, Sample, command, faster, seconds, side_by_side, within
from benchmarks.sizes import MEDIUM, ROOT, SMALL

HEAVY = ("numpy", "numba")
LIMITS = {"score": 0.4, "check": 0.5, "compare": 0.8}  # seconds on a small collection, first and later
MEASURES = ("-m", "AP nDCG@10")


def rows() -> list[Row]:
    small, run = SMALL.folder / "short", min((SMALL.folder / "short").iterdir())
    contestants = {
        "irassay --help": partial(command, "-m", "irassay", "--help"),
        "ir_measures, one run": partial(command, "-m", "ir_measures", SMALL.qrels, run, "AP", "nDCG@10"),
        "irassay score, one run": partial(command, "-m", "irassay", "score", SMALL.qrels, run, *MEASURES),
        "pytrec_eval's script": partial(command, "-m", "benchmarks.end_to_end", SMALL.folder, "short"),
        "numba with one cached kernel": partial(command, "-m", "benchmarks.one_kernel"),
    }
    for study in LIMITS:
        measures = () if study == "check" else MEASURES
        given = ("-m", "irassay", study, SMALL.qrels, small, *measures)
        contestants |= {f"first {study}": partial(_cold, *given), f"later {study}": partial(command, *given)}
    score = ("-m", "irassay", "score", MEDIUM.qrels, MEDIUM.folder / "short", *MEASURES)
    command(*score)  # fills the cache for the warm one
    command("-m", "benchmarks.one_kernel")
    contestants |= {"first score, kernels": partial(_cold, *score), "later score, kernels": partial(command, *score)}
    best = side_by_side(contestants)
    one = best["numba with one cached kernel"]
    lines = f"{MEDIUM.runs * MEDIUM.topics * MEDIUM.depth + MEDIUM.topics * MEDIUM.judged:,} lines"
    warm = best["later score, kernels"]
    return [
        within("irassay --help", best["irassay --help"], 0.5),
        _imports(),
        *(
            within(f"{when} irassay {study}, small collection", best[f"{when} {study}"], limit)
            for study, limit in LIMITS.items()
            for when in ("first", "later")
        ),
        faster("score of one run", "ir_measures", best["ir_measures, one run"], best["irassay score, one run"], None),
        faster(f"score of {SMALL.runs} runs", "pytrec_eval", best["pytrec_eval's script"], best["later score"], None),
        within(f"first irassay score, {lines}, empty cache", best["first score, kernels"], 6),
        Row(
            f"later irassay score, {lines}",
            f"numba with one cached kernel: {seconds(one.seconds)}",
            seconds(warm.seconds),
            f"{warm.seconds / one.seconds:.2f} times",
            "at most 1.3 times",
            warm.seconds <= 1.3 * one.seconds,
        ),
        *(_processors(name, sample) for name, sample in best.items()),
    ]


def _processors(name: str, sample: Sample) -> Row:
    return Row(f"seconds of processors: {name}", "", seconds(sample.value or 0.0), "", "", None)


def _cold(*arguments: object) -> Sample:
    with TemporaryDirectory() as cache:
        return command(*arguments, variables={"IRASSAY_CACHE": cache})


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
