"""Draws of missing judgments: probabilities, grades and scores of a collection of TREC-8's size; and the whole command.

Nothing else draws judgments, so there is no peer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.harness import Row, Sample, below, command, growth, probe, side_by_side, within
from benchmarks.sizes import TREC8

REPLICATES, SEED, THREADS = 1_000, 0, 2
MEASURES = "AP nDCG@10 Q RBP(p=0.95) RR"


def rows() -> list[Row]:
    best = side_by_side(
        {
            "half": partial(probe, "unjudged:drawn", REPLICATES // 2),
            "whole": partial(probe, "unjudged:drawn", REPLICATES),
            "command": _command,
        }
    )
    size = f"{REPLICATES:,} draws x {TREC8.runs} systems x {TREC8.topics} topics x 5 measures"
    return [
        within(f"{size}, probabilities learned, with verdicts", best["whole"], 20),
        below("peak memory of that", best["whole"], 2000),
        growth("draws", REPLICATES // 2, REPLICATES, best["half"], best["whole"]),
        Row(
            f"{size}, with bounds and what to judge, as a command", "", f"{best['command'].seconds:.1f} s", "", "", None
        ),
    ]


def _command() -> Sample:
    options = ["-m", MEASURES, "--replicates", REPLICATES, "--jobs", THREADS]
    return command("-m", "irassay", "unjudged", TREC8.qrels, TREC8.folder / "short", *options)


def observed() -> Any:
    import irassay
    from irassay.vary.variation import Observed

    panel = irassay.align(TREC8.qrels, TREC8.folder / "short", unanswerable="drop")
    return Observed(panel.score(MEASURES), panel)


def drawn(replicates: str) -> Callable[[], object]:
    from irassay.vary.replicates import replicates as make
    from irassay.vary.unjudged import Unjudged

    data = observed()
    make(Unjudged(replicates=2, seed=SEED), data, jobs=THREADS)  # loads the kernels
    return lambda: make(Unjudged(replicates=int(replicates), seed=SEED), data, jobs=THREADS)
