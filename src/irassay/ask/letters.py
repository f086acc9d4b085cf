"""Who may be called better: compact letters, rank intervals and how often a system is first."""

from __future__ import annotations

import string
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from irassay.tolerance import EQUAL

Array = NDArray[np.float64]
MOST = 500  # groups beyond which nobody reads letters


def groups(order: Sequence[int], different: NDArray[np.bool_]) -> list[frozenset[int]] | None:
    """Sets of systems without a significant difference inside, that together hold every such pair.

    Insert and absorb, then sweep (piepho2004algorithm): every significant pair splits the sets that hold both, a set
    inside another goes, and so does one whose pairs all stand in others. `different` is symmetric [systems, systems];
    the groups come in the order of their best systems. None where there would be more than `MOST`.
    """
    found = [(1 << len(order)) - 1]  # sets as bits: bit k is the k-th best system
    for i in range(len(order)):
        for j in range(i + 1, len(order)):
            if not different[order[i], order[j]]:
                continue
            both = 1 << i | 1 << j
            split = [held for held in found if held & both == both]
            if not split:
                continue
            kept = [held for held in found if held & both != both]
            for part in (held & ~(1 << k) for held in split for k in (i, j)):
                if not any(part & other == part for other in kept):
                    kept = [other for other in kept if other & part != other]
                    kept.append(part)
            found = kept
            if len(found) > MOST:
                return None
    found = _swept(found, len(order))
    found.sort(key=lambda held: _bits(held))
    return [frozenset(order[k] for k in _bits(held)) for held in found]


def _swept(found: list[int], systems: int) -> list[int]:
    """Without the groups that say nothing the others do not: all their pairs, or their one system, stand elsewhere."""
    for held in sorted(found, key=lambda h: h.bit_count()):
        others = [other for other in found if other != held]
        members = _bits(held)
        alone = len(members) == 1 and any(other & held for other in others)
        pairs = [(1 << a | 1 << b) for k, a in enumerate(members) for b in members[k + 1 :]]
        if alone or (pairs and all(any(other & both == both for other in others) for both in pairs)):
            found = others
    return found


def _bits(held: int) -> list[int]:
    return [k for k in range(held.bit_length()) if held >> k & 1]


def letters(systems: int, held: Sequence[frozenset[int]]) -> list[str]:
    """Each system's letters, one a group: a-z, A-Z, and beyond these numbers with dots between them."""
    alphabet = string.ascii_letters
    if len(held) <= len(alphabet):
        return ["".join(alphabet[g] for g, group in enumerate(held) if s in group) for s in range(systems)]
    return [".".join(str(g + 1) for g, group in enumerate(held) if s in group) for s in range(systems)]


def rank_intervals(means: Array, different: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """[1 + systems significantly better, n - systems significantly worse] for each system."""
    ahead = means[None, :] > means[:, None]
    return 1 + (different & ahead).sum(axis=1), len(means) - (different & ahead.T).sum(axis=1)


def firsts(sampled: Array) -> Array:
    """How often each system is first among scores [samples, systems]; tied systems share a sample."""
    top = sampled >= sampled.max(axis=1, keepdims=True) - EQUAL
    return np.asarray((top / top.sum(axis=1, keepdims=True)).sum(axis=0))
