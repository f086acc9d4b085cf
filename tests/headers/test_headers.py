"""Plain column headers in place of the names in files."""

from __future__ import annotations

from irassay.headers import Header, header_of
from irassay.result import Table


def test_a_name_without_a_header_is_read_as_words() -> None:
    assert header_of("some_other_number") == Header("some other number")


def test_bounds_and_errors_take_the_header_of_their_quantity() -> None:
    assert header_of("pairs_resolved_mc").text == "± pairs resolved"
    assert header_of("pairs_resolved_mc").brief == "± resolved"
    assert header_of("mean_low").text == "mean from"
    assert header_of("mean_low").meaning == "Lower end of the 95% interval. Mean score over topics"
    assert header_of("_low").text == " low"


def test_a_table_may_say_what_a_column_means_there() -> None:
    own = Header("topics lost", "lost", "Topics on which A scores less than B")
    table = Table("t", {"lost": [1], "system_x": ["a"]}, headers={"lost": own})
    assert table.header("lost") == own
    assert table.header("system_x").brief == "A"
