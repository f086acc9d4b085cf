"""A small seeded test collection: topics, graded judgments by pooling, and systems of known strength.

Every random number comes from the Philox streams, so the same seed writes the same files everywhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.engine.philox import words

SYSTEMS = {  # how much of a system's score is relevance (the rest is noise), and its group
    "alpha1": (1.9, "Alpha"),
    "alpha2": (1.8, "Alpha"),
    "beta": (1.5, "Beta"),
    "gamma": (1.2, "Gamma"),
    "delta-rounded": (1.5, "Delta"),
    "epsilon": (0.6, "Epsilon"),
}
TOPIC_STREAM, SYSTEM_STREAM = 1, 1000


def _normals(count: int, *, seed: int, stream: int, replicate: int) -> NDArray[np.float64]:
    """Standard normal numbers from counted words (Box and Muller)."""
    uniform = (words(2 * count, seed=seed, stream=stream, replicate=replicate) + 0.5) / 2.0**32
    radius = np.sqrt(-2.0 * np.log(uniform[:count]))
    return np.asarray(radius * np.cos(2.0 * np.pi * uniform[count:]))


def write(
    folder: Path, *, topics: int = 20, documents: int = 1000, depth: int = 200, pool: int = 20, seed: int = 0
) -> None:
    """Write `qrels.txt`, `groups.txt` and `runs/NAME.txt`."""
    (folder / "runs").mkdir(parents=True)
    lists: dict[str, list[str]] = {name: [] for name in SYSTEMS}
    judged: list[str] = []
    for topic in range(1, topics + 1):
        hidden = _normals(documents, seed=seed, stream=TOPIC_STREAM, replicate=topic)
        # the bar for relevance differs from topic to topic, and so does R
        bar = 1.7 + 0.35 * _normals(1, seed=seed, stream=TOPIC_STREAM + 1, replicate=topic)[0]
        grade = (hidden > bar).astype(int) + (hidden > bar + 0.6)
        pooled: set[int] = set()
        for number, (name, (strength, _)) in enumerate(SYSTEMS.items()):
            noise = _normals(documents, seed=seed, stream=SYSTEM_STREAM + number, replicate=topic)
            score = strength * hidden + 1.6 * noise
            if name.endswith("rounded"):
                score = np.round(score)  # ties, as systems with few distinct scores have them
            ranked = np.argsort(-score, kind="stable")[:depth]
            pooled.update(ranked[:pool].tolist())
            lists[name] += [_line(topic, int(d), r, score[d], name) for r, d in enumerate(ranked, start=1)]
        judged += [f"{topic} 0 {_name(d)} {grade[d]}\n" for d in sorted(pooled)]
    (folder / "qrels.txt").write_text("".join(judged), encoding="utf-8")
    (folder / "groups.txt").write_text("".join(f"{n} {g}\n" for n, (_, g) in SYSTEMS.items()), encoding="utf-8")
    for name, lines in lists.items():
        (folder / "runs" / f"{name}.txt").write_text("".join(lines), encoding="utf-8")


def _name(document: int) -> str:
    return f"DEMO-{document:04d}"


def _line(topic: int, document: int, rank: int, score: Any, name: str) -> str:
    return f"{topic} Q0 {_name(document)} {rank} {score:.6g} {name}\n"
