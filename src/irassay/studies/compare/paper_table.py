"""The table of `irassay compare` for a paper, whose caption says in a line what was tested."""

from dataclasses import replace
from typing import Any

from irassay.ask.methods import ANY_TEST, CORRECTIONS
from irassay.report import wide
from irassay.report.wide_layout import sign_of
from irassay.result import Result, Table
from irassay.studies.compare.settings import baselines
from irassay.studies.compare.tables import BETTER, DIFFERENT, WORSE, in_families
from irassay.studies.compare.view import paper
from irassay.studies.phrases import add_sentences, join, restrictions_of, safe


def layouts(result: Result, table: Table, layout: str | None) -> Table:
    """A row for each system and measure, with intervals and tests; or systems by measures, with signs."""
    provenance: dict[str, Any] = dict(result.provenance)
    if layout == "wide":
        caption = f"{_signs(provenance)} {_tested(provenance)} Best in bold."
        return wide(table, add_sentences(caption, restrictions_of(provenance)))
    tables = tuple(table if one.name == table.name else one for one in result.tables)
    long = paper(replace(result, tables=tables))
    one_measure = "" if len(provenance["measures"]) > 1 else f"{safe(provenance['measures'][0])}. "
    caption = f"{one_measure}{_marks(provenance)} {_tested(provenance)}{_intervals(provenance)}"
    return replace(long, caption=add_sentences(caption, restrictions_of(provenance)))


def _tested(provenance: dict[str, Any]) -> str:
    """Test, correction, level and topics."""
    test, correction = ANY_TEST[provenance["test"]], CORRECTIONS[provenance["correction"]]
    parts = [test.label]
    if test.simultaneous:
        parts.append("for all pairs at once")
    elif provenance["comparisons"] > 1 or correction.joint is not None:
        parts.append(f"corrected {correction.label}" if correction.label else "not corrected")
    parts += [f"α = {provenance['alpha']:g}", f"n = {len(provenance['topics'])} topics{in_families(provenance)}"]
    return f"{', '.join(parts)}."


def _signs(provenance: dict[str, Any]) -> str:
    """What the signs of a wide table mean."""
    names = baselines(provenance["baseline"])
    if not names:
        return "Systems with a common letter do not differ significantly in that measure."
    how = "different from" if ANY_TEST[provenance["test"]].note else "better (as a subscript: worse) than"
    others = [f"{sign_of(place)} {safe(name)}" for place, name in enumerate(names[1:], 1)]
    return f"{sign_of(0)} significantly {how} {join([safe(names[0]), *others])}."


def _marks(provenance: dict[str, Any]) -> str:
    """What the signs of a long table mean."""
    names = baselines(provenance["baseline"])
    if not names:
        return "Systems with a common letter do not differ significantly."
    base = safe(names[0]) if len(names) == 1 else "the system that it is against"
    if ANY_TEST[provenance["test"]].note:
        return f"{DIFFERENT}: significantly different from {base}."
    return f"{BETTER} {WORSE}: significantly better, worse than {base}."


def _intervals(provenance: dict[str, Any]) -> str:
    return f" Intervals: {100 * provenance['confidence']:.4g}%."
