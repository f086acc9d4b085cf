"""Writes docs/unjudged.md and its pictures: `IRASSAY_DATA=DIR PYTHONPATH=. python docs/unjudged.py`.

DIR has the folders trec8-adhoc and dl2021; ten minutes on two cores.
"""

from __future__ import annotations

import os
import sys
import textwrap
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from docs.hidden_judgments import (
    FEW,
    MEASURES,
    ORDERS,
    REPLICATES,
    SEED,
    STEPS,
    Collection,
    Coverage,
    Settled,
    by_group,
    coverage,
    group_by_prefix,
    judged_in_order,
    random_parts,
    shallower,
)

import irassay
from irassay.read.groups import read_groups
from irassay.report.render import pictures
from irassay.result import Figure, Table

DOCS = Path(__file__).parent
HIDDEN = {"half": 0.5, "80%": 0.8}  # of the judgments, at random
SHALLOW = {"TREC-8": (10, 20), "DL 2021": (3, 5)}
ORDERED = ("nDCG@10", "AP")
PAIRS = 16


@dataclass(frozen=True)
class Measured:
    """What came of one collection."""

    sizes: tuple[int, int, int]  # systems, topics, groups
    depth: int
    random: dict[str, list[Coverage]]
    shallow: dict[str, Coverage]
    groups: dict[str, Coverage]  # of each group its own systems
    orders: dict[str, Settled]


