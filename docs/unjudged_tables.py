"""What came of hidden judgments, as tables and shares: docs/unjudged.py writes it down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from docs.hidden_judgments import MEASURES, ORDERS, STEPS, Coverage, Settled


@dataclass(frozen=True)
class Measured:
    """What came of one collection."""

    sizes: tuple[int, int, int]  # systems, topics, groups
    depth: int
    random: dict[str, list[Coverage]]
    shallow: dict[str, Coverage]
    groups: dict[str, Coverage]  # of each group its own systems
    orders: dict[str, Settled]


def mean(many: Sequence[Coverage]) -> Coverage:
    """Of several hidings."""
    return Coverage(*(np.mean([getattr(one, field.name) for one in many], axis=0) for field in fields(Coverage)))


def rows_of(results: dict[str, Measured]) -> list[tuple[str, str, Coverage, Coverage | None]]:
    """Collection, what was hidden, the mean coverage, and where there are several hidings their errors."""
    rows: list[tuple[str, str, Coverage, Coverage | None]] = []
    for name, one in results.items():
        for hidden, trials in one.random.items():
            errors = Coverage(
                *(
                    np.std([getattr(each, field.name) for each in trials], axis=0, ddof=1) / np.sqrt(len(trials))
                    for field in fields(Coverage)
                )
            )
            rows.append((name, f"{hidden}, at random", mean(trials), errors))
        rows += [(name, f"below rank {depth}", of, None) for depth, of in one.shallow.items()]
    return rows


def head(*columns: str) -> str:
    return f"| {' | '.join(columns)} |\n" + "|---" * len(columns) + "|"


def coverage_table(results: dict[str, Measured], name: str) -> str:
    """Per cent by measure, with the error over hidings."""
    lines = [head("", "hidden", *MEASURES)]
    for collection, hidden, of, errors in rows_of(results):
        values = 100 * getattr(of, name)
        if errors is None:
            cells = [f"{value:.0f}" for value in values]
        else:
            cells = [f"{v:.0f} ± {100 * e:.0f}" for v, e in zip(values, getattr(errors, name), strict=True)]
        lines.append(f"| {collection} | {hidden} | {' | '.join(cells)} |")
    return "\n".join(lines)


def error_table(results: dict[str, Measured]) -> str:
    lines = [head("", "hidden", *MEASURES)]
    for collection, hidden, of, _ in rows_of(results):
        cells = [f"{a:.3f} → {e:.3f}" for a, e in zip(of.as_judged, of.expected, strict=True)]
        lines.append(f"| {collection} | {hidden} | {' | '.join(cells)} |")
    return "\n".join(lines)


def probability_table(results: dict[str, Measured]) -> str:
    lines = [head("", "hidden", "documents", "relevant", "expected", "Brier score", "if all had the same chance")]
    for collection, hidden, of, _ in rows_of(results):
        share = of.relevant / of.documents
        cells = f"{of.documents:,.0f} | {of.relevant:,.0f} | {of.expected_relevant:,.0f} | {of.brier:.3f}"
        lines.append(f"| {collection} | {hidden} | {cells} | {share * (1 - share):.3f} |")
    for collection, one in results.items():
        own = list(one.groups.values())
        documents, relevant, expected = (
            sum(getattr(each, name) for each in own) for name in ("documents", "relevant", "expected_relevant")
        )
        score = sum(each.brier * each.documents for each in own) / documents
        share = relevant / documents
        cells = f"{documents:,.0f} | {relevant:,.0f} | {expected:,.0f} | {score:.3f} | {share * (1 - share):.3f}"
        lines.append(f"| {collection} | own of {len(own)} groups | {cells} |")
    return "\n".join(lines)


def group_table(results: dict[str, Measured]) -> str:
    """Systems of the group that was left out: as judged, expected, and how often the interval holds the truth."""
    lines = [head("", "groups", *MEASURES)]
    for collection, one in results.items():
        own = list(one.groups.values())
        cells = []
        for m in range(len(MEASURES)):
            held = 100 * np.mean([each.systems[m] for each in own])
            judged, expected = (np.mean([getattr(each, name)[m] for each in own]) for name in ("as_judged", "expected"))
            cells.append(f"{held:.0f}% ({judged:.3f} → {expected:.3f})")
        lines.append(f"| {collection} | {len(own)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def worst_groups(results: dict[str, Measured]) -> str:
    lines = [head("", "group", "documents", "relevant", "expected")]
    for collection, one in results.items():
        far = sorted(one.groups.items(), key=lambda item: -abs(item[1].relevant - item[1].expected_relevant))[:4]
        lines += [
            f"| {collection} | {name} | {of.documents:,} | {of.relevant} | {of.expected_relevant:.0f} |"
            for name, of in far
        ]
    return "\n".join(lines)


def order_table(results: dict[str, Measured]) -> str:
    lines = [head("", "", "order", *(f"{step:,}" for step in STEPS))]
    for collection, one in results.items():
        for measure, of in one.orders.items():
            for o, order in enumerate(ORDERS):
                cells = [f"{100 * s:.0f}% ({e:.3f})" for s, e in zip(of.settled[o], of.error[o], strict=True)]
                lines.append(f"| {collection} | {measure}, {of.pairs} pairs | {order} | {' | '.join(cells)} |")
    return "\n".join(lines)


def span(values: Sequence[float], form: str) -> str:
    """From the smallest to the largest."""
    return f"{min(values):{form}} to {max(values):{form}}"


def nearer(results: dict[str, Measured], measures: Sequence[int]) -> str:
    """How many times nearer the truth the means of draws are than scores as judged, hidden at random."""
    rows = [mean(trials) for one in results.values() for trials in one.random.values()]
    return span([float(of.as_judged[m] / of.expected[m]) for of in rows for m in measures], ".0f")


def covered(results: dict[str, Measured], name: str, measures: Sequence[int]) -> str:
    """Per cent that the intervals hold, hidden at random."""
    rows = [mean(trials) for one in results.values() for trials in one.random.values()]
    return span([float(100 * getattr(of, name)[m]) for of in rows for m in measures], ".0f")


def left(results: dict[str, Measured], step: int) -> str:
    """What is left of the error of a difference after so many judgments, by order; mean over collections, measures."""
    k = STEPS.index(step)
    every = [of for one in results.values() for of in one.orders.values()]
    shares = [100 * float(np.mean([of.error[o, k] / of.error[o, 0] for of in every])) for o in range(len(ORDERS))]
    settled = [100 * float(np.mean([of.settled[o, k] for of in every])) for o in range(len(ORDERS))]
    parts = [f"{order} {e:.0f}% ({s:.0f}%)" for order, e, s in zip(ORDERS, shares, settled, strict=True)]
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def wrongly(results: dict[str, Measured], step: int) -> float:
    """Per cent of the pairs that the orders by value and by depth have settled the wrong way round."""
    every = [of for one in results.values() for of in one.orders.values()]
    return 100 * float(np.mean([of.wrong[:2, STEPS.index(step)].mean() for of in every]))
