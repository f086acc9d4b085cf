"""Pairs of systems, written out."""

from __future__ import annotations

import pytest

from irassay.ask import pairs as ask


def listed(pairs: ask.Pairs) -> list[tuple[int, int]]:
    return list(zip(*(side.tolist() for side in pairs), strict=True))


def test_all_pairs_are_the_earlier_system_and_the_later() -> None:
    assert listed(ask.all_pairs(4)) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert ask.starts_of(4).tolist() == [0, 3, 5, 6]
    assert listed(ask.some_pairs(4, 2, 5)) == [(0, 3), (1, 2), (1, 3)]


@pytest.mark.parametrize(
    ("bases", "pairs"),
    [
        ([1], [(0, 1), (2, 1), (3, 1)]),
        ([2, 0], [(0, 2), (1, 2), (3, 2), (1, 0), (3, 0)]),
        ([0, 1, 2, 3], [(1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2)]),
        ([], []),
    ],
)
def test_two_bases_are_compared_once(bases: list[int], pairs: list[tuple[int, int]]) -> None:
    assert listed(ask.against(4, bases)) == pairs
