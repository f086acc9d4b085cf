"""How often tests and intervals are wrong where the truth is known, as measured by docs/comparison.py."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from irassay.ask.methods import INTERVALS

FILE = Path(__file__).with_suffix(".json")
LEVEL = 0.05  # at which everything was measured
FEWEST = 10  # systems of the smallest families measured
TOO_OFTEN, TOO_SELDOM = 0.1, 0.92  # false positives and coverage that are worth a warning
BETTER = 0.02  # coverage that another interval must have more of


class Rate(NamedTuple):
    """So many of the experiments: with a false positive in the family, or whose interval holds the truth."""

    kind: str  # "family", "difference", or "topics needed" (of `design`)
    method: str
    population: str
    systems: int
    topics: int
    hits: int
    experiments: int

    @property
    def share(self) -> float:
        return self.hits / self.experiments


@cache
def rates() -> tuple[Rate, ...]:
    return tuple(Rate(**row) for row in json.loads(FILE.read_text(encoding="utf-8")))


def false_positives(method: str, topics: int, systems: int) -> Rate:
    """The most, over the populations with at most so many systems, by the nearest smaller number of topics."""
    return max(_nearest("family", method, topics, max(systems, FEWEST)), key=lambda rate: rate.share)


def coverage(interval: str, topics: int, kind: str = "difference") -> Rate:
    """The least, over the populations, by the nearest smaller number of topics."""
    return min(_nearest(kind, interval, topics), key=lambda rate: rate.share)


def best_interval(topics: int) -> Rate:
    """The interval whose least coverage is the largest."""
    return max((coverage(name, topics) for name in INTERVALS), key=lambda rate: rate.share)


def _nearest(kind: str, method: str, topics: int, systems: int | None = None) -> list[Rate]:
    chosen = [
        rate
        for rate in rates()
        if (rate.kind, rate.method) == (kind, method) and (systems is None or rate.systems <= systems)
    ]
    sizes = {rate.topics for rate in chosen}
    size = max((n for n in sizes if n <= topics), default=min(sizes))
    return [rate for rate in chosen if rate.topics == size]
