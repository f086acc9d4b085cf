"""Rows and phrases for the findings of studies."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from irassay.report.text import undefined, visible
from irassay.result import Result, Table

SHOWN = 4  # parts that one sentence can hold
FEWEST_PAIRS = 5  # of systems, from which on a share of pairs or a tau says something


def rows_of(table: Table, *needed: str) -> list[dict[str, Any]]:
    """The rows as dictionaries, without those that have no value in a needed column."""
    rows = (dict(zip(table.columns, row, strict=True)) for row in table.rows())
    return [row for row in rows if not any(undefined(row[name]) for name in needed)]


def safe(value: object) -> str:
    """A name as text that is safe to show."""
    return visible(str(value))


def join(parts: Sequence[str]) -> str:
    """a, b and c."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def few(parts: Sequence[str]) -> str:
    """All of a few parts; of many the first ones and the last."""
    if len(parts) <= SHOWN + 2:
        return join(parts)
    return f"{', '.join(parts[:SHOWN])}, … and last {parts[-1]}"


class Extremes(NamedTuple):
    """The best and the worst of rows that are of one measure each; no worst where there is one, or all are the same."""

    best: dict[str, Any]
    worst: dict[str, Any] | None
    measures: int

    @property
    def by(self) -> str:
        """The measure of the best row, or that it is the same by all."""
        if self.worst is None and self.measures > 1:
            return "both measures" if self.measures == 2 else f"all {self.measures} measures"
        return safe(self.best["measure"])

    def table(self, name: str) -> str:
        """A sentence on where the measures between the two are."""
        return f" The table {name} has all {self.measures} measures." if self.worst and self.measures > 2 else ""


def extremes(rows: Sequence[dict[str, Any]], value: Callable[[dict[str, Any]], float]) -> Extremes:
    """The row with the largest value and the one with the smallest, of equal ones the first."""
    best, worst = max(rows, key=value), min(rows, key=value)
    return Extremes(best, None if value(best) == value(worst) else worst, len({row["measure"] for row in rows}))


def too_few_pairs(pairs: int) -> str:
    """What to say instead of a share of so few pairs, or of a tau between rankings of so few."""
    are = "is 1 pair" if pairs == 1 else f"are {pairs} pairs"
    return f"There {are} of systems: too few for shares of pairs and for tau, {FEWEST_PAIRS} are needed."


def systems_compared(
    systems: int,
    *,
    groups: int = 0,
    best: int = 0,
    by: str = "",
    sampled: int = 0,
    named: Sequence[str] = (),
    start: str = "Compared are",
) -> str:
    """Which of so many systems are compared: one of each group, of these the best, of these a sample, and some named.

    A step that is 0 was not taken.
    """
    steps = []
    if groups:
        steps.append(f"one system, drawn at random, of each of the {groups:,} groups")
    if best:
        of = f"{best:,} best" if steps else f"{best:,} best of {systems:,} systems"
        steps.append(f"the {of} by {safe(by)}")
    if sampled:
        steps.append(
            f"{sampled:,} drawn at random" if steps else f"{sampled:,} of {systems:,} systems, drawn at random"
        )
    also = f", and {join([safe(name) for name in named])}" if named else ""
    whole = f" ({systems:,} systems)" if groups else ""
    return f"{start} {', and of these '.join(steps)}{also}{whole}."


def topics_evaluated(topics: int, judged: int, reasons: Sequence[str], what: str = "judged topics") -> str:
    """How many of the topics are evaluated, and what the others are."""
    others = f": the others {' or '.join(reasons)}" if reasons else ""
    return f"Evaluated {'is' if topics == 1 else 'are'} {topics:,} of {judged:,} {what}{others}."


def add_sentences(text: str, sentences: Sequence[str]) -> str:
    """A caption with more sentences."""
    if not sentences:
        return text
    end = "" if not text or text.endswith((".", "!", "?")) else "."
    return " ".join([*([f"{text}{end}"] if text else []), *sentences])


def restrictions_of(provenance: Mapping[str, object]) -> list[str]:
    """The sentences of a result's provenance on what it is restricted to: which systems and topics."""
    sentences = provenance.get("restrictions", [])
    assert isinstance(sentences, list)
    return sentences


def restrict(result: Result, sentences: Sequence[str]) -> Result:
    """The result with sentences on what it is restricted to among its findings, and in each caption."""
    if not sentences:
        return result
    return replace(
        result,
        findings=(*result.findings, *sentences),
        tables=tuple(replace(one, caption=add_sentences(one.caption, sentences)) for one in result.tables),
        figures=tuple(replace(one, caption=add_sentences(one.caption, sentences)) for one in result.figures),
    )


def per_comparison(alpha: object, test: str = "paired") -> str:
    """What every count of significant pairs by bootstrap tests has to say of them."""
    return f"{test} bootstrap test, alpha {alpha:g} per comparison, not corrected"


def percent(share: float) -> str:
    """A share as per cent: whole where that says enough."""
    value = 100 * share
    return f"{value:.0f}%" if value == 0 or 1 <= value <= 99 or value == 100 else f"{value:.1f}%"
