"""Figures: every kind becomes a picture of the right things, few enough, safe whatever the names hold."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree

import pytest

from irassay.report import render
from irassay.report.figure_rows import MAX_MARKS, figure_rows
from irassay.report.vega import vega_figure
from irassay.result import Column, Figure, Mark, Table
from tests.helpers.figures import NASTY, domains, kinds, picture


def items(svg: str, kind: str) -> int:
    """How many things of a kind (line, rect, symbol, rule, text) the marks of a picture are."""
    count = 0
    for group in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}g"):
        words = (group.get("class") or "").split()
        if f"mark-{kind}" in words and "role-mark" in words:
            count += len(list(group))
    return count


EXPECTED = {
    "curve": {"line": 2, "symbol": 6, "rule": 3, "text": 3},  # two labels joined to their lines, and a mark
    "bars": {"rect": 6},
    "histogram": {"rect": 6, "rule": 1, "text": 1},
    "matrix": {"rect": 6, "text": 6},
    "points": {"symbol": 6, "line": 1},
    "intervals": {"rule": 6, "symbol": 6},
    "boxes": {"rule": 6, "rect": 12},
}


@pytest.mark.parametrize("kind", EXPECTED)
def test_every_kind_draws_every_row_and_every_mark(kind: str) -> None:
    svg = render.to_svg(vega_figure(*kinds()[kind]).spec)
    assert {one: items(svg, one) for one in ("line", "rect", "symbol", "rule", "text")} == {
        one: EXPECTED[kind].get(one, 0) for one in ("line", "rect", "symbol", "rule", "text")
    }


@pytest.mark.parametrize("kind", EXPECTED)
def test_no_figure_has_more_than_2000_marks_and_a_thinned_one_says_so(kind: str) -> None:
    figure, table = kinds(12_000)[kind]
    vega = vega_figure(figure, table)
    per_row = {"intervals": 2, "boxes": 3}.get(kind, 1)
    rows = [row for row in vega.spec["data"]["values"] if row["kind"] == "row"]
    assert 0 < len(rows) * per_row <= MAX_MARKS
    assert "drawn" in vega.caption
    assert "drawn" not in vega_figure(*kinds()[kind]).caption


def test_a_thinned_curve_keeps_its_ends_and_its_peak() -> None:
    y = [0.5] * 9000
    y[4321], y[7000] = 3.0, -2.0
    rows = figure_rows(*picture("curve", {"x": list(range(9000)), "y": y})).rows
    kept = [(row["x"], row["y"]) for row in rows]
    assert {(0, 0.5), (8999, 0.5), (4321, 3.0), (7000, -2.0)} <= set(kept)
    assert [x for x, _ in kept] == sorted(x for x, _ in kept)


def test_merged_bins_keep_every_sample() -> None:
    figure, table = picture("histogram", {"x": [float(i) for i in range(5000)], "y": [1] * 5000})
    assert sum(float(str(row["y"])) for row in figure_rows(figure, table).rows) == 5000


def test_many_lines_are_thinned_by_whole_lines() -> None:
    lines = [f"s{i}" for i in range(1000) for _ in range(5)]
    figure, table = picture("curve", {"x": [0, 1, 2, 3, 4] * 1000, "y": [0.5] * 5000, "series": lines})
    thinned = figure_rows(figure, table)
    assert len(thinned.rows) <= MAX_MARKS
    assert thinned.notes[0] == "One line in 2 is drawn."


def test_where_keeps_the_rows_that_have_the_value_and_undefined_values_are_not_drawn() -> None:
    columns: dict[str, Column] = {
        "x": [1, 2, 3, 4, 5],
        "y": [0.1, float("nan"), float("inf"), 0.4, 0.5],
        "model": ["a", "a", "a", "a", "b"],
    }
    figure = Figure("f", "points", "t", x="x", y="y", where={"model": "a"}, caption="C.", alt="A")
    vega = vega_figure(figure, Table("t", columns))
    assert [row["x"] for row in vega.spec["data"]["values"]] == [1, 4]
    assert vega.caption == "C. 2 rows without a value are not drawn."


def texts(column: str, values: list[float]) -> list[str]:
    """What stands in the cells of a matrix, in one row."""
    columns: dict[str, Column] = {"x": [f"s{i}" for i in range(len(values))], "y": ["s"] * len(values), column: values}
    figure = Figure("f", "matrix", "t", x="x", y="y", value=column, caption="C", alt="A")
    return re.findall(r"<text[^>]*>([^<]*)</text>", render.to_svg(vega_figure(figure, Table("t", columns)).spec))


def test_the_cells_of_a_matrix_show_small_levels_as_a_bound_and_never_as_0() -> None:
    values = [0.0, 3e-7, 0.00099, 0.0012, 0.0478, 0.0994, 0.0996, 0.25, 1.0]
    expected = ["&lt;.001"] * 3 + [".001", ".048", ".099", ".10", ".25", "1.00"]
    for name in ("p_value", "p_corrected", "asl"):
        assert [text for text in texts(name, values) if text in expected] == expected
    taus = [-0.25, -0.001, 0.0012, 1.0]
    assert [text for text in texts("tau", taus) if "." in text] == ["-0.25", "0.00", "0.00", "1.00"]


def test_numbers_that_would_not_fit_into_the_cells_of_a_matrix_are_left_out() -> None:
    def sizes(names: int) -> list[int]:
        columns: dict[str, Column] = {"x": [f"s{i}" for i in range(names)], "y": ["s"] * names, "tau": [0.5] * names}
        figure = Figure("f", "matrix", "t", x="x", y="y", value="tau", caption="C", alt="A")
        marks = [one["mark"] for one in vega_figure(figure, Table("t", columns)).spec["layer"]]
        return [mark["fontSize"] for mark in marks if mark["type"] == "text"]

    assert (sizes(10), sizes(25), sizes(40)) == ([9], [7], [])


def test_a_histograms_mark_stands_in_its_own_small_figure() -> None:
    values = vega_figure(*kinds()["histogram"]).spec["data"]["values"]
    assert [(row["facet"], row["at"]) for row in values if row["kind"] == "x"] == [("a", 1.5)]


def test_small_figures_of_very_different_sizes_have_their_own_scales_and_say_so() -> None:
    columns: dict[str, Column] = {"x": [1, 2, 1, 2], "y": [0.0, 1.0, 0.0, 0.01], "facet": [1, 1, 9, 9]}
    vega = vega_figure(*picture("curve", columns, labels={"facet": "R"}))
    assert domains(vega.spec, "y") == [[0, 1], [0, 0.01]]
    assert domains(vega.spec, "x") == [[1, 2], [1, 2]]
    assert [panel["title"]["text"] for panel in vega.spec["concat"]] == ["R = 1", "R = 9"]
    assert "own scale" in vega.caption


def test_a_short_axis_is_not_stretched_over_the_numbers_of_another_small_figure() -> None:
    columns: dict[str, Column] = {"x": [1, 8000, 1, 30], "y": [0.0, 1.0, 0.0, 0.9], "facet": ["a", "a", "b", "b"]}
    vega = vega_figure(*picture("curve", columns))
    assert domains(vega.spec, "x") == [[1, 8000], [1, 30]]
    assert domains(vega.spec, "y") == [[0, 1], [0, 1]]
    assert "own scale" in vega.caption


def test_many_names_leave_the_axis_and_the_caption_says_so() -> None:
    figure, table = picture("points", {"x": [f"s{i}" for i in range(129)], "y": [0.5] * 129})
    vega = vega_figure(figure, table)
    assert vega.spec["layer"][0]["encoding"]["x"]["axis"]["labels"] is False
    assert "The 129 names on the x axis are in the order of the table." in vega.caption
    figure, table = picture("points", {"x": [f"{400 + i}" for i in range(50)], "y": [0.5] * 50})
    assert (
        "50 names on the x axis are in the order of the table; not all are labelled."
        in vega_figure(figure, table).caption
    )


def test_tiny_numbers_and_long_titles_leave_space_for_the_figure() -> None:
    columns: dict[str, Column] = {"x": [0.1, 0.2], "y": [1e-7, 2e-7], "facet": ["a", "b"]}
    vega = vega_figure(*picture("points", columns, labels={"y": "p-value of the paired t-test of two systems"}))
    y = vega.spec["concat"][0]["layer"][0]["encoding"]["y"]
    assert y["axis"]["format"] == "~g"
    assert y["title"] == ["p-value of the paired t-test of", "two systems"]


def test_series_keep_their_colours_apart_by_form_when_colours_run_out() -> None:
    names = [f"m{i}" for i in range(20)]
    vega = vega_figure(*picture("curve", {"x": [1] * 20, "y": [0.5] * 20, "series": names}))
    encoding = vega.spec["layer"][0]["encoding"]
    looks = list(
        zip(encoding["color"]["scale"]["range"], map(str, encoding["strokeDash"]["scale"]["range"]), strict=True)
    )
    assert len(set(looks)) == 20


@pytest.mark.parametrize("kind", EXPECTED)
def test_names_never_become_fields_expressions_or_markup(kind: str) -> None:
    """Names stay data: as columns, as values and in every text of a figure."""
    _, table = kinds(30)[kind]
    columns = {f"{NASTY[i % len(NASTY)]}{i}": column for i, column in enumerate(table.columns.values())}
    columns = {
        name: [NASTY[i % len(NASTY)] for i in range(30)] if isinstance(column[0], str) else column
        for name, column in columns.items()
    }
    renamed = dict(zip(table.columns, columns, strict=True))
    channels = {channel: renamed[channel] for channel in renamed}
    text = " ".join(NASTY)
    odd = Figure(text, kind, "t", **channels, caption=text, alt=text, marks=(Mark("y", 0.1, text),))  # type: ignore[arg-type]
    svg = render.to_svg(vega_figure(odd, Table("t", columns), hover=True).spec)
    root = ElementTree.fromstring(svg)  # well-formed: nothing broke out
    assert not [element for element in root.iter() if element.tag.endswith(("script", "image", "foreignObject", "}a"))]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e\udc80-\udcff]", svg)


def test_pictures_write_the_plus_of_p_plus_in_their_own_font() -> None:
    table = Table("t", {"measure": ["P⁺-measure", "AveP"], "tau": [0.9, 0.8]})
    figure = Figure("f", "bars", "t", x="measure", y="tau", caption="C", alt="A")
    svg = render.pictures(figure, table)["svg"].decode()
    assert "P+-measure" in svg
    assert "⁺" not in svg
    assert table["measure"][0] == "P⁺-measure"


def test_a_specification_is_plain_json() -> None:
    for figure, table in kinds().values():
        json.dumps(vega_figure(figure, table, hover=True).spec, allow_nan=False)


@pytest.mark.parametrize("kind", EXPECTED)
def test_a_figure_without_rows_is_an_empty_picture(kind: str) -> None:
    figure, table = kinds()[kind]
    empty = Table("t", {name: [] for name in table.columns})
    assert render.to_svg(vega_figure(figure, empty).spec).startswith("<svg")


def test_pictures_are_svg_pdf_and_png() -> None:
    formats = render.pictures(*kinds()["bars"])
    assert formats["svg"].startswith(b"<svg")
    assert formats["pdf"].startswith(b"%PDF")
    assert formats["png"].startswith(b"\x89PNG")
    width = int.from_bytes(formats["png"][16:20], "big") / render.DOTS_PER_INCH
    assert 5.5 < width < 7.5  # inches: the width of a page's text
