"""From files to scores of six measures: inside a session, and as a whole command.

The peer has no command of its own for many runs; the script people write takes its place.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.harness import Row, command, faster, leaner, once, probe, side_by_side
from benchmarks.scoring import MEASURES, evaluated, evaluated_by_ranx, parsed, parsed_by_ranx, warm_up
from benchmarks.sizes import SMALL, TREC8, VARIANTS


def rows() -> list[Row]:
    results = []
    for variant, label in VARIANTS.items():
        ours = ("score", TREC8.qrels, TREC8.folder / variant, "--per-topic", "--format", "csv")
        best = side_by_side(
            {
                "pytrec_eval": partial(probe, "end_to_end:pytrec_eval", TREC8.folder, variant),
                "ours": partial(probe, "end_to_end:ours", TREC8.folder, variant),
                "script": partial(command, "-m", "benchmarks.end_to_end", TREC8.folder, variant),
                "irassay score": partial(command, "-m", "irassay", *ours, "-m", " ".join(MEASURES.values())),
            }
        )
        for what, theirs, mine in (
            (f"files to scores, {label}", best["pytrec_eval"], best["ours"]),
            (f"files to per-topic CSV, whole command, {label}", best["script"], best["irassay score"]),
        ):
            results += [
                faster(what, "pytrec_eval", theirs, mine, 6),
                leaner(f"peak memory, {what}", "pytrec_eval", theirs, mine, 0.5),
            ]
        ranx = once("ranx", partial(probe, "end_to_end:ranx", TREC8.folder, variant))
        results.append(faster(f"files to scores, {label}", "ranx", ranx, best["ours"], None))
    return results


def pytrec_eval(collection: str, variant: str) -> Callable[[], object]:
    import pytrec_eval as peer  # noqa: F401  # the import is not timed

    return lambda: evaluated(*parsed(collection, variant))


def ranx(collection: str, variant: str) -> Callable[[], object]:
    evaluated_by_ranx(*parsed_by_ranx(str(SMALL.folder)))  # compiles
    return lambda: evaluated_by_ranx(*parsed_by_ranx(collection, variant))


def ours(collection: str, variant: str) -> Callable[[], object]:
    import irassay

    warm_up(None)

    def work() -> object:
        qrels = irassay.read_qrels(Path(collection, "qrels.txt"))
        runs = irassay.read_runs(Path(collection, variant))
        return irassay.align(qrels, runs).score(" ".join(MEASURES.values()))

    return work


def script(collection: str, variant: str) -> None:
    """The peer's way to a per-topic CSV on standard output."""
    writer = csv.writer(sys.stdout)
    writer.writerow(("system", "topic", "measure", "score"))
    for system, topics in evaluated(*parsed(collection, variant)).items():
        for topic, scores in topics.items():
            writer.writerows((system, topic, name, score) for name, score in scores.items())


if __name__ == "__main__":
    script(*sys.argv[1:])
