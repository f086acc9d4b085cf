"""Every measure in every form, the measures that are folds, and random topics for them."""

from __future__ import annotations

from hypothesis import strategies as st

from irassay.measures import parse, records
from tests.helpers.panels import Topic

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
    found = [f"{name}{cut}" for cut in cuts]
    if record.takes_rel:
        found += [f"{name}(rel=2){cut}" for cut in cuts]
    if record.condensed == "optional":
        found += [f"{name}'{cut}" for cut in cuts]
    if record.graded and record.gain is None:
        found += [f"{name}(gains={{1:1,2:5,3:10}}){cut}" for cut in cuts]
    if "dcg" in record.params:
        found += [f"{name}(dcg='jk',base=3){cut}" for cut in cuts] + [f"{name}(dcg='exp-log2'){cut}" for cut in cuts]
    return " ".join(found + OTHERS.get(name, []))


ALL = parse(" ".join(map(forms, records())))
FOLDS = {name: record for name, record in records().items() if record.kind == "fold"}
