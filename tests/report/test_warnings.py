"""Warnings in a report: one line for each kind, the worst first, and all of them below it."""

from __future__ import annotations

from irassay.errors import IrassayWarning
from irassay.report.html import to_html
from irassay.result import Result, Table

WARNINGS = (
    IrassayWarning("tested-as", "GM(AP) is AG(AP)"),
    *(IrassayWarning("tied-topics", f"{name}: <s1> and s2 tie", f"{name}:3") for name in ("AP", "Q", "RR")),
)


def test_warnings_of_a_kind_are_one_item_with_the_others_folded_below_it() -> None:
    page = to_html([("x", Result("power", (Table("t", {"x": [1]}),), WARNINGS))])
    start = page.index('class="warnings"')
    part = page[start : page.index("GM(AP)", start)]
    assert "AP: &lt;s1&gt; and s2 tie [tied-topics]" in part.partition("2 more of this kind (tied-topics)")[0]
    assert "Q: &lt;s1&gt; and s2 tie [tied-topics]" in part.partition("2 more of this kind (tied-topics)")[2]
    assert part.count("<summary>") == 2  # of all warnings, and of this kind
