"""Whether a file holds judgments or a run, in every format that the reader knows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from irassay.errors import InputError
from irassay.read.kinds import kind_of
from tests.helpers.files import PACKERS, file
from tests.helpers.formats import BEIR, GRADED, JUDGMENTS, ROWS, RUNS, json_lines, lines, parquet

WHOLE = [(t, f"d{k}", 20 - k) for t in ("q1", "q2") for k in range(8)]
REPEATED = [(t, d, score // 5) for t, d, score in WHOLE]
GRADED_AND_SCORED = [(*row, 0.5) for row in GRADED]


@pytest.mark.parametrize("case", RUNS)
def test_runs_in_every_format_are_runs(tmp_path: Path, case: str) -> None:
    assert kind_of(file(tmp_path, RUNS[case][0])) == "run"


@pytest.mark.parametrize("case", JUDGMENTS)
def test_judgments_in_every_format_are_judgments(tmp_path: Path, case: str) -> None:
    assert kind_of(file(tmp_path, JUDGMENTS[case])) == "judgments"


@pytest.mark.parametrize("packing", PACKERS)
def test_packed_files_are_what_they_are_unpacked(tmp_path: Path, packing: str) -> None:
    assert kind_of(file(tmp_path, PACKERS[packing](RUNS["JSONL"][0]))) == "run"
    assert kind_of(file(tmp_path, PACKERS[packing](JUDGMENTS["BEIR"]))) == "judgments"


OTHER_RUNS = {
    "TREC": b"q1 Q0 d1 1 2.5 a\n",
    "NTCIR": b"<SYSDESC>a system</SYSDESC>\n1 0 d1 1 3 a\n",
    "MS MARCO": b"".join(b"7\td%d\t%d\n" % (n, n) for n in range(1, 30)),
    "three columns with scores": b"7 d1 2.5\n7 d2 1.5\n",
    "whole scores beside ranks": lines([(*row, 1) for row in WHOLE], ",", *BEIR, "rank"),
    "whole scores of a system": lines([(*row, "bm25") for row in WHOLE], ",", *BEIR, "system"),
    "whole scores beyond all grades": parquet([(t, d, 1000 * v) for t, d, v in WHOLE], *BEIR),
    "ranks alone": json_lines([(*row[:2], 1) for row in ROWS], "qid", "docid", "rank"),
    "several systems": json.dumps({"a": {"1": {"d": 1}}, "b": {"1": {"d": 1}}}).encode(),
    "documents in order": json.dumps({"1": ["d1", "d2"]}).encode(),
}


@pytest.mark.parametrize("case", OTHER_RUNS)
def test_what_only_a_run_has_makes_a_run(tmp_path: Path, case: str) -> None:
    assert kind_of(file(tmp_path, OTHER_RUNS[case])) == "run"


OTHER_JUDGMENTS = {
    "TREC": b"q1 0 d1 1\n",
    "NTCIR": b"1 d1 L2\n",
    "three columns": b"7 d1 2\n7 d2 0\n",
    "long lists of few grades": lines(REPEATED, "\t", *BEIR),
    "long lists as JSON": json.dumps({t: {d: v for q, d, v in REPEATED if q == t} for t in ("q1", "q2")}).encode(),
    "grades that all differ under their own name": parquet(WHOLE, "qid", "docno", "label"),
    "grades beside ranks": lines([(*row, 1) for row in GRADED], ",", "qid", "docno", "label", "rank"),
}


@pytest.mark.parametrize("case", OTHER_JUDGMENTS)
def test_what_judgments_have_makes_judgments(tmp_path: Path, case: str) -> None:
    assert kind_of(file(tmp_path, OTHER_JUDGMENTS[case])) == "judgments"


UNCLEAR = {
    "whole numbers, CSV": (lines(WHOLE, ",", *BEIR), "all different within each topic"),
    "whole numbers, JSON": (json.dumps({"1": {f"d{k}": k for k in range(9)}}).encode(), "grades or scores"),
    "whole numbers, Parquet": (parquet(WHOLE, *BEIR), "all different within each topic"),
    "grades and scores": (lines(GRADED_AND_SCORED, ",", "qid", "docno", "label", "score"), "columns of grades and of"),
    "neither": (lines([*ROWS, ("q1", "d9", "high")], "\t", *BEIR), "neither a run .score 'high' is not a number. nor"),
    "damaged": (json.dumps({"1": {"d": 1}}, indent=1).encode()[:-2], "damaged JSON"),
}


@pytest.mark.parametrize("case", UNCLEAR)
def test_what_could_be_either_or_neither_is_an_error_with_its_file(tmp_path: Path, case: str) -> None:
    content, message = UNCLEAR[case]
    path = file(tmp_path, content)
    with pytest.raises(InputError, match=message) as error:
        kind_of(path)
    assert error.value.where.startswith(str(path))
    assert error.value.hint
