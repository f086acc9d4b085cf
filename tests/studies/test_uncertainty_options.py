"""What `irassay uncertainty` varies and asks as it is told, what it refuses and why, and what it takes and writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.cli import run
from irassay.errors import InputError
from irassay.report import to_csv
from irassay.result import Result
from irassay.studies.uncertainty.settings import Uncertainty
from tests.helpers.budgets import CORPUS, MEASURES, QUANTITIES, exported_means, rows, uncertainty

pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
FEW: dict[str, Any] = {"measures": "AP", "replicates": 20}


def codes(result: Result) -> set[str]:
    return {warning.code for warning in result.warnings}


# --vary and --ask


def test_names_are_told_apart_by_commas_or_spaces_and_once_each() -> None:
    settings = Uncertainty(vary="ties, documents+topics,ties topics", ask="swap ranks,swap")
    assert settings.variations == (("ties", False), ("documents", True), ("topics", False))
    assert settings.questions == ("swap", "ranks")
    assert Uncertainty(vary=["ties", "topics"], ask=("order",)).variations == (("ties", False), ("topics", False))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"vary": "topics,weather"}, "there is no 'weather'"),
        ({"vary": ""}, "vary is ''"),
        ({"vary": "topics+topics"}, r"topics\+topics"),
        ({"vary": "pools+topics"}, r"pools\+topics"),  # listed scenarios are not drawn, with topics or without
        ({"vary": "topics+documents"}, r"topics\+documents"),
        ({"ask": "ranks,why"}, "there is no 'why'"),
        ({"ask": " , "}, "ask is"),
    ],
)
def test_unknown_names_are_refused_with_those_that_there_are(
    options: dict[str, str], said: str, tied_demo: Path
) -> None:
    with pytest.raises(InputError, match=said) as caught:
        uncertainty(tied_demo, **options)
    assert ("documents+topics" if "vary" in options else "reversals") in caught.value.hint


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"without_replacement": True}, "all the same"),
        ({"without_replacement": True, "size": 12}, "all the same"),
        ({"halves": True, "size": 5}, "samples of 5 topics, and of half of them"),
        ({"vary": "judgments", "keep": 100}, "100% of the judgments are kept"),
        ({"vary": "pools", "depths": "5,0"}, "depths is '5,0'"),
        ({"vary": "documents", "corpus_size": 5}, "a corpus of 5 documents"),
        ({"vary": "gains", "measures": "nDCG", "schemes": "{1:1}"}, "no gain for grade 2"),
        ({"export": "means.xlsx"}, "export is 'means.xlsx'"),
        ({"export": "/no/such/folder/means.csv"}, "no such folder"),
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any], said: str, tied_demo: Path) -> None:
    with pytest.raises(InputError, match=said):
        uncertainty(tied_demo, **(FEW | options))


@pytest.mark.parametrize("measure", ["AG(AP)", "NumRet", "NumRelRet"])
def test_measures_without_a_scale_are_refused_with_the_reason(measure: str, tied_demo: Path) -> None:
    with pytest.raises(InputError, match="not between 0 and 1: differences and their reversals mean nothing") as caught:
        uncertainty(tied_demo, measures=f"AP {measure}")
    assert ("GM" in caught.value.hint) == measure.startswith("AG")


def test_only_what_is_asked_is_there(tied_demo: Path) -> None:
    asked = {"ranks": "systems", "order": "order", "spread": "pairs", "reversals": "reversals", "swap": "swap"}
    for question, table in asked.items():
        result = uncertainty(tied_demo, vary="topics", ask=question, **FEW)
        assert {one.name for one in result.tables} - {"budget_figure"} == {
            "budget", table, "leaderboard", "topic_scores", "top_documents"
        }  # fmt: skip


def test_samples_of_other_sizes_and_halves_have_their_names_in_the_rows(tied_demo: Path) -> None:
    names: dict[str, dict[str, Any]] = {"topics 5": {"size": 5}, "topics halves": {"halves": True}}
    names["topics 5 without replacement"] = {"size": 5, "without_replacement": True}
    for name, options in names.items():
        result = uncertainty(tied_demo, vary="topics", ask="order", **(FEW | options))
        assert [row["variation"] for row in rows(result, "budget")] == [name]


# what data cannot give


@pytest.fixture(scope="module")
def untied(tied_demo: Path) -> irassay.Panel:
    runs = [str(path) for path in sorted((tied_demo / "runs").iterdir())[3:]]
    return irassay.align(tied_demo / "qrels.txt", irassay.read_runs(runs), keep_scores=True)


REASONS = {
    "ties": "no list has documents with equal scores",
    "gains": "no measure here takes gains",
}


@pytest.mark.parametrize("name", REASONS)
def test_what_the_data_do_not_allow_is_listed_by_default_and_refused_by_name(name: str, untied: irassay.Panel) -> None:
    result = irassay.uncertainty(untied, **FEW)
    assert {row["variation"]: row["reason"] for row in rows(result, "left_out")} == REASONS
    assert name not in {row["variation"] for row in rows(result, "budget")}
    with pytest.raises(InputError, match=f"{name} cannot vary: {REASONS[name]}") as caught:
        irassay.uncertainty(untied, vary=f"topics,{name}", **FEW)
    assert "--vary" in caught.value.hint


def test_the_command_refuses_what_the_data_do_not_allow_with_exit_status_2(tied_demo: Path, capfd: Any) -> None:
    data = [str(tied_demo / "qrels.txt"), str(tied_demo / "runs")]
    assert run(["uncertainty", *data, "-m", "AP", "--vary", "gains"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err == "error: gains cannot vary: no measure here takes gains\n\nhint: leave it out of --vary\n"


def test_one_relevant_grade_has_no_other_gains(tied_demo: Path) -> None:
    lines = [line.split() for line in (tied_demo / "qrels.txt").read_text().splitlines()]
    binary: dict[str, dict[str, int]] = {}
    for topic, _, document, grade in lines:
        binary.setdefault(topic, {})[document] = min(1, int(grade))
    result = irassay.uncertainty(binary, tied_demo / "runs", **(FEW | {"measures": "nDCG"}))
    assert [row["variation"] for row in rows(result, "left_out")] == ["gains"]
    assert "one relevant grade" in rows(result, "left_out")[0]["reason"]


def test_a_panel_without_retrieval_scores_has_no_simulation_and_no_ties(tied_demo: Path) -> None:
    panel = irassay.align(tied_demo / "qrels.txt", tied_demo / "runs")
    result = irassay.uncertainty(panel, **(FEW | {"measures": "nDCG@10"}))
    assert [row["variation"] for row in rows(result, "left_out")] == ["simulation", "ties"]
    assert all("keep_scores" in row["reason"] for row in rows(result, "left_out"))


def test_a_system_that_one_variation_cannot_take_is_left_out_of_all_and_named(tied_demo: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    for path in (tied_demo / "runs").iterdir():
        (folder / path.name).write_text(path.read_text())
    lines = (folder / "sys5.txt").read_text().splitlines()
    first = lines[0].split()
    (folder / "sys5.txt").write_text("\n".join([" ".join([*first[:4], "inf", first[5]]), *lines[1:]]) + "\n")
    result = irassay.uncertainty(tied_demo / "qrels.txt", folder, **FEW)
    assert "sys5" not in {row["system"] for row in rows(result, "systems")}
    (warning,) = (one for one in result.warnings if one.code == "system-left-out")
    assert warning.what == "sys5 is left out, because simulation cannot take it: a score is not a finite number"
    whole = irassay.uncertainty(tied_demo / "qrels.txt", folder, vary="topics,judgments", **FEW)
    assert "sys5" in {row["system"] for row in rows(whole, "systems")}


# few systems, few replicates


def test_below_five_systems_there_are_pairs_only(tied_demo: Path) -> None:
    result = uncertainty(tied_demo, top=4, ask="order,reversals", **FEW)
    assert all(row[name] is None for row in rows(result, "budget") for name in QUANTITIES)
    assert "reversals" not in result
    assert not result.figures
    assert len(rows(result, "pairs", variation="topics")) == 6  # though nobody asked for them
    assert "few-systems" in codes(result)
    finding = next(one for one in result.findings if "table pairs" in one)
    assert finding
    assert any(one.startswith("Compared are the 4 best of ") for one in result.findings)
    assert "trust" in result.headline.verdict
    assert "threat" not in result.headline.verdict


def test_below_200_replicates_there_are_no_quantiles_and_below_1000_a_warning(tied_demo: Path) -> None:
    for number, quantiles, warned in ((199, False, True), (200, True, True), (1000, True, False)):
        options = {**FEW, "replicates": number, "vary": "topics", "ask": "ranks,order"}
        result = uncertainty(tied_demo, **options)
        assert all((row["q2.5"] is not None) == quantiles for row in rows(result, "systems"))
        assert all((row["tau_q97.5"] is not None) == quantiles for row in rows(result, "order"))
        assert ("few-replicates" in codes(result)) == warned


def test_warnings_say_the_size_of_the_corpus_and_what_is_tested_for_geometric_means(tied_demo: Path) -> None:
    assert "corpus-size" in codes(uncertainty(tied_demo, corpus_size=None, **FEW))
    assert codes(uncertainty(tied_demo, **FEW)) == {"few-replicates"}
    result = uncertainty(tied_demo, **(FEW | {"measures": "AP GM(AP) AREA(AP)"}))
    (warning,) = (one for one in result.warnings if one.code == "tested-as")
    assert "verdicts on GM(AP) are those of AG(AP)" in warning.what
    for row in rows(result, "pairs", measure="AREA(AP)"):
        assert row["better"] is row["worse"] is row["undecided"] is None
    assert all(row["verdicts_lost"] is None for row in rows(result, "budget", measure="AREA(AP)"))


# what it takes


def same(one: Result, other: Result) -> bool:
    tables = ("budget", "scenarios", "systems", "order", "reversals", "pairs")
    return all(rows(one, table) == rows(other, table) for table in tables)


def test_files_read_data_and_a_panel_give_the_same_numbers(tied_demo: Path) -> None:
    options: dict[str, Any] = {"measures": MEASURES, "replicates": 40, "corpus_size": CORPUS}
    result = uncertainty(tied_demo, **options)
    qrels, runs = irassay.read_qrels(tied_demo / "qrels.txt"), irassay.read_runs(tied_demo / "runs")
    assert same(irassay.uncertainty(qrels, runs, **options), result)
    assert same(irassay.uncertainty(irassay.align(qrels, runs, keep_scores=True), **options), result)
    # lists of bootstrap corpora are cut as the lists were
    cut = irassay.align(qrels, runs, keep_scores=True, depth=15)
    assert same(irassay.uncertainty(cut, **options), uncertainty(tied_demo, depth=15, **options))


def test_ready_made_scores_have_topics_alone_and_the_same_numbers(tied_demo: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"measures": MEASURES, "replicates": 40}
    panel = irassay.align(tied_demo / "qrels.txt", tied_demo / "runs")
    result = uncertainty(tied_demo, vary="topics", **options)
    scores = irassay.uncertainty(panel.score(MEASURES), **options)
    (tmp_path / "scores.csv").write_bytes(to_csv(panel.score("AP nDCG@10").long()))
    table = irassay.uncertainty(scores=str(tmp_path / "scores.csv"), **options)
    for one in (scores, table):
        for name in ("budget", "systems", "order", "reversals", "pairs"):
            assert rows(one, name) == rows(result, name)
        others = ["documents", "judgments", "unjudged", "pools", "simulation", "ties", "gains"]
        assert [row["variation"] for row in rows(one, "left_out")] == others
        assert {row["reason"] for row in rows(one, "left_out")} == {
            "it needs judgments and runs, and scores were given"
        }
    with pytest.raises(InputError, match="documents cannot vary: it needs judgments and runs"):
        irassay.uncertainty(panel.score("AP"), vary="topics,documents", **FEW)


# what it writes


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_an_export_holds_the_mean_of_every_system_on_every_replicate(
    ending: str, tied_demo: Path, tmp_path: Path
) -> None:
    import pandas

    paths = {one: tmp_path / f"means.{one}" for one in ("csv", ending)}
    for path in paths.values():
        result = uncertainty(tied_demo, measures=MEASURES, replicates=20, export=str(path))
    frame = (
        pandas.read_csv(paths["csv"], converters={"mean": float})
        if ending == "csv"
        else pandas.read_parquet(paths[ending])
    )
    assert list(frame.columns) == ["measure", "variation", "replicate", "system", "mean"]
    assert len(frame) == 3 * 8 * (6 * 20 + 4 + 3)
    for (measure, label), part in frame.groupby(["measure", "variation"]):
        means = part.pivot(index="replicate", columns="system", values="mean")
        np.testing.assert_array_equal(means, exported_means(paths["csv"], str(measure), str(label)))
        for row in rows(result, "systems", measure=measure, variation=label):
            assert means[row["system"]].mean() == pytest.approx(row["mean"], abs=1e-12)
