"""Results of several collections: tables, and the folders that MTEB, BEIR and Pyserini leave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from irassay.errors import InputError
from irassay.read.score_cells import Cells
from irassay.read.score_tables import read_cells
from irassay.scoring.score_tables import read_scores


def write(path: Path, text: str | dict[str, Any] | list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return path


def read(*paths: Path, measure: str | None = None) -> Cells:
    return read_cells(paths, measure, several=True)


def problem_of(*paths: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        read(*paths)
    return caught.value


def task(name: str, splits: dict[str, dict[str, float]], **more: float) -> dict[str, Any]:
    """As MTEB writes it: the main score of each subset of each split."""
    return {
        "task_name": name,
        "mteb_version": "1.34.7",
        "scores": {
            split: [
                {"hf_subset": subset, "main_score": score, "ndcg_at_10": score, **more}
                for subset, score in subsets.items()
            ]
            for split, subsets in splits.items()
        },
    }


def test_an_mteb_folder_has_a_folder_for_each_system(tmp_path: Path) -> None:
    for system, score in (("org__a", 0.5), ("org__b", 0.25)):
        write(tmp_path / system / "1" / "FiQA2018.json", task("FiQA2018", {"test": {"default": score}}))
        write(tmp_path / system / "1" / "model_meta.json", {"name": system})
    cells = read(tmp_path)
    assert cells.collections == {"FiQA2018": {("org__a", "", "main_score"): 0.5, ("org__b", "", "main_score"): 0.25}}
    assert cells.main == {"FiQA2018": "ndcg_at_10"}
    assert not cells.warnings


def test_a_main_score_is_the_measure_whose_values_agree_in_all_systems(tmp_path: Path) -> None:
    write(tmp_path / "a" / "X.json", task("X", {"test": {"default": 0.5}}, accuracy=0.5))
    other = task("X", {"test": {"default": 0.4}}, accuracy=0.4)
    other["scores"]["test"][0]["ndcg_at_10"] = 0.9  # the first system's agreed by chance
    write(tmp_path / "b" / "X.json", other)
    assert read(tmp_path).main == {"X": "accuracy"}


def test_another_measure_of_mteb_is_read_by_its_name(tmp_path: Path) -> None:
    write(tmp_path / "a" / "X.json", task("X", {"test": {"default": 0.5}}, recall_at_10=0.75))
    assert read(tmp_path, measure="recall_at_10").collections == {"X": {("a", "", "recall_at_10"): 0.75}}


def test_subsets_are_averaged_and_systems_without_some_of_them_count_as_missing(tmp_path: Path) -> None:
    write(tmp_path / "a" / "X.json", task("X", {"test": {"en": 0.5, "de": 0.25}, "dev": {"en": 0.9}}))
    write(tmp_path / "b" / "X.json", task("X", {"test": {"en": 0.75}}))
    cells = read(tmp_path)
    assert cells.collections["X"] == {("a", "", "main_score"): 0.375, ("b", "", "main_score"): None}
    assert "b has no scores of 1 of 2 parts of X, such as de" in str(cells.warnings[0])


def test_systems_of_other_splits_are_not_compared(tmp_path: Path) -> None:
    write(tmp_path / "a" / "X.json", task("X", {"test": {"default": 0.5}}))
    write(tmp_path / "b" / "X.json", task("X", {"dev": {"default": 0.5}}))
    error = problem_of(tmp_path)
    assert "split dev of X, and split test of other systems" in str(error)
    assert "b/X.json" in error.where


def test_beir_gives_dicts_of_measures(tmp_path: Path) -> None:
    nested = {"ndcg": {"NDCG@10": 0.3}, "recall": {"Recall@100": 0.6}}
    write(tmp_path / "bm25" / "scifact.json", nested)
    write(tmp_path / "dense" / "scifact.json", [{"NDCG@10": 0.4}, {"Recall@100": 0.7}])
    cells = read(tmp_path)
    assert cells.measures == ("NDCG@10", "Recall@100")
    assert cells.collections["scifact"]["bm25", "", "NDCG@10"] == 0.3
    assert cells.collections["scifact"]["dense", "", "Recall@100"] == 0.7


PYSERINI = """\
Downloading qrels from somewhere
Running command: ['java', '-jar', 'jtreceval.jar', '-c', '-mndcg_cut.10', 'qrels', 'run.txt']
Results:
ndcg_cut_10           \tall\t0.3216
recall_100            \tall\t0.6472
"""


def test_pyserinis_output_may_begin_with_what_it_ran_and_hold_only_the_means(tmp_path: Path) -> None:
    write(tmp_path / "bm25" / "fiqa.txt", PYSERINI)
    write(tmp_path / "dense" / "fiqa.txt", PYSERINI.replace("0.3216", "0.4"))
    cells = read(tmp_path)
    assert cells.collections["fiqa"]["bm25", "", "ndcg_cut_10"] == 0.3216
    assert cells.collections["fiqa"]["dense", "", "ndcg_cut_10"] == 0.4


def test_trec_eval_output_with_topics_keeps_them(tmp_path: Path) -> None:
    write(tmp_path / "bm25" / "fiqa.txt", "map\t1\t0.5\nmap\t2\t0.25\nmap\tall\t0.375\n")
    assert read(tmp_path).collections == {"fiqa": {("bm25", "1", "map"): 0.5, ("bm25", "2", "map"): 0.25}}


@pytest.mark.parametrize(
    "text",
    [
        "collection,system,score\nX,a,0.5\nX,b,0.25\nY,a,0.75\nY,b,1\n",
        "system,task,value\na,X,0.5\nb,X,0.25\na,Y,0.75\nb,Y,1\n",
        "dataset,a,b\nX,0.5,0.25\nY,0.75,1\n",
        "Model,X,Y\na,0.5,0.75\nb,0.25,1\n",
    ],
)
def test_tables_of_one_score_each_are_long_or_wide_either_way(tmp_path: Path, text: str) -> None:
    cells = read(write(tmp_path / "scores.csv", text))
    assert cells.collections == {
        "X": {("a", "", "score"): 0.5, ("b", "", "score"): 0.25},
        "Y": {("a", "", "score"): 0.75, ("b", "", "score"): 1.0},
    }


@pytest.mark.parametrize(
    "text",
    [
        "collection,topic,system,measure,score\nX,1,a,AP,0.5\nX,1,b,AP,0.25\n",
        "collection,topic,measure,a,b\nX,1,AP,0.5,0.25\n",
    ],
)
def test_tables_of_topics_may_name_collections(tmp_path: Path, text: str) -> None:
    cells = read(write(tmp_path / "scores.csv", text))
    assert cells.collections == {"X": {("a", "1", "AP"): 0.5, ("b", "1", "AP"): 0.25}}


def test_tables_that_name_no_collection_are_called_after_their_files(tmp_path: Path) -> None:
    for name in ("X", "Y"):
        write(tmp_path / f"{name}.csv", "topic,a,b\n1,0.5,0.25\n")
    assert list(read(tmp_path).collections) == ["X", "Y"]


def test_averages_and_ranks_in_a_leaderboard_are_no_collections(tmp_path: Path) -> None:
    cells = read(write(tmp_path / "board.csv", "Rank,Model,Average,X\n1,a,0.7,0.5\n2,b,0.6,0.25\n"))
    assert list(cells.collections) == ["X"]
    assert "not used: Rank, Average" in str(cells.warnings[0])


def test_a_table_of_topics_alone_is_read_as_before(tmp_path: Path) -> None:
    path = write(tmp_path / "scores.csv", "system,topic,measure,score,dataset\na,1,AP,0.5,X\nb,1,AP,0.25,X\n")
    with pytest.warns(match="unused columns: dataset"):
        assert read_scores(path).systems == ("a", "b")


def test_results_without_topics_are_no_score_table(tmp_path: Path) -> None:
    path = write(tmp_path / "X.json", task("X", {"test": {"default": 0.5}}))
    with pytest.raises(InputError, match="irassay leaderboard reads a folder of them"):
        read_scores(path)


@pytest.mark.parametrize(
    ("text", "what", "place"),
    [
        ('{"task_name": "X",\n "scores": {"test": [', "damaged JSON", "X.json:2"),
        ('{"a":' * 100_000, "damaged JSON", "X.json"),
        ("{}", "no measures with their scores", "X.json"),
        ('{"scores": {}, "task_name": "X"}', "no scores of a task", "X.json"),
        ('{"scores": {"test": []}, "task_name": "X"}', "no scores of a task", "X.json"),
        ('{"scores": {"test": [{"accuracy": 0.5}]}, "task_name": "X"}', "no main_score", "X.json"),
        ('{"scores": {"test": [{"main_score": NaN}]}, "task_name": "X"}', "no main_score", "X.json"),
        ('{"scores": {"a": [{"main_score": 1}], "b": []}, "task_name": "X"}', "several splits", "X.json"),
        ('{"ndcg": {"NDCG@10": "high"}}', "NDCG@10 is 'high', which is no score", "X.json"),
    ],
)
def test_a_broken_result_is_an_error_that_names_the_file(tmp_path: Path, text: str, what: str, place: str) -> None:
    write(tmp_path / "a" / "X.json", text)
    error = problem_of(tmp_path)
    assert what in error.what
    assert error.where.endswith(place)


def test_a_system_twice_is_an_error_that_shows_both_places(tmp_path: Path) -> None:
    for revision in ("1", "2"):
        write(tmp_path / "a" / revision / "X.json", task("X", {"test": {"default": 0.5}}))
    error = problem_of(tmp_path)
    assert "main_score of a on collection X appears twice" in error.what
    assert "a/1/X.json" in error.what
    assert error.where.endswith("a/2/X.json")


def test_two_columns_of_one_name_are_an_error(tmp_path: Path) -> None:
    assert "two columns have one name" in problem_of(write(tmp_path / "s.csv", "system,X,X\na,1,2\nb,1,2\n")).what
