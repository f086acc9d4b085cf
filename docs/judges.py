"""Writes docs/judges.md and what docs/calibration.md has of it: `PYTHONPATH=. python docs/judges.py`.

Three minutes on two cores.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from docs.calibration import write_section
from numpy.typing import NDArray

from irassay import demo
from irassay.ask.agreement import tau
from irassay.ask.favouritism import Shift, contrast, group_shift, mantel_haenszel
from irassay.ask.judged_order import Means, order_row
from irassay.ask.label_agreement import COEFFICIENTS, Estimate, confusions, jackknife
from irassay.panel.panel import Panel
from irassay.studies.judges.systems import best_ranks
from irassay.vary.topics import TopicPlan

PAGE = Path(__file__).parent / "judges.md"
MODEL = demo.Model(systems=12, null_pairs=0, groups=4, depth=100, candidates=1600, pool_depth=30, seed=0)
MEASURES, HIGH, GRADES = "AP nDCG@10", 20, 3
SHOWN = ("kappa_quadratic |", "alpha_ordinal |")  # of labels, on docs/calibration.md
JUDGES = tuple(judge.name for judge in demo.JUDGES)
HEAD = f"| | topics | {' | '.join(JUDGES)} |"
SIZES, BLOCK, BLOCKS, SAMPLES = (25, 50), 500, 40, 400
Array = NDArray[np.float64]
Members = NDArray[np.bool_]
Rows = dict[str, list[tuple[str, list[str]]]]  # of each table


class Documents(NamedTuple):
    """Which documents group1 alone ranks high, which only others do, and which are judged relevant."""

    exposed: Members
    compared: Members
    relevant: Members


@dataclass(frozen=True)
class Judged:
    """Topics of the demo collection with the labels of one judge."""

    confusion: Array  # by topic
    reference: Array  # [measures, systems, topics]
    judge: Array
    documents: Documents
    topic: NDArray[np.int64]
    grade: NDArray[np.int64]

    def part(self, low: int, high: int) -> Judged:
        """Some of the topics."""
        here = (self.topic >= low) & (self.topic < high)
        return Judged(
            self.confusion[low:high],
            self.reference[..., low:high],
            self.judge[..., low:high],
            Documents(*(part[here] for part in self.documents)),
            self.topic[here] - low,
            self.grade[here],
        )


def members() -> list[list[int]]:
    """The systems of each group."""
    groups = [system.group for system in MODEL.lineup]
    return [[k for k, group in enumerate(groups) if group == g] for g in range(max(groups) + 1)]


def judged(panel: Panel, by_judge: Panel) -> Judged:
    """What a judge makes of some topics."""
    ranks = best_ranks(panel, members())
    known = panel.grade >= 0
    topic = np.repeat(np.arange(len(panel.topics)), np.diff(panel.pool))[known]
    high = (ranks[:, known] > 0) & (ranks[:, known] <= HIGH)
    others = high[1:].any(axis=0)
    reference, grade = panel.grade[known], by_judge.grade[known]
    return Judged(
        confusions(reference, grade, topic, len(panel.topics), GRADES),
        panel.score(MEASURES).values,
        by_judge.score(MEASURES).values,
        Documents(high[0] & ~others, others & ~high[0], grade >= 1),
        topic,
        reference.astype(np.int64),
    )


def joined(parts: Sequence[Judged]) -> Judged:
    """All topics, which stand for the population."""
    sizes = np.cumsum([0, *(len(part.confusion) for part in parts)])
    return Judged(
        np.concatenate([part.confusion for part in parts]),
        np.concatenate([part.reference for part in parts], axis=-1),
        np.concatenate([part.judge for part in parts], axis=-1),
        Documents(*(np.concatenate(each) for each in zip(*(part.documents for part in parts), strict=True))),
        np.concatenate([part.topic + size for part, size in zip(parts, sizes, strict=False)]),
        np.concatenate([part.grade for part in parts]),
    )


def population(blocks: int = BLOCKS) -> dict[str, Judged]:
    """Every judge on the same topics."""
    parts: dict[str, list[Judged]] = {judge: [] for judge in JUDGES}
    for block in range(blocks):
        numbers = range(block * BLOCK, (block + 1) * BLOCK)
        panel, *others = demo.panels_of(MODEL, numbers, demo.JUDGES)
        for judge, by_judge in zip(JUDGES, others, strict=True):
            parts[judge].append(judged(panel, by_judge))
        print(f"{block + 1} of {blocks} blocks of topics", file=sys.stderr, flush=True)  # noqa: T201
    return {judge: joined(own) for judge, own in parts.items()}


def shift(one: Judged, measure: int) -> Shift:
    """The shift of group1."""
    reference, judge = one.reference[measure], one.judge[measure]
    member = np.isin(np.arange(MODEL.systems), members()[0])
    return group_shift(contrast(member, reference.mean(axis=1)), judge, reference, paired=True)


def documents(one: Judged) -> Shift:
    return mantel_haenszel(*one.documents, one.topic, one.grade).chance


def order(one: Judged, measure: int) -> Shift:
    """tau with its interval."""
    counts = TopicPlan(0, one.reference.shape[-1], SAMPLES).counts() / one.reference.shape[-1]
    row = order_row(*_means(one, measure, counts), top=5, p=0.9, jobs=2)
    return Shift(row["tau"], row["tau_low"], row["tau_high"], np.nan)


def _means(one: Judged, measure: int, weights: Array) -> tuple[Means, Means]:
    """Scores by reference and judge, on all topics and on samples of them."""
    first, second = one.reference[measure], one.judge[measure]
    return Means(first.mean(axis=1), weights @ first.T), Means(second.mean(axis=1), weights @ second.T)


def beyond(one: Judged, size: int) -> bool:
    """Whether one judge's tau between disjoint sets of topics lies outside the ceiling that the study shows for it.

    The first of three parts is the reference's; the other two make the ceiling.
    """
    values = one.reference[0]
    first, rest = values[:, :size], values[:, size : 3 * size]
    split = TopicPlan(0, 2 * size, SAMPLES, size, replacement=False).counts()
    halves = split @ rest.T / size, (1 - split) @ rest.T / size
    alone, others = first.mean(axis=1), rest.mean(axis=1)
    row = order_row(Means(alone, alone[None]), Means(others, others[None]), halves, top=5, p=0.9)
    return not row["tau_ceiling_low"] <= row["tau"] <= row["tau_ceiling_high"]


def percent(hits: Sequence[bool]) -> str:
    share = float(np.mean(hits))
    return f"{100 * share:.1f} ± {100 * np.sqrt(max(share * (1 - share), 1 / len(hits)) / len(hits)):.1f}"


def covers(estimate: Shift | Estimate, truth: float) -> bool:
    return bool(estimate.low <= truth <= estimate.high)


def table(head: str, rows: list[tuple[str, list[str]]]) -> str:
    lines = [head, "|---" * (head.count("|") - 1) + "|"]
    return "\n".join(lines + [f"| {name} | {' | '.join(cells)} |" for name, cells in rows])


def sets_of(topics: int) -> dict[int, list[tuple[int, int]]]:
    """First and last topic of the disjoint sets of each size."""
    return {size: [(low, low + size) for low in range(0, topics - size + 1, size)] for size in SIZES}


def measured(everything: dict[str, Judged]) -> Rows:
    """Rows of the tables, from all topics as the truth and sets of them as what somebody has."""
    topics, names = len(everything[JUDGES[0]].confusion), MEASURES.split()
    sets = sets_of(topics)
    truth = {judge: one.confusion.sum(axis=0) for judge, one in everything.items()}
    rows: Rows = {"labels": [], "groups": [], "alarms": [], "orders": []}
    for size in SIZES:
        parts = {judge: [one.part(*bounds) for bounds in sets[size]] for judge, one in everything.items()}
        for name, coefficient in COEFFICIENTS.items():
            cells = [
                percent(
                    [covers(jackknife(part.confusion, coefficient), float(coefficient(truth[judge]))) for part in own]
                )
                for judge, own in parts.items()
            ]
            rows["labels"].append((f"{name} | {size}", cells))
        for m, measure in enumerate(names):
            shifts = {judge: [shift(part, m) for part in own] for judge, own in parts.items()}
            values = {judge: shift(one, m).value for judge, one in everything.items()}
            cells = [percent([covers(one, values[judge]) for one in own]) for judge, own in shifts.items()]
            rows["groups"].append((f"shift in {measure} | {size}", cells))
            cells = [percent([one.p_value < 0.05 for one in own]) for own in shifts.values()]
            rows["alarms"].append((f"shift in {measure} | {size}", cells))
        chances = {judge: [documents(part) for part in own] for judge, own in parts.items()}
        values = {judge: documents(one).value for judge, one in everything.items()}
        cells = [percent([covers(one, values[judge]) for one in own]) for judge, own in chances.items()]
        rows["groups"].append((f"chance of documents | {size}", cells))
        cells = [percent([one.p_value < 0.05 for one in own]) for own in chances.values()]
        rows["alarms"].append((f"chance of documents | {size}", cells))
        for m, measure in enumerate(names):
            taus = {judge: [order(part, m) for part in own] for judge, own in parts.items()}
            of_size = {judge: float(np.mean([one.value for one in own])) for judge, own in taus.items()}
            of_all = {
                judge: tau(one.reference[m].mean(axis=1), one.judge[m].mean(axis=1))
                for judge, one in everything.items()
            }
            for what, truths in ((f"of {size} topics", of_size), ("of all topics", of_all)):
                cells = [percent([covers(one, truths[judge]) for one in own]) for judge, own in taus.items()]
                rows["orders"].append((f"tau in {measure}, {what} | {size}", cells))
    rows["truth"] = [
        (f"shift in {measure}", [f"{shift(one, m).value:+.4f}" for one in everything.values()])
        for m, measure in enumerate(names)
    ]
    rows["truth"].append(("chance of documents", [f"{documents(one).value:+.4f}" for one in everything.values()]))
    return rows


def page(everything: dict[str, Judged], rows: Rows) -> str:
    topics, sets = len(everything[JUDGES[0]].confusion), sets_of(len(everything[JUDGES[0]].confusion))
    whole = everything[JUDGES[0]]
    outside = [
        percent([beyond(whole.part(low, low + 3 * size), size) for low in range(0, topics - 3 * size + 1, 3 * size)])
        for size in SIZES
    ]
    favour = demo.JUDGES[2].favour
    return f"""# What do the intervals and tests of `judges` cover?

