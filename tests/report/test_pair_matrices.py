"""Matrices of differences: both axes from the best system on, colours only where a test decides, few enough marks."""

from __future__ import annotations

from typing import Any

import pytest

from irassay.report.figure_rows import figure_rows
from irassay.report.pair_rows import MAX_CELLS, shade_edges, shade_names
from irassay.report.pair_rows import best_first as best_of_rows
from irassay.report.vega import vega_figure
from irassay.result import Figure, Table
from tests.helpers.drawn_figures import SIZES, bodies, drawn, labels
from tests.helpers.named_figures import best_first, matrix


def cells(figure: Figure, table: Table) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["y"], row["x"]): row for row in figure_rows(figure, table).rows}


@pytest.mark.parametrize("systems", SIZES)
def test_both_axes_of_a_matrix_go_from_the_best_system_on(systems: int) -> None:
    figure, table = matrix(systems)
    rows = figure_rows(figure, table).rows
    places = {row["y"]: row["place"] for row in rows} | {row["x"]: row["column"] for row in rows}
    assert sorted(places, key=places.__getitem__) == best_first(systems)
    assert all(row["place"] != row["column"] for row in rows)  # the diagonal is blank
    assert len(rows) <= MAX_CELLS


def test_a_cell_is_coloured_only_where_the_difference_is_significant() -> None:
    figure, table = matrix(20)
    spec = vega_figure(figure, table, hover=True).spec
    colour = spec["layer"][1]["encoding"]["color"]["scale"]
    middle = len(colour["domain"]) // 2
    significant = {
        (x, y): float(str(difference))
        for x, y, difference, p in zip(
            table["system_x"], table["system_y"], table["difference"], table["p_value"], strict=True
        )
        if float(str(p)) < 0.05
    }
    seen = set()
    for row in spec["data"]["values"]:
        for x, value, shade in zip(row["x"], row["value"], row["shade"], strict=True):
            if x == row["y"]:
                assert shade == -1
            elif (row["y"], x) in significant or (x, row["y"]) in significant:
                assert (shade > middle) == (value > 0)
                assert shade != middle
                seen.add((row["y"], x))
            else:
                assert shade == middle
    assert len(seen) == 2 * len(significant)
    assert colour["range"][middle] == "#e9e9e9"


def test_the_other_half_of_a_square_has_the_other_sign() -> None:
    drawn_cells = cells(*matrix(20))
    assert len(drawn_cells) == 20 * 19
    for (y, x), row in drawn_cells.items():
        assert row["value"] == -drawn_cells[x, y]["value"]


def test_of_129_systems_every_pair_is_drawn_once_and_the_caption_says_so() -> None:
    figure, table = matrix(129)
    drawn_cells = cells(figure, table)
    assert len(drawn_cells) == 129 * 128 // 2
    assert all(row["value"] > 0 for row in drawn_cells.values())  # the row's system is the better one
    assert "Each pair is drawn once." in vega_figure(figure, table).caption


def test_matrices_that_a_page_cannot_hold_are_left_out_and_the_caption_says_so() -> None:
    figure, table = matrix(129, 2)
    assert {row["facet"] for row in figure_rows(figure, table).rows} == {"AP"}
    vega = vega_figure(figure, table)
    assert "Of 2 small figures only the first 1 are drawn (AP)" in vega.caption
    assert len(bodies(vega.spec)) == 1  # no empty one


def test_a_picture_joins_cells_of_one_colour_and_shows_the_same_colours_as_the_page() -> None:
    figure, table = matrix(72)
    page = {
        (row["y"], place): shade
        for row in vega_figure(figure, table, hover=True).spec["data"]["values"]
        for place, shade in zip(row["column"], row["shade"], strict=True)
    }
    rows = vega_figure(figure, table).spec["data"]["values"]
    columns = {row["x"]: row["column"] for row in rows if row["shade"] == -1}
    joined = {
        (row["y"], place): row["shade"] for row in rows for place in range(row["column"], columns[row["end"]] + 1)
    }
    assert joined == page
    assert len(rows) < len(page) / 2


def test_the_names_of_a_matrix_that_fit_are_all_written() -> None:
    for systems, all_names in ((3, True), (20, True), (129, False)):
        texts = [text for _, text in labels(drawn(*matrix(systems))) if text.startswith("sys")]
        assert (len(texts) == 2 * systems) == all_names
        assert len(texts) > 0.8 * systems


def test_the_numbers_of_a_small_matrix_are_written() -> None:
    texts = [text for _, text in labels(drawn(*matrix(3)), "role-mark") if text]
    assert len(texts) == 6
    assert {text.lstrip("−") for text in texts if text.startswith("−")} == {t for t in texts if not t.startswith("−")}


def test_shades_have_round_edges_and_large_outliers_share_the_last() -> None:
    rows = [{"value": value, "verdict": "better"} for value in [0.01, 0.05, 0.1, 0.15, 0.17] * 4 + [0.9]]
    edges = shade_edges(rows, "undecided")
    assert edges == [0.05, 0.1, 0.15]
    assert shade_names(edges)[:2] == ["below −0.15", "−0.15 to −0.1"]
    assert shade_names(edges)[4:6] == ["not significant", "0 to 0.05"]
    assert shade_edges([{"value": 0.3, "verdict": "undecided"}], "undecided") == []


def test_systems_of_pairs_are_in_the_order_of_their_means_also_where_pairs_are_missing() -> None:
    rows = [{"y": "b", "x": "a", "value": 0.2}, {"y": "a", "x": "c", "value": 0.1}]
    assert best_of_rows(rows) == ["b", "a", "c"]