def collections() -> list[Collection]:
    data = Path(os.environ["IRASSAY_DATA"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", irassay.IrassayWarning)
        trec8 = irassay.align(data / "trec8-adhoc/qrels.txt.gz", data / "trec8-adhoc/runs", unanswerable="drop")
        dl2021 = irassay.align(data / "dl2021/human.qrels.xz", data / "dl2021/runs", unanswerable="drop")
    groups = read_groups(data / "trec8-adhoc/groups.txt")
    return [
        Collection("DL 2021", dl2021, tuple(map(group_by_prefix, dl2021.systems)), 10),
        Collection("TREC-8", trec8, tuple(groups[system] for system in trec8.systems), 100),
    ]


def measured(collection: Collection) -> Measured:
    everyone = range(len(collection.panel.systems))
    random: dict[str, list[Coverage]] = {}
    orders: dict[str, Settled] = {}
    for name, share in HIDDEN.items():
        for hidden in random_parts(collection, share):
            random.setdefault(name, []).append(coverage(hidden, everyone))
            if name == "80%" and not orders:
                orders = {measure: judged_in_order(hidden, MEASURES.index(measure), PAIRS) for measure in ORDERED}
        say(f"{collection.name}: {name} hidden at random")
    shallow = {str(depth): coverage(shallower(collection, depth), everyone) for depth in SHALLOW[collection.name]}
    say(f"{collection.name}: shallower pools")
    groups = {name: coverage(hidden, collection.members(name)) for name, hidden in by_group(collection)}
    say(f"{collection.name}: {len(groups)} groups")
    sizes = len(everyone), len(collection.panel.topics), len(set(collection.group))
    return Measured(sizes, collection.depth, random, shallow, groups, orders)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


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


def figure(results: dict[str, Measured]) -> dict[str, bytes]:
    """The error of differences over the number of judgments."""
    columns: dict[str, list[str] | list[float]] = {"order": [], "where": [], "judgments": [], "error": []}
    for collection, one in results.items():
        for measure, of in one.orders.items():
            for o, order in enumerate(ORDERS):
                for k, step in enumerate(STEPS):
                    values = order, f"{collection}, {measure}", float(step), float(of.error[o, k])
                    for column, value in zip(columns.values(), values, strict=True):
                        column.append(value)  # type: ignore[arg-type]
    drawn = Figure(
        "unjudged",
        "curve",
        "orders",
        x="judgments",
        y="error",
        series="order",
        facet="where",
        labels={"x": "judgments made", "y": "mean error of a difference", "series": "judged"},
        caption="Error of the expected difference of open pairs, as judgments are made in three orders",
        alt="Curves that fall with the number of judgments, one for each order of judging",
    )
    return pictures(drawn, Table("orders", columns))


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


def scores_text(results: dict[str, Measured]) -> str:
    below = [float(100 * of.systems[2]) for one in results.values() for of in one.shallow.values()]
    return (
        f"**Where judgments are missing at random, the means of the draws are {nearer(results, (0, 1, 3))} times "
        "nearer to the truth than the scores as judged, but their intervals are too narrow.** In P@10, RBP and "
        f"nDCG@10 the 95% intervals hold the score of {covered(results, 'systems', (0, 1, 3))}% of the systems and "
        f"the difference of {covered(results, 'pairs', (0, 1, 3))}% of the pairs; in AP, which divides by the number"
        f" of relevant documents, {covered(results, 'systems', (2,))}% and {covered(results, 'pairs', (2,))}%. Where"
        " everything below a rank is missing, that number is a guess, and the intervals of AP hold "
        f"{span(below, '.0f')}% of the systems. Documents of one system go together in ways that shifts of topics "
        "and groups do not cover. So read 95% as about 80%, and do not trust the intervals of AP. Where nothing is "
        "hidden above a cut-off, nothing moves and everything is covered."
    )


def orders_text(results: dict[str, Measured]) -> str:
    return (
        "**By value pairs are settled sooner than by depth, and either way far sooner than at random.** What is "
        "left of the error of a difference after 200 judgments, and in brackets the settled pairs (means over "
        f"collections and measures): {left(results, 200)}; after 500: {left(results, 500)}. So few pairs make these "
        f"shares rough. Of all pairs {wrongly(results, 200):.0f}% and {wrongly(results, 500):.0f}% are then settled "
        "the wrong way round, and a pair that is settled can come open again: draws are no proof, only bounds are."
    )


def wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def intro(data: str, trials: int) -> str:
    return (
        f"Judgments are hidden, `unjudged` says what it makes of the rest, and then they are shown. {data}. Only "
        "pooled judgments are hidden, and only hidden documents are drawn: what a document is that nobody ever "
        "judged is not known here either. (DL 2021 judged further documents because they were likely to be "
        "relevant; these stay known, and teach nothing.) Hidden were half or 80% of the judgments at random "
        f"({trials} times each, ± the error over these), those below a rank, and those that one group alone put into"
        f" the pools, for each of the groups that put most. {REPLICATES} draws each."
    )


def page(results: dict[str, Measured]) -> str:
    data = "; ".join(
        f"{name}: {one.sizes[0]} systems of {one.sizes[2]} groups, {one.sizes[1]} topics, pools of depth {one.depth}"
        for name, one in results.items()
    )
    outside = sum(of.outside_bounds for one in results.values() for of in _all(one))
    trials = min(len(own) for one in results.values() for own in one.random.values())
    held = sum(2 * of.looked_at for one in results.values() for of in _all(one))
    return f"""# What are the bounds and draws of `unjudged` worth?

Written by `IRASSAY_DATA=DIR PYTHONPATH=. python docs/unjudged.py`; do not edit.

{wrapped(intro(data, trials))}

## Probabilities

{probability_table(results)}

At random and below a rank the numbers of relevant documents come out within 8%: the regression may be used deeper than
it was learned. **What one group alone found is another matter**: there it expects more relevant documents than there
are. The farthest:

{worst_groups(results)}

That is why documents of a group share a shift in the draws.

## Scores

Mean distance from the score with all judgments: as judged (hidden documents are not relevant) → mean of the draws:

{error_table(results)}

How often (per cent of systems) the middle 95% of the draws hold the score with all judgments:

{coverage_table(results, "systems")}

And the difference of a pair of systems:

{coverage_table(results, "pairs")}

{wrapped(scores_text(results))}

The systems of a group whose own documents were hidden: how often the interval holds the truth, and in brackets the
distances as above:

{group_table(results)}

Exact bounds cannot fail, and do not: of {held:,} scores by P@10 and RBP {outside} lie outside.

## Which document to judge next

80% of the judgments are hidden at random. Of the pairs of systems from different groups that the draws leave open,
some at random; for each, the documents that one of the two retrieves are judged by value (p(1-p) times the squared
change of the difference, computed once), by depth (best rank of the two), or at random. Settled: at most 5% of {FEW}
draws have the other sign. In brackets the mean distance of the expected difference from that with all judgments.

{order_table(results)}

![error of differences over the number of judgments](unjudged.svg)

{wrapped(orders_text(results))}

## Settings

Seed {SEED}. `docs/hidden_judgments.py` has the rest. No run and no judgment is part of this project.
"""


def _all(one: Measured) -> list[Coverage]:
    return [*(of for trials in one.random.values() for of in trials), *one.shallow.values(), *one.groups.values()]


def main() -> None:
    results = {collection.name: measured(collection) for collection in collections()}
    (DOCS / "unjudged.svg").write_bytes(figure(results)["svg"])
    (DOCS / "unjudged.md").write_text(page(results), encoding="utf-8")


if __name__ == "__main__":
    main()
