"""The peers' values on real runs: TREC-8 ad hoc (129 runs) and Robust 2003 (17 runs, graded)."""

from __future__ import annotations

import gzip
from pathlib import Path

import ir_measures
import pytest
import pytrec_eval

from tests.collections import Collection, Judgments, Lists
from tests.peers import PEERS
from tests.test_peers import CLAIMS, CONDENSED, NORMALISED, NTCIREVAL, TOLERANCE, TREC_EVAL, gap, scores

pytestmark = pytest.mark.data
SETS = {"trec8-adhoc": 129, "robust03": 17}
MEASURES = {**TREC_EVAL, **CONDENSED}


def _run(path: Path) -> Lists:
    with gzip.open(path, "rt", encoding="latin-1") as file:
        return dict(pytrec_eval.parse_run(file))


def _qrels(folder: Path) -> Judgments:
    with gzip.open(folder / "qrels.txt.gz", "rt") as file:
        return dict(pytrec_eval.parse_qrel(file))


@pytest.mark.parametrize("name", SETS)
def test_agrees_with_trec_eval_on_every_list_of_every_real_run(name: str, data_dir: Path) -> None:
    folder = data_dir / name
    paths = sorted((folder / "runs").iterdir())
    assert len(paths) == SETS[name]
    qrels = _qrels(folder)
    ours = scores(folder / "qrels.txt.gz", folder / "runs", MEASURES, "trec9", names="file")
    worst = dict.fromkeys(MEASURES, 0.0)
    for path in paths:
        theirs = PEERS["pytrec_eval"](Collection(qrels, {path.stem: _run(path)}), MEASURES.values())
        for measure, peer_name in MEASURES.items():
            mine = {cell: value for cell, value in ours[measure].items() if cell[0] == path.stem}
            assert mine
            worst[measure] = max(worst[measure], gap(mine, theirs[peer_name]))
    assert {measure: value for measure, value in worst.items() if value > TOLERANCE} == {}
