"""Two small collections with other systems and topics, and a collections file for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from irassay import demo

NAMES = ("first", "second one")
SIZES: dict[str, Any] = {"measures": "Q nDCG@10", "resamples": 100, "images": 6, "samples": 20}
FILE = """
measures = "Q nDCG@10"
resamples = 100
images = 6
samples = 20
{shared}
[[collection]]
name = "first"
qrels = "a/qrels.txt"
runs = "a/runs"
groups = "a/groups.txt"
judges = ["a/judges/noisy.qrels"]
cheap = "a/judges/noisy.qrels"
trusted_topics = "1-7"
corpus_size = 3000
pool-depth = 30

[[collection]]
name = "second one"
qrels = "b/qrels.txt"
runs = ["b/runs/*"]
groups = "b/groups.txt"
judges = "b/judges/noisy.qrels"
cheap = "b/judges/noisy.qrels"
trusted_topics = "1-6"
corpus_size = 4000
pool_depth = 20
"""


def write_collections(folder: Path, judges: Sequence[demo.Judge] = ()) -> Path:
    """The collections, with labels of judges, and the path of their file."""
    for name, systems, topics, seed in (("a", 5, 14, 1), ("b", 6, 10, 2)):
        model = demo.Model(systems=systems, groups=3, null_pairs=1, depth=60, documents=3000, pool_depth=30, seed=seed)
        demo.write(model, folder / name, topics=range(topics), judges=judges)
    return write_file(folder)


def write_file(folder: Path, shared: str = "", name: str = "irassay.toml", change: tuple[str, str] = ("", "")) -> Path:
    """A collections file with more shared options, or with something changed."""
    path = folder / name
    path.write_text(FILE.format(shared=shared).replace(*change), encoding="utf-8")
    return path


def data_of(folder: Path, name: str) -> tuple[Path, Path]:
    """The judgments and runs of one of the collections."""
    place = folder / "ab"[NAMES.index(name)]
    return place / "qrels.txt", place / "runs"
