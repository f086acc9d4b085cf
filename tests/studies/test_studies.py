"""What holds for every study of topic samples: tables, saved results, determinism."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import irassay
from tests.helpers.sampled_studies import MEASURES, SAMPLES, STUDIES, cells, command, of, study

CONTRACT = {
    "power": {
        "power": "measure test alpha topics resamples significant pairs discriminative_power estimated_difference "
        "ed_median ed_p95",
        "pairs": "measure test system_x system_y mean_difference statistic asl",
        "system_means": "measure system mean",
    },
    "swap": {
        "swap": "measure required_difference max_score ratio share_satisfied",
        "swap_bins": "measure bin_low comparisons swaps swap_rate",
    },
    "stability": {"stability": "measure fuzziness minority_rate proportion_of_ties"},
    "agreement": {"agreement": "measure_a measure_b systems tau tau_b tau_ap rbo z0 p_value"},
    "gains": {
        "gains": "measure scheme tau_with_default significant pairs discriminative_power estimated_difference",
    },
    "preferred-ranks": {"preferred_ranks": "topic system max_rank level found total"},
}
SAMPLED = [name for name in STUDIES if name != "preferred-ranks"]
FROM_SCORES = [name for name in SAMPLED if name != "gains"]


@pytest.mark.parametrize("name", STUDIES)
def test_tables_have_the_columns_of_the_contract(name: str, at: Path) -> None:
    result = study(name)
    assert result.study == name
    for table, columns in CONTRACT[name].items():
        assert " ".join(result[table].columns) == columns


@pytest.mark.parametrize("name", STUDIES)
def test_a_saved_result_comes_back_equal(name: str, at: Path, tmp_path: Path, capsys: Any) -> None:
    options = [] if name == "preferred-ranks" else ["--resamples", str(SAMPLES), "-m", "Q nDCG@10"]
    _, err = command(capsys, name, "qrels.txt", "runs", *options, "--out", str(tmp_path / "out"))
    assert str(tmp_path / "out") in err
    back = irassay.load_result(tmp_path / "out")
    made = study(name) if name == "preferred-ranks" else study(name, measures="Q nDCG@10")
    assert cells(back) == cells(made)
    assert [t.caption for t in back.tables] == [t.caption for t in made.tables]
    assert back.figures == made.figures
    assert back.study == name


@pytest.mark.parametrize("name", STUDIES)
def test_json_holds_every_table_with_all_digits(name: str, at: Path, capsys: Any) -> None:
    options = [] if name == "preferred-ranks" else ["--resamples", str(SAMPLES), "-m", "Q nDCG@10"]
    out, _ = command(capsys, name, "qrels.txt", "runs", *options, "--format", "json")
    content = json.loads(out)
    made = study(name) if name == "preferred-ranks" else study(name, measures="Q nDCG@10")
    for table in made.tables:
        assert [tuple(record) for record in content[table.name]] == [tuple(table.columns)] * len(table)
        told = [tuple(record.values()) for record in content[table.name]]
        assert told == cells(made)[table.name]


@pytest.mark.parametrize("name", STUDIES)
def test_figures_draw_columns_that_exist(name: str, at: Path) -> None:
    for figure in study(name).figures:
        for channel in (figure.x, figure.y, figure.series, figure.value):
            assert channel is None or channel in study(name)[figure.table].columns


@pytest.mark.parametrize("name", FROM_SCORES)
def test_a_score_table_gives_the_same_numbers_as_the_runs(name: str, at: Path, capsys: Any) -> None:
    assert cells(study(name, scores=True)) == cells(study(name))
    arguments = ["--resamples", str(SAMPLES), "--format", "json"]
    one, _ = command(capsys, name, "qrels.txt", "runs", "-m", MEASURES, *arguments)
    two, _ = command(capsys, name, "--scores", "scores.csv", *arguments)
    assert {**json.loads(one), "provenance": 0} == {**json.loads(two), "provenance": 0}


@pytest.mark.parametrize("name", SAMPLED)
def test_any_number_of_threads_gives_the_same_bits(name: str, at: Path) -> None:
    assert cells(study(name, jobs=1)) == cells(study(name, jobs=3))


@pytest.mark.parametrize("name", ["power", "swap", "stability"])
def test_other_measures_in_the_call_change_nothing(name: str, at: Path) -> None:
    alone, among = study(name, measures="Q"), study(name, measures="RR AP Q nDCG@10")
    for table in CONTRACT[name]:
        assert of(alone, table) == of(among, table, measure="Q")


def test_another_seed_gives_other_samples(at: Path) -> None:
    assert cells(study("power"), ["pairs"]) == cells(study("power", seed=0), ["pairs"])
    assert cells(study("power"), ["pairs"]) != cells(study("power", seed=1), ["pairs"])


def test_a_data_frame_of_every_table(at: Path) -> None:
    pytest.importorskip("pandas")
    for table in study("power").tables:
        assert list(table.to_pandas().columns) == list(table.columns)
