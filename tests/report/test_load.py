"""Loading a result folder: whatever is wrong in it is named with its place and a way out."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irassay.errors import InputError
from irassay.report.folder import save_result
from irassay.report.load import load_result
from irassay.result import Result, Table
from tests.helpers.saved_results import FIGURE, content, result


@pytest.mark.parametrize(
    ("place", "message", "hint"),
    [
        ("nothing", "no such folder", "--out"),
        ("file", "this is a file", "--out"),
        ("empty", "it has no result.json", "--out"),
        (".", "it has no result.json", "results inside: good"),
    ],
)
def test_what_is_no_result_folder_says_so(tmp_path: Path, place: str, message: str, hint: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    save_result(result(), tmp_path / "good")
    with pytest.raises(InputError, match=message) as caught:
        load_result(tmp_path / place)
    assert caught.value.where == str(tmp_path / place)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "damaged: Expecting value"),
        (b'{\n"format": "irassay', "damaged: Unterminated"),
        (b"\xff\xfe", "damaged"),
        (b"[" * 100_000, "damaged"),
        (b"[]", "not the result.json of an irassay result"),
        (b'{"study": "power"}', "not the result.json of an irassay result"),
        (b'{"format": "irassay result", "schema": 2}', "a newer irassay saved this"),
        (b'{"format": "irassay result"}', "damaged: 'provenance'"),
    ],
)
def test_a_result_json_that_cannot_be_used_is_an_error_with_a_place_and_a_hint(
    tmp_path: Path, text: bytes, message: str
) -> None:
    (tmp_path / "result.json").write_bytes(text)
    with pytest.raises(InputError, match=message) as caught:
        load_result(tmp_path)
    assert caught.value.where.startswith(str(tmp_path / "result.json"))
    assert caught.value.hint


@contextlib.contextmanager
def placed(root: Path) -> Iterator[None]:
    """Whatever input error comes out says where in the folder it is and what to do."""
    try:
        yield
    except InputError as problem:
        if not (problem.where.startswith(str(root)) and problem.hint):
            raise AssertionError(str(problem)) from problem
        raise


def ways(saved: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all places in a JSON value."""
    inner = saved.items() if isinstance(saved, dict) else enumerate(saved) if isinstance(saved, list) else ()
    return [path, *(way for key, value in inner for way in ways(value, (*path, key)))]


@pytest.mark.parametrize("wrong", [None, True, -1, 0.5, "", "nan", "../../x", [], [[]], {}, {"$": 1}], ids=repr)
def test_any_wrong_value_in_a_result_json_gives_a_result_or_an_input_error(tmp_path: Path, wrong: object) -> None:
    mixed = Table("mixed", {"x": [None, "a"], "y": [1, 0.5], "u": np.array(["a", ""])}, digits={"y": 1})
    made = Result("s", (*result().tables, mixed), result().warnings, result().provenance, (FIGURE,))
    save_result(made, tmp_path / "out")
    place = tmp_path / "out/result.json"
    saved = place.read_text()
    for way in ways(json.loads(saved))[1:]:
        changed = inner = json.loads(saved)
        for key in way[:-1]:
            inner = inner[key]
        inner[way[-1]] = wrong
        place.write_text(json.dumps(changed))
        with contextlib.suppress(InputError), placed(tmp_path / "out"):
            load_result(tmp_path / "out")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("system,n,asl", "system,n,p", "the columns are system, n, p, not system, n, asl"),
        ("system,n,asl", "n,system,asl", "the columns are"),
        ("x,2,0.5\n", "", "1 rows instead of 2"),
        ("x,2,0.5\n", "x,2,0.5", "not CSV, or cut off"),
        ("x,2,0.5\n", "x,2,", "cut off"),
        ("x,2,0.5", "x,2", "row 2 has 2 cells under a header of 3"),
        ("x,2,0.5", "x,two,0.5", "row 2, column 'n': 'two' is not what was saved"),
        ("x,2,0.5", "x,2.0,0.5", "row 2, column 'n'"),
        ("x,2,0.5", "x,300,0.5", "column 'n' cannot be an array of '|u1'"),
        ("x,2,0.5", "x,2,0.50", "row 2, column 'asl'"),
        ("x,2,0.5", "x,2,", "row 2, column 'asl'"),
        ("x,2,0.5", 'x,2,"0', "not CSV, or cut off"),
    ],
)
def test_a_table_that_is_not_what_was_saved_says_where(tmp_path: Path, old: str, new: str, message: str) -> None:
    table = Table("t", {"system": ["a", "x"], "n": np.array([1, 2], dtype="u1"), "asl": [0.25, 0.5]})
    save_result(Result("s", (table,)), tmp_path / "out")
    place = tmp_path / "out/tables/t.csv"
    place.write_text(place.read_text().replace(old, new))
    with pytest.raises(InputError) as caught:
        load_result(tmp_path / "out")
    assert message in caught.value.what
    if "array" not in message:
        assert caught.value.where.startswith(str(place))
    assert caught.value.hint == "save the result again"


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    save_result(result(), tmp_path / "out")
    shutil.rmtree(tmp_path / "out/tables")
    with pytest.raises(InputError, match="table 'pairs' is missing") as caught:
        load_result(tmp_path / "out")
    assert caught.value.where == str(tmp_path / "out/tables/pairs.csv")


