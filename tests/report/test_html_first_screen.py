"""The first screen as HTML: which result fills which place, what its cells say, and how they are coloured."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from irassay.report.html import to_html
from irassay.report.html_budget import budget, difference, share
from irassay.report.html_first_screen import FirstScreen
from irassay.report.html_leaderboard import leaderboard
from irassay.report.html_parts import Switches, records
from irassay.result import Column, Concern, Headline, Result, Table
from tests.helpers.figures import NASTY, picture
from tests.helpers.headlines import CONCERNS, TITLE, headlined
from tests.helpers.pages import Reader

NAMES = [f"system {place}" for place in range(12)]


def result(**headline: Any) -> Result:
    return Result("power", (Table("t", {"x": [1]}),), findings=("One.", "Two."), headline=Headline(**headline))


def test_each_place_is_filled_by_the_first_result_that_can() -> None:
    full = headlined(NAMES)
    first = FirstScreen([("a", result()), ("b", full), ("c", headlined(["other"]))])
    assert first.title == TITLE
    assert first.place("budget") == (2, 0)
    assert first.place("top_documents") == (2, 3)
    assert first.systems == NAMES


def test_a_place_without_rows_stays_empty() -> None:
    table = Table("budget", {"measure": []})
    empty = Result("u", (table,), headline=Headline(tables={"budget": "budget"}))
    page = FirstScreen([("a", empty)])
    assert page.place("budget") is None
    assert "<h2>" not in page.html()


@pytest.mark.parametrize(
    ("place", "columns"),
    [
        ("leaderboard", {"measure": ["AP"], "system": ["a"]}),
        ("leaderboard", {"measure": ["AP"], "system": ["a"], "mean": ["high"]}),
        ("leaderboard", {"measure": ["AP"], "system": ["a"], "mean": [0.5], "rank_low": ["1"]}),
        ("budget", {"measure": ["AP"], "kind": ["model"]}),
        ("budget", {"measure": ["AP"], "variation": ["x"], "kind": ["model"], "pairs_resolved": [float("inf")]}),
        ("topic_scores", {"measure": ["AP"], "system": ["a"], "topic": ["1"]}),
        ("top_documents", {"system": ["a"], "topic": ["1"], "document": ["d"], "rank": ["first"], "grade": [1]}),
    ],
)
def test_a_table_without_what_its_place_shows_fills_none(place: str, columns: dict[str, Column]) -> None:
    unfit = Result("u", (Table("t", columns),), findings=("One.",), headline=Headline(tables={place: "t"}))
    first = FirstScreen([("a", unfit), ("b", headlined(NAMES))])
    assert first.place(place) is not None
    assert first.place(place)[0] == 2  # type: ignore[index]
    assert "One." in to_html([("a", unfit)])


def test_a_share_of_any_size_has_a_colour() -> None:
    rows: dict[str, Column] = {
        "measure": ["AP"],
        "variation": ["x"],
        "kind": ["model"],
        "surviving_difference": [1e308],
    }
    table = Table("budget", rows)
    assert "level-4" in budget(table, records(table), Switches())


def test_the_verdict_answers_in_the_order_of_questions_from_several_results() -> None:
    results = [
        ("a", result(verdict={"threat": "T."})),
        ("b", result(verdict={"first": "F.", "threat": "other"})),
        ("c", result(verdict={"trust": "R."})),
    ]
    assert re.findall("<p>(.*?)</p>", FirstScreen(results).html()) == ["F.", "R.", "T."]


def test_without_a_verdict_the_findings_stand_in_its_place() -> None:
    assert "<p>" not in FirstScreen([("a", result())]).html()  # its section stands right below
    two = [("a", result()), ("b", result())]
    assert re.findall("<p>(.*?)</p>", FirstScreen(two).html()) == ["One.", "Two."] * 2
    several = [(name, replace(result(), findings=(name,))) for name in "abcdef"]
    assert re.findall("<p>(.*?)</p>", FirstScreen(several).html()) == ["a", "b", "c", "d"]


def test_the_worst_concerns_of_all_results_come_first_and_each_once() -> None:
    results = [("a", result(concerns=CONCERNS)), ("b", result(concerns=(Concern(0.9, "Worst", "!"), CONCERNS[1])))]
    reader = Reader(FirstScreen(results).html())
    titles = re.findall(r"Worst|Concern \d", reader.text)
    assert titles == ["Worst", "Concern 4", "Concern 3", "Concern 2", "Concern 1", "Concern 0"]
    assert "3 more concerns" in reader.text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0%"), (0.001, "<1%"), (0.776, "78%"), (0.994, "99%"), (0.996, ">99%"), (1.0, "100%")],
)
def test_nothing_but_0_and_1_is_written_as_none_or_all(value: float, text: str) -> None:
    assert share(value) == text


def test_small_differences_are_bounds() -> None:
    assert [difference(value) for value in (0.0, 0.0004, 0.0306)] == ["0.000", "<0.001", "0.031"]


def cells(page: str) -> list[tuple[str, str, str]]:
    """Kind, level and text of each cell of the first budget."""
    return re.findall(r'<td class="(\w+) level-(\d)"[^>]*>([^<]+)<', page.split("</table>")[0])


def one_measure(rows: dict[str, tuple[str, float]]) -> Table:
    columns: dict[str, list[object]] = {"measure": [], "variation": [], "kind": [], "pairs_resolved": []}
    for variation, (kind, resolved) in rows.items():
        for name, value in zip(columns, ("AP", variation, kind, resolved), strict=True):
            columns[name].append(value)
    return Table("budget", columns)


def test_colours_of_the_budget_are_scaled_within_one_kind() -> None:
    sources = {"topics": ("sampling", 0.6), "documents": ("sampling", 0.8), "ties": ("model", 0.9)}
    table = one_measure(sources)
    expected = [("sampling", "4", "60%"), ("sampling", "2", "80%"), ("model", "4", "90%")]
    assert cells(budget(table, records(table), Switches())) == expected
    table = one_measure({**sources, "pools": ("scenario", 0.1)})
    assert cells(budget(table, records(table), Switches())) == [*expected, ("scenario", "4", "10%")]


def test_a_change_too_small_to_matter_has_no_strong_colour() -> None:
    table = one_measure({"ties": ("model", 0.999)})
    assert cells(budget(table, records(table), Switches())) == [("model", "0", ">99%")]


def test_a_source_without_any_value_has_no_column() -> None:
    table = one_measure({"topics": ("sampling", 0.6), "total": ("sampling", float("nan"))})
    page = budget(table, records(table), Switches())
    assert "total" not in page
    assert cells(page) == [("sampling", "4", "60%")]


def board(**columns: Any) -> Reader:
    table = Table("leaderboard", {"measure": ["AP"] * len(columns["system"]), **columns}, "", {"mean": 2})
    return Reader(leaderboard(table, records(table), Switches(), {"b"}, None))


def test_the_leaderboard_is_sorted_and_equal_means_share_a_place() -> None:
    reader = board(system=["a", "b", "c", "d"], mean=[0.1, 0.5, 0.5, None])
    assert re.findall(r"(\d)([abcd])(0\.\d\d)", reader.text) == [
        ("1", "b", "0.50"),
        ("1", "c", "0.50"),
        ("3", "a", "0.10"),
    ]
    assert [one["href"] for one in reader.all("a")] == ["#system=b&measure=AP"]


def test_a_leaderboard_of_means_alone_has_no_empty_columns() -> None:
    reader = board(system=["a", "b"], mean=[0.1, 0.5])
    assert "tier" not in reader.text
    assert "ranks" not in reader.text
    assert len(reader.all("circle")) == 2


def test_long_names_lose_their_middle_only_where_they_stay_different() -> None:
    ends = [f"{'x' * 30}-{place}" for place in range(2)]
    reader = board(system=ends, mean=[0.1, 0.5])
    assert f"{'x' * 12}…{'x' * 10}-0" in reader.text
    middles = [f"{'x' * 30}-{place}-{'y' * 30}" for place in range(2)]
    assert all(name in board(system=middles, mean=[0.1, 0.5]).text for name in middles)


def test_several_collections_have_a_switch_and_addresses_of_their_own() -> None:
    reader = Reader(to_html([("u", headlined(NAMES, ["one", "two"]))]))
    addresses = [one["href"] for one in reader.all("a") if "system=" in one["href"]]
    assert len(addresses) == 2 * 3 * 12
    assert {re.findall("collection=(.*)", one)[0].split("&")[0] for one in addresses} == {"one", "two"}


def test_names_on_the_first_screen_are_text() -> None:
    reader = Reader(to_html([("u", headlined(NASTY))]))
    assert NASTY[0] in reader.text
    assert all(re.fullmatch(r"#[\w.~%&=-]*", one["href"]) for one in reader.all("a"))
    scripts = [attributes for attributes, _ in reader.scripts if attributes["type"] != "application/json"]
    assert scripts == [{"type": "module"}] * 2


def test_the_places_to_look_into_are_named_once_and_hold_the_data_of_their_tables() -> None:
    page = to_html([("u", headlined(NAMES))])
    places = Reader(page).data()[-1]
    assert places == {"topic_scores": "table-1-2", "top_documents": "table-1-3", "systems": NAMES}
    assert page.count('id="table-1-2"') == 1


def test_numbers_in_the_names_of_a_picture_keep_their_digits() -> None:
    figure, table = picture("bars", {"x": ["v1.23456", "b"], "y": [1 / 3, 2 / 3]})
    page = to_html([("a", Result("power", (table,), figures=(figure,)))])
    drawing = page[page.index('class="drawing"') : page.index("</svg>")]
    assert "v1.23456" in drawing
    assert not re.search(r'd="[^"]*\d\.\d{3}', drawing)


def test_people_read_no_names_of_columns_but_in_explanations() -> None:
    columns: dict[str, Column] = {"system_x": ["a"], "system_y": ["b"], "ed_p95": [0.1], "done": [True]}
    page = to_html([("a", Result("power", (Table("pair_tests", columns),), findings=("F.",)))])
    text = Reader(page).text.split("What the words")[0]
    for name in ("system_x", "ed_p95", "True", "pair_tests"):
        assert name not in text
    assert "In files: ed_p95" in page
    assert "Pair tests" in text
    data = Reader(page).data()[0]
    assert [column["name"] for column in data["columns"]] == list(columns)
    assert json.dumps(data).count("system_x") == 1
