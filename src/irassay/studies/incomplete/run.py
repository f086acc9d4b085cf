"""The work of `irassay incomplete`: one aligned panel, some of whose judgments are left at every rate."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.agreement import tau
from irassay.ask.significance import rank_of
from irassay.compute.executor import State
from irassay.errors import InputError, emit
from irassay.files import check_new, new_folder
from irassay.headers import Header
from irassay.measures import parse
from irassay.panel.panel import Panel
from irassay.read.groups import groups_by_system, read_members
from irassay.result import Figure, Result, Table
from irassay.settings import Execution
from irassay.studies.incomplete.settings import Incomplete
from irassay.studies.inputs import load_panel
from irassay.studies.phrases import per_comparison, systems_compared
from irassay.studies.scenario_tests import ScenarioTests
from irassay.studies.selection import one_per_group, sample_systems
from irassay.studies.tables import columns
from irassay.vary.blocks import LanePlan
from irassay.vary.judgments import JudgmentLanes
from irassay.vary.topics import TopicPlan
from irassay.vary.variation import Observed

FULL = 100
OVER_TOPICS = {"mean": Header("mean", meaning="Mean over topics of the number of documents")}
OVER_REDUCTIONS = {"mean": Header("mean", meaning="Mean over reductions"), "what": Header("of what")}


def run(study: Incomplete, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `incomplete`, `trials` (over several), `agreement`, `statistics`, `systems`, `groups` (if given)."""
    rank_of(study.alpha, study.resamples)
    percents, measures = study.percents, parse(study.measures)
    members = read_members(Path(study.groups), "system") if study.groups else None
    if study.one_per_group and members is None:
        raise InputError("--one-per-group needs groups", hint="give a file of 'system group' lines with --groups")
    data = load_panel(study, qrels, runs, execution, comparison=True)
    panel, jobs = data.panel, data.jobs
    groups = None if members is None else groups_by_system(members, Path(str(study.groups)), panel.aliases)
    folder = Path(study.write_qrels) if study.write_qrels else None
    lanes = JudgmentLanes(study.seed, [(0, FULL), *product(range(study.trials), percents)])
    reduced = [f"qrels-{rate}-trial{trial + 1}.txt" for trial, rate in lanes.reductions[1:]]
    if folder is not None:
        check_new(folder, reduced)
    everyone = list(range(len(panel.systems)))
    tested, restrictions, warnings = everyone, list(data.restrictions), list(panel.warnings)
    if study.one_per_group:
        tested = one_per_group(study.seed, panel.systems, Path(str(study.groups)), aliases=panel.aliases)
    if len(tested) < 2:
        raise InputError("there is one group only", str(study.groups), "a comparison needs at least two")
    if len(tested) < len(everyone):
        restrictions.append(systems_compared(len(everyone), groups=len(tested), start="Tested for power is"))
    ranked = everyone
    if study.sample_systems is not None:
        ranked, fewer = sample_systems(study.sample_systems, panel.systems, study.seed)
        emit(fewer)
        warnings += fewer
    if len(ranked) < len(everyone):
        restrictions.append(systems_compared(len(everyone), sampled=len(ranked), start="Tau compares the order of"))
    samples = TopicPlan(study.seed, len(panel.topics), study.resamples)
    observed = Observed(panel.score(measures, jobs=jobs), panel.minimal)
    scenarios = LanePlan.of(observed, lanes)
    tests = ScenarioTests(scenarios, observed.scores, observed.places, tested, samples, study.alpha)
    by_reduction = tests.run("reductions", jobs)
    full = by_reduction[0]

    names = [str(measure) for measure in measures]
    rows, agreement, statistics = [], [], []
    for (trial, rate), scenario in zip(lanes.reductions, by_reduction, strict=True):
        label = {"rate": rate, "trial": trial}
        rows += [label | _row(measure, k, scenario, full, ranked) for k, measure in enumerate(names)]
        agreement += [label | row for row in _agreement(names, scenario["means"][:, ranked])]
        statistics += [label | row for row in _statistics(scenario["judged_counts"], panel.grades)]
    if folder is not None:
        # last, so that unfinished work finds the folder as new as it was
        with new_folder(folder, reduced) as unfinished:
            for k, name in enumerate(reduced, start=1):
                _write(replace(panel, grade=lanes.grades(panel, k)), unfinished / name)
    means = dict(zip(names, full["means"], strict=True))
    source = data.provenance | {"restrictions": restrictions}
    result = _result(study, panel, groups, means, rows, agreement, statistics, tested, ranked, source)
    return replace(result, warnings=tuple(warnings))


def _row(measure: str, k: int, scenario: State, full: State, ranked: list[int]) -> dict[str, Any]:
    means = scenario["means"][k]
    significant = scenario["significant"][k]
    return {
        "measure": measure,
        "mean_score": float(means[ranked].mean()),
        "significant": int(significant.sum()),
        "pairs": len(significant),
        "discriminative_power": int(significant.sum()) / len(significant),
        "estimated_difference": float(scenario["required"][k]),
        # significant here but not with all judgments, whatever the direction (Table 5)
        "inconsistent": int((significant & ~full["significant"][k]).sum()),
        "tau_with_full": tau(means[ranked], full["means"][k][ranked]),
    }


def _agreement(names: list[str], means: NDArray[np.float64]) -> list[dict[str, Any]]:
    return [
        {"measure_a": a, "measure_b": names[j], "tau": tau(means[i], means[j])}
        for i, a in enumerate(names)
        for j in range(i + 1, len(names))
    ]


