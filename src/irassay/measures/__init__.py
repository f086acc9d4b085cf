"""Effectiveness measures: one small file each, found by the registry, written and read as text.

`parse("AP nDCG@10 GM(Q)")` gives `Measure` values; a `Record` says what a measure is and holds its function.
`measure` declares one at run time. Nothing here imports numpy or numba: `irassay.scoring` computes.
"""

from irassay.measures.core.grammar import parse
from irassay.measures.core.measure import Measure
from irassay.measures.core.param import Param
from irassay.measures.core.record import Record, Summary
from irassay.measures.core.registry import get, measure, records, register, summaries

__all__ = ["Measure", "Param", "Record", "Summary", "get", "measure", "parse", "records", "register", "summaries"]
