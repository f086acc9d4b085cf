"""Who may be called better: compact letters, ranks not excluded by the tests and how often a system is first."""

import re
import string
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from irassay.ask.pairs import Array
from irassay.tolerance import EQUAL

MOST = 500  # groups beyond which nobody reads letters


def groups(order: Sequence[int], different: NDArray[np.bool_]) -> list[frozenset[int]] | None:
    """Sets of systems without a significant difference inside, that together hold every such pair.

    Insert and absorb, then sweep (piepho2004algorithm): every significant pair splits the sets that hold both, a set
    inside another goes, and so does one whose pairs are all in others. `different` is symmetric [systems, systems];
    the groups come in the order of their best systems. None where there would be more than `MOST`.
    """
    sets = [(1 << len(order)) - 1]  # as bits: bit k is the k-th best system
    for i, j in combinations(range(len(order)), 2):
        if not different[order[i], order[j]]:
            continue
        both = 1 << i | 1 << j
        split = [bits for bits in sets if bits & both == both]
        sets = [bits for bits in sets if bits & both != both]
        for part in (bits & ~(1 << k) for bits in split for k in (i, j)):
            if not any(part & other == part for other in sets):
                sets = [*(other for other in sets if other & part != other), part]
        if len(sets) > MOST:
            return None
    return [frozenset(order[k] for k in members) for members in sorted(map(_members, _without_redundant(sets)))]


def _without_redundant(sets: list[int]) -> list[int]:
    """Only sets that are needed: of any other all pairs, or the one system, are in the rest."""
    for bits in sorted(sets, key=lambda bits: bits.bit_count()):
        others = [other for other in sets if other != bits]
        members = _members(bits)
        alone = len(members) == 1 and any(other & bits for other in others)
        pairs = [1 << a | 1 << b for a, b in combinations(members, 2)]
        if alone or (pairs and all(any(other & both == both for other in others) for both in pairs)):
            sets = others
    return sets


def _members(bits: int) -> list[int]:
    return [k for k in range(bits.bit_length()) if bits >> k & 1]


def letters(systems: int, groups: Sequence[frozenset[int]]) -> list[str]:
    """Each system's letters, one a group: a-z, A-Z, and beyond these numbers with dots between them."""
    few = len(groups) <= len(string.ascii_letters)
    names = string.ascii_letters if few else [str(g + 1) for g in range(len(groups))]
    of_system = [[name for name, group in zip(names, groups, strict=False) if s in group] for s in range(systems)]
    return [("" if few else ".").join(one) for one in of_system]


def _marks_in_order(marks: str) -> tuple[list[str], str]:
    """All letters or numbers there are, as these are, and what stands between them."""
    if marks[:1].isdigit():
        return [str(k) for k in range(1, MOST + 1)], "."
    return list(string.ascii_letters), ""


def shorten(marks: str) -> str:
    """Letters or numbers of which three and more that follow each other are one range: abcdf is a-df, 1.2.3.5 1-3.5."""
    order, between = _marks_in_order(marks)
    places = [order.index(mark) for mark in (marks.split(between) if between else marks)]
    starts = [k for k, place in enumerate(places) if k == 0 or place != places[k - 1] + 1]
    parts: list[str] = []
    for start, stop in zip(starts, [*starts[1:], len(places)], strict=True):
        run = [order[place] for place in places[start:stop]]
        parts += [f"{run[0]}-{run[-1]}"] if len(run) > 2 else run
    return between.join(parts)


def spell_out(short: str) -> set[str]:
    """The letters or numbers that `shorten` was given."""
    order, between = _marks_in_order(short)
    marks: set[str] = set()
    for part in short.split(between) if between else re.findall(r"\w-\w|\w", short):
        first, _, last = part.partition("-")
        marks.update(order[order.index(first) : order.index(last or first) + 1])
    return marks


def ranks_not_excluded(means: Array, different: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The lowest and highest: [1 + systems significantly better, n - systems significantly worse] for each system."""
    ahead = means[None, :] > means[:, None]
    return 1 + (different & ahead).sum(axis=1), len(means) - (different & ahead.T).sum(axis=1)


def firsts(sampled: Array) -> Array:
    """How often each system is first among scores [samples, systems]; tied systems share a sample."""
    top = sampled >= sampled.max(axis=1, keepdims=True) - EQUAL
    return np.asarray((top / top.sum(axis=1, keepdims=True)).sum(axis=0))
