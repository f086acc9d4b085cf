"""Result folders: what is saved comes back bit for bit, and nothing else is touched."""

from __future__ import annotations

import errno
import json
import math
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import irassay
from irassay.errors import InputError, IrassayWarning
from irassay.report.csv_text import to_csv
from irassay.report.folder import file_names, save_result
from irassay.report.load import load_result
from irassay.report.place import claimed
from irassay.result import NUMERICS, Column, Headline, Notes, Result, Table
from tests.helpers.saved_results import content, files, result


def claim(place: Path) -> None:
    """What commands do before they start to work."""
    with claimed(place):
        pass


def test_a_result_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    irassay.save_result(result(), tmp_path / "out")
    assert content(irassay.load_result(str(tmp_path / "out"))) == content(result())
    assert sorted(files(tmp_path)) == ["out/result.json", "out/tables/empty.csv", "out/tables/pairs.csv"]
    assert not (tmp_path / "out/figures").exists()


def test_a_folder_that_version_0_1_saved_loads_without_findings_and_notes(tmp_path: Path) -> None:
    save_result(result(), tmp_path)
    saved = json.loads((tmp_path / "result.json").read_bytes())
    for key in ("findings", "notes", "details", "order", "headline"):
        del saved[key]
    (tmp_path / "result.json").write_text(json.dumps(saved))
    loaded = load_result(tmp_path)
    assert (loaded.findings, loaded.notes, loaded.details) == ((), Notes(), ())
    assert loaded.headline == Headline()
    assert loaded.summary == ("This result has the tables: pairs (2 rows), empty (0 rows).",)


def test_the_tables_of_a_folder_are_those_of_the_csv_report(tmp_path: Path) -> None:
    save_result(result(), tmp_path / "out")
    saved = (tmp_path / "out/tables/pairs.csv").read_bytes()
    assert saved == to_csv(result()["pairs"])
    assert saved == b'system,n,asl\ncaf\xe9,1,0.30000000000000004\n"\'=a,""b""\n",2,\n'


def test_result_json_is_strict_json_with_versions_types_and_warnings(tmp_path: Path) -> None:
    save_result(result(), tmp_path / "out")

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    saved = json.loads((tmp_path / "out/result.json").read_bytes().decode(), parse_constant=refuse)
    assert (saved["schema"], saved["numerics"], saved["study"]) == (1, NUMERICS, "power")
    assert saved["warnings"][0] == {"code": "ties", "what": "many", "where": "run:3"}
    table = saved["tables"][0]
    assert (table["name"], table["file"], table["rows"], table["caption"]) == ("pairs", "pairs.csv", 2, "All pairs.")
    assert [column["type"] for column in table["columns"]] == ["text", "integer", "number"]
    assert table["columns"][2] == {
        "name": "asl",
        "type": "number",
        "array": "<f8",
        "undefined": "nan",
        "digits": 3,
    }
    assert saved["figures"][0]["marks"] == [{"axis": "y", "at": 0.05, "label": "alpha", "facet": ""}]


def test_saving_what_was_loaded_writes_the_same_bytes(tmp_path: Path) -> None:
    provenance = {"path": Path("a/b"), "measures": ("AP", "Q"), "n": np.int64(3), "x": np.array([0.5, np.nan])}
    made = Result("s", result().tables, provenance=provenance)
    save_result(made, tmp_path / "one")
    loaded = load_result(tmp_path / "one")
    assert loaded.provenance["path"] == os.path.join("a", "b")
    assert loaded.provenance["measures"] == ["AP", "Q"]
    save_result(loaded, tmp_path / "two")
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_numbers_keep_the_numerics_version_they_were_made_with(tmp_path: Path) -> None:
    save_result(Result("s", (), numerics=7), tmp_path / "out")
    assert load_result(tmp_path / "out").numerics == 7


names = st.text() | st.binary().map(lambda raw: raw.decode("utf-8", "surrogateescape"))
names |= st.text("'=+-@\t\r\n\",a\x00 \ufeff\u2028")
# canonical NaN: one whose sign or payload differs means nothing more
floats = st.floats().map(lambda x: math.nan if math.isnan(x) else x)
values = st.none() | st.booleans() | st.integers() | floats | names
NUMERIC = ["?", "i1", "u2", ">i4", "i8", "u8", "f2", "f4", ">f8", "f8"]


