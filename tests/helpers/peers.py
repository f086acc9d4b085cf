"""The peers, each asked the same way: a collection and the peer's own measure names in, values by list out.

A name may end in trec_eval's options: `-l2` (relevant from grade 2) and `-J` (only documents with a judgment).
Values come for the lists that a run has on judged topics; a value the peer cannot give is NaN.
"""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import ir_measures
import pytrec_eval
from pyNTCIREVAL import Labeler
from pyNTCIREVAL import metrics as ntcir

from tests.helpers.random_collections import Collection, Judgments

Cells = dict[tuple[str, str], float]  # (system, topic)
Peer = Callable[[Collection, Iterable[str]], dict[str, Cells]]


def answered(collection: Collection) -> Iterator[tuple[str, str]]:
    """Every list that can have a value: of a run, on a topic with judgments."""
    return ((name, topic) for name, lists in collection.runs.items() for topic in lists if topic in collection.qrels)


def by_pytrec_eval(collection: Collection, names: Iterable[str]) -> dict[str, Cells]:
    alike: dict[str, dict[str, str]] = {}  # by options
    for name in names:
        measure, _, options = name.partition(" ")
        alike.setdefault(options, {})[name] = measure
    cells: dict[str, Cells] = {}
    for options, measures in alike.items():
        evaluator = pytrec_eval.RelevanceEvaluator(
            collection.qrels,
            set(measures.values()),
            relevance_level=2 if "-l2" in options else 1,
            judged_docs_only_flag="-J" in options,
        )
        values = {system: evaluator.evaluate(lists) for system, lists in collection.runs.items()}
        for name, measure in measures.items():
            cells[name] = {(s, t): values[s][t][measure] for s, t in answered(collection)}
    return cells


def ir_measure(name: str) -> Any:
    """ir_measures' measure of that name."""
    if sys.version_info >= (3, 14):  # its own function (0.4.3) looks for classes that `ast` no longer has
        ir_measures.util._ast_to_value = ast.literal_eval
    return ir_measures.parse_measure(name)


def by_ir_measures(collection: Collection, names: Iterable[str]) -> dict[str, Cells]:
    """Each measure in a call of its own: in one call ir_measures mixes some of them up, as its sets happen to lie."""
    assert "irassay" not in ir_measures.providers.registry, "these would be our own numbers"
    measures = {ir_measure(name): name for name in names}
    cells: dict[str, Cells] = {name: {} for name in measures.values()}
    wanted = set(answered(collection))
    for system, lists in collection.runs.items():
        for asked in measures:
            for value in ir_measures.iter_calc([asked], collection.qrels, lists):
                if (system, value.query_id) in wanted:
                    cells[measures[value.measure]][system, value.query_id] = value.value
    return cells


def by_pyntcireval(collection: Collection, names: Iterable[str]) -> dict[str, Cells]:
    """Lists in file order; grades below 0 are left out, for NTCIR has no such judgments."""
    levels = list(range(1, 1 + max(g for docs in collection.qrels.values() for g in docs.values())))
    judged: Judgments = {
        topic: {doc: grade for doc, grade in docs.items() if grade >= 0} for topic, docs in collection.qrels.items()
    }
    cells: dict[str, Cells] = {}
    for name in names:
        make, _, options = name.partition(" ")
        cells[name] = {}
        for system, topic in answered(collection):
            labeler = Labeler(judged[topic], is_condensed="-J" in options)
            known = labeler.compute_per_level_doc_num(len(levels) + 1)
            ranked = labeler.label(collection.runs[system][topic])
            cells[name][system, topic] = _ntcir_value(_NTCIR[make](known, levels), ranked)
    return cells


def _ntcir_value(metric: Any, ranked: list[Any]) -> float:
    if not ranked:  # what condensing leaves of a list without judged documents
        return 0.0
    try:
        return float(metric.compute(ranked))
    except ZeroDivisionError:
        return math.nan


_NTCIR: dict[str, Callable[[list[int], list[int]], Any]] = {
    "AP": ntcir.AP,
    "AP@5": lambda known, levels: ntcir.AP(known, levels, 5),
    "Q": lambda known, levels: ntcir.QMeasure(known, levels, 1.0),
    "Q(beta=10)": lambda known, levels: ntcir.QMeasure(known, levels, 10.0),
    "Q@5": lambda known, levels: ntcir.QMeasure(known, levels, 1.0, 5),
    "nDCG@5": lambda known, levels: ntcir.nDCG(known, levels, 2.0, 5),
    "nDCG@1000": lambda known, levels: ntcir.nDCG(known, levels, 2.0, 1000),
    "nDCG(logb=10)@1000": lambda known, levels: ntcir.nDCG(known, levels, 10.0, 1000),
    # no rank reaches such a base, so nothing is discounted
    "nDCG(logb=1e9)@5": lambda known, levels: ntcir.nDCG(known, levels, 1e9, 5),
    "nDCG(logb=1e9)@1000": lambda known, levels: ntcir.nDCG(known, levels, 1e9, 1000),
    "MSnDCG@5": lambda known, levels: ntcir.MSnDCG(known, levels, 5),
    "MSnDCG@1000": lambda known, levels: ntcir.MSnDCG(known, levels, 1000),
    "RBP(0.8)": lambda known, levels: ntcir.RBP(known, levels, 0.8),
    "RBP(0.95)": lambda known, levels: ntcir.RBP(known, levels, 0.95),
    "P@5": lambda known, levels: ntcir.Precision(5),
    "Hit@5": lambda known, levels: ntcir.Hit(5),
    "RR": lambda known, levels: ntcir.RR(),
}

PEERS: dict[str, Peer] = {
    "pytrec_eval": by_pytrec_eval,
    "ir_measures": by_ir_measures,
    "pyNTCIREVAL": by_pyntcireval,
}
