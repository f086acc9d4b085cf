"""What a notebook shows of results, tables and figures."""

from __future__ import annotations

import re

import pytest

from irassay.errors import IrassayWarning
from irassay.result import Result, Table
from tests.helpers.figures import NASTY, kinds
from tests.helpers.pages import LONG, Reader, strange


def test_a_table_shows_its_first_rows_and_says_how_many_more_there_are() -> None:
    shown = strange()["long"]._repr_html_()
    assert shown.count("<tr>") == 21
    assert f"{LONG - 20:,} more rows" in shown


def test_a_result_shows_what_it_found_its_figures_and_its_tables() -> None:
    shown = strange()._repr_html_()
    assert "This result has the tables" in shown
    assert shown.count("<svg") == 7
    assert shown.count("<details") == 8


def test_a_figure_of_a_result_shows_itself_and_knows_its_forms() -> None:
    figure, table = kinds()["bars"]
    picture = Result("s", (table,), figures=(figure,)).picture("f")
    assert "<svg" in picture._repr_html_()
    assert picture.content("pdf").startswith(b"%PDF")
    with pytest.raises(KeyError, match="it has f"):
        Result("s", (table,), figures=(figure,)).picture("g")


def test_names_do_no_harm_in_a_notebook() -> None:
    shown = strange()._repr_html_() + strange().picture(strange().figures[0].name)._repr_html_()
    found = Reader(shown)
    assert not found.scripts
    assert NASTY[0] in found.text
    assert not [name for _, attributes in found.elements for name in attributes if name.startswith("on")]
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e\ud800-\udfff]", shown)


def test_an_empty_table_shows_its_columns() -> None:
    assert "<th" in Table("t", {"a": []})._repr_html_()


def test_a_p_value_near_0_is_a_bound_and_an_asl_is_one_only_where_its_samples_are_known() -> None:
    table = Table("t", {"p_value": [1e-9, 0.25], "asl": [0.0, 0.25]})
    assert '<td class="number">&lt; 0.0001</td>' in table._repr_html_()
    assert '<td class="number">0.0000</td>' in table._repr_html_()
    assert "&lt; 0.01<" in Result("s", (table,), provenance={"resamples": 100})._repr_html_()


def test_a_result_shows_its_warnings() -> None:
    warnings = (IrassayWarning("few-topics", "only 3 <topics>"),)
    assert "<b>Warning:</b> only 3 &lt;topics&gt;" in Result("s", (), warnings)._repr_html_()


def test_a_picture_is_short_as_text() -> None:
    figure, table = kinds()["bars"]
    assert repr(Result("s", (table,), figures=(figure,)).picture("f")) == f"<Picture f: bars of {table.name}>"
