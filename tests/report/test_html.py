"""The page as a file: whole without scripts, safe whatever the names hold, and no larger than it must be."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay.cli import run
from irassay.errors import InputError
from irassay.report import html_table
from irassay.report.html import to_html
from irassay.report.html_table import STATIC_ROWS
from irassay.report.load import collect_results
from irassay.result import LAST, Result, Table
from irassay.studies.registry import studies
from tests.helpers.figures import NASTY
from tests.helpers.pages import LONG, MODEL, Reader, real, strange


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return Reader(to_html(real(tmp_path_factory.mktemp("page") / "c")))


@pytest.fixture(scope="module")
def odd() -> Reader:
    return Reader(to_html([("../up", strange())]))


def test_a_page_without_scripts_has_findings_pictures_and_rows(page: Reader) -> None:
    assert "pairs of systems apart" in page.text
    assert len(page.all("figure")) == len(page.all("svg")) == 15
    rows = page.elements.count(("tr", {}))
    assert rows > 100
    for words in ("How it was computed", "When to distrust it", "To cite", "Provenance", *MODEL.names):
        assert words in page.text


def test_a_page_can_be_read_by_a_screen_reader(page: Reader) -> None:
    assert page.all("html") == [{"lang": "en"}]
    for landmark in ("header", "nav", "main", "footer"):
        assert len(page.all(landmark)) == 1
    drawings = [one for one in page.all("div") if one.get("class") == "drawing"]
    assert all(one["role"] == "img" and one["aria-label"] for one in drawings)
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(later - sooner <= 1 for sooner, later in itertools.pairwise(levels))
    assert all(one["scope"] == "col" for one in page.all("th"))
    ids = [one["id"] for _, one in page.elements if "id" in one]
    assert len(set(ids)) == len(ids)
    for _, attributes in page.elements:
        for name in ("aria-labelledby", "aria-describedby"):
            assert attributes.get(name, ids[0]) in ids


def test_nothing_is_fetched_and_only_our_scripts_may_run(page: Reader) -> None:
    (policy,) = (one["content"] for one in page.all("meta") if one.get("http-equiv") == "Content-Security-Policy")
    runs = [content for attributes, content in page.scripts if attributes == {"type": "module"}]
    assert policy.startswith("default-src 'none';")
    assert re.findall(r"'sha256-([^']+)'", policy) == [
        base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in runs
    ]
    assert "unsafe-eval" not in policy
    assert re.findall(r"script-src ([^;]*)", policy)[0].count("unsafe") == 0
    for _, attributes in page.elements:
        for name in ("src", "href", "action", "srcset", "data"):
            assert re.match(r"#|data:,|$", attributes.get(name, "")), attributes


def test_names_are_text_and_nothing_else(odd: Reader) -> None:
    scripts = [attributes for attributes, _ in odd.scripts if attributes["type"] != "application/json"]
    assert scripts == [{"type": "module"}] * 2
    for tag, attributes in odd.elements:
        assert tag not in ("iframe", "object", "embed", "img", "image", "foreignobject", "base")
        assert not [name for name in attributes if name.startswith("on")]
    assert NASTY[0] in odd.text  # shown as it is, as text
    assert "\\x1b[31m\\x07" in odd.text
    assert "caf\\xe9" in odd.text
    assert "\\u202egnp.exe" in odd.text
    assert "שלום" in odd.text
    assert "🦜🧪" in odd.text
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e\ud800-\udfff]", odd.text)


def test_data_are_json_that_ends_no_script(odd: Reader) -> None:
    data = [content for attributes, content in odd.scripts if attributes["type"] == "application/json"]
    assert len(data) == 7 + 8
    assert not any(set("<>&") & set(content) for content in data)
    assert any(NASTY[0] in json.dumps(content, ensure_ascii=False) for content in odd.data())


def test_a_long_table_has_its_first_rows_in_the_page_and_all_in_its_data(odd: Reader) -> None:
    data = odd.data()[-1]
    assert data["rows"] == LONG
    assert data["columns"][0]["values"] == list(range(LONG))
    assert data["columns"][1]["texts"] == [f"s{i}" for i in range(7)]
    assert data["columns"][1]["filter"] == "system"
    assert f"{LONG - STATIC_ROWS:,} more rows" in odd.text


def test_a_table_that_no_browser_would_open_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_table, "MAX_ROWS", 70)
    page = Reader(to_html([("s", Result("s", (Table("t", {"x": list(range(71))}),)))]))
    assert "The page has the first 70 rows; the file has all." in page.text
    content = page.data()[0]
    assert (content["rows"], content["columns"][0]["values"][-1]) == (70, 69)


def test_the_page_ends_with_the_command_and_the_provenance(odd: Reader) -> None:
    assert odd.text.rindex("Provenance") > odd.text.rindex("When to distrust it")
    assert odd.text.count("]]><!--") >= 2


def saved(folder: Path, *names: str) -> None:
    for name in names:
        study = name.split("/")[-1]
        order = studies()[study].place if study in studies() else LAST
        result = Result(study, (Table("t", {"x": [1]}),), provenance={"n": name}, order=order)
        irassay.save_result(result, folder / name)


def test_results_below_a_folder_are_found_in_the_order_of_questions(tmp_path: Path) -> None:
    saved(tmp_path, "a/swap", "a/power", "a/other", "b")
    (tmp_path / "a" / ".irassay-1.tmp").mkdir()
    (tmp_path / "a" / ".irassay-1.tmp" / "result.json").write_text("half")
    assert [name for name, _ in collect_results([tmp_path / "b", tmp_path / "a"])] == ["b", "power", "swap", "other"]
    assert [name for name, _ in collect_results([tmp_path / "a", tmp_path / "a" / "power"])] == [
        "power",
        "swap",
        "other",
    ]


def test_a_folder_without_results_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no irassay result"):
        collect_results([tmp_path / "empty"])
    with pytest.raises(InputError, match="no such folder"):
        collect_results([tmp_path / "nowhere"])


def test_the_command_writes_the_page(tmp_path: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    saved(tmp_path, "r/power", "r/unheard-of")
    assert run(["report", "r"]) == 0
    assert "The report is in report.html." in capfd.readouterr().err
    page = Reader((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert (
        "This result has the tables: t (1 row)." in page.text
    )  # a study without a finding of its own still has its page
    assert run(["report", "r", "-o", "nowhere/x.html"]) == 2
    assert run(["report", "nothing"]) == 2


def test_two_results_of_one_study_have_different_titles() -> None:
    result = Result("power", (Table("t", {"x": [1]}),))
    text = Reader(to_html([("first", result), ("second", result)])).text
    assert "Power (first)" in text
    assert "Power (second)" in text
