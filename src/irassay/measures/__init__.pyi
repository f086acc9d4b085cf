"""Measures as values. Made by `make docs` from the records of the measures."""

from collections.abc import Callable

from irassay.measures.core.grammar import parse as parse
from irassay.measures.core.measure import Measure as Measure
from irassay.measures.core.param import Param as Param
from irassay.measures.core.record import Record as Record, Summary as Summary
from irassay.measures.core.registry import (
    get as get,
    measure as measure,
    records as records,
    register as register,
    summaries as summaries,
)

AP: Measure
"""Mean, over the relevant documents, of precision at their ranks."""
BinG: Measure
"""Mean, over the relevant documents, of a discount by the number of nonrelevant documents above."""
Bpref: Measure
"""Share of judged nonrelevant documents that the relevant ones stand above."""
BprefN: Measure
"""Bpref with each misplacement penalty divided by N, all judged nonrelevant documents."""
BprefR: Measure
"""Bpref as first defined: each misplacement penalty is divided by R."""
CG: Measure
"""Sum of the gains of the first k ranks."""
DCG: Measure
"""Sum of gains, each divided by a logarithm of its rank."""
ERR: Measure
"""Expected reciprocal of the rank at which a user who reads from the top is satisfied."""
G: Measure
"""Gain of the retrieved documents, each discounted by what an ideal list would have gained more down to its rank."""
IAP: Measure
"""Mean of interpolated precision at recall 0, 0.1, …, 1: the eleven-point average."""
infAP: Measure
"""Average precision, estimated from a pool of which only a random part was judged."""
INSQ: Measure
"""Rate of gain for a user who goes on with a growing chance, the larger the more is looked for."""
INST: Measure
"""Rate of gain for a user who is less likely to go on the more has been found."""
IPrec: Measure
"""Best precision at any rank where recall has reached a level: a point of the recall-precision curve."""
Judged: Measure
"""Share of the retrieved documents, down to rank k, that have a judgment."""
nCG: Measure
"""Cumulative gain at k over the cumulative gain at k of the ideal list."""
nDCG: Measure
"""DCG over the DCG of the ideal list, both cut at k."""
nDCGRel: Measure
"""Mean, over the relevant documents, of nDCG cut at their ranks, as AP averages precision."""
nERR: Measure
"""Expected reciprocal rank over that of the ideal list, both cut at k."""
NumNonrelRet: Measure
"""Number of retrieved documents that are judged and not relevant, summed over topics."""
NumRel: Measure
"""Number of relevant documents in the judgments, summed over topics."""
NumRelRet: Measure
"""Number of relevant documents retrieved, summed over topics."""
NumRet: Measure
"""Number of documents retrieved, summed over topics."""
NWRR: Measure
"""Weighted reciprocal rank over the largest that the topic allows."""
O: Measure
"""Blended ratio at the rank of the first relevant document: RR with graded relevance."""
P: Measure
"""Share of the first k ranks that hold a relevant document."""
PMeasure: Measure
"""Blended ratio at the preferred rank, that of the first document of the highest level retrieved."""
PPlus: Measure
"""Mean blended ratio over the relevant documents down to the preferred rank."""
Q: Measure
"""Mean, over the relevant documents, of the blended ratio at their ranks."""
R: Measure
"""Share of the relevant documents that stand in the first k ranks."""
RBP: Measure
"""Rate of gain for a user who goes on to the next rank with probability p."""
RBPRes: Measure
"""What the unjudged ranks, and those below the list, could still add to RBP."""
RMeasure: Measure
"""Blended ratio at rank R: R-precision with graded relevance."""
RnDCG: Measure
"""Mean of nDCG at the ranks where the ideal list goes on to a lower gain, and at the end of the list."""
Rprec: Measure
"""Precision, and recall, at rank R: the cut-off at which a perfect list scores 1 on both."""
RprecMult: Measure
"""Precision at rank x·R: low multiples reward precision, high ones recall."""
RR: Measure
"""One over the rank of the first relevant document."""
SetAP: Measure
"""Precision of a list without an order, counted once for every relevant document in it."""
SetF: Measure
"""Weighted harmonic mean of SetP and SetR."""
SetP: Measure
"""Share of the retrieved documents that is relevant."""
SetR: Measure
"""Share of the relevant documents that is retrieved."""
SetRelP: Measure
"""Share of the relevant documents that a list of this length could hold at most."""
Success: Measure
"""1 if a relevant document stands in the first k ranks, else 0."""
Unjudged: Measure
"""Share of the first k ranks that hold a document without a judgment."""
Utility: Measure
"""Worth of the retrieved documents, less what the others among them cost."""
WRR: Measure
"""Reciprocal rank of the first relevant document, corrected by the penalty of its level."""
GM: Callable[..., Measure]
"""Geometric mean over topics: rewards systems that fail on no topic."""
AG: Callable[..., Measure]
"""Arithmetic mean of logarithms: GM's order of systems, with a value for every topic."""
AREA: Callable[..., Measure]
"""Area under the mean of the worst topics: looks at failures only."""
