"""Measures beyond those of `peer_claims`: trec_eval's names for them, NTCIREVAL's values, and where trec_eval errs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from pyNTCIREVAL import Labeler

from irassay.measures import parse
from tests.helpers.peers import Cells, answered
from tests.helpers.random_collections import Collection

Known = list[int]
LEVELS = [f"{tenth / 10:.2f}" for tenth in range(11)]
FURTHER_TREC_EVAL = {
    "infAP": "infAP",
    "infAP(rel=2)": "infAP -l2",
    "SetP": "set_P",
    "SetP(rel=2)": "set_P -l2",
    "SetP'": "set_P -J",
    "SetR": "set_recall",
    "SetR(rel=2)": "set_recall -l2",
    "SetF": "set_F",
    "SetF'(rel=2)": "set_F -l2 -J",
    "NumRet": "num_ret",
    "NumRet'": "num_ret -J",
    "NumRel": "num_rel",
    "NumRel(rel=2)": "num_rel -l2",
    "NumRelRet": "num_rel_ret",
    "NumRelRet(rel=2)": "num_rel_ret -l2",
    "SetAP": "set_map",
    "SetAP(rel=2)": "set_map -l2",
    "SetRelP": "set_relative_P",
    "SetRelP(rel=2)": "set_relative_P -l2",
    "R(cap=True)@5": "relative_P_5",
    "R(cap=True)@1000": "relative_P_1000",
    "Utility": "utility",
    "Utility(rel=2)": "utility -l2",
    "NumNonrelRet": "num_nonrel_judged_ret",
    "NumNonrelRet(rel=2)": "num_nonrel_judged_ret -l2",
    "IAP": "11pt_avg",
    "BinG": "binG",
    "BinG(rel=2)": "binG -l2",
    "G": "G",
    "nDCGRel": "ndcg_rel",
    "RnDCG": "Rndcg",
    **{f"RprecMult@{m:g}": f"Rprec_mult_{m:.2f}" for m in (0.2, 1.0, 1.2, 2.0)},
    **{str(parse(f"IPrec@{r}")[0]): f"iprec_at_recall_{r}" for r in LEVELS},
    **{str(parse(f"IPrec'@{r}")[0]): f"iprec_at_recall_{r} -J" for r in LEVELS},
}


def shared_gap(ours: Cells, theirs: Cells) -> float:
    """The largest difference over the lists that the peer has a value for."""
    assert theirs
    return max(abs(ours[cell] - value) for cell, value in theirs.items() if not math.isnan(value))


def slips(relevant: int) -> set[str]:
    """The recall levels at which trec_eval 9 looks for one document less than the level asks for."""
    return {r for r in LEVELS if int(float(r) * relevant + 0.9) < -(-round(float(r) * 10) * relevant // 10)}


def by_ntcireval(collection: Collection, condensed: bool, make: Callable[[Known], Any]) -> Iterator[tuple[Any, float]]:
    """Lists in file order; grades below 0 are left out, for NTCIR has no such judgments."""
    for system, topic in answered(collection):
        judged = {doc: grade for doc, grade in collection.qrels[topic].items() if grade >= 0}
        labeler = Labeler(judged, is_condensed=condensed)
        ranked = labeler.label(collection.runs[system][topic])
        if ranked:
            yield (system, topic), float(make(labeler.compute_per_level_doc_num(4)).compute(ranked))
