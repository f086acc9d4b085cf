"""What a study takes in place of runs: score tables, panels and scores in memory."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay.errors import IrassayWarning
from irassay.result import python_values
from tests.helpers.sampled_studies import MEASURES, SAMPLES, STUDIES, cells, command, of, panel, study

FROM_SCORES = [name for name in STUDIES if name not in ("gains", "preferred-ranks")]


def test_measures_of_a_score_table_are_selected_with_m(at: Path, capsys: Any) -> None:
    one = study("power", scores=True, measures="Q AP")
    assert list(dict.fromkeys(python_values(one["system_means"]["measure"]))) == ["Q", "AP"]
    out, _ = command(capsys, "power", "--scores", "scores.csv", "-m", "MAP", "--resamples", "100", "--format", "json")
    assert {row["measure"] for row in json.loads(out)["power"]} == {"AP"}


def test_a_summary_comes_from_the_measure_in_a_score_table(at: Path) -> None:
    runs = study("power", measures="GM(AP) AREA(AP)", unpaired=True)
    table = study("power", scores=True, measures="GM(AP) AREA(AP)", unpaired=True)
    whole = irassay.power(scores="summaries.csv", resamples=SAMPLES, unpaired=True)
    assert cells(table) == cells(runs)
    for name in ("GM(AP)", "AREA(AP)"):
        assert of(whole, "pairs", measure=name) == of(runs, "pairs", measure=name)


def test_logarithms_in_a_score_table_are_not_taken_again(at: Path) -> None:
    runs = study("power", measures="AG(AP)")
    for table in ("ag.csv", "summaries.csv"):
        scores = irassay.power(scores=table, measures="AG(AP)", resamples=SAMPLES)
        assert cells(scores) == cells(runs)


def test_a_column_may_be_called_anything(at: Path, tmp_path: Path) -> None:
    text = (at / "ap.csv").read_text().replace(",AP,", ",satisfaction (1-5),")
    (tmp_path / "own.csv").write_text(text)
    own = irassay.power(scores=[tmp_path / "own.csv"], resamples=SAMPLES)
    assert [r["asl"] for r in of(own, "pairs")] == [r["asl"] for r in of(study("power", measures="AP"), "pairs")]
    assert of(own, "power")[0]["measure"] == "satisfaction (1-5)"
    same = irassay.power(scores=tmp_path / "own.csv", resamples=SAMPLES, measures=["satisfaction (1-5)"])
    assert cells(own) == cells(same)


def test_tables_of_trec_eval_are_asked_for_by_either_name(at: Path, tmp_path: Path, capsys: Any) -> None:
    for s in range(6):
        arguments = ["-m", "AP gm_map num_rel_ret", "--per-topic", "--format", "trec", "-o", str(tmp_path / f"s{s}")]
        command(capsys, "score", "qrels.txt", f"runs/s{s}.txt", *arguments)
    told = [
        irassay.power(scores=str(tmp_path / "*"), measures=name, resamples=SAMPLES, unpaired=True)
        for name in ("map", "AP", "GM(AP)", "NumRelRet")
    ]
    assert cells(told[0]) == cells(told[1])
    assert [of(result, "power")[0]["measure"] for result in told] == ["map", "map", "GM(AP)", "num_rel_ret"]
    exact = study("power", measures="NumRelRet", unpaired=True)
    assert [r["asl"] for r in of(told[3], "pairs")] == [r["asl"] for r in of(exact, "pairs")]


def test_a_constant_difference_has_an_infinite_t_that_is_kept(tmp_path: Path) -> None:
    rows = ["a,1,AP,.3", "a,2,AP,.4", "a,3,AP,.5", "b,1,AP,.2", "b,2,AP,.3", "b,3,AP,.4"]
    (tmp_path / "c.csv").write_text("\n".join(["system,topic,measure,score", *rows]))
    result = irassay.power(scores=tmp_path / "c.csv", histogram=True)
    irassay.save_result(result, tmp_path / "out")
    for found in (result, irassay.load_result(tmp_path / "out")):
        assert [(row["t"], row["asl"]) for row in of(found, "pair")] == [(math.inf, 0.0)]
        assert {row["discriminative_power"] for row in of(found, "power")} == {1.0}


def test_topics_are_selected_in_a_score_table_as_in_runs(at: Path) -> None:
    assert cells(study("swap", scores=True, topics="2-7,11")) == cells(study("swap", topics="2-7,11"))


@pytest.mark.parametrize("name", FROM_SCORES)
def test_a_panel_or_scores_give_the_same_numbers_as_the_runs(name: str, at: Path) -> None:
    expected = cells(study(name))
    more: dict[str, Any] = {"resamples": SAMPLES, "measures": MEASURES}
    assert cells(STUDIES[name](panel(), **more)) == expected
    assert cells(STUDIES[name](panel().score(MEASURES), **more)) == expected


@pytest.mark.parametrize("measure", ["AP", "AG(AP)"])
def test_scores_of_one_measure_are_enough(measure: str, at: Path) -> None:
    alone = irassay.power(panel().score(measure)[measure], resamples=SAMPLES)
    assert of(alone, "pairs") == of(study("power", measures=measure), "pairs")


def test_frames_are_data_as_files_are(at: Path) -> None:
    pandas = pytest.importorskip("pandas")
    qrels, runs = irassay.read_qrels("qrels.txt"), [*Path("runs").iterdir()]
    names = ["topic", "Q0", "document", "rank", "score", "run"]
    frame = pandas.concat([pandas.read_csv(path, sep=" ", names=names, dtype={"topic": str}) for path in sorted(runs)])
    assert of(irassay.power(qrels, frame, measures=MEASURES, resamples=SAMPLES), "power") == of(study("power"), "power")


def test_a_panel_is_aligned_already(at: Path) -> None:
    for settings in ({"depth": 10}, {"runs": "runs"}, {"scores": "scores.csv"}):
        with pytest.raises(irassay.InputError):
            irassay.power(panel(), resamples=SAMPLES, **settings)
    with pytest.raises(irassay.InputError, match="--depth does nothing to ready-made scores"):
        irassay.power(panel().score("AP"), resamples=SAMPLES, depth=10)


def test_topics_of_a_panel_are_selected_and_those_without_relevant_documents_dropped(at: Path) -> None:
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 0}, "3": {"b": 1}, "4": {"a": 1}}
    runs = {"x": {t: {"a": 2.0, "b": 1.0} for t in "1234"}, "y": {t: {"b": 2.0, "a": 1.0} for t in "1234"}}
    with pytest.warns(IrassayWarning, match="no-relevant"):
        made = irassay.align(irassay.read_qrels(qrels), irassay.read_runs(runs))
    assert irassay.power(made, measures="AP", resamples=100).provenance["topics"] == ["1", "3", "4"]
    kept = irassay.power(made, measures="AP", resamples=100, unanswerable="zero", topics="2-4")
    assert kept.provenance["topics"] == ["2", "3", "4"]
