"""A digest of what kernels make of random data: `python -m tests.helpers.digests` prints it."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

import numpy as np

import irassay
from irassay.compute.kernel import PLAIN
from irassay.measures import records
from irassay.scoring.lanes import LANES, Lists, Walker

TOPICS, SYSTEMS, DEPTH = 6, 4, 200


def write_collection(folder: Path, rng: np.random.Generator) -> tuple[Path, list[Path]]:
    """Runs with ties, names of 1 to 40 bytes, unjudged documents and grades 0 to 3."""
    names = [f"{'x' * int(rng.integers(0, 30))}{k:0{int(rng.integers(1, 10))}d}" for k in range(600)]
    qrels = folder / "qrels"
    qrels.write_text(
        "".join(f"{t} 0 {name} {rng.integers(0, 4)}\n" for t in range(TOPICS) for name in names if rng.random() < 0.3)
    )
    runs = []
    for s in range(SYSTEMS):
        lines = [
            f"{t}\tQ0 {names[d]} {rank} {-rank // 3 if s else rng.random():.5f} s{s}\n"
            for t in range(TOPICS)
            for rank, d in enumerate(rng.permutation(len(names))[:DEPTH], 1)
        ]
        runs.append(folder / f"s{s}.txt")
        runs[-1].write_text("".join(lines))
    return qrels, runs


def digest() -> str:
    """Of the scores of a random collection by all measures, and of the hits of random lists in 32 images."""
    rng = np.random.default_rng(14)
    total = hashlib.sha256()
    with tempfile.TemporaryDirectory() as folder:
        qrels, runs = write_collection(Path(folder), rng)
        panel = irassay.align(irassay.read_qrels(qrels), irassay.read_runs(runs))
    total.update(panel.codes.tobytes())
    total.update(panel.score([record.example for record in records().values()]).values.tobytes())
    grades = rng.integers(-1, 4, size=500).astype(np.int8)
    codes = np.concatenate([rng.permutation(500)[:300] for _ in range(SYSTEMS)]).astype(np.uint16)
    at = np.flatnonzero(grades[codes] >= 1)
    offsets = np.arange(0, len(codes) + 1, 300)[None]
    copies = rng.poisson(1.0, size=500 * LANES).astype(np.uint8)
    lists = Lists(codes, offsets, at, codes[at], np.searchsorted(at, offsets))
    hits = Walker(SYSTEMS).hits(lists, 0, copies, copies, grades)
    total.update(hits.start.tobytes() + hits.stop.tobytes() + hits.size.tobytes())
    for first, last in zip(hits.start, hits.stop, strict=True):
        total.update(hits.rank[first:last].tobytes() + hits.grade[first:last].tobytes())
    return total.hexdigest()


if __name__ == "__main__":
    print(PLAIN, digest())  # noqa: T201 - a script
