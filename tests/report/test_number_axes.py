"""Figures with numbers on their axes: where these end, and labels that stand apart, measured on the picture."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from irassay.errors import InputError
from irassay.report import render
from irassay.report.figure_rows import figure_rows
from irassay.report.vega import vega_figure
from irassay.report.vega.chart import legend_columns
from irassay.result import Column, Figure, Mark, Table
from tests.helpers.figures import domains, picture, places, svg_of


@pytest.mark.parametrize("kind", ["curve", "points"])
@pytest.mark.parametrize(
    ("y", "ends"),
    [
        ([0.0, 1.0], [0, 1]),  # never beyond the bounds of a share
        ([0.02, 0.97], [0, 1]),
        ([0.81, 0.94], [0.81, 0.94]),
        ([-0.3, 0.21], [-0.3, 0.25]),
        ([0.5, 0.5], [0, 0.5]),
        ([0.0, 0.0], [0, 1]),
        ([10, 8256], [0, 9000]),
    ],
)
def test_an_axis_ends_near_the_data_and_within_the_bounds_of_a_share(kind: str, y: list[float], ends: object) -> None:
    vega = vega_figure(*picture(kind, {"x": [1, 2], "y": y}))
    assert domains(vega.spec, "y") == [ends]


def test_numbers_of_an_axis_have_few_digits() -> None:
    texts = places(svg_of("points", {"x": [0.1 + 0.2, 0.7], "y": [1000.5, 15000.0]}))
    assert "10,000" in texts
    assert max(len(text) for text in texts if re.fullmatch(r"[\d.]+", text)) <= 4


def test_a_curve_is_cut_where_its_axis_ends() -> None:
    columns: dict[str, Column] = {"x": [1, 2, 3, 4], "y": [0.0, 0.1, 0.3, 0.9]}
    figure, table = picture("curve", columns, limits={"y": (0.0, 0.2)})
    rows = figure_rows(figure, table).rows
    assert [(row["x"], row["y"]) for row in rows] == [(1, 0.0), (2, 0.1), (2.5, pytest.approx(0.2))]
    vega = vega_figure(figure, table)
    assert domains(vega.spec, "y") == [[0, 0.2]]
    assert domains(vega.spec, "x") == [[1, 2.5]]
    assert figure_rows(*picture("points", columns, limits={"y": (0.0, 0.2)})).notes == [
        "2 rows beyond the ends of the axes are not drawn."
    ]


def test_limits_in_falling_order_reverse_an_axis() -> None:
    texts = places(svg_of("curve", {"x": [10, 50, 100], "y": [0.1, 0.5, 0.9]}, limits={"x": (100, 10)}))
    assert texts["100"][0][0] < texts["50"][0][0] < texts["10"][0][0]


@pytest.mark.parametrize("limits", [{"x": (1.0, 1.0)}, {"value": (0.0, 1.0)}, {"y": (0.0, float("nan"))}])
def test_limits_that_are_no_places_on_an_axis_are_an_error(limits: Any) -> None:
    with pytest.raises(InputError, match="limits that are no places"):
        picture("curve", {"x": [1], "y": [1]}, limits=limits)


NAMES = [f"measure {place}" for place in range(8)]


def curves(heights: list[float]) -> dict[str, Column]:
    """A line for each height, from 0 to it."""
    names = [name for name in NAMES[: len(heights)] for _ in range(2)]
    return {"x": [0, 1] * len(heights), "y": [y for height in heights for y in (0.0, height)], "series": names}


@pytest.mark.parametrize(
    "heights", [[0.9, 0.5, 0.1], [0.5, 0.51, 0.52, 0.1, 0.9, 0.505, 0.9, 0.89], [0.01, 0.02, 0.2, 0.9]]
)
def test_lines_are_labelled_at_their_ends_in_their_order_without_overlaps(heights: list[float]) -> None:
    svg = svg_of("curve", curves(heights))
    texts = places(svg)
    at = [texts[name][0] for name in NAMES[: len(heights)]]
    assert len({x for x, _ in at}) == 1
    assert "role-legend" not in svg
    by_height = sorted(zip([-height for height in heights], [y for _, y in at], strict=True))
    assert [y for _, y in by_height] == sorted(y for _, y in at)
    ordered = sorted(y for _, y in at)
    assert all(below - above >= 10 for above, below in pairwise(ordered))


@pytest.mark.parametrize("heights", [[0.5, 0.5, 0.5, 0.5], [0.0] * 3])
def test_lines_with_ends_in_one_place_have_a_legend(heights: list[float]) -> None:
    svg = svg_of("curve", curves(heights))
    assert "role-legend" in svg
    assert {name: len(places(svg)[name]) for name in NAMES[: len(heights)]} == dict.fromkeys(NAMES[: len(heights)], 1)


def test_lines_that_leave_through_the_top_are_labelled_above_it_as_stairs() -> None:
    rises = [0.25, 0.3, 0.5, 0.9]
    texts = places(svg_of("curve", curves(rises), limits={"y": (0.0, 0.2)}))
    at = [texts[name][0] for name in NAMES[:4]]
    assert [x for x, _ in at] == sorted((x for x, _ in at), reverse=True)  # the steepest leaves first
    assert all(higher + 10 <= lower for (_, higher), (_, lower) in pairwise(at))
    assert max(y for _, y in at) < texts["0.20"][0][1]


def test_lines_across_a_figure_have_their_labels_beside_it() -> None:
    marks = (Mark("y", 0.05, "alpha .05"), Mark("y", 0.01, "alpha .01"), Mark("x", 0.5, "here"))
    texts = places(svg_of("curve", {"x": [0, 1], "y": [0.0, 0.2]}, marks=marks))
    (right, low), (_, high) = texts["alpha .01"][0], texts["alpha .05"][0]
    assert low - high >= 10
    assert right > texts["1.0"][0][0]
    assert texts["here"][0][1] < texts["0.20"][0][1]


def test_a_figure_with_a_diagonal_has_the_same_units_on_both_axes_and_names_the_farthest_points() -> None:
    x = [0.1 * place for place in range(10)]
    y = [value + (0.4 if place == 3 else 0.02 * (place % 2)) for place, value in enumerate(x)]
    columns: dict[str, Column] = {"x": x, "y": y, "topic": [f"t{place}" for place in range(10)]}
    marks = (Mark("diagonal", 0.0),)
    figure = Figure("f", "points", "t", x="x", y="y", point_label="topic", marks=marks, caption="C", alt="A")
    spec = vega_figure(figure, Table("t", columns)).spec
    assert domains(spec, "x") == domains(spec, "y") == [[0, 1]]
    assert spec["width"] == spec["height"]
    labelled = [row["point_label"] for row in spec["data"]["values"] if row.get("point_label")]
    assert "t3" in labelled
    assert 1 <= len(labelled) <= 5


def test_labels_of_points_do_not_cover_each_other() -> None:
    columns: dict[str, Column] = {
        "x": [0.5, 0.5, 0.5, 0.5, 0.0, 1.0],
        "y": [0.9, 0.91, 0.92, 0.93, 0.0, 1.0],
        "name": [f"system {place}" for place in range(6)],
    }
    figure = Figure("f", "points", "t", x="x", y="y", point_label="name", caption="C", alt="A")
    texts = places(render.to_svg(vega_figure(figure, Table("t", columns)).spec))
    at = [place[0] for text, place in texts.items() if text.startswith("system")]
    assert len(at) >= 2
    for place, (x, y) in enumerate(at):
        assert all(abs(y - other_y) >= 8 or abs(x - other_x) >= 8 for other_x, other_y in at[:place])


def test_axes_and_tooltips_have_plain_headers_instead_of_columns() -> None:
    table = Table("t", {"discriminative_power": [0.1, 0.9], "surviving_difference": [0.2, 0.3]})
    figure = Figure("f", "points", "t", x="discriminative_power", y="surviving_difference", caption="C", alt="A")
    encoding = vega_figure(figure, table, hover=True).spec["layer"][0]["encoding"]
    assert (encoding["x"]["title"], encoding["y"]["title"]) == ("discriminative power", "difference that survives")
    assert [one["title"] for one in encoding["tooltip"]] == ["discriminative power", "difference that survives"]


def test_legends_have_rows_of_about_one_length() -> None:
    assert [legend_columns(entries, 440, 100) for entries in (1, 4, 5, 8, 9)] == [1, 4, 3, 4, 3]
