"""Every measure in all its forms, every fold, topics to try them on, and the arguments that a topic gives a fold."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from irassay.measures import parse, records
from irassay.measures.core.record import Record
from tests.helpers.panels import Topic

FOLDS = {name: record for name, record in records().items() if record.kind == "fold"}
GRADES = st.one_of(st.none(), st.integers(-1, 3))
TOPICS = st.builds(Topic, st.lists(GRADES, min_size=1, max_size=30), st.lists(st.integers(0, 3), max_size=8)).filter(
    lambda topic: any(grade > 0 for grade in topic.judged)
)

# forms that the traits of a record do not tell
OTHERS = {
    "ERR": ["ERR(stop='linear')", "ERR(stop='linear',gains={1:1,2:5,3:10},max_gain=20)@3", "ERR(max_grade=7)"],
    "nERR": ["nERR(stop='linear')@5", "nERR(max_grade=7)"],
    "INSQ": ["INSQ(T=5)", "INSQ(T=0.1)@7"],
    "INST": ["INST(T=0.5)", "INST(T=5)@7", "INST(max_gain=9)"],
    "IPrec": ["IPrec@0", "IPrec@0.3", "IPrec@0.75", "IPrec@1"],
    "NWRR": ["NWRR(penalties={1:9,2:9,3:1.5})"],
    "O": ["O(beta=0)", "O(beta=10)"],
    "PMeasure": ["PMeasure(beta=10)"],
    "PPlus": ["PPlus(beta=10)"],
    "Q": ["Q(beta=10)", "Q(norm='min')@3"],
    "RBPRes": ["RBPRes(p=0.5)", "RBPRes(p=0.99)"],
    "RMeasure": ["RMeasure(beta=0)", "RMeasure(beta=10)"],
    "SetF": ["SetF(beta=0)", "SetF(beta=4)"],
    "WRR": ["WRR(penalties={1:9,2:9,3:1.5})"],
}


def forms(name: str) -> str:
    """A measure in its plain, cut, binary and condensed forms, as far as it has them."""
    record = records()[name]
    cuts = {"required": ["@3", "@10"], "optional": ["", "@3"], "never": ["@0.1" if record.at else ""]}[record.cut]
    texts = [f"{name}{cut}" for cut in cuts]
    if record.takes_rel:
        texts += [f"{name}(rel=2){cut}" for cut in cuts]
    if record.condensed == "optional":
        texts += [f"{name}'{cut}" for cut in cuts]
    if record.graded and record.gain is None:
        texts += [f"{name}(gains={{1:1,2:5,3:10}}){cut}" for cut in cuts]
    if "dcg" in record.params:
        texts += [f"{name}(dcg='jk',base=3){cut}" for cut in cuts] + [f"{name}(dcg='exp-log2'){cut}" for cut in cuts]
    return " ".join(texts + OTHERS.get(name, []))


ALL = parse(" ".join(map(forms, records())))


class Arguments(NamedTuple):
    """What a fold is called with."""

    rank: NDArray[np.int32]
    grade: NDArray[np.int8]
    n: int
    gain: NDArray[np.float64]
    ideal: Any
    judged: NDArray[np.int64]
    size: int
    par: NDArray[np.float64]


def arguments(record: Record, topic: Topic) -> Arguments:
    """The arguments of a record's fold for the list of a topic, grades 0 to 3."""
    (measure,) = parse(record.example)
    low = {"relevant": 1, "judged": 0, "pooled": -1}[record.hits]
    seen = [g for g in topic.ranked if not measure.condensed or (g is not None and g >= 0)]
    hits = [(r, g) for r, g in enumerate(seen, 1) if g is not None and g >= low]
    judged = [g for g in topic.judged if g >= 0]
    gain = np.arange(4, dtype=np.float64) / (3.0 if record.scale else 1.0)
    best = sorted((gain[g] for g in judged if g > 0), reverse=True)
    ideal = np.zeros(len(topic.ranked) + len(judged) + 1)
    ideal[1:] = [sum(best[:r]) for r in range(1, len(ideal))]
    return Arguments(
        rank=np.array([r for r, _ in hits], dtype=np.int32),
        grade=np.array([g for _, g in hits], dtype=np.int8),
        n=len(hits),
        gain=gain,
        ideal=ideal,
        judged=np.bincount(judged, minlength=4).astype(np.int64),
        size=len(seen),
        par=np.array(measure.par(4)),
    )
