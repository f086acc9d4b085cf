"""Writes the section on `estimate` of docs/calibration.md: `PYTHONPATH=. python docs/calibration_estimate.py`.

$IRASSAY_DATA has the folders trec8-adhoc and dl2021. It takes about three minutes on two cores.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from docs.calibration import write_section
from numpy.typing import NDArray

import irassay
from irassay import demo
from irassay.ask.pairs import Pairs, all_pairs
from irassay.ask.prediction_powered import (
    Estimates,
    JudgedTopics,
    estimate,
    power_tuned,
    powered,
    trusted_alone,
)
from irassay.panel.grades import UNPOOLED
from irassay.panel.panel import Panel
from irassay.studies.judges.systems import best_ranks
from irassay.studies.selection import groups_of

MODEL = demo.Model(systems=12, null_pairs=0, groups=4, depth=100, candidates=1600, pool_depth=30, seed=0)
MEASURES = ("AP", "nDCG@10")
USELESS = "useless"
JUDGES = (*(judge.name for judge in demo.JUDGES), USELESS)
WHAT = {"noisy": "noisy", "lenient": "biased", "partial": "favours a group", USELESS: "useless"}
BLOCK, BLOCKS = 500, 20  # topics of the population
SIZES, TOTAL, EXPERIMENTS = (10, 25, 50), 500, 1000
REAL_SIZES, REAL_TOTAL, REAL_PAIRS = (10, 25), 50, 300
HIDDEN, POOL_DEPTH = 0.5, 100
LEVEL = 0.05
KINDS = ("means", "differences")

Array = NDArray[np.float64]
Places = NDArray[np.int64]


def one_tuning(data: JudgedTopics) -> Estimates:
    """PPI++ with one λ, from the very topics that it is used on."""
    x, y = (scores - scores.mean(axis=1, keepdims=True) for scores in (data.cheap, data.trusted))
    slope = (x * y).sum(axis=1) / np.maximum((x * x).sum(axis=1), 1e-12)
    tuning = np.clip(slope / (1 + data.topics / data.others.shape[1]), 0, 1)
    return estimate(data, np.repeat(tuning[:, None], data.topics, axis=1))


def cheap_alone(data: JudgedTopics) -> Estimates:
    """As if the cheap judge were right."""
    scores = np.concatenate([data.cheap, data.others], axis=1)
    return trusted_alone(JudgedTopics(scores, scores, data.others))


METHODS: Mapping[str, Callable[[JudgedTopics], Estimates]] = {
    "trusted topics only": trusted_alone,
    "PPI": powered,
    "PPI++": power_tuned,
    "one λ": one_tuning,
    "cheap alone": cheap_alone,
}


class Population(NamedTuple):
    """Scores of all topics by the trusted and by a cheap judge [rows, topics], rows being systems or pairs."""

    trusted: Array
    cheap: Array

    def differences(self, pairs: Pairs) -> Population:
        first, second = pairs
        return Population(self.trusted[first] - self.trusted[second], self.cheap[first] - self.cheap[second])

    @property
    def rho(self) -> float:
        """The median correlation over rows."""
        return float(np.median([np.corrcoef(y, f)[0, 1] for y, f in zip(self.trusted, self.cheap, strict=True)]))


class Tally(NamedTuple):
    """By method: how often intervals held the truth with its Monte-Carlo error, their width and the error made."""

    held: dict[str, float]
    error: dict[str, float]
    width: dict[str, float]
    off: dict[str, float]


def scores_of(block: int) -> Array:
    """Scores [judge, measure, system, topic], the trusted judge first."""
    panels = demo.panels_of(MODEL, range(block * BLOCK, (block + 1) * BLOCK), demo.JUDGES, jobs=1)
    return np.stack([panel.score(list(MEASURES)).values for panel in panels])


def population() -> dict[tuple[str, str], Population]:
    """By judge and measure; the useless judge says what the noisy one says of another topic."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as workers:
        scores = np.concatenate(list(workers.map(scores_of, range(BLOCKS))), axis=-1)
    order = np.random.default_rng(0).permutation(scores.shape[-1])
    return {
        (judge, measure): Population(
            scores[0, m], scores[1, m][:, order] if judge == USELESS else scores[1 + JUDGES.index(judge), m]
        )
        for judge in JUDGES
        for m, measure in enumerate(MEASURES)
    }


def tally(results: list[dict[str, tuple[float, float, float]]]) -> Tally:
    """Of experiments what they say of each method: share of rows held, mean width, mean squared error."""
    table = {name: np.array([one[name] for one in results]) for name in results[0]}
    return Tally(
        {name: float(rows[:, 0].mean()) for name, rows in table.items()},
        {name: float(rows[:, 0].std(ddof=1) / np.sqrt(len(rows))) for name, rows in table.items()},
        {name: float(rows[:, 1].mean()) for name, rows in table.items()},
        {name: float(np.sqrt(rows[:, 2].mean())) for name, rows in table.items()},
    )