@st.composite
def columns(draw: st.DrawFn, rows: int) -> Column:
    def many(kind: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(kind, min_size=rows, max_size=rows))

    form = draw(st.sampled_from(["mixed", "one kind", "numbers", "text", "objects"]))
    if form == "numbers":
        dtype = np.dtype(draw(st.sampled_from(NUMERIC)))
        raw = draw(st.binary(min_size=rows * dtype.itemsize, max_size=rows * dtype.itemsize))
        made = (
            np.frombuffer(raw, dtype=np.uint8).astype(bool)[:rows] if dtype.kind == "b" else np.frombuffer(raw, dtype)
        )
        return np.where(np.isnan(made), dtype.type(np.nan), made).astype(dtype) if dtype.kind == "f" else made
    if form == "text":
        return np.array(many(names), dtype=str)
    if form == "objects":
        made = np.empty(rows, dtype=object)
        made[:] = many(values)
        return made
    kind = st.sampled_from([st.booleans(), st.integers(), floats, names, names | st.none(), floats | st.none()])
    return tuple(many(values if form == "mixed" else draw(kind)))


@st.composite
def tables(draw: st.DrawFn, name: str) -> Table:
    rows = draw(st.integers(0, 4))
    heads = draw(st.lists(names, unique=True, max_size=4))
    digits = {head: draw(st.integers(0, 9)) for head in heads if draw(st.booleans())}
    return Table(name, {head: draw(columns(rows)) for head in heads}, draw(names), digits)


kept = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | names,
    lambda inner: st.lists(inner) | st.dictionaries(names | st.integers() | st.just("$"), inner),
    max_leaves=10,
)


@st.composite
def results(draw: st.DrawFn) -> Result:
    called = draw(st.lists(names.filter(lambda name: name != "provenance"), unique=True, max_size=3))
    found = draw(st.lists(st.builds(IrassayWarning, names, names, names), max_size=2))
    provenance = draw(st.dictionaries(names, kept, max_size=3))
    return Result(draw(names), tuple(draw(tables(name)) for name in called), tuple(found), provenance)


@given(results())
@example(Result("s", (Table("t", {"": [None, "", "''=", math.nan]}),)))
@example(Result("s", (Table("t", {"": [""]}), Table("T", {"x": ["a" * 200_000]}), Table("../t", {"x": [None]}))))
@example(Result("s", (Table("t", {"x": [True, 1, 1.0, "1", "True", None, -0.0, math.inf, 10**400, 5e-324]}),)))
def test_odd_tables_names_and_provenance_come_back_bit_for_bit(made: Result) -> None:
    with tempfile.TemporaryDirectory() as place:
        save_result(made, Path(place) / "out")
        assert content(load_result(Path(place) / "out")) == content(made)
        assert {path.name for path in (Path(place) / "out").iterdir()} == {"result.json", "tables"}


def test_a_surrogate_that_is_no_byte_is_written_out_as_in_every_report(tmp_path: Path) -> None:
    save_result(Result("s", (Table("t", {"\ud800": ["x\ud800"]}),)), tmp_path / "out")
    assert list(load_result(tmp_path / "out")["t"].rows()) == [("x\\ud800",)]


def test_table_names_are_never_paths_and_never_meet() -> None:
    odd = ["a", "A", "../x", "", "con", "Nul.x", "b.", ".hidden", "é", "n" * 101, "unnamed-2", "swap_bins"]
    made = file_names(odd)
    assert made[0] == "a"
    assert made[-1] == "swap_bins"
    assert all(name.startswith("unnamed-") for name in made[1:-1])
    assert len({name.lower() for name in made}) == len(odd)


@pytest.mark.parametrize(
    "column",
    [np.array([1j]), np.array([b"a"]), np.zeros((1, 2)), np.array(["2020"], dtype="M8[D]"), [b"a"], [object()]],
)
def test_a_column_that_a_folder_cannot_keep_is_refused_before_anything_is_written(
    tmp_path: Path, column: Column
) -> None:
    with pytest.raises(InputError, match="column 'x' of table 't' cannot be kept"):
        save_result(Result("s", (Table("t", {"x": column}),)), tmp_path / "new" / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [object(), b"a", {(1, 2): 3}])
def test_a_provenance_that_a_folder_cannot_keep_is_refused(tmp_path: Path, value: object) -> None:
    with pytest.raises(InputError, match="provenance holds what"):
        save_result(Result("s", (), provenance={"x": [value]}), tmp_path / "out")


