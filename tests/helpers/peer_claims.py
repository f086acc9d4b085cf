"""What irassay and its peers agree on, and what they do not, with the reason; scores to compare, and their gap."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import irassay
from irassay import Panel
from irassay.errors import IrassayWarning
from tests.helpers.peers import Cells

TOLERANCE = 1e-9
# the order of documents that each peer goes by; see the claims for their ties
ORDER = {"pytrec_eval": "trec9", "ir_measures": "trec9", "pyNTCIREVAL": "file"}


@dataclass(frozen=True)
class Claim:
    """Our measure and a peer's: they agree on all collections of a kind, or differ on some, for a reason."""

    measure: str
    peer: str
    name: str
    on: str = "everything"
    agrees: bool = True
    reason: str = ""
    order: str = ""

    def __str__(self) -> str:
        return f"{self.measure} {'is' if self.agrees else 'is not'} {self.peer} {self.name} on {self.on}"


def _differs(measure: str, peer: str, name: str, on: str, reason: str, order: str = "") -> Claim:
    return Claim(measure, peer, name, on, agrees=False, reason=reason, order=order)


TREC_EVAL = {
    "AP": "map",
    "AP@5": "map_cut_5",
    "P@1": "P_1",
    "P@5": "P_5",
    "P@100": "P_100",
    "R@5": "recall_5",
    "R@1000": "recall_1000",
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "Success@1": "success_1",
    "Success@5": "success_5",
    "nDCG": "ndcg",
    "nDCG@5": "ndcg_cut_5",
    "nDCG@1000": "ndcg_cut_1000",
    "Bpref": "bpref",
    "AP(rel=2)": "map -l2",
    "P(rel=2)@5": "P_5 -l2",
    "R(rel=2)@5": "recall_5 -l2",
    "RR(rel=2)": "recip_rank -l2",
    "Rprec(rel=2)": "Rprec -l2",
    "Success(rel=2)@5": "success_5 -l2",
    "Bpref(rel=2)": "bpref -l2",
}
CONDENSED = {
    "AP'": "map -J",
    "AP'@5": "map_cut_5 -J",
    "P'@5": "P_5 -J",
    "R'@5": "recall_5 -J",
    "RR'": "recip_rank -J",
    "Rprec'": "Rprec -J",
    "Success'@1": "success_1 -J",
    "nDCG'": "ndcg -J",
    "nDCG'@5": "ndcg_cut_5 -J",
}
IR_MEASURES = {
    "AP": "AP",
    "AP@5": "AP@5",
    "P@5": "P@5",
    "R@5": "R@5",
    "RR": "RR",
    "Rprec": "Rprec",
    "Success@5": "Success@5",
    "nDCG": "nDCG",
    "nDCG@5": "nDCG@5",
    "nDCG(gains={1:1,2:5,3:10})@5": "nDCG(gains={1:1,2:5,3:10})@5",
    "nDCG(dcg='exp-log2')@5": "nDCG(gains={1:1,2:3,3:7})@5",
    "nDCG(dcg='exp-log2')": "nDCG(gains={1:1,2:3,3:7})",
    "Bpref": "Bpref",
    "AP(rel=2)@5": "AP(rel=2)@5",
}
NTCIREVAL = {
    "AP": "AP",
    "AP(norm='min')@5": "AP@5",
    "Q": "Q",
    "Q(beta=10)": "Q(beta=10)",
    "Q(norm='min')@5": "Q@5",
    "RBP": "RBP(0.8)",
    "RBP(p=0.95)": "RBP(0.95)",
    "P@5": "P@5",
    "Success@5": "Hit@5",
    "RR": "RR",
    "AP'": "AP -J",
    "Q'": "Q -J",
    "RBP'(p=0.95)": "RBP(0.95) -J",
}
NORMALISED = {
    "nDCG(dcg='jk')@5": "nDCG@5",
    "nDCG(dcg='jk')@1000": "nDCG@1000",
    "nDCG(dcg='jk',base=10)@1000": "nDCG(logb=10)@1000",
    "nDCG@5": "MSnDCG@5",
    "nDCG@1000": "MSnDCG@1000",
    "nCG@5": "nDCG(logb=1e9)@5",
    "nCG@1000": "nDCG(logb=1e9)@1000",
    "nDCG'(dcg='jk')@1000": "nDCG@1000 -J",
}
FLOATS = "trec_eval 9 compares scores as 32-bit floats"
CAPPED = "NTCIREVAL divides by min(k, R) at a cut-off"
ASCENDING = "the peer breaks ties by ascending document id, trec_eval and we by descending"
POOLED = "the peer takes a grade below 0 for a judgment; here it is pooled but not judged"

