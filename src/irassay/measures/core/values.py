"""Measures as values: `nDCG @ 10`, `RBP(p=0.95)`, `AP(judged_only=True)`, `GM(AP)`."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from irassay.errors import InputError
from irassay.measures.core import registry
from irassay.measures.core.grammar import accept, build, cut_off, different, level, parse
from irassay.measures.core.measure import Measure


def value_of(name: str) -> Measure | Callable[..., Measure] | None:
    """The measure of a name, or what makes a summary of one; None where there is none.

    P, R and others mean nothing before they are cut: `parse` refuses such a value, and `P @ 10` completes it.
    """
    summary = registry.summaries().get(name)
    if summary is not None and summary.written:
        return partial(summarised, name)
    record = registry.records().get(name)
    return None if record is None else Measure(name)


def summarised(name: str, measure: Any, **params: object) -> Measure:
    """GM, AG or AREA of a measure."""
    where = f"measure {name}({measure})"
    (inner,) = parse(measure)
    if inner.summary is not None:
        raise InputError(f"{name} cannot summarise a summary", where, f"write {name}(AP), with one summary")
    known = registry.summaries()[name].params
    return replace(inner, summary=(name, different(accept(name, params, dict(known), where), known)))


def cut_at(measure: Measure, k: float) -> Measure:
    """The measure with a cut-off, or with what else is written after @."""
    where = f"measure {measure} @ {k}"
    if measure.summary is not None:
        name = measure.summary[0]
        raise InputError(f"nothing may follow {name}(…)", where, f"put it inside: {name}(AP @ {k})")
    keys = _keys(measure)
    if measure.record.at is not None:
        keys[measure.record.at] = level(measure.record, keys, str(k), where)
        return build(measure.record, keys, measure.judged_only, None, where)
    if measure.cut is not None:
        raise InputError("two cut-offs are given", where, f"keep one of {measure.cut} and {k}")
    return build(measure.record, keys, measure.judged_only, cut_off(measure.name, str(k), where), where)


def with_params(measure: Measure, params: Mapping[str, object]) -> Measure:
    """The measure with some parameters set."""
    where = f"measure {measure}({', '.join(params)})"
    if measure.summary is not None:
        raise InputError("a summary has its parameters already", where, "set those of the measure inside it")
    prime = bool(params.get("judged_only", measure.judged_only))
    keys = _keys(measure) | {key: value for key, value in params.items() if key != "judged_only" or not value}
    return build(measure.record, keys, prime, measure.cut, where, complete=False)


def _keys(measure: Measure) -> dict[str, object]:
    """The parameters as a user would give them again: tables as mappings."""
    return {key: dict(value) if isinstance(value, tuple) else value for key, value in measure.params}