def test_an_earlier_result_is_replaced_as_a_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    save_result(Result("old", (Table("gone", {}),)), out)
    (out / "figures").mkdir()
    (out / "figures/asl.svg").write_text("old")
    out.chmod(0o750)
    save_result(result(), out)
    assert sorted(files(tmp_path)) == ["out/result.json", "out/tables/empty.csv", "out/tables/pairs.csv"]
    assert stat.S_IMODE(out.stat().st_mode) == 0o750
    assert content(load_result(out)) == content(result())


def test_an_empty_folder_is_taken_and_folders_on_the_way_are_made(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty/.DS_Store").touch()
    for place in ("empty", "a/b/c"):
        save_result(result(), tmp_path / place)
        assert load_result(tmp_path / place).study == "power"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    save_result(Result("old", ()), tmp_path / "real")
    (tmp_path / "link").symlink_to("real")
    save_result(result(), tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert load_result(tmp_path / "real").study == "power"


def foreign(place: Path) -> None:
    (place / "thesis.tex").write_text("years of work")


def other_json(place: Path) -> None:
    (place / "result.json").write_text('{"tables": []}')


def broken_json(place: Path) -> None:
    (place / "result.json").write_text("{")


def notes(place: Path) -> None:
    save_result(result(), place)
    (place / "notes.txt").write_text("mine")


@pytest.mark.parametrize(
    ("fill", "message"),
    [
        (foreign, "not empty and not an irassay result"),
        (other_json, "not empty and not an irassay result"),
        (broken_json, "not empty and not an irassay result"),
        (notes, "would delete what else is in its folder: notes.txt"),
    ],
)
@pytest.mark.parametrize("act", [claim, lambda place: save_result(Result("new", ()), place)])
def test_a_folder_with_anything_else_in_it_is_refused_and_left_alone(
    tmp_path: Path, fill: Callable[[Path], None], message: str, act: Callable[[Path], object]
) -> None:
    place = tmp_path / "mine"
    place.mkdir()
    fill(place)
    before = files(tmp_path)
    with pytest.raises(InputError, match=message) as caught:
        act(place)
    assert caught.value.where == str(place)
    assert caught.value.hint
    assert files(tmp_path) == before


def test_a_file_is_no_place_for_a_result(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="this is a file"):
        save_result(result(), tmp_path / "file")
    with pytest.raises(InputError, match="file is a file, not a folder"):
        save_result(result(), tmp_path / "file" / "a" / "b")
    assert files(tmp_path) == {"file": b"mine"}


def test_an_unwritable_place_is_refused_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # told through os.access, because the tests may run as a user who may write anywhere
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(InputError, match="cannot be written to") as caught:
        claim(tmp_path / "a" / "b")
    assert str(tmp_path) in caught.value.what


def test_a_full_disk_is_an_error_and_leaves_the_old_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    save_result(result(), out)
    before = files(tmp_path)

    def full(path: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="cannot save: No space left") as caught:
        save_result(Result("new", (Table("t", {}),)), out)
    assert caught.value.where == str(out)
    assert files(tmp_path) == before


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), OSError(errno.EIO, "Input/output error")])
@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("at", [1, 2])
def test_an_interruption_at_any_rename_leaves_one_whole_result_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: BaseException, done: bool, at: int
) -> None:
    """An interrupt may come before a rename or right after it."""
    out = tmp_path / "out"
    save_result(result(), out)
    count = 0
    rename = os.replace

    def replace(source: Path, target: Path) -> None:
        nonlocal count
        count += 1
        if count != at or done:
            rename(source, target)
        if count == at:
            raise stop

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(KeyboardInterrupt if isinstance(stop, KeyboardInterrupt) else InputError):
        save_result(Result("new", ()), out)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert load_result(out).study == ("new" if done and at == 2 else "power")


def test_an_interrupted_first_save_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(source: Path, target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        save_result(result(), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_old_result_that_cannot_be_put_back_is_kept_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    save_result(result(), out)
    rename = os.replace

    def once(source: Path, target: Path) -> None:
        monkeypatch.setattr(os, "replace", never)
        rename(source, target)

    def never(source: Path, target: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "replace", once)
    with pytest.raises(InputError, match="the earlier result is now") as caught:
        save_result(Result("new", ()), out)
    (left,) = tmp_path.iterdir()
    assert str(left) in caught.value.hint
    assert load_result(left).study == "power"