def test_tables_are_never_read_from_elsewhere(tmp_path: Path) -> None:
    save_result(result(), tmp_path / "out")
    (tmp_path / "out/pairs.csv").write_bytes((tmp_path / "out/tables/pairs.csv").read_bytes())
    place = tmp_path / "out/result.json"
    place.write_text(place.read_text().replace('"pairs.csv"', '"../pairs.csv"'))
    with pytest.raises(InputError, match="not the name of a table's file"):
        load_result(tmp_path / "out")


def test_a_folder_whose_line_ends_were_translated_still_loads(tmp_path: Path) -> None:
    made = Result("s", (Table("t", {"x": [1, 2], "s": ["a", None]}),))
    save_result(made, tmp_path / "out")
    for place in (tmp_path / "out/result.json", tmp_path / "out/tables/t.csv"):
        place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    assert content(load_result(tmp_path / "out")) == content(made)


def doctored(folder: Path, change: Any) -> None:
    """A saved result whose result.json somebody has changed."""
    save_result(result(), folder)
    saved = json.loads((folder / "result.json").read_bytes())
    change(saved)
    (folder / "result.json").write_text(json.dumps(saved))


@pytest.mark.parametrize("digits", [-5, 18, 10**9])
def test_decimals_that_no_number_has_are_damage(tmp_path: Path, digits: int) -> None:
    doctored(tmp_path, lambda saved: saved["tables"][0]["columns"][2].update(digits=digits))
    with placed(tmp_path), pytest.raises(InputError, match="decimals of 'asl', not 0 to 17"):
        load_result(tmp_path)


def test_an_array_of_text_that_says_it_needs_gigabytes_is_damage(tmp_path: Path) -> None:
    named = Result("power", (Table("t", {"system": np.array(["a", "b"])}),))
    save_result(named, tmp_path)
    text = (tmp_path / "result.json").read_text().replace('"<U1"', '"<U200000000"')
    (tmp_path / "result.json").write_text(text)
    with placed(tmp_path), pytest.raises(InputError, match="cannot be an array of '<U200000000'"):
        load_result(tmp_path)


def test_bold_above_infinity_is_damage(tmp_path: Path) -> None:
    doctored(tmp_path, lambda saved: saved["tables"][0]["columns"][2].update(bold=float("inf")))
    with placed(tmp_path), pytest.raises(InputError, match="not finite"):
        load_result(tmp_path)


@pytest.mark.parametrize("file", ["result.json", "tables/pairs.csv"])
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_link_or_a_pipe_in_place_of_a_file_is_refused(tmp_path: Path, kind: str, file: str) -> None:
    save_result(result(), tmp_path)
    (tmp_path / file).unlink()
    if kind == "link":
        (tmp_path / file).symlink_to("/etc/hostname")
    else:
        os.mkfifo(tmp_path / file)
    with pytest.raises(InputError, match="not a regular file") as caught:
        load_result(tmp_path)
    assert caught.value.where == str(tmp_path / file)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("kind", "channels", "message"),
    [
        ("curve", {"x": "n", "y": "system"}, r"these are text: 'system' \(y\)"),
        ("histogram", {"x": "system", "y": "asl"}, r"'system' \(x\)"),
        ("matrix", {"x": "n", "y": "n", "value": "system"}, r"'system' \(value\)"),
        ("intervals", {"x": "n", "y": "asl", "low": "system", "high": "asl"}, r"'system' \(low\)"),
        ("forest", {"x": "asl", "y": "n", "low": "asl", "high": "asl", "level": "system", "alpha": 0.05}, "level"),
        ("strip", {"x": "system", "y": "n", "text": "n"}, r"'system' \(x\)"),
        ("bars", {"x": "system", "y": "system"}, r"'system' \(y\)"),
        ("points", {"x": "system", "y": "asl", "marks": [{"axis": "x", "at": 1.0, "label": ""}]}, r"'system' \(x\)"),
        ("curve", {"x": "system", "y": "asl", "marks": [{"axis": "diagonal", "at": 0.0, "label": ""}]}, "'system'"),
    ],
)
def test_a_figure_that_needs_numbers_of_a_column_of_text_is_damage(
    tmp_path: Path, kind: str, channels: dict[str, object], message: str
) -> None:
    def change(saved: Any) -> None:
        figure = saved["figures"][0]
        figure.update({"kind": kind, "series": None, "labels": {}, "marks": [], **channels})

    doctored(tmp_path, change)
    with placed(tmp_path), pytest.raises(InputError, match=message):
        load_result(tmp_path)
