"""Tables to paste into a paper: LaTeX and Markdown, whatever a name holds."""

from __future__ import annotations

import re

import pytest

from irassay import Table
from irassay.report.latex import to_latex
from irassay.report.markdown import to_markdown

HOSTILE = [
    "a_b",
    "50%",
    "R&D",
    "#1",
    "$x$",
    "{",
    "}",
    "~",
    "^",
    "\\input{x}",
    "a|b",
    "<b>",
    "--x",
    "*y*",
    "`z`",
    "[l](u)",
]


def table(**more: object) -> Table:
    columns = {"system": ["a_b", "c"], "mean": [0.12345, float("nan")], "n": [3, -4]}
    return Table("some_table", columns, "50% of it", {"mean": 2}, **more)  # type: ignore[arg-type]


def test_latex_is_a_booktabs_table_with_numbers_on_the_right() -> None:
    assert to_latex(table()) == (
        "% needs \\usepackage{booktabs}\n"
        "\\begin{table}\n\\centering\n\\caption{50\\% of it}\n\\label{tab:some-table}\n\\begin{tabular}{lrr}\n"
        "\\toprule\nsystem & mean & n \\\\\n\\midrule\na\\_b & 0.12 & 3 \\\\\nc &  & $-$4 \\\\\n\\bottomrule\n"
        "\\end{tabular}\n\\end{table}\n"
    )


def test_markdown_is_a_pipe_table_with_numbers_on_the_right() -> None:
    assert to_markdown(table()) == (
        "50% of it\n\n| system | mean | n |\n| --- | ---: | ---: |\n| a\\_b | 0.12 | 3 |\n| c |  | -4 |\n"
    )


def cell_of(name: str) -> str:
    text = to_latex(Table("t", {"system": [name], "n": [1]}))
    return text.split("\\midrule\n")[1].split(" & 1 \\\\\n")[0]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_printed_by_latex_and_not_obeyed(name: str) -> None:
    written = cell_of(name).removeprefix("{}")
    # what our own escapes are made of is taken away; nothing that LaTeX acts on may be left
    for known in (r"\textbackslash{}", r"\textasciicircum{}", r"\textasciitilde{}", r"\textbar{}", r"\char96{}"):
        written = written.replace(known, "")
    written = re.sub(r"\\[{}$&#%_]|\$[<>]\$", "", written).replace("-{}-", "")
    assert not set("\\{}$&#%_^~|`") & set(written)


@pytest.mark.parametrize("name", ["[1cm]", "*"])
def test_the_end_of_a_row_takes_nothing_of_the_next_one(name: str) -> None:
    assert cell_of(name) == "{}" + name
    assert f"\\toprule\n{{}}{name}" in to_latex(Table("t", {name: [1]}))


def test_two_hyphens_stay_two_in_latex() -> None:
    assert cell_of("a--b") == "a-{}-b"


def test_a_hyphen_is_a_minus_only_among_numbers() -> None:
    assert cell_of("-0.03 [-0.10, +0.04]") == "$-$0.03 [$-$0.10, +0.04]"
    assert cell_of("<0.0001") == "$<$0.0001"
    assert cell_of("run-1") == "run-1"
    assert cell_of("1-4") == "1-4"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_stays_in_its_markdown_cell(name: str) -> None:
    row = to_markdown(Table("t", {"system": [name], "n": [1]})).splitlines()[2]
    assert len(re.findall(r"(?<!\\)\|", row)) == 3
    assert not re.search(r"(?<!\\)[`*\[<]", row)


def test_control_characters_and_new_lines_are_written_out() -> None:
    hostile = Table("t", {"x": ["a\nb\x1b[31m"]})
    assert len(to_latex(hostile).splitlines()) == 12
    assert len(to_markdown(hostile).splitlines()) == 3
    assert "\x1b" not in to_latex(hostile) + to_markdown(hostile)


def test_a_caption_begins_no_heading_or_list() -> None:
    for caption in ("# not a heading", "- no list", "1. no list"):
        first = to_markdown(Table("t", {"x": [1]}, caption)).splitlines()[0]
        assert first.replace("\\", "") == caption
        assert "\\" in first


def test_undefined_cells_are_empty() -> None:
    empty = Table("t", {"x": ["a", None], "y": [float("nan"), 1.0]})
    assert "a &  \\\\" in to_latex(empty)
    assert " & 1.0000 \\\\" in to_latex(empty)
    assert "| a |  |" in to_markdown(empty)


def test_signs_that_no_text_font_has_are_written_as_their_codes() -> None:
    assert cell_of("é中🦜") == "é[U+4E2D][U+1F99C]"


def test_a_name_makes_no_link_in_markdown() -> None:
    text = to_markdown(Table("t", {"system": ["http://x.y", "www.x.y"]}))
    assert r"http\://x.y" in text
    assert r"www\.x.y" in text
