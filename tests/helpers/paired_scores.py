"""Random scores of systems, and the differences of all pairs of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Pairs, all_pairs

Array = NDArray[np.float64]


def random_scores(systems: int, topics: int, seed: int = 1, step: float = 0.0) -> Array:
    """Scores with ties and zero differences where they are multiples of a step."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 0.05, (systems, 1))
    found = np.clip(rng.beta(1.2, 3, (1, topics)) + strength + rng.normal(0, 0.12, (systems, topics)), 0, 1)
    return np.round(found / step) * step if step else found


def pairs_of(scores: Array) -> tuple[Pairs, Array]:
    pairs = all_pairs(len(scores))
    return pairs, scores[pairs[0]] - scores[pairs[1]]


def scores_with_effects(systems: int = 6, topics: int = 15) -> Array:
    """Effects of systems and of topics, and a residual."""
    rng = np.random.default_rng(4)
    return np.asarray(
        rng.normal(0.3, 0.1, (1, topics)) + rng.normal(0, 0.05, (systems, 1)) + rng.normal(0, 0.08, (systems, topics))
    )