def outcome(estimates: Estimates, truth: Array) -> tuple[float, float, float]:
    low, high = estimates.interval(LEVEL)
    held = (low <= truth) & (truth <= high)
    return float(held.mean()), float((high - low).mean()), float(np.square(estimates.mean - truth).mean())


def experiments(data: Population, n: int, total: int) -> Tally:
    """Fresh topics each time, of which the first n are judged by both."""
    truth = data.trusted.mean(axis=1)
    results = []
    for unit in range(EXPERIMENTS):
        topics = np.random.default_rng((n, total, unit)).integers(data.trusted.shape[1], size=total)
        both, others = topics[:n], topics[n:]
        judged = JudgedTopics(data.trusted[:, both], data.cheap[:, both], data.cheap[:, others])
        results.append({name: outcome(method(judged), truth) for name, method in METHODS.items()})
    return tally(results)


def chosen_by_probability(data: Population, n: int, total: int) -> Tally:
    """Topics that the cheap judge finds easy are likelier chosen for the trusted one; the chances are known."""
    truth = data.trusted.mean(axis=1)
    results = []
    for unit in range(EXPERIMENTS):
        draws = np.random.default_rng((n, unit))
        topics = draws.integers(data.trusted.shape[1], size=total)
        chance = 0.2 + data.cheap[:, topics].mean(axis=0)
        chance = np.minimum(1.0, chance * n / chance.sum())
        chosen = draws.random(total) < chance
        if chosen.sum() < 5:
            continue
        both, others = topics[chosen], topics[~chosen]
        parts = data.trusted[:, both], data.cheap[:, both], data.cheap[:, others]
        shares = 1 / chance[chosen]
        results.append(
            {
                "weighted": outcome(power_tuned(JudgedTopics(*parts, shares / shares.sum())), truth),
                "ignored": outcome(power_tuned(JudgedTopics(*parts)), truth),
            }
        )
    return tally(results)


def real() -> dict[tuple[str, str, str], Population]:
    """By collection, cheap judge and measure: the official judgments are trusted, parts of them are cheap."""
    data = Path(os.environ["IRASSAY_DATA"])
    folder = data / "trec8-adhoc"
    runs = irassay.read_runs(folder / "runs")
    panel = irassay.align(folder / "qrels.txt.gz", runs)
    judges = {
        "pools 10 deep": irassay.align(folder / "depth10.qrels", runs),
        "half hidden at random": without(panel, hidden_at_random(panel)),
        "half of the groups left out": without(panel, hidden_by_group(panel, folder / "groups.txt")),
    }
    passages = irassay.align(data / "dl2021" / "human.qrels.xz", data / "dl2021" / "runs")
    collections = {
        "TREC-8": (panel, judges),
        "DL 2021": (passages, {"half hidden at random": without(passages, hidden_at_random(passages))}),
    }
    return {
        (collection, judge, measure): Population(
            trusted.score(measure)[measure].values, cheap.score(measure)[measure].values
        )
        for collection, (trusted, by_judge) in collections.items()
        for judge, cheap in by_judge.items()
        for measure in MEASURES
    }


def without(panel: Panel, hidden: NDArray[np.bool_]) -> Panel:
    """The panel without some judgments."""
    return replace(panel, grade=np.where(hidden, np.int8(UNPOOLED), panel.grade))


def hidden_at_random(panel: Panel) -> NDArray[np.bool_]:
    return np.asarray(np.random.default_rng(0).random(len(panel.grade)) < HIDDEN)


def hidden_by_group(panel: Panel, groups: Path) -> NDArray[np.bool_]:
    """What no system of every second group has among its first documents, as if the others had not taken part."""
    group = groups_of(panel.systems, groups, aliases=panel.aliases)
    kept = set(sorted(set(group.values()))[::2])
    rank = best_ranks(panel, [[s for s, name in enumerate(panel.systems) if group[name] in kept]])[0]
    return np.asarray((rank == 0) | (rank > POOL_DEPTH))


def percents(tallies: Tally, *methods: str) -> str:
    return " | ".join(f"{100 * tallies.held[name]:.1f} ± {100 * tallies.error[name]:.1f}" for name in methods)


def gains(tallies: Tally) -> str:
    """Width and root mean squared error of PPI++ over those of the trusted topics alone."""
    ratios = (values["PPI++"] / values["trusted topics only"] for values in (tallies.width, tallies.off))
    return " | ".join(f"{ratio:.2f}" for ratio in ratios)


COLUMNS = "trusted | rho | trusted topics only | PPI | PPI++ | one λ | cheap alone | width of PPI++ | error of PPI++ |"


