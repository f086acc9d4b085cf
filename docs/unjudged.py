"""Writes docs/unjudged.md and its pictures: `IRASSAY_DATA=DIR PYTHONPATH=. python docs/unjudged.py`.

DIR has the folders trec8-adhoc and dl2021; ten minutes on two cores.
"""

from __future__ import annotations

import os
import sys
import textwrap
import warnings
from pathlib import Path

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
from docs.unjudged_tables import (
    Measured,
    coverage_table,
    covered,
    error_table,
    group_table,
    left,
    nearer,
    order_table,
    probability_table,
    span,
    worst_groups,
    wrongly,
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
