"""The order of topics."""

from __future__ import annotations

from irassay.panel.topics import sorted_topics

ODD = "caf\udce9"  # latin-1 bytes as they come out of a file


def test_topics_are_sorted_as_numbers_only_if_all_are_digits() -> None:
    assert sorted_topics(["10", "9", "009", "1" * 5000]) == ("009", "9", "10", "1" * 5000)
    assert sorted_topics(["10", "9", "a"]) == ("10", "9", "a")
    assert sorted_topics(["é", "z", ODD]) == (ODD, "z", "é")