def demo_table(tallies: dict[tuple[str, str, str, int], tuple[float, Tally]]) -> str:
    lines = [f"| judge | measure | of | {COLUMNS}", "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    for (judge, measure, kind, n), (rho, one) in tallies.items():
        lines.append(
            f"| {WHAT[judge]} | {measure} | {kind} | {n} | {rho:.2f} | {percents(one, *METHODS)} | {gains(one)} |"
        )
    return "\n".join(lines)


def real_table(populations: dict[tuple[str, str, str], Population]) -> str:
    lines = [
        f"| collection | cheap judge | measure | of | {COLUMNS}",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for names, data in populations.items():
        first, second = all_pairs(len(data.trusted))
        some = np.random.default_rng(0).choice(len(first), REAL_PAIRS, replace=False)
        for kind, rows in zip(KINDS, (data, data.differences((first[some], second[some]))), strict=True):
            for n in REAL_SIZES:
                one = experiments(rows, n, REAL_TOTAL)
                shares = f"{n} | {rows.rho:.2f} | {percents(one, *METHODS)} | {gains(one)}"
                lines.append(f"| {' | '.join(names)} | {kind} | {shares} |")
    return "\n".join(lines)


def probability_table(populations: dict[tuple[str, str], Population]) -> str:
    lines = ["| judge | measure | trusted, mean | with the probabilities | ignored |", "|---|---|---|---|---|"]
    for (judge, measure), data in populations.items():
        for n in SIZES if judge != USELESS else ():
            one = chosen_by_probability(data, n, TOTAL)
            lines.append(f"| {WHAT[judge]} | {measure} | {n} | {percents(one, 'weighted', 'ignored')} |")
    return "\n".join(lines)


def measured(populations: dict[tuple[str, str], Population]) -> dict[tuple[str, str, str, int], tuple[float, Tally]]:
    pairs = all_pairs(MODEL.systems)
    return {
        (judge, measure, kind, n): (rows.rho, experiments(rows, n, TOTAL))
        for (judge, measure), data in populations.items()
        for kind, rows in zip(KINDS, (data, data.differences(pairs)), strict=True)
        for n in SIZES
    }


def least(tallies: dict[tuple[str, str, str, int], tuple[float, Tally]], kind: str, n: int, method: str) -> str:
    """The least and the largest share held over judges and measures, in per cent."""
    shares = [100 * one.held[method] for (_, _, of, size), (_, one) in tallies.items() if (of, size) == (kind, n)]
    return f"{min(shares):.1f} to {max(shares):.1f}%"


def page(populations: dict[tuple[str, str], Population]) -> str:
    tallies = measured(populations)
    few, many = SIZES[0], SIZES[1]
    return f"""
## Estimates from few trusted and many cheap judgments

Written by `PYTHONPATH=. python docs/calibration_estimate.py`; do not edit.

{BLOCK * BLOCKS:,} topics of the [demo collection](demo.md) with {MODEL.systems} systems are a population whose true
means are known. Each of {EXPERIMENTS:,} experiments a line draws {TOTAL} topics, of which some are judged by both and
the others by the cheap judge only: one that errs at random (and is too strict), a lenient one, one that favours a
group, and one whose scores belong to other topics. Per cent of {1 - LEVEL:.0%} intervals that held the truth, mean over
systems or pairs with the Monte-Carlo error over experiments; rho is the median correlation over topics; width and root
mean squared error of PPI++ are relative to the trusted topics only. *one λ* is PPI++ without cross-fitting: λ from the
very topics that it is used on. *cheap alone* takes the cheap judge's {TOTAL} topics for the truth.

{demo_table(tallies)}

**Differences are covered from {few} trusted topics on** ({least(tallies, "differences", few, "PPI++")} with {few},
{least(tallies, "differences", many, "PPI++")} with {many}). **Means need about {many}**
({least(tallies, "means", few, "PPI++")} with {few}, {least(tallies, "means", many, "PPI++")} with {many}); the trusted
topics only have {least(tallies, "means", few, "trusted topics only")} with {few}, for scores are skewed. Without
cross-fitting intervals of differences hold the truth in {least(tallies, "differences", few, "one λ")} with {few}
topics. The cheap judge alone is no estimate of what the trusted one would say. A useless judge costs a little width.

With topics chosen by known probabilities, more often where the cheap judge sees high scores (means, PPI++):

{probability_table(populations)}

On real runs the topics are taken for the population: 50 of TREC-8 (129 runs), 53 of DL 2021 (63 runs), {REAL_PAIRS}
pairs. The trusted judge has the official judgments of some topics, the cheap one part of them on all: pools of depth
10, half of the judgments, or those that every second group would have led to. {REAL_TOTAL} topics are drawn with
replacement in each experiment:

{real_table(real())}

On real runs too intervals of PPI++ hold the truth about as often as those of the trusted topics only, whatever the
cheap judge leaves out; where these are too short, with 10 topics and skewed scores, so are they. Agreement from topic
to topic makes the gain: judgments hidden at random leave a lower rho, in nDCG@10 most, than shallow pools.
"""


def main() -> None:
    write_section("estimate", page(population()).lstrip("\n"))


if __name__ == "__main__":
    main()