def _statistics(judged_counts: NDArray[np.int64], grades: tuple[int, ...]) -> list[dict[str, Any]]:
    kinds = {"R": judged_counts[:, 1:].sum(axis=1), "N": judged_counts[:, 0]}
    kinds |= {f"grade {g}": judged_counts[:, g] for g in grades}
    return [
        {"what": what, "mean": float(n.mean()), "min": int(n.min()), "max": int(n.max())} for what, n in kinds.items()
    ]


def _write(panel: Panel, path: Path) -> None:
    lines = []
    for t, topic in enumerate(panel.topics):
        grades = panel.grade[panel.pool[t] : panel.pool[t + 1]].tolist()
        lines += [f"{topic} 0 {d} {g}\n" for d, g in zip(panel.documents(topic), grades, strict=True) if g >= 0]
    path.write_bytes("".join(lines).encode("utf-8", "surrogateescape"))


def _over_trials(rows: list[dict[str, Any]]) -> Table:
    """Mean, sd and range over independent reductions."""
    out = []
    for rate, measure in dict.fromkeys((row["rate"], row["measure"]) for row in rows if row["rate"] != FULL):
        same = [row for row in rows if (row["rate"], row["measure"]) == (rate, measure)]
        for what in ("mean_score", "discriminative_power", "estimated_difference", "tau_with_full"):
            values: NDArray[np.float64] = np.array([row[what] for row in same])
            out.append(
                {
                    "rate": rate,
                    "measure": measure,
                    "what": what,
                    "trials": len(values),
                    "mean": float(values.mean()),
                    "sd": float(values.std(ddof=1)),
                    "min": float(values.min()),
                    "max": float(values.max()),
                }
            )
    return Table(
        "trials",
        columns(out),
        "Mean, standard deviation and range over independent random reductions",
        headers=OVER_REDUCTIONS,
    )


def _result(
    study: Incomplete,
    panel: Panel,
    groups: dict[str, str] | None,
    means: dict[str, NDArray[np.float64]],
    rows: list[dict[str, Any]],
    agreement: list[dict[str, Any]],
    statistics: list[dict[str, Any]],
    tested: list[int],
    ranked: list[int],
    source: dict[str, object],
) -> Result:
    tables = [
        Table(
            "incomplete",
            columns(rows),
            f"Measures at each share of the judgments: pairs of {len(tested)} systems told apart "
            f"({per_comparison(study.alpha)}), and tau of {len(ranked)} systems with their order by all judgments. "
            "Told apart here only: pairs that are told apart there and not with all judgments.",
            {"mean_score": 3, "discriminative_power": 3, "estimated_difference": 2, "tau_with_full": 3},
        ),
        Table(
            "statistics",
            columns(statistics),
            "Judged documents per topic: relevant (R), nonrelevant (N), and of each grade",
            {"mean": 1},
            headers=OVER_TOPICS,
        ),
        Table(
            "systems",
            {
                "system": panel.systems,
                "in_power": [i in tested for i in range(len(panel.systems))],
                "in_tau": [i in ranked for i in range(len(panel.systems))],
            },
            "Which systems were tested for power, and ranked for tau",
        ),
    ]
    if agreement:  # of two measures or more
        tables.append(
            Table("agreement", columns(agreement), "Kendall's tau between the rankings by two measures", {"tau": 3})
        )
    if study.trials > 1:
        tables.append(_over_trials(rows))
    if groups is not None:
        by_group: list[dict[str, Any]] = [
            {"measure": m, "group": groups.get(name), "system": name, "mean": float(mean)}
            for m in means
            for name, mean in zip(panel.systems, means[m].tolist(), strict=True)
        ]
        by_group.sort(key=lambda row: (row["measure"], str(row["group"]), -row["mean"]))
        tables.append(Table("groups", columns(by_group), "Scores with all judgments, by group", {"mean": 3}))
    source |= {
        "seed": study.seed,
        "alpha": study.alpha,
        "trials": study.trials,
        "resamples": study.resamples,
        "rates": list(study.percents),
    }
    return Result("incomplete", tuple(tables), panel.warnings, source, _figures(study.trials, study.percents))


def _figures(trials: int, percents: Sequence[int]) -> tuple[Figure, ...]:
    figures = []
    last = float(min(percents))  # axes begin with most judgments, and end here
    first = f" (the first of {trials} reductions)" if trials > 1 else ""
    for name, label in (
        ("mean_score", "mean score"),
        ("discriminative_power", "discriminative power"),
        ("tau_with_full", "tau with the ranking by all judgments"),
    ):
        labels = {"x": "per cent of the judgments", "y": label}
        figures.append(
            Figure(
                name=name,
                kind="curve",
                table="incomplete",
                x="rate",
                y=name,
                series="measure",
                where={"trial": 0},
                labels=labels,
                limits={"x": (float(FULL), last)},
                caption=f"{label.capitalize()} with fewer judgments{first}",
                alt=f"Curves of {label} over rates, one per measure",
            )
        )
        if trials > 1:
            figures.append(
                Figure(
                    name=f"{name}_trials",
                    kind="intervals",
                    table="trials",
                    x="rate",
                    y="mean",
                    low="min",
                    high="max",
                    facet="measure",
                    where={"what": name},
                    labels=labels,
                    limits={"x": (float(max(percents)), last)} if len(percents) > 1 else {},
                    caption=f"{label.capitalize()}: mean and range over {trials} reductions",
                    alt=f"Intervals of {label} over rates, in a small figure for each measure",
                )
            )
    return tuple(figures)
