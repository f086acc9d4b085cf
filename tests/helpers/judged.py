"""A demo collection with judges of known error, as files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from irassay import demo

MODEL = demo.Model(systems=9, groups=3, null_pairs=0, depth=60, candidates=900, documents=4000, pool_depth=20, seed=3)
TOPICS = 12
# P(judge | reference) by rows
NOISY = np.array([[0.9, 0.08, 0.02], [0.25, 0.6, 0.15], [0.1, 0.3, 0.6]])
LENIENT = np.array([[0.7, 0.25, 0.05], [0.05, 0.6, 0.35], [0.0, 0.15, 0.85]])

Line = tuple[str, str, int]


def redrawn(grades: NDArray[np.int64], chances: NDArray[np.float64], seed: int) -> NDArray[np.int64]:
    """Labels of a judge whose errors do not depend on the system."""
    draws = np.random.default_rng(seed).random(len(grades))
    return np.asarray((draws[:, None] > np.cumsum(chances, axis=1)[grades]).sum(axis=1))


def read(path: Path) -> list[Line]:
    words = [line.split() for line in path.read_text().splitlines()]
    return [(topic, document, int(grade)) for topic, _, document, grade in words]


def write(path: Path, lines: list[Line]) -> None:
    path.write_text("".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in lines))


def write_judged(folder: Path) -> None:
    """Runs, groups, `qrels.txt` and the judges copy, noisy, lenient, half (some documents only) and other topics."""
    demo.write(MODEL, folder, topics=range(TOPICS))
    lines = read(folder / "qrels.txt")
    grades = np.array([grade for _, _, grade in lines])

    def judged(new: NDArray[np.int64]) -> list[Line]:
        return [(topic, document, int(grade)) for (topic, document, _), grade in zip(lines, new, strict=True)]

    write(folder / "copy.qrels", lines)
    write(folder / "noisy.qrels", judged(redrawn(grades, NOISY, 1)))
    write(folder / "lenient.qrels", judged(redrawn(grades, LENIENT, 2)))
    half = [line for k, line in enumerate(judged(redrawn(grades, NOISY, 3))) if k % 2]
    write(folder / "half.qrels", [*half, *((str(t + 1), f"EXTRA-{t}", 1) for t in range(TOPICS))])
    others = folder / "others"
    demo.write(MODEL, others, topics=range(TOPICS, 3 * TOPICS))
    for run in (folder / "runs").iterdir():
        with run.open("a") as file:
            file.write((others / "runs" / run.name).read_text())
    (others / "qrels.txt").rename(folder / "elsewhere.qrels")
