"""A small collection on which every paper can be run."""

from __future__ import annotations

from typing import Any

from irassay import demo

SMALL: dict[str, Any] = {"resamples": 100, "images": 12, "corpus_size": 3000, "seed": 5}
MODEL = demo.Model(systems=7, groups=3, null_pairs=1, depth=60, documents=3000, pool_depth=30, seed=1)
