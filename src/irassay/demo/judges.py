"""Judges of known error: what they make of the grades of the demo collection.

How often a judge errs differs from topic to topic, so its labels of one topic go together: its chance to err on a topic
is uniform from a quarter to seven quarters of the mean. An error is one grade up or down. A judge may also favour a
group, and raise documents that a system of it ranks high. Every draw is a function of (seed, judge, topic, document).
"""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irassay.compute.philox import words
from irassay.streams import DEMO_JUDGES

HIGHEST = 2


@dataclass(frozen=True, kw_only=True)
class Judge:
    """A judge's errors."""

    name: str
    errs: float = 0.25  # mean chance to err
    up: float = 0.5  # share of errors that raise the grade
    favours: int | None = None  # number of the group, from 0
    favour: float = 0.15  # chance to raise a document of this group
    depth: int = 20  # down to which rank of one of its systems

    def grades(
        self, seed: int, topic: int, candidates: NDArray[np.int64], grades: NDArray[np.int8], own: NDArray[np.bool_]
    ) -> NDArray[np.int8]:
        """The judge's grades of a topic's candidates; `own` are those of the group that it favours."""
        # above the topic's number, which stays below 2**48
        key = int.from_bytes(hashlib.sha256(self.name.encode()).digest()[:2], "big") << 48
        chance = words(1 + 3 * int(candidates.max(initial=0) + 1), seed=seed, stream=DEMO_JUDGES, replicate=topic | key)
        uniform = (chance + 0.5) / 2.0**32
        errs, up, favour = uniform[1:].reshape(-1, 3)[candidates].T
        wrong = errs < self.errs * (0.25 + 1.5 * uniform[0])
        new = grades + np.where(wrong, np.where(up < self.up, 1, -1), 0) + (own & (favour < self.favour))
        return np.asarray(np.clip(new, 0, HIGHEST), dtype=np.int8)


JUDGES = (
    Judge(name="noisy", up=0.3),
    Judge(name="lenient", up=0.85),
    Judge(name="partial", up=0.3, favours=0),
)
