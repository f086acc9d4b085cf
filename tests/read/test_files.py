"""Which files a user meant, and what their systems are called."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from irassay import read_qrels, read_runs
from irassay.errors import InputError
from irassay.read import tokens
from irassay.read.groups import read_groups
from tests.helpers.files import RUN, file, lines_of, refusal


def named(folder: Path, tags: dict[str, list[str]]) -> list[Path]:
    return [
        file(folder, "".join(f"1 Q0 d{n} 1 {-n} {tag}\n" for n, tag in enumerate(values)).encode(), name)
        for name, values in tags.items()
    ]


@pytest.mark.parametrize(
    ("tags", "names", "expected"),
    [
        ({"x.gz": ["a", "a"], "y.txt": ["b"]}, None, ("a", "b")),
        ({"x.gz": ["a", "a"], "y.txt": ["a"]}, None, ("x", "y.txt")),
        ({"x.gz": ["a", "b"], "y.txt": ["c"]}, None, ("x", "y.txt")),
        ({"x.gz": ["a", "a"], "y.txt": ["b"]}, "file", ("x", "y.txt")),
        ({"x.txt.xz": ["a"], "run.zst": ["a"], ".gz": ["a"]}, None, ("x.txt", "run", ".gz")),
        ({"x.gz": ["a", "a"], "y.txt": ["b"]}, "tag", ("a", "b")),
    ],
)
def test_runs_are_called_by_tags_where_these_are_constant_and_differ_else_all_by_files(
    tmp_path: Path, tags: dict[str, list[str]], names: str | None, expected: tuple[str, ...]
) -> None:
    assert read_runs(named(tmp_path, tags), names=names).names == expected


@pytest.mark.parametrize("block", [1, 1 << 23])
def test_a_tag_must_be_constant_across_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(tokens, "BLOCK", block)
    (path,) = named(tmp_path, {"x": ["a", "a", "ab"]})
    assert read_runs(path).names == ("x",)
    with pytest.raises(InputError, match=r"x: the tag column is not constant\n\nhint: .*--names file"):
        read_runs(path, names="tag")


def test_files_of_a_directory_and_of_a_pattern_come_by_bytes_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    named(tmp_path, {"b": ["1"], "B": ["2"], "a10": ["3"], "a9": ["4"], ".hidden": ["5"], "é": ["6"], "[a]*": ["7"]})
    assert read_runs(tmp_path, names="file").names == ("B", "[a]*", "a10", "a9", "b", "é")
    assert read_runs(f"{tmp_path}/a*", names="file").names == ("a10", "a9")
    assert read_runs(f"{tmp_path}/[a]*", names="file").names == ("[a]*",)  # a file of that name comes first
    assert read_runs([tmp_path / "b"], tmp_path / "a9", names="file").names == ("b", "a9")
    assert read_runs(tmp_path / name for name in ("b", "B")).names == ("1", "2")


def test_sources_that_name_no_usable_file_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty" / "inside").mkdir(parents=True)
    file(tmp_path / "empty", RUN, ".hidden")
    file(tmp_path, RUN, "a")
    file(tmp_path, RUN, "b")
    os.symlink(tmp_path / "a", tmp_path / "link")
    here = str(tmp_path)
    refused: list[tuple[list[Any], str, str]] = [
        ([f"{here}/empty"], f"{here}/empty", "the directory holds no files"),
        ([f"{here}/x*"], f"{here}/x*", "no file matches this pattern"),
        ([f"{here}/e*"], f"{here}/e*", "no file matches this pattern"),
        ([f"{here}/missing"], f"{here}/missing", "no such file"),
        ([f"{here}/a\0"], repr(f"{here}/a\0"), "no file can have this name"),
        ([f"{here}/a/b"], f"{here}/a/b", "cannot be read (Not a directory)"),
        ([f"{here}/{'n' * 300}"], f"{here}/{'n' * 300}", "cannot be read (File name too long)"),
        ([f"{here}/a", f"{here}/a"], f"{here}/a", "the same file is given twice"),
        ([f"{here}/a", f"{here}/empty/../a"], f"{here}/empty/../a", f"the same file is given twice, first as {here}/a"),
        ([f"{here}/a", f"{here}/link"], f"{here}/link", f"the same file is given twice, first as {here}/a"),
        ([""], "''", "no file can have this name"),
        ([], "", "no run was given"),
        ([f"{here}/a", {"1": {"d": 1.0}}], f"{here}/a", "files and runs in memory are mixed"),
    ]
    for sources, where, what in refused:
        error = refusal(read_runs, *sources)
        assert (error.where, error.what) == (where, what)
    assert refusal(read_qrels, tmp_path).what == "this is a directory"
    assert refusal(read_qrels, tmp_path / "missing").what == "no such file"
    assert refusal(read_qrels, "a\0").what == "no file can have this name"
    monkeypatch.setattr(Path, "iterdir", lambda self: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))
    assert str(refusal(read_runs, tmp_path)) == f"{here}: cannot be read (Permission denied)"


def test_two_runs_with_one_name_are_an_error_that_shows_both(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    paths = [file(tmp_path / folder, RUN, name) for folder, name in (("one", "a"), ("two", "a.gz"))]
    for names, called, hint in [("tag", "bm25", "--names file"), (None, "a", "rename"), ("file", "a", "rename")]:
        error = refusal(read_runs, *paths, names=names)
        assert error.what == f"two runs are called '{called}': {paths[0]} and {paths[1]}"
        assert hint in error.hint


def test_wrong_keywords_are_input_errors(tmp_path: Path) -> None:
    path = file(tmp_path, RUN)
    assert refusal(read_runs, path, names="tags").hint == "names is one of tag, file, stem"
    assert refusal(read_runs, path, jobs=0).what == "jobs is 0"
    assert refusal(read_qrels, path, duplicates="last").hint == "duplicates is 'error' or 'first'"


def test_groups_are_pairs_and_every_other_line_is_reported(tmp_path: Path) -> None:
    assert read_groups(file(tmp_path, b"# teams\r\na x\r\n\r\nb\ty\r\na x\r\n")) == {"a": "x", "b": "y"}
    error = refusal(read_groups, file(tmp_path, b"a x\na\nb y z\na y\n"))
    assert lines_of(error) == [2, 3, 4]
    assert error.problems[2].what == "system a is in group x and in y"
    assert refusal(read_groups, file(tmp_path, b"# none\n")).what == "the file names no group"
    assert refusal(read_groups, file(tmp_path, b"a\n" * 50)).problems[-1].what == "30 more malformed lines"