CLAIMS = [
    *(Claim(ours, "pytrec_eval", name) for ours, name in TREC_EVAL.items()),
    *(Claim(ours, "pytrec_eval", name) for ours, name in CONDENSED.items()),
    *(Claim(ours, "ir_measures", name) for ours, name in IR_MEASURES.items()),
    Claim("RR@5", "ir_measures", "RR@5", on="distinct scores"),
    Claim("Judged@5", "ir_measures", "Judged@5", on="nothing special"),
    Claim("Judged@5", "ir_measures", "Judged@5", on="only an unanswerable topic"),
    Claim("Judged@1000", "ir_measures", "Judged@1000", on="nothing special"),
    *(Claim(ours, "pyNTCIREVAL", name) for ours, name in NTCIREVAL.items()),
    *(Claim(ours, "pyNTCIREVAL", name, on="answerable") for ours, name in NORMALISED.items()),
    _differs("AP", "pytrec_eval", "map", "only close scores", FLOATS, order="trec"),
    _differs("nDCG@5", "pytrec_eval", "ndcg_cut_5", "only close scores", FLOATS, order="trec"),
    _differs("RR@5", "ir_measures", "RR@5", "only ties", ASCENDING),
    _differs("Judged@5", "ir_measures", "Judged@5", "only ties", ASCENDING),
    _differs("Judged@5", "ir_measures", "Judged@5", "only negative grades", POOLED),
    _differs("AP@5", "pyNTCIREVAL", "AP@5", "nothing special", CAPPED),
    _differs("Q@5", "pyNTCIREVAL", "Q@5", "nothing special", CAPPED),
    _differs("nDCG@5", "pyNTCIREVAL", "nDCG@5", "nothing special", "its nDCG is Järvelin and Kekäläinen's"),
    _differs("nDCG@5", "pyNTCIREVAL", "MSnDCG@5", "only an unanswerable topic", "0/0 there, 0 here"),
]


def aligned(qrels: Any, runs: Any, order: str, *, names: str | None = None, depth: int | None = None) -> Panel:
    """A panel without the warnings: the collections are full of what we rightly warn about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IrassayWarning)
        found = irassay.read_runs(runs, names=names)
        return irassay.align(irassay.read_qrels(qrels), found, order=order, depth=depth)


def scores(
    qrels: Any,
    runs: Any,
    measures: Iterable[str],
    order: str,
    *,
    names: str | None = None,
    depth: int | None = None,
) -> dict[str, Cells]:
    """Our values by measure and list."""
    found = aligned(qrels, runs, order, names=names, depth=depth).score(" ".join(measures))
    return {
        measure: {
            (system, topic): value
            for system, row in zip(matrix.systems, matrix.values.tolist(), strict=True)
            for topic, value in zip(matrix.topics, row, strict=True)
        }
        for measure, matrix in ((measure, found[measure]) for measure in found)
    }


def gap(ours: Cells, theirs: Cells) -> float:
    """The largest difference; a list that a run does not have is 0, a value that is not a number differs."""
    assert theirs.keys() <= ours.keys()
    gaps = [abs(value - theirs.get(cell, 0.0)) for cell, value in ours.items()]
    return max(math.inf if math.isnan(each) else each for each in gaps)
