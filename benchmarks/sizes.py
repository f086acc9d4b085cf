"""The generated collections: how large they are and where they lie. Imports nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VARIANTS = {"short": "scores of 6 digits", "long": "scores of 17 digits"}


@dataclass(frozen=True, kw_only=True)
class Size:
    """One generated collection: a folder with `qrels.txt` and the same runs in every variant."""

    name: str
    runs: int
    topics: int
    depth: int
    candidates: int  # documents of a topic that runs may find
    judged: int  # of them, per topic
    relevant: int  # of these, per topic, on average

    @property
    def folder(self) -> Path:
        return ROOT / ".benchmarks" / self.name

    @property
    def qrels(self) -> Path:
        return self.folder / "qrels.txt"

    def megabytes(self, variant: str) -> float:
        return sum(path.stat().st_size for path in (self.folder / variant).iterdir()) / 1e6


# 350,000 documents in some run or judgment, 4.8% of the ranked positions relevant, as TREC-8 ad hoc has it
TREC8 = Size(name="trec8-sized-1", runs=129, topics=50, depth=1000, candidates=11_750, judged=1_737, relevant=90)
MEDIUM = Size(name="medium-1", runs=3, topics=50, depth=1000, candidates=4000, judged=300, relevant=60)
SMALL = Size(name="small-1", runs=5, topics=10, depth=100, candidates=600, judged=150, relevant=20)
LONG = Size(name="long-1", runs=2, topics=10_000, depth=100, candidates=400, judged=30, relevant=8)
