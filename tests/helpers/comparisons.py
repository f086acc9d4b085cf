"""A collection to compare systems on, and `irassay.compare` on it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import irassay
from irassay import Result
from irassay.report import to_csv

TOPICS, SAMPLES = 24, 600
TESTS = ("t", "paired-bootstrap", "randomization", "wilcoxon", "sign", "tukey")


def write_comparison(folder: Path) -> None:
    """Five systems of different quality; the last one finds documents that nobody judged."""
    (folder / "runs").mkdir()
    draw = random.Random(3)
    grades = {(t, d): draw.choice((0, 0, 0, 1, 1, 2)) for t in range(TOPICS) for d in range(40)}
    (folder / "qrels.txt").write_text("".join(f"{t + 1} 0 d{d} {g}\n" for (t, d), g in grades.items()))
    for s in range(5):
        lines = []
        for t in range(TOPICS):
            scores = {f"d{d}": (0.1 + 0.25 * s) * grades[t, d] + draw.gauss(0, 1) for d in range(40)}
            best = sorted(scores, key=lambda d: -scores[d])[:20]
            if s == 4:
                best = [d for pair in zip(best, [f"u{k}" for k in range(20)], strict=True) for d in pair][2:20]
            lines += [f"{t + 1} Q0 {d} {r} {20 - r} s{s}\n" for r, d in enumerate(best, 1)]
        (folder / "runs" / f"s{s}.txt").write_text("".join(lines))
    panel = irassay.align(irassay.read_qrels(folder / "qrels.txt"), irassay.read_runs(folder / "runs"))
    (folder / "scores.csv").write_bytes(to_csv(panel.score("AP nDCG@10").long()))


def compared(**more: Any) -> Result:
    return irassay.compare(**{"scores": "scores.csv", "resamples": SAMPLES, "measures": "AP", **more})


def values(measure: str = "AP") -> NDArray[np.float64]:
    return irassay.read_scores("scores.csv")[measure].values
