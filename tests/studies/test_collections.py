"""Collections and their file: what is read of it, and how errors name the file and the key."""

from pathlib import Path

import pytest

import irassay
from irassay.errors import InputError

FILE = """
measures = "AP"
resamples = 100

[[collection]]
name = "A"
qrels = "a/qrels.txt"
runs = "a/runs"
corpus-size = 1000
resamples = 50

[[collection]]
name = "B"
qrels = "b/qrels.txt"
runs = ["b/runs/*.gz", "/more/run"]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "irassay.toml"
    path.write_text(text, encoding="utf-8")
    return path


def problem_of(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        irassay.read_collections(path)
    return caught.value


def test_options_of_a_collection_come_before_shared_ones(tmp_path: Path) -> None:
    a, b = irassay.read_collections(write(tmp_path, FILE))
    assert dict(a.options) == {"measures": "AP", "resamples": 50, "corpus_size": 1000}
    assert dict(b.options) == {"measures": "AP", "resamples": 100}


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    a, b = irassay.read_collections(write(tmp_path, FILE))
    assert (a.qrels, a.runs) == (str(tmp_path / "a/qrels.txt"), (str(tmp_path / "a/runs"),))
    assert b.runs == (str(tmp_path / "b/runs/*.gz"), "/more/run")


@pytest.mark.parametrize(
    ("change", "where", "what", "hint"),
    [
        (("resamples = 100", "resample = 100"), "irassay.toml", "no study has an option 'resample'", "resamples"),
        (("corpus-size", "corpus-sice"), "collection A", "no study has an option 'corpus_sice'", "corpus_size"),
        (('name = "B"', 'name = "A"'), "irassay.toml", "two collections are called 'A'", "rename"),
        (('name = "B"\n', ""), "collection number 2", "'name' is missing", "name"),
        (('qrels = "b/qrels.txt"\n', ""), "collection B", "'qrels' is missing", "qrels and runs"),
        (('runs = "a/runs"', "runs = 3"), "collection A", "'runs' is no path", "runs = 'PATH'"),
        (('qrels = "a/qrels.txt"', 'qrels = ["a", "b"]'), "collection A", "'qrels' is more than one", "one"),
        (('measures = "AP"', 'runs = "x"'), "irassay.toml", "'runs' belongs to a collection", "[[collection]]"),
        (("resamples = 50", "corpus_size = 50"), "collection A", "'corpus-size' is given twice", "leave one out"),
        (("resamples = 100", "resamples = "), "irassay.toml:3", "this is not TOML", "quotes"),
        (("[[collection]]", "[[collections]]"), "irassay.toml", "there is no collection", "[[collection]]"),
    ],
)
def test_an_error_names_the_file_and_the_key(
    tmp_path: Path, change: tuple[str, str], where: str, what: str, hint: str
) -> None:
    problem = problem_of(write(tmp_path, FILE.replace(*change)))
    assert problem.where.startswith(str(tmp_path / "irassay.toml"))
    assert where in problem.where
    assert what in problem.what
    assert hint in problem.hint


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    problem = problem_of(tmp_path / "none.toml")
    assert (problem.what, problem.where) == ("no such file", str(tmp_path / "none.toml"))


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"])
def test_a_name_that_no_file_can_have_is_no_file(tmp_path: Path, name: str) -> None:
    judged = irassay.Collection(name="A", qrels=str(tmp_path / name), runs={"a": {"1": {"d": 1.0}}})
    with pytest.raises(InputError, match="no such file"):
        irassay.score(judged, measures="AP")


def test_a_collection_made_in_python_has_options_that_some_study_knows() -> None:
    assert dict(irassay.Collection(name="A", options={"images": 3}).options) == {"images": 3}
    with pytest.raises(InputError, match="did you mean images"):
        irassay.Collection(name="A", options={"image": 3})
    with pytest.raises(InputError, match="no name"):
        irassay.Collection(name=" ")