Written by `PYTHONPATH=. python docs/judges.py`; do not edit.

On the [demo collection](demo.md) judges of known error can be made. {topics:,} topics stand for the population of
topics, and disjoint sets of {SIZES[0]} of them ({len(sets[SIZES[0]])}) and of {SIZES[1]} ({len(sets[SIZES[1]])}) for
what somebody has. The judges are those of `demo.JUDGES`: how often each errs differs from topic to topic, the noisy one
moves a grade up or down, the lenient one mostly up, and the partial one is noisy and also raises
{favour:.0%} of the documents that some system of group1 ranks among its first {HIGH}. {MODEL.systems} systems in
{len(members())} groups, seed {MODEL.seed}. Numbers are per cent of the sets, with their Monte-Carlo error.

## Labels

How often the 95% interval of a coefficient (jackknife over topics, Student's t) holds its value in the population:

{table(HEAD, rows["labels"])}

## Favouritism of group1

How often the 95% interval holds the population's value:

{table(HEAD, rows["groups"])}

The population's values:

{table(f"| | {' | '.join(JUDGES)} |", rows["truth"])}

How often p < .05, over topics, for this one group: false alarms of the first two judges, as far as their population's
values are 0, and power for the third:

{table(HEAD, rows["alarms"])}

**Nobody is accused more often than the level allows.** The shift in AP is conservative. Documents need far fewer topics
than shifts, for they are compared with others of the same topic and grade. A permutation of teams has its level by
construction, and `tests/ask/test_favouritism.py` holds it to that.

## Orders

How often the conservative 95% interval of tau between reference and judge holds the mean tau of as many topics, and tau
of the population's means:

{table(HEAD, rows["orders"])}

**The interval is about tau on as many topics**, and wide for it. On all topics two orders agree more, because noise of
topics lowers tau: there the interval lies too low, and most where many systems are close, as that of
[`agreement`](calibration.md).

Judges without a common topic: tau of one judge (the reference, AP) between disjoint sets of topics lies outside the
ceiling's middle 95% in {outside[0]} per cent of the cases with {SIZES[0]} topics against {2 * SIZES[0]}, and in
{outside[1]} with {SIZES[1]} against {2 * SIZES[1]}. 5 would be right: the ceiling is of splits of
the same topics, and a tau a little outside says nothing.
"""


def section(rows: Rows) -> str:
    """The main numbers, for docs/calibration.md."""
    labels = [row for row in rows["labels"] if row[0].startswith(SHOWN)]
    return f"""## The intervals and tests of judges

Written by `PYTHONPATH=. python docs/judges.py`; do not edit.

[What the intervals and tests of `judges` cover](judges.md) is measured on judges of known error, on disjoint sets of
{SIZES[0]} and {SIZES[1]} topics of the demo collection: how the judges err, all coefficients and the orders of systems
are there. How often (per cent, with the Monte-Carlo error) the 95% interval of a coefficient of labels, of the shift of
a group, and of the difference of chances that a document is judged relevant holds its value in the population:

{table(HEAD, labels + rows["groups"])}

How often a group is called favoured, or treated badly, at p < .05. {JUDGES[0].capitalize()} and {JUDGES[1]} favour
nobody on purpose (the values in the population are nearly 0), so these are false alarms; {JUDGES[2]} favours the group,
so that is power:

{table(HEAD, rows["alarms"])}

The conservative interval of tau is about as many topics as there are, and wide for it. For tau on all topics it lies
too low, as that of `agreement` above.
"""


def main() -> None:
    everything = population()
    rows = measured(everything)
    PAGE.write_text(page(everything, rows), encoding="utf-8")
    write_section("judges", section(rows))


if __name__ == "__main__":
    main()
