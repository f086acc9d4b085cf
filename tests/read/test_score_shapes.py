"""Score tables as other tools write them: wide ones with systems in a column, ir_measures, PyTerrier, JSONL."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import irassay
from irassay.errors import InputError
from irassay.report import to_json
from irassay.scoring.score_tables import read_scores
from irassay.scoring.scores import Scores
from tests.helpers.files import file, refusal

WANTED = {
    ("a", "401", "AP"): 0.25, ("a", "402", "AP"): 0.5, ("b", "401", "AP"): 0.75, ("b", "402", "AP"): 1.0,
    ("a", "401", "P@5"): 0.2, ("a", "402", "P@5"): 0.4, ("b", "401", "P@5"): 0.6, ("b", "402", "P@5"): 0.8,
}  # fmt: skip
LONG = [dict(zip(("system", "topic", "measure", "score"), (*key, value), strict=True)) for key, value in WANTED.items()]
WIDE = "system,topic,AP,P@5\na,401,0.25,0.2\na,402,0.5,0.4\nb,401,0.75,0.6\nb,402,1,0.8\n"
PYTERRIER = "".join(f"{s},{t},{m},{v}\n" for (s, t, m), v in WANTED.items())
SHAPES = {
    "system, topic, measures": WIDE,
    "tabs": WIDE.replace(",", "\t"),
    "with an index": "".join(f"{n},{line}\n" for n, line in zip(["", 0, 1, 2, 3], WIDE.splitlines(), strict=True)),
    "PyTerrier perquery": "name,qid,measure,value\n" + PYTERRIER,
    "a row for each system and measure": "run,measure,401,402\na,AP,.25,.5\nb,AP,.75,1\na,P@5,.2,.4\nb,P@5,.6,.8\n",
    "JSONL": "".join(json.dumps(record) + "\n" for record in LONG),
    "JSONL, wide": "".join(
        json.dumps({"run": s, "qid": t, "AP": WANTED[s, t, "AP"], "P@5": WANTED[s, t, "P@5"]}) + "\n"
        for s in "ab"
        for t in ("401", "402")
    ),
}


def cells(scores: Scores) -> dict[tuple[str, str, str], float]:
    return {
        (system, topic, measure): scores[measure].values[s, t]
        for measure in scores
        for s, system in enumerate(scores.systems)
        for t, topic in enumerate(scores.topics)
    }


@pytest.mark.parametrize("shape", SHAPES)
def test_tables_of_every_shape_hold_the_same_scores(tmp_path: Path, shape: str) -> None:
    assert cells(read_scores(file(tmp_path, SHAPES[shape].encode(), "scores"))) == WANTED


def test_a_table_may_have_a_row_for_each_system_and_a_column_for_each_topic(tmp_path: Path) -> None:
    path = file(tmp_path, b"run;401;402\na;0.25;0.5\nb;0.75;1\n", "table.csv")
    assert read_scores(path).measures == ("score",)
    assert cells(read_scores(path, measures="AP")) == {key: value for key, value in WANTED.items() if key[2] == "AP"}


def test_a_column_of_scores_is_a_system_even_where_it_is_called_run(tmp_path: Path) -> None:
    scores = read_scores(file(tmp_path, b"topic,run,b\n1,0.5,0.25\n2,0.1,0.2\n", "AP.csv"))
    assert scores.systems == ("run", "b")


def test_the_output_of_ir_measures_is_read(tmp_path: Path) -> None:
    qrels = file(tmp_path, b"401 0 d1 1\n401 0 d2 0\nq2 0 d1 1\n", "qrels")
    run = file(tmp_path, b"401 Q0 d2 1 2 t\n401 Q0 d1 2 1 t\nq2 Q0 d1 1 1 t\n", "run")
    wanted = {("out", "401", "AP"): 0.5, ("out", "q2", "AP"): 1.0}
    wanted |= {("out", "401", "P@1"): 0.0, ("out", "q2", "P@1"): 1.0}
    for form in ("tsv", "jsonl"):
        command = [sys.executable, "-m", "ir_measures", str(qrels), str(run), "AP", "P@1", "-q", "-o", form]
        output = subprocess.run(command, capture_output=True, check=True).stdout
        assert cells(read_scores(file(tmp_path, output, "out"))) == wanted


BAD_TABLES = {
    "means alone": (
        "system,AP,P@5\na,0.2,0.3\n", ":2", "scores of systems over all topics, and none of a topic", "each topic",
    ),
    "a short row": ("system,topic,AP\na,401\n", ":2", "2 cells under a header of 3", "every column"),
    "percentages": (
        "system,topic,AP\na,401,0.9\na,402,45.2\n", None, "AP of a on topic 402 is 45.2: these look like", "by 100",
    ),
    "far too high": (
        "system,topic,AP\na,401,1000\n", None, "AP of a on topic 401 is 1000: no score can be so high", "by 100",
    ),
    "JSONL, other fields": (
        '{"system": "a", "topic": "1", "AP": 1}\n{"system": "a", "topic": "2"}\n', ":2",
        "not the fields system, topic, AP of the first record", "long table",
    ),
    "JSONL, cut": ('{"system": "a", "topic": "1", "AP": 1}\n{"system": \n', ":2", "not a JSON object", "long table"),
    "JSONL, a word": ('{"system": "a", "topic": "1", "AP": "x"}\n', ":1", "'x' is not a number", "empty"),
    "ir_measures, a word": ("q1\tAP@10\t0.5\nq1\tRR\n", ":2", "not a line of ir_measures' output", "-q"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_TABLES)
def test_a_bad_table_is_refused_with_its_place_and_a_way_out(tmp_path: Path, case: str) -> None:
    content, where, what, hint = BAD_TABLES[case]
    path = file(tmp_path, content.encode(), "scores.csv")
    error = refusal(read_scores, path)
    if where is not None:
        assert error.where == f"{path}{where}"
    assert error.what.startswith(what)
    assert hint in error.hint


def test_measures_that_may_exceed_one_and_columns_of_any_name_are_no_percentages(tmp_path: Path) -> None:
    table = "system,topic,DCG@10,num_ret,mine\na,401,3.5,1000,45\na,402,2.5,900,50\n"
    assert read_scores(file(tmp_path, table.encode())).measures == ("DCG@10", "num_ret", "mine")


def test_scores_in_memory_go_where_score_tables_go(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(rng.random((12, 3)), columns=["x", "y", "z"])
    frame.insert(0, "topic", [str(t) for t in range(12)])
    path = tmp_path / "AP.csv"
    frame.to_csv(path, index=False)
    scores = read_scores(path)
    wanted = irassay.compare(scores=path).tables
    parts = [scores.select(systems=["x"]), scores.select(systems=["y", "z"])]
    for given in (scores, [scores], parts):
        result = irassay.compare(scores=given)
        assert [table.columns for table in result.tables] == [table.columns for table in wanted]
    assert "AP" in to_json(result).decode()
    assert refusal(irassay.compare, scores=[scores, scores]).what == "AP of x on topic 0 is in two of the scores"
    with pytest.raises(InputError, match="files and scores in memory are mixed"):
        irassay.compare(scores=[scores, path])
