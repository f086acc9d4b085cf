"""Collections whose retrieval scores are simulated from."""

from __future__ import annotations

from typing import Any

import numpy as np


def collection(
    seed: int = 5, *, topics: int = 4, depth: int = 40, systems: int = 2
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Judgments and runs with ties, grades 0 to 2, documents unjudged or in no pool, and relevant ones nobody found."""
    rng = np.random.default_rng(seed)
    qrels: dict[str, Any] = {}
    runs: dict[str, Any] = {f"s{k}": {} for k in range(systems)}
    for t in range(topics):
        grades = rng.choice([-1, 0, 0, 1, 2], size=2 * depth)
        qrels[str(t)] = {f"d{i}": int(g) for i, g in enumerate(grades)}
        for k in range(systems):
            found = rng.choice(3 * depth, size=depth, replace=False)  # the last third is in no pool
            lift = [1.5 if i < 2 * depth and grades[i] > 0 else 0.0 for i in found]
            runs[f"s{k}"][str(t)] = {
                f"d{i}": round(float(rng.normal() + up), 1 if t < 2 else 6) for i, up in zip(found, lift, strict=True)
            }
    return qrels, runs
