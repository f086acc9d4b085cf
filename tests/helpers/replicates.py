"""Made-up replicates with ties, near-copies, constant differences and differences of 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.replicates import Replicates
from irassay.ask.verdicts import count_verdicts, t_test_p_values, verdicts

Floats = NDArray[np.float64]


def topic_scores(topics: int = 12, systems: int = 8, seed: int = 0) -> Floats:
    """Scores [topic, system]; from the fourth system on: a copy, a near-copy, a constant difference, coarse scores."""
    random = np.random.default_rng(seed)
    values = random.beta(2, 3, (topics, systems)) * np.linspace(0.6, 1.0, systems)
    if systems >= 7:
        values[:, 3] = values[:, 0]
        values[:, 4] = values[:, 1] + 1e-7 * random.standard_normal(topics)
        values[:, 5] = values[:, 2] - 0.125
        values[:, 6] = np.round(values[:, 6], 1)
    return values


def topic_samples(replicates: int, topics: int, seed: int = 1) -> NDArray[np.int32]:
    """Multiplicities [replicate, topic] of samples with replacement."""
    random = np.random.default_rng(seed)
    return random.multinomial(topics, np.full(topics, 1 / topics), replicates).astype(np.int32)


def index_counts(index: NDArray[np.int32], topics: int) -> NDArray[np.int32]:
    """Drawn topics [replicate, draw] as multiplicities [replicate, topic]."""
    return np.array([np.bincount(row, minlength=topics) for row in index], dtype=np.int32)


def replicates_of_topics(number: int = 240, systems: int = 8, *, seed: int = 0, **fields: Any) -> Replicates:
    """Two measures on samples of topics; the second one has a few distinct scores only."""
    one = topic_scores(systems=systems, seed=seed)
    return replicates_from([one, np.round(one, 1)], topic_samples(number, len(one), seed + 1), **fields)


def replicates_from(values: list[Floats], samples: NDArray[np.int32], **fields: Any) -> Replicates:
    n, systems = values[0].shape
    observed = [verdicts(one) for one in values]
    counted = [count_verdicts(one[:, None], samples, own) for one, own in zip(values, observed, strict=True)]
    better, worse, changed = (np.stack(arrays) for arrays in zip(*counted, strict=True))
    default: dict[str, Any] = {
        "variation": "topics",
        "kind": "sampling",
        "measures": tuple(f"m{k}" for k in range(len(values))),
        "systems": tuple(f"s{k}" for k in range(systems)),
        "topics": n,
        "observed": np.stack([one.mean(axis=0) for one in values]),
        "means": np.stack([samples @ one / n for one in values]),
        "verdicts": np.stack(observed),
        "better": better,
        "worse": worse,
        "changed": changed,
        "tested": (True,) * len(values),
        "p_values": np.stack([t_test_p_values(one) for one in values]),
        "sd_scale": (n / (n - 1)) ** 0.5,
    }
    return Replicates(**(default | fields))
