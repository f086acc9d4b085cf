"""Tables as CSV, JSON, Parquet, for a terminal and for trec_eval: exact, and safe whatever names hold."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irassay.errors import InputError, MissingExtraError
from irassay.report.csv_text import to_csv
from irassay.report.json_text import to_json
from irassay.report.parquet import to_parquet
from irassay.report.terminal import to_terminal
from irassay.report.trec import to_trec
from irassay.result import Column, Result, Table

ODD = "caf\udce9"


def test_high_numbers_are_bold_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    table = Table("t", {"measure": ["a", "b"], "tau": [0.9, 0.7]}, digits={"tau": 2}, bold={"tau": 0.8})
    lines = to_terminal([table], tty=True, width=60).splitlines()
    assert "\x1b[1m0.90" in next(line for line in lines if "0.90" in line)
    assert "\x1b[1m" not in next(line for line in lines if "0.70" in line)


@given(values=st.one_of(st.lists(st.floats()), st.lists(st.text('a=,"\n\r;é')), st.lists(st.booleans())))
def test_a_column_of_one_type_is_written_as_one_of_several(values: list[object]) -> None:
    assert to_csv(Table("t", {"x": values})) + b"\n" == to_csv(Table("t", {"x": [*values, None]}))


def test_csv_keeps_every_digit_and_leaves_undefined_cells_empty() -> None:
    table = Table("t", {"system": ("a", "b", "c"), "x": [0.1 + 0.2, float("nan"), None], "n": np.array([1, 2, 3])})
    assert to_csv(table) == b"system,x,n\na,0.30000000000000004,1\nb,,2\nc,,3\n"


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_csv_gives_back_the_same_doubles(values: list[float]) -> None:
    rows = list(csv.reader(io.StringIO(to_csv(Table("t", {"k": values, "x": np.array(values)})).decode())))
    assert [float(cell) for _, cell in rows[1:]] == values


@pytest.mark.parametrize(
    "name", ["=1+1", "+a", "-a", "@a", "\ta", "\ra", "'=1", "''-1", "\uff1d1", "\uff20a", " =1", "\n+a"]
)
def test_names_that_a_spreadsheet_would_run_get_an_apostrophe(name: str) -> None:
    rows = list(csv.reader(io.StringIO(to_csv(Table("t", {name: [name]})).decode(), newline="")))
    assert rows == [["'" + name], ["'" + name]]


def test_negative_numbers_are_not_taken_for_formulas() -> None:
    assert to_csv(Table("t", {"x": [-0.5, -3]})) == b"x\n-0.5\n-3\n"


@pytest.mark.parametrize("name", ["plain", "don't", "a=b", "a-1"])
def test_harmless_names_stay_as_they_are_in_csv(name: str) -> None:
    assert to_csv(Table("t", {"s": [name]})) == f"s\n{name}\n".encode()


@pytest.mark.parametrize("name", ["a;=1", "a\tb", "a|b", "a\x0bb", "a\x85b", "a\u2028b"])
def test_what_other_programs_would_split_at_is_quoted_in_csv(name: str) -> None:
    assert to_csv(Table("t", {"s": [name]})).decode() == f's\n"{name}"\n'


def test_csv_quotes_separators_and_gives_back_the_bytes_of_names() -> None:
    assert to_csv(Table("t", {"s": ['a,"b"', ODD, "é"]})) == b's\n"a,""b"""\ncaf\xe9\n\xc3\xa9\n'


def test_a_surrogate_that_is_no_byte_is_written_out() -> None:
    assert to_csv(Table("t", {"s": ["x\ud800"]})) == b"s\nx\\ud800\n"


def test_json_is_strict_and_holds_provenance_and_records() -> None:
    table = Table("scores", {"system": (ODD, "b"), "x": np.array([0.1, np.nan]), "t": [float("inf"), 2]})
    provenance = {"seed": np.int64(3), "path": Path("a/b"), "nested": {"x": (float("nan"), True)}}

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    content = json.loads(to_json(Result("s", (table,), provenance=provenance)), parse_constant=refuse)
    assert content["provenance"] == {"seed": 3, "path": os.path.join("a", "b"), "nested": {"x": [None, True]}}
    assert content["scores"] == [
        {"system": ODD, "x": 0.1, "t": "Infinity"},
        {"system": "b", "x": None, "t": 2},
    ]


def test_json_is_utf8_whatever_the_names_hold() -> None:
    text = to_json(Result("s", (Table("t", {"s": [ODD, "é", "\ud800"]}),))).decode("utf-8")
    assert "é" in text
    assert [row["s"] for row in json.loads(text)["t"]] == [ODD, "é", "\ud800"]


