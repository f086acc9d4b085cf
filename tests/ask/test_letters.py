"""Compact letters, ranks not excluded and shares of first places, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from irassay.ask.letters import firsts, groups, letters, ranks_not_excluded, shorten, spell_out
from irassay.tolerance import EQUAL


def symmetric(systems: int, *different: tuple[int, int]) -> NDArray[np.bool_]:
    result = np.zeros((systems, systems), dtype=bool)
    for x, y in different:
        result[x, y] = result[y, x] = True
    return result


@pytest.mark.parametrize(
    ("different", "expected"),
    [
        ([], ["a", "a", "a", "a"]),
        ([(0, 3)], ["a", "ab", "ab", "b"]),
        ([(0, 2), (0, 3), (1, 3)], ["a", "ab", "bc", "c"]),
        ([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], ["a", "b", "c", "d"]),
        ([(0, 1), (2, 3)], ["ab", "cd", "ac", "bd"]),
        ([(1, 2)], ["ab", "a", "b", "ab"]),
    ],
)
def test_compact_letters_by_hand(different: list[tuple[int, int]], expected: list[str]) -> None:
    held = groups([0, 1, 2, 3], symmetric(4, *different))
    assert held is not None
    assert letters(4, held) == expected


@given(st.integers(2, 9), st.data())
def test_two_systems_share_a_letter_exactly_when_they_are_not_significantly_different(
    n: int, data: st.DataObject
) -> None:
    pairs = [(x, y) for x in range(n) for y in range(x + 1, n)]
    result = symmetric(n, *data.draw(st.lists(st.sampled_from(pairs), max_size=len(pairs))))
    order = data.draw(st.permutations(range(n)))
    held = groups(order, result)
    assert held is not None
    marks = letters(n, held)
    for x, y in pairs:
        assert bool(set(marks[x]) & set(marks[y])) != result[x, y]
    assert all(marks)


def test_more_groups_than_letters_are_numbered() -> None:
    held = [frozenset({s}) for s in range(60)]
    assert letters(60, held)[:2] == ["1", "2"]
    assert letters(52, held[:52])[51] == "Z"
    assert letters(60, [*held, frozenset({0, 1})])[:3] == ["1.61", "2.61", "3"]


def test_a_group_whose_pairs_are_all_in_others_is_swept_away() -> None:
    # 0, 1, 2 are alike, and each two of them are with another system: three groups say it all
    alike = {(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (1, 4), (2, 4), (0, 5), (2, 5)}
    different = [(x, y) for x in range(6) for y in range(x + 1, 6) if (x, y) not in alike]
    held = groups(range(6), symmetric(6, *different))
    assert held is not None
    assert sorted(map(sorted, held)) == [[0, 1, 3], [0, 2, 5], [1, 2, 4]]


def test_as_many_groups_as_can_be_named_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irassay.ask.letters.MOST", 6)
    for systems in (6, 7):
        different = [(x, y) for x in range(systems) for y in range(x + 1, systems)]
        held = groups(range(systems), symmetric(systems, *different))
        assert (held is None) == (systems == 7)


def test_too_many_groups_are_given_up() -> None:
    # 20 pairs of opponents: 2^20 maximal sets
    assert groups(list(range(40)), symmetric(40, *((2 * k, 2 * k + 1) for k in range(20)))) is None


def test_ranks_not_excluded_by_hand() -> None:
    low, high = ranks_not_excluded(np.array([0.5, 0.4, 0.3]), symmetric(3, (0, 2), (1, 2)))
    assert (low.tolist(), high.tolist()) == ([1, 1, 3], [2, 2, 3])
    low, high = ranks_not_excluded(np.array([0.5, 0.5]), symmetric(2, (0, 1)))
    assert (low.tolist(), high.tolist()) == ([1, 1], [2, 2])
    low, high = ranks_not_excluded(np.array([0.5, 0.4, 0.3]), symmetric(3, (0, 2)))
    assert (low.tolist(), high.tolist()) == ([1, 1, 2], [2, 3, 3])


def test_tied_systems_share_being_first() -> None:
    sampled = np.array([[0.3, 0.3 + 1e-12, 0.1], [0.1, 0.2, 0.3], [0.5, 0.1, 0.1], [0.2, 0.2, 0.2]])
    assert firsts(np.array([[0.3, 0.3 - EQUAL]])).tolist() == [0.5, 0.5]
    assert firsts(sampled) == pytest.approx([0.5 + 1 + 1 / 3, 0.5 + 1 / 3, 1 + 1 / 3])


@pytest.mark.parametrize(
    ("marks", "short"),
    [
        ("a", "a"),
        ("ab", "ab"),
        ("abc", "a-c"),
        ("abdfghk", "abdf-hk"),
        ("yzABZ", "y-BZ"),
        ("1", "1"),
        ("1.2.3.5.9.10.11.12", "1-3.5.9-12"),
        ("40.41", "40.41"),
        ("498.499.500", "498-500"),
    ],
)
def test_letters_that_follow_each_other_are_shortened_and_can_be_spelt_out(marks: str, short: str) -> None:
    assert shorten(marks) == short
    assert spell_out(short) == (set(marks.split(".")) if "." in marks else set(marks))
