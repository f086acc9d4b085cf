"""Studies of several collections: every number is that of the collection alone, and everything names its collection."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay import InputError, Result, demo
from irassay.ask import swap
from irassay.cli import run
from irassay.compute import checkpoint
from irassay.report.html import to_html
from irassay.report.text import undefined
from irassay.result import Table
from irassay.settings import options
from irassay.studies.functions import function_of
from irassay.studies.registry import load, studies
from tests.helpers.several_collections import NAMES, SIZES, data_of, write_collections, write_file

MEASURES = SIZES["measures"]
OWN: dict[str, dict[str, Any]] = {
    "first": {
        "groups": "a/groups.txt",
        "judges": "a/judges/noisy.qrels",
        "cheap": "a/judges/noisy.qrels",
        "trusted_topics": "1-7",
        "corpus_size": 3000,
        "pool_depth": 30,
    },
    "second one": {
        "groups": "b/groups.txt",
        "judges": "b/judges/noisy.qrels",
        "cheap": "b/judges/noisy.qrels",
        "trusted_topics": "1-6",
        "corpus_size": 4000,
        "pool_depth": 20,
    },
}
OTHERS = ("study", "paper", "leaderboard")  # each has its own way to take several
MERGED = [name for name, study in studies().items() if study.data != "none" and name not in OTHERS]
pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("several")
    write_collections(place, demo.JUDGES[:1])
    return place


def alone(folder: Path, name: str, collection: str) -> Result:
    """A study of one collection, with its options and without those that this study has not."""
    settings = load(studies()[name].settings)
    known = options(settings)
    values = {key: value for key, value in {**SIZES, **OWN[collection]}.items() if key in known}
    if getattr(settings, "groups_only_select", False):
        del values["groups"]
    for option in {"groups", "judges", "cheap"} & values.keys():
        values[option] = str(folder / values[option])
    return function_of(studies()[name])(*data_of(folder, collection), **values)


def cells(table: Table) -> list[dict[str, object]]:
    """The rows, with None for what is undefined and without columns that have nothing."""
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows()]
    return [{name: value for name, value in row.items() if not undefined(value)} for row in rows]


@pytest.mark.parametrize("name", MERGED)
def test_every_number_is_that_of_the_collection_alone(folder: Path, name: str) -> None:
    result = function_of(studies()[name])(folder / "irassay.toml")
    single = {collection: alone(folder, name, collection) for collection in NAMES}
    for collection, one in single.items():
        assert {table.name for table in one.tables} <= {table.name for table in result.tables}
        for table in one.tables:
            assert next(iter(result[table.name].columns)) == "collection"
            rows = [row for row in cells(result[table.name]) if row.pop("collection") == collection]
            assert rows == cells(table)
        names = {figure.name for figure in result.figures}
        for figure in one.figures:
            assert figure.name in names or f"{figure.name}_{collection.replace(' ', '-')}" in names
        for finding in one.findings:
            assert f"{collection}: {finding}" in result.findings or finding in result.findings
        assert result.provenance["collections"][collection]["topics"] == one.provenance["topics"]  # type: ignore[index]
    assert result.notes == single["first"].notes


@pytest.mark.parametrize("name", MERGED)
def test_one_collection_is_as_without_a_collections_file(folder: Path, name: str) -> None:
    (first, _) = irassay.read_collections(folder / "irassay.toml")
    result, single = function_of(studies()[name])([first]), alone(folder, name, "first")
    assert [(table.name, cells(table), table.caption) for table in result.tables] == [
        (table.name, cells(table), table.caption) for table in single.tables
    ]
    assert (result.figures, result.findings) == (single.figures, single.findings)
    without_paths = [
        {key: value for key, value in one.provenance.items() if key not in ("qrels", "runs")}
        for one in (result, single)
    ]
    assert without_paths[0] == without_paths[1]


@pytest.mark.parametrize("name", ["power", "compare", "uncertainty", "corpus", "check"])
def test_merged_results_are_saved_loaded_and_reported(folder: Path, name: str, tmp_path: Path) -> None:
    result = function_of(studies()[name])(folder / "irassay.toml")
    irassay.save_result(result, tmp_path / "r")
    loaded = irassay.load_result(tmp_path / "r")
    assert [cells(table) for table in loaded.tables] == [cells(table) for table in result.tables]
    assert loaded.figures == result.figures
    page = to_html([("r", loaded)])
    assert "second one: " in page
    assert "<dt>second one</dt><dd><dl><dt>qrels</dt>" in page


def terminal(capfd: Any, *arguments: str) -> tuple[int, str, str]:
    capfd.readouterr()
    status = run(list(arguments))
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    return status, out, err


def test_the_command_shows_and_saves_all_collections(folder: Path, tmp_path: Path, capfd: Any) -> None:
    file = str(folder / "irassay.toml")
    status, shown, _ = terminal(capfd, "power", file, "--out", str(tmp_path / "power"))
    assert status == 0
    findings, caption, rows = shown.split("\n\n")
    assert findings.startswith("first: ")
    assert caption.startswith("Discriminative power")
    assert [line.split()[0] for line in rows.splitlines()[2:]] == ["first"] * 4 + ["second"] * 4
    assert "irassay.toml" in str(irassay.load_result(tmp_path / "power").provenance["command"])
    assert (tmp_path / "power" / "tables" / "power.csv").read_text().startswith("collection,measure,")
    tex = (tmp_path / "power" / "tables" / "power.tex").read_text()
    assert "collection & measure" in tex
    assert (tmp_path / "power" / "figures" / "system_means_second-one.svg").exists()


def test_the_command_prints_json_and_a_table_to_paste(folder: Path, capfd: Any) -> None:
    file = str(folder / "irassay.toml")
    content = json.loads(terminal(capfd, "compare", file, "--format", "json")[1])
    assert {row["collection"] for row in content["comparison"]} == set(NAMES)
    assert terminal(capfd, "compare", file, "--csv")[1].startswith("collection,measure,system,")
    assert "collection & measure & system" in terminal(capfd, "compare", file, "--latex")[1]


def test_a_collection_is_chosen_by_name(folder: Path, capfd: Any) -> None:
    file = str(folder / "irassay.toml")
    status, out, _ = terminal(capfd, "power", file, "--collection", "first", "--format", "json")
    assert status == 0
    assert [row["discriminative_power"] for row in json.loads(out)["power"]] == list(
        alone(folder, "power", "first")["power"]["discriminative_power"]
    )
    assert "collection" not in json.loads(out)["power"][0]
    status, _, err = terminal(capfd, "power", file, "--collection", "frist")
    assert (status, "there is no collection 'frist'" in err, "did you mean first?" in err) == (2, True, True)


def test_the_command_line_comes_before_the_file_and_also_where_it_says_the_default(folder: Path, capfd: Any) -> None:
    file = str(write_file(folder, "seed = 7\nalpha = 0.05\n", "seeds.toml"))
    for arguments, seed, resamples in (((), 7, 100), (("--seed", "0", "--resamples", "150"), 0, 150)):
        content = json.loads(terminal(capfd, "power", file, *arguments, "--format", "json")[1])
        assert (content["provenance"]["seed"], content["provenance"]["resamples"]) == (seed, resamples)
    assert irassay.power(file, seed=0).provenance["seed"] == 0
    assert irassay.power(file).provenance["seed"] == 7


def test_gains_and_lists_are_written_as_toml_has_them(folder: Path) -> None:
    shared = "gains = { 1 = 2, 2 = 5 }\nalpha = [0.05, 0.1]\nunpaired = true\n"
    file = write_file(folder, shared, "lists.toml", ('measures = "Q nDCG@10"', 'measures = ["Q", "nDCG@10"]'))
    result = irassay.power(file)
    for name in NAMES:
        options: dict[str, Any] = {"gains": "1=2,2=5", "alpha": "0.05,0.1", "unpaired": True}
        single = irassay.power(*data_of(folder, name), measures=MEASURES, resamples=100, **options)
        assert [row for row in cells(result["power"]) if row.pop("collection") == name] == cells(single["power"])


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (('runs = "a/runs"', 'runs = "a/none*"'), "collection first: runs: {folder}/a/none*: no file matches"),
        (('"b/qrels.txt"', '"b/none.txt"'), "collection second one: qrels: {folder}/b/none.txt: no such file"),
        (("resamples = 100", 'resamples = "many"'), "collection first: 'resamples' is 'many'\n\nhint: it is a whole"),
        (("resamples = 100", "resamples = 0"), "collection first: 'resamples' is 0\n\nhint: it is at least 1"),
        (("resamples = 100", 'order = "any"'), "collection first: 'order' is 'any'\n\nhint: it is one of trec"),
        (("resamples = 100", "paired = 1"), "collection first: 'paired' is 1\n\nhint: it is true or false"),
        (
            ("resamples = 100", 'gains = { 1 = "much" }'),
            "'gains' is {{1: 'much'}}\n\nhint: it is text or a table from",
        ),
        (("resamples = 100", "jobs = 1"), "no study has an option 'jobs'"),
        (("resamples = 100", "resamples ="), "irassay-change.toml:3: this is not TOML"),
    ],
)
def test_errors_name_the_file_the_collection_and_the_key(
    folder: Path, capfd: Any, change: tuple[str, str], what: str
) -> None:
    file = str(write_file(folder, name="irassay-change.toml", change=change))
    status, _, err = terminal(capfd, "power", file)
    assert status == 2
    assert what.format(folder=folder) in err
    assert "irassay-change.toml" in err


def test_runs_beside_a_collections_file_and_a_missing_file_are_errors(folder: Path, capfd: Any) -> None:
    file, runs = str(folder / "irassay.toml"), str(folder / "a/runs")
    for command in ("power", "check", "score", "corpus"):
        status, _, err = terminal(capfd, command, file, runs)
        assert (status, "collections were given, and runs too" in err) == (2, True)
        status, _, err = terminal(capfd, command, str(folder / "none.toml"))
        assert (status, "none.toml: no such file" in err) == (2, True)
    status, _, err = terminal(capfd, "power", str(folder / "a/qrels.txt"), runs, "--collection", "first")
    assert (status, "--collection chooses from a collections file" in err) == (2, True)
    assert terminal(capfd, "check", str(folder / "a/qrels.txt"))[2].startswith("error: Missing argument 'RUN...'")
    assert terminal(capfd, "score", file, "--format", "trec")[0] == 2


def test_a_study_that_fails_names_the_collection(folder: Path) -> None:
    first, second = irassay.read_collections(folder / "irassay.toml")
    broken = irassay.Collection(name="broken", qrels=second.qrels, runs=second.runs, options={"topics": "99999"})
    with pytest.raises(InputError) as caught:
        irassay.power([first, broken], resamples=100)
    assert caught.value.where.startswith("collection broken: ")


def test_what_is_written_beside_a_result_has_a_place_for_each_collection(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="would be written for several collections"):
        irassay.incomplete(folder / "irassay.toml", write_qrels=str(tmp_path / "qrels"))


def test_collections_in_memory_are_studied_too(folder: Path) -> None:
    panels = {name: irassay.align(*data_of(folder, name), unanswerable="drop") for name in NAMES}
    by_panel = [irassay.Collection(name=name, qrels=panel) for name, panel in panels.items()]
    by_scores = [
        irassay.Collection(name=name, qrels=panel.score(MEASURES), options={"resamples": 100})
        for name, panel in panels.items()
    ]
    values = {"measures": MEASURES, "resamples": 100}
    expected = cells(irassay.power(folder / "irassay.toml")["power"])
    assert cells(irassay.power(by_panel, **values)["power"]) == expected
    assert cells(irassay.power(by_scores)["power"]) == expected
    with pytest.raises(InputError, match="two collections are called 'first'"):
        irassay.power([by_panel[0], by_panel[0]])


def test_score_tables_are_collections_too(folder: Path, capfd: Any) -> None:
    tables = "".join(f'[[collection]]\nname = "{name}"\nscores = ["{name}.csv"]\n' for name in "xy")
    (folder / "tables.toml").write_text(f"resamples = 100\n{tables}")
    for name, collection in zip("xy", NAMES, strict=True):
        arguments = [*map(str, data_of(folder, collection)), "-m", MEASURES, "--per-topic", "--unanswerable", "drop"]
        assert run(["score", *arguments, "--format", "csv", "-o", str(folder / f"{name}.csv")]) == 0
    result, expected = irassay.power(folder / "tables.toml"), irassay.power(folder / "irassay.toml")
    assert list(result["power"]["estimated_difference"]) == list(expected["power"]["estimated_difference"])


def test_a_full_study_has_one_result_for_each_part(folder: Path, tmp_path: Path, capfd: Any) -> None:
    out = tmp_path / "out"
    status, shown, err = terminal(
        capfd, "study", str(folder / "irassay.toml"), "--only", "power,check", "--out", str(out)
    )
    assert status == 0
    assert "second one: power: done" in err
    assert re.search(r"^power: .*\n  - first: ", shown, re.MULTILINE)
    assert {path.name for path in out.iterdir()} == {"power", "check", "overview", "report.html"}
    power = irassay.load_result(out / "power")
    assert cells(power["power"]) == cells(irassay.power(folder / "irassay.toml")["power"])
    parts = cells(irassay.load_result(out / "overview")["parts"])
    assert [(row["collection"], row["part"]) for row in parts] == [
        (name, part) for name in NAMES for part in ("check", "power")
    ]


def test_a_part_that_fails_for_one_collection_is_reported_by_its_name_and_the_rest_is_delivered(folder: Path) -> None:
    first, second = irassay.read_collections(folder / "irassay.toml")
    one_topic = replace(second, name="small", options={**second.options, "topics": "1"})  # too few for tests
    results = irassay.study([first, one_topic], only="power,check")
    assert list(results.failures) == ["small: power"]
    assert set(results) == {"power", "check"}
    assert "collection" not in results["power"]["power"].columns
    assert set(results["check"]["collection"]["collection"]) == {"first", "small"}
    assert any(finding.startswith("small: power could not be made: ") for finding in results.overview.findings), (
        results.overview.findings
    )


def test_a_paper_shows_collections_side_by_side(folder: Path) -> None:
    result = irassay.paper("sakai2007one", folder / "irassay.toml")
    single = {name: irassay.paper("sakai2007one", *data_of(folder, name), resamples=100, images=6) for name in NAMES}
    for name, one in single.items():
        for table in one.tables:
            if table.name != "contents":
                rows = [row for row in cells(result[table.name]) if row.pop("collection") == name]
                assert rows == cells(table)
    assert next(figure for figure in result.figures if figure.name == "F9").facet == "collection"
    # what the paper shows for its second collection is that of the second one
    assert [row for row in cells(result["T8"]) if row.pop("collection") == NAMES[1]] == cells(single[NAMES[1]]["T7"])
    assert set(result["T8"]["collection"]) == {NAMES[1]}
    contents = {(row["collection"], row["item"]): row["delivered"] for row in cells(result["contents"])}
    assert contents[NAMES[1], "T8"] is contents[NAMES[0], "T7"] is True
    assert (NAMES[0], "T8") not in contents


def test_figures_of_the_second_collection_are_its_own(folder: Path) -> None:
    result = irassay.paper("sakai2007bootstrap", folder / "irassay.toml")
    figures = {figure.name: figure for figure in result.figures}
    assert figures["F10"].facet == "collection"
    assert figures["F12"].where == {"collection": NAMES[1]}
    assert figures["F12"].caption.startswith("second one: Figure 12: ")
    second = [row for row in cells(result["F10"]) if row["collection"] == NAMES[1]]
    assert cells(result["F12"]) == second


def test_an_interrupted_study_goes_on_at_the_collection_where_it_was(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    monkeypatch.setattr(checkpoint, "SHARE", float("inf"))
    whole = irassay.swap(folder / "irassay.toml")
    blocks: list[int] = []
    block, limit = swap._Swaps.block, [3]  # each collection has two measures

    def counted(self: Any, part: range, jobs: int) -> Any:
        if len(blocks) == limit[0]:
            raise KeyboardInterrupt
        blocks.append(part.start)
        return block(self, part, jobs)

    monkeypatch.setattr(swap._Swaps, "block", counted)
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        irassay.swap(folder / "irassay.toml", out=str(out))
    assert (out / "checkpoint/study.json").is_file()
    with pytest.raises(InputError, match="seed of first was 0 and is now 1"):
        irassay.swap(folder / "irassay.toml", out=str(out), seed=1)
    limit[0] = 100
    resumed = irassay.swap(folder / "irassay.toml", out=str(out))
    assert len(blocks) == 4  # three of before, and the one that was missing
    assert [cells(table) for table in resumed.tables] == [cells(table) for table in whole.tables]
    assert not (out / "checkpoint").exists()
