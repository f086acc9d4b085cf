"""Tables on a terminal and off it."""

from __future__ import annotations

import numpy as np
import pytest

from irassay.report.terminal import to_terminal
from irassay.result import Column, Table

ODD = "caf\udce9"


def test_plain_tables_are_aligned_and_rounded_by_their_digits() -> None:
    columns: dict[str, Column] = {
        "system": ("bm25", "q"),
        "score": np.array([0.12345, np.nan]),
        "d": [-0.00001, 12.5],
        "n": [7, 10],
    }
    text = to_terminal([Table("t", columns, "A caption.", {"score": 3})], tty=False)
    assert text.splitlines() == [
        "A caption.",
        "",
        "system  score        d   n",
        "------  -----  -------  --",
        "bm25    0.123   0.0000   7",
        "q           -  12.5000  10",
    ]


def test_plain_tables_count_columns_of_wide_characters() -> None:
    lines = to_terminal([Table("t", {"s": ("系统", "abcd"), "x": ["u", "v"]})], tty=False).splitlines()
    assert lines[2:] == ["系统  u", "abcd  v"]


@pytest.mark.parametrize("width", [10, 80])
def test_off_a_terminal_no_cell_is_wrapped_or_cut(width: int) -> None:
    name = "x" * 500
    text = to_terminal([Table("t", {"system": [name], "other": [name]}, "word " * 60)], tty=False, width=width)
    assert text.splitlines()[4] == f"{name}  {name}"
    assert len(text.splitlines()) == 5


@pytest.mark.parametrize("tty", [False, True])
def test_control_characters_and_markup_in_names_do_nothing(tty: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    names = ["\x1b[31mred", "[bold]b[/bold]", "a\nb", ODD, "\u202egnp", ":smile:"]
    text = to_terminal([Table("t", {"[red]": names}, "[i]c")], tty=tty, width=60)
    shown = [
        "[red]",
        "\\x1b[31mred",
        "[bold]b[/bold]",
        "a\\x0ab",
        "caf\\xe9",
        "\\u202egnp",
        ":smile:",
        "[i]c",
    ]
    assert [name for name in shown if name not in text] == []
    assert "\x1b" not in text


def test_a_terminal_gets_colour_unless_no_color_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("t", {"system": ["a"]}, "caption")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in to_terminal([table], tty=True, width=60)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in to_terminal([table], tty=True, width=60)


def test_a_narrow_terminal_folds_names_without_losing_any_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    name = "".join(chr(ord("a") + i % 26) for i in range(60))
    lines = to_terminal([Table("t", {"system": [name], "x": [0.5]})], tty=True, width=30).splitlines()
    assert max(map(len, lines)) <= 30
    assert "".join(line.replace("0.5000", "").strip() for line in lines[2:]) == name


def test_long_tables_on_a_terminal_are_laid_out_plainly() -> None:
    rows = 5000
    text = to_terminal([Table("t", {"n": np.arange(rows)})], tty=True, width=60)
    assert len(text.splitlines()) == rows + 2


def test_an_empty_table_shows_its_header() -> None:
    assert to_terminal([Table("t", {"a": [], "bc": []})], tty=False) == "a  bc\n-  --\n"