def test_json_refuses_what_it_cannot_hold() -> None:
    with pytest.raises(TypeError, match="no place in JSON"):
        to_json(Result("s", (), provenance={"x": object()}))


def test_parquet_keeps_types_and_turns_nan_into_null() -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    table = Table("t", {"s": ("a", "b"), "x": np.array([0.1, np.nan]), "y": [None, 0.5], "n": [1, 2]})
    read = pq.read_table(io.BytesIO(to_parquet(table)))
    assert read.to_pydict() == {"s": ["a", "b"], "x": [0.1, None], "y": [None, 0.5], "n": [1, 2]}
    assert [str(kind) for kind in read.schema.types] == ["string", "double", "double", "int64"]


def test_parquet_keeps_the_bytes_of_names_that_are_not_utf8() -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    read = pq.read_table(io.BytesIO(to_parquet(Table("t", {"s": (ODD, "b"), ODD: [1, 2]}))))
    assert read.to_pydict() == {"s": [b"caf\xe9", b"b"], "caf\\xe9": [1, 2]}


def test_parquet_without_pyarrow_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"irassay\[parquet\]"):
        to_parquet(Table("t", {"x": [1]}))


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


def test_trec_output_has_one_block_per_system_with_all_rows_last() -> None:
    rows: list[tuple[str, str | None, str, float]] = [
        ("a", None, "map", 0.25),
        ("b", "1", "map", 1.0),
        ("a", "2", "map", 0.2),
        ("a", "1", "map", 0.3),
        ("a", "2", "P_10", float("nan")),
        ("a", None, "num_ret", 2000),
    ]
    assert to_trec(rows).decode().splitlines() == [
        "runid                 \tall\ta",
        "map                   \t2\t0.2000",
        "map                   \t1\t0.3000",
        "map                   \tall\t0.2500",
        "num_ret               \tall\t2000",
        "runid                 \tall\tb",
        "map                   \t1\t1.0000",
    ]


def test_a_topic_called_all_is_refused_in_trec_output() -> None:
    with pytest.raises(InputError, match="a topic is called 'all'") as caught:
        to_trec([("a", "all", "map", 0.5)])
    assert "--format csv" in caught.value.hint


def test_trec_output_keeps_bytes_but_no_line_breaks_of_names() -> None:
    assert to_trec([(ODD, None, "map", 1.0), ("a\nb", None, "map", 1.0)]).split(b"\n")[0::2] == [
        b"runid                 \tall\tcaf\xe9",
        b"runid                 \tall\ta\\x0ab",
        b"",
    ]


def layout_of(table: Table, width: int) -> list[str]:
    text = to_terminal([table], tty=True, width=width)
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines() if line.strip()]


def test_a_table_that_is_too_wide_for_a_screen_has_headers_of_several_lines() -> None:
    table = Table("t", {"system": ["a"], "estimated_difference": [0.25], "of_these_pairs": [0.5]})
    assert layout_of(table, 50)[0] == "system   estimated difference   of these pairs"
    assert layout_of(table, 30)[0] == "system      ED  of these pairs"  # the short header
    assert [line.split() for line in layout_of(table, 22)] == [
        ["of"],
        ["these"],
        ["system", "ED", "pairs"],
        ["─" * 22],
        ["a", "0.2500", "0.5000"],
    ]


def test_columns_that_do_not_fit_side_by_side_stand_below_each_other_with_the_names_again() -> None:
    numbers = {f"number_{n}": [n + 0.5, n + 0.25] for n in range(12)}
    table = Table("t", {"rate": [10, 20], "system": ["first", "second"], **numbers})
    lines = layout_of(table, 40)
    assert max(map(len, lines)) <= 40
    assert sum(line.split()[:2] == ["10", "first"] for line in lines) == sum("system" in line for line in lines) > 1
    shown = " ".join(lines).split()
    assert all(f"{value:.4f}" in shown for values in numbers.values() for value in values)


def test_names_that_would_take_half_of_the_screen_have_several_lines_and_stay_in_every_block() -> None:
    numbers = {f"number_{n}": [n + 0.5] for n in range(9)}
    table = Table("t", {"collection": ["one with a very long name"], "system": ["first"], **numbers})
    lines = layout_of(table, 50)
    assert max(map(len, lines)) <= 50
    assert sum("first" in line for line in lines) == sum("system" in line for line in lines) > 1
    assert "one with a very long name" not in "\n".join(lines)
