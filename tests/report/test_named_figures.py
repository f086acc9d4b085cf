"""Figures with names along an axis: the order of names, what is drawn of each, where axes end, and what tests say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from irassay.errors import InputError
from irassay.report import load_result, save_result
from irassay.report.figure_rows import MAX_MARKS, figure_rows
from irassay.report.vega import vega_figure
from irassay.report.vega.lying import TALL, LyingChart, rank_ticks
from irassay.report.vega.tiers import TiersChart
from irassay.result import Column, Figure, Result, Table
from tests.helpers.drawn_figures import SIZES, SVG, bodies, drawn, labels, marks
from tests.helpers.figures import NASTY
from tests.helpers.named_figures import CHANNELS, best_first, lying, matrix, scores, strip, tiers


@pytest.mark.parametrize("systems", SIZES)
@pytest.mark.parametrize("kind", CHANNELS)
def test_all_names_stand_below_each_other_with_rank_1_on_top(kind: str, systems: int) -> None:
    texts = labels(drawn(*lying(kind, systems)))
    names = [name for _, name in sorted(texts) if name.startswith("sys")]
    assert names == best_first(systems)


@pytest.mark.parametrize("kind", CHANNELS)
def test_each_small_figure_has_its_own_order_and_its_own_numbers_and_says_so(kind: str) -> None:
    vega = vega_figure(*lying(kind, 20, 2))
    by_panel: dict[int, dict[int, str]] = {}
    for row in vega.spec["data"]["values"]:
        by_panel.setdefault(row["panel"], {})[row["place"]] = row["y"]
    assert [[names[place] for place in range(20)] for names in by_panel.values()] == [
        best_first(20, 0),
        best_first(20, 1),
    ]
    assert [body["title"]["text"] for body in bodies(vega.spec)] == ["AP", "P@10"]
    assert "resolve" not in vega.spec  # concatenated figures share no positions
    assert "in each small figure on its own" in vega.caption


def test_the_order_of_the_table_and_a_rising_one_can_be_asked_for() -> None:
    def names(order: str) -> list[str]:
        rows = figure_rows(*lying("points", 20, order=order)).rows
        return [row["y"] for row in sorted(rows, key=lambda row: row["place"])]

    assert names("table") == [f"sys{s}" for s in range(20)]
    assert names("rising") == best_first(20)[::-1]


def test_the_height_grows_with_the_names_and_a_tall_figure_has_numbers_above_and_below() -> None:
    heights = []
    for systems in SIZES:
        svg = drawn(*lying("intervals", systems))
        heights.append(float(str(svg.get("height"))))
        numbers = [y for y, text in labels(svg) if not text.startswith("sys")]
        assert len(set(numbers)) == (2 if systems >= TALL else 1)
    assert heights == sorted(heights)
    assert heights[-1] < 129 * 10 + 120


@pytest.mark.parametrize("kind", ["points", "intervals", "boxes"])
def test_axes_end_at_the_data(kind: str) -> None:
    svg = drawn(*lying(kind, 72))
    numbers = [float(text) for _, text in labels(svg) if not text.startswith("sys")]
    table = scores(72)
    ends = ("mean", "mean") if kind == "points" else ("mean_low", "mean_high")
    low, high = min(map(float, map(str, table[ends[0]]))), max(map(float, map(str, table[ends[1]])))
    assert low - 0.02 < min(numbers)
    assert max(numbers) < high + 0.02


def test_all_small_figures_of_names_end_at_the_limits_that_a_figure_has() -> None:
    vega = vega_figure(*lying("intervals", 3, 2, order="table", limits={"x": (-1.0, 2.0)}))
    axes = [layer["encoding"]["x"] for body in bodies(vega.spec) for layer in body["layer"]]
    scales = [axis["scale"] for axis in axes if "scale" in axis]
    assert scales
    assert all(scale["domain"] == [-1.0, 2.0] and "padding" not in scale for scale in scales)


def test_too_many_names_are_cut_to_the_first_and_the_last_and_the_caption_says_so() -> None:
    vega = vega_figure(*lying("intervals", 200))
    names = [row["y"] for row in vega.spec["data"]["values"]]
    assert names == [*best_first(200)[:70], *best_first(200)[-70:]]
    assert "Of 200 names the first 70 and the last 70 are drawn." in vega.caption


def test_a_figure_can_be_of_the_first_names_only_and_says_so() -> None:
    vega = vega_figure(*lying("points", 129, most=30))
    assert [row["y"] for row in vega.spec["data"]["values"]] == best_first(129)[:30]
    assert "The first 30 of 129 are drawn." in vega.caption


@pytest.mark.parametrize("kind", CHANNELS)
def test_all_129_systems_are_drawn_by_each_of_two_measures_within_the_marks_of_a_page(kind: str) -> None:
    rows = figure_rows(*lying(kind, 129, 2)).rows
    assert len(rows) == 258
    assert len(rows) * {"boxes": 3, "points": 1, "bars": 1}.get(kind, 2) <= MAX_MARKS


def test_better_worse_and_undecided_differ_in_colour_and_symbol() -> None:
    figure, table = lying("forest", 20)
    vega = vega_figure(figure, table)
    verdicts = {row["y"]: row["verdict"] for row in vega.spec["data"]["values"]}
    for system, difference, p in zip(table["system"], table["difference"], table["p_value"], strict=True):
        expected = "undecided" if p is None else "better" if float(str(difference)) > 0 else "worse"
        assert verdicts[str(system)] == expected
    assert set(verdicts.values()) == {"better", "worse", "undecided"}
    (point,) = (one for one in vega.spec["layer"] if one["mark"]["type"] == "point")
    for channel in ("color", "shape"):
        assert len(set(point["encoding"][channel]["scale"]["range"])) == 3
    assert len({mark.get("d") for mark in marks(drawn(figure, table), "symbol")}) >= 3


def test_a_p_value_of_alpha_decides_nothing() -> None:
    columns: dict[str, Column] = {"s": ["a", "b"], "d": [0.2, 0.3], "p": [0.05, 0.0499]}
    figure = Figure("f", "bars", "t", x="d", y="s", level="p", alpha=0.05, caption="C", alt="A")
    assert {row["y"]: row["verdict"] for row in figure_rows(figure, Table("t", columns)).rows} == {
        "a": "undecided",
        "b": "better",
    }


def test_a_test_without_a_direction_says_different() -> None:
    words = ("different", "different", "undecided")
    rows = figure_rows(*lying("forest", 20, verdicts=words)).rows
    assert {row["verdict"] for row in rows} == {"different", "undecided"}


def test_a_forest_plot_has_a_line_at_0_and_its_numbers_at_the_right_edge() -> None:
    svg = drawn(*lying("forest", 3))
    texts = [text for _, text in labels(svg, "role-mark")]
    means = sorted((0.1 + 0.6 * (s * 37 % 211) / 211 - 0.4 for s in range(3)), reverse=True)
    assert texts == [f"{m:.3f} [{m - 0.05:.3f}, {m + 0.05:.3f}]".replace("-", "−") for m in means]
    assert len(marks(svg, "rule")) == 3 + 1


def test_letters_stand_in_a_column_for_each_group() -> None:
    layers = vega_figure(*lying("intervals", 20)).spec["layer"]
    columns = {one["encoding"]["text"]["value"]: one["mark"]["dx"] for one in layers if one["mark"]["type"] == "text"}
    assert list(columns) == ["a", "b"]
    assert columns["a"] < columns["b"]
    figure, table = lying("intervals", 3)
    long = Table("scores", {**table.columns, "letters": ["abcdefghijklmnop"] * 3})
    vega = vega_figure(figure, long)
    assert not [one for one in vega.spec["layer"] if one["mark"]["type"] == "text"]
    assert "Letters are left out" in vega.caption


def test_ranks_begin_at_1() -> None:
    assert rank_ticks(3) == [1, 2, 3]
    assert rank_ticks(129) == [1, 50, 100]
    table = Table("t", {"s": ["a", "b"], "rank": [2, 1], "low": [1, 1], "high": [20, 2]})
    figure = Figure(
        "f", "intervals", "t", x="rank", y="s", low="low", high="high", order="rising", caption="C", alt="A"
    )
    axis = vega_figure(figure, table).spec["layer"][0]["encoding"]["x"]["axis"]
    assert axis["values"] == [1, 5, 10, 15, 20]


# Strips and critical-difference diagrams


def test_a_strip_has_a_stroke_for_each_system_and_names_the_outliers() -> None:
    table = Table(
        "t", {"m": ["AP"] * 40, "v": [*(0.1 + 0.001 * i for i in range(38)), 0.6, -0.4], "s": [*map(str, range(40))]}
    )
    figure = Figure("f", "strip", "t", x="v", y="m", text="s", order="table", caption="C", alt="A")
    svg = drawn(figure, table)
    assert [text for _, text in labels(svg, "role-mark") if text] == ["38", "39"]
    assert len(marks(svg, "rect")) == 40


def test_few_points_of_a_strip_are_all_named_where_names_fit() -> None:
    rows = figure_rows(*strip(3)).rows
    assert sorted(row["text"] for row in rows) == ["sys0", "sys1", "sys2"]


def test_a_critical_difference_diagram_joins_the_systems_of_a_letter() -> None:
    figure, table = tiers(20)
    chart = TiersChart(figure, figure_rows(figure, table), hover=False)
    for bar, low, high in zip(chart.bars, (0.0, 0.3), (0.5, 1.0), strict=True):
        means = sorted(float(str(mean)) for mean in table["mean"] if low < float(str(mean)) <= high)
        assert bar.places == means
    first, second = chart.bars
    assert first.height != second.height  # they overlap
    svg = drawn(figure, table)
    names = [text for _, text in labels(svg, "role-mark")]
    assert sorted(names) == sorted(best_first(20))


def test_a_diagram_of_one_row_for_each_letter_is_that_of_letters_in_one_row() -> None:
    columns: dict[str, Column] = {
        "group": ["1", "1", "2", "2", "3"],
        "system": ["a", "b", "b", "c", "d"],
        "mean": [0.9, 0.8, 0.8, 0.7, 0.1],
    }
    figure = Figure("f", "tiers", "t", x="mean", y="system", text="group", caption="C", alt="A")
    chart = TiersChart(figure, figure_rows(figure, Table("t", columns)), hover=False)
    assert sorted(bar.places for bar in chart.bars) == [[0.7, 0.8], [0.8, 0.9]]
    assert len(chart.systems) == 4


# What holds for all of them

ALL = {
    **{kind: lying(kind, 6, 2) for kind in CHANNELS},
    "strip": strip(6, 2),
    "tiers": tiers(6),
    "pairs": matrix(6, 2),
}


@pytest.mark.parametrize("kind", ALL)
def test_names_are_never_markup_or_expressions(kind: str) -> None:
    figure, table = ALL[kind]
    odd = {f"sys{i}": NASTY[i % len(NASTY)] + str(i) for i in range(6)}
    columns = {
        name: [odd.get(str(value), value) if isinstance(value, str) else value for value in column]
        for name, column in table.columns.items()
    }
    text = " ".join(NASTY)
    channels: dict[str, Any] = {**figure.channels(), "alpha": figure.alpha}
    strange = Figure(text, figure.kind, figure.table, **channels, caption=text, alt=text)
    for hover in (False, True):
        root = drawn(strange, Table(table.name, columns), hover=hover)
        tags = [element.tag for element in root.iter()]
        assert not [tag for tag in tags if tag.endswith(("script", "image", "foreignObject", "}a"))]
        json.dumps(vega_figure(strange, Table(table.name, columns), hover=hover).spec, allow_nan=False)


@pytest.mark.parametrize("kind", ALL)
def test_a_figure_without_rows_is_an_empty_picture(kind: str) -> None:
    figure, table = ALL[kind]
    empty = Table(table.name, {name: [] for name in table.columns})
    assert drawn(figure, empty).tag == f"{SVG}svg"


@pytest.mark.parametrize("kind", ALL)
def test_figures_come_back_from_their_folder(kind: str, tmp_path: Any) -> None:
    figure, table = ALL[kind]
    save_result(Result("demo", (table,), figures=(figure,)), tmp_path / "out")
    assert load_result(tmp_path / "out").figures == (figure,)


@pytest.mark.parametrize("kind", ALL)
def test_the_page_is_told_what_it_needs_to_lay_a_figure_out_again(kind: str) -> None:
    figure, table = ALL[kind]
    fit = vega_figure(figure, table, hover=True).spec["usermeta"]["names"]
    assert fit["beside"] > 0
    assert fit["least"] > 0
    assert ("steps" in fit) == (figure.kind == "pairs")


def test_a_level_needs_an_alpha_and_an_order_must_be_known() -> None:
    with pytest.raises(InputError, match="both level and alpha"):
        lying("forest", 3, alpha=None)
    with pytest.raises(InputError, match="order"):
        lying("points", 3, order="best")
    with pytest.raises(InputError, match="nothing else, has the channel text"):
        Figure("f", "bars", "t", x="x", y="y", text="t", caption="C", alt="A")


def test_as_many_small_figures_stand_side_by_side_as_have_space() -> None:
    def columns(hover: bool, kind: str) -> int:
        figure, table = lying(kind, 20, 2)
        return LyingChart(figure, figure_rows(figure, table), hover).columns

    assert columns(True, "intervals") == columns(False, "intervals") == 2
    assert (columns(True, "forest"), columns(False, "forest")) == (2, 1)  # with its numbers
