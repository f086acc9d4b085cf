"""Effectiveness measures: one small file each, found by the registry, written and read as text or used as values.

`parse("AP nDCG@10 GM(Q)")` gives `Measure` values; so do `AP`, `nDCG @ 10` and `GM(Q)` after
`from irassay.measures import AP, GM, Q, nDCG`. A `Record` says what a measure is and holds its function. `measure`
declares one at run time. Nothing here imports numpy or numba: `irassay.scoring` computes.
"""

from typing import Any

from irassay.measures.core.grammar import parse
from irassay.measures.core.measure import Measure
from irassay.measures.core.param import Param
from irassay.measures.core.record import Record, Summary
from irassay.measures.core.registry import get, measure, records, register, summaries

__all__ = ["Measure", "Param", "Record", "Summary", "get", "measure", "parse", "records", "register", "summaries"]


def __getattr__(name: str) -> Any:
    from irassay.measures.core.values import value_of

    value = None if name.startswith("_") else value_of(name)
    if value is None:
        raise AttributeError(f"module 'irassay.measures' has no attribute {name!r}")
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *records(), *(name for name, summary in summaries().items() if summary.written)})
