"""The peers' values on real runs: TREC-8 ad hoc (129 runs) and Robust 2003 (17 runs, graded)."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval
from pyNTCIREVAL import metrics as ntcir

from tests.helpers.further_peers import FURTHER_TREC_EVAL, Known, by_ntcireval, shared_gap, slips
from tests.helpers.peer_claims import (
    CONDENSED,
    IR_MEASURES,
    NORMALISED,
    NTCIREVAL,
    ORDER,
    TOLERANCE,
    TREC_EVAL,
    gap,
    scores,
)
from tests.helpers.peers import PEERS, Cells, by_pytrec_eval
from tests.helpers.random_collections import Collection, Judgments, Lists

pytestmark = pytest.mark.data
SETS = {"trec8-adhoc": 129, "robust03": 17}


@pytest.mark.parametrize("name", SETS)
def test_agrees_with_trec_eval_on_every_list_of_every_real_run(name: str, data_dir: Path) -> None:
    paths = sorted((data_dir / name / "runs").iterdir())
    assert len(paths) == SETS[name]
    assert _disagreements("pytrec_eval", {**TREC_EVAL, **CONDENSED}, data_dir / name, paths) == {}


@pytest.mark.parametrize("name", SETS)
def test_agrees_with_ir_measures_on_some_real_runs(name: str, data_dir: Path) -> None:
    paths = sorted((data_dir / name / "runs").iterdir())[::6]
    assert _disagreements("ir_measures", IR_MEASURES, data_dir / name, paths) == {}


@pytest.mark.parametrize("name", SETS)
def test_agrees_with_ntcireval_on_the_top_200_of_some_real_runs(name: str, data_dir: Path) -> None:
    paths = sorted((data_dir / name / "runs").iterdir())[:3]
    measures = {**NTCIREVAL, **NORMALISED}
    assert _disagreements("pyNTCIREVAL", measures, data_dir / name, paths, depth=200) == {}


@pytest.mark.parametrize("name", SETS)
def test_further_measures_agree_with_trec_eval_on_real_runs(name: str, data_dir: Path) -> None:
    folder = data_dir / name
    paths = sorted((folder / "runs").iterdir())
    assert len(paths) == SETS[name]
    qrels = _qrels(folder / "qrels.txt.gz")
    relevant = {topic: sum(grade > 0 for grade in docs.values()) for topic, docs in qrels.items()}
    measures = {ours: theirs for ours, theirs in FURTHER_TREC_EVAL.items() if "-J" not in theirs}
    ours = scores(folder / "qrels.txt.gz", folder / "runs", measures, "trec9", names="file")
    for path in paths[::4]:
        run = _run(path)
        theirs = by_pytrec_eval(Collection(qrels, {path.stem: run}), measures.values())
        for measure, peer_name in measures.items():
            level = peer_name.rpartition("_")[2]
            cells = {cell: v for cell, v in theirs[peer_name].items() if level not in slips(relevant[cell[1]])}
            mine = {cell: v for cell, v in ours[measure].items() if cell[0] == path.stem}
            assert shared_gap(mine, cells) <= TOLERANCE, (measure, path.stem)


def test_further_measures_agree_with_ntcireval_on_real_graded_runs(data_dir: Path) -> None:
    folder = data_dir / "robust03"
    qrels = _qrels(folder / "qrels.txt.gz")
    makers: dict[str, Callable[[Known], Any]] = {
        "O": lambda known: ntcir.OMeasure(known, [1, 2], 1.0),
        "ERR(stop='linear')": lambda known: ntcir.ERR(known, [1, 2]),
        "nERR(stop='linear')@10": lambda known: ntcir.nERR(known, [1, 2], 10),
        "nDCG@10": lambda known: ntcir.MSnDCG(known, [1, 2], 10),
        "RBP(p=0.95)": lambda known: ntcir.RBP(known, [1, 2], 0.95),
    }
    (path, *_) = sorted((folder / "runs").iterdir())
    lists = _run(path)
    # file order: what dicts keep
    answerable = {topic: docs for topic, docs in qrels.items() if any(grade > 0 for grade in docs.values())}
    topics = sorted(answerable)[::5]
    collection = Collection(answerable, {"s": {topic: lists[topic] for topic in topics if topic in lists}})
    ours = scores(qrels, collection.runs, makers, "file")
    for measure, make in makers.items():
        theirs = dict(by_ntcireval(collection, False, make))
        assert shared_gap(ours[measure], theirs) <= TOLERANCE, measure


def test_comparing_scores_as_32_bit_floats_changes_50_lists_of_trec8(data_dir: Path) -> None:
    folder = data_dir / "trec8-adhoc"
    doubles, floats = (
        scores(folder / "qrels.txt.gz", folder / "runs", ["AP"], order, names="file")["AP"]
        for order in ("trec", "trec9")
    )
    changed = {cell: abs(doubles[cell] - floats[cell]) for cell in doubles if doubles[cell] != floats[cell]}
    assert len(changed) == 50
    assert max(changed.values()) > 0.03


def _disagreements(
    peer: str, measures: Mapping[str, str], folder: Path, paths: list[Path], depth: int | None = None
) -> dict[str, float]:
    """The largest difference of each measure that differs anywhere; runs one by one, for memory's sake."""
    judgments = folder / "qrels.txt.gz"
    qrels = _qrels(judgments)
    ours = scores(judgments, paths, measures, ORDER[peer], names="file", depth=depth)
    worst = dict.fromkeys(measures, 0.0)
    for path in paths:
        theirs = PEERS[peer](Collection(qrels, {path.stem: _run(path, depth)}), measures.values())
        for measure, name in measures.items():
            mine: Cells = {cell: value for cell, value in ours[measure].items() if cell[0] == path.stem}
            worst[measure] = max(worst[measure], gap(mine, theirs[name]))
    return {measure: value for measure, value in worst.items() if value > TOLERANCE}


def _run(path: Path, depth: int | None = None) -> Lists:
    with gzip.open(path, "rt", encoding="latin-1") as file:
        lists = pytrec_eval.parse_run(file)
    return {topic: dict(list(docs.items())[:depth]) for topic, docs in lists.items()}


def _qrels(path: Path) -> Judgments:
    with gzip.open(path, "rt") as file:
        return dict(pytrec_eval.parse_qrel(file))
