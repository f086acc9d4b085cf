"""The work of `irassay power`: tests, then tables and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.significance import PairTests, paired, rank_of
from irassay.ask.t_statistic import resampled_t
from irassay.ask.unpaired import unpaired
from irassay.compute.progress import track
from irassay.compute.threads import cores
from irassay.errors import InputError, emit
from irassay.result import Figure, Mark, Result, Table, decimals
from irassay.studies.selection import place_of
from irassay.studies.subjects import Subject, Subjects, compared, subjects
from irassay.studies.tables import columns
from irassay.vary.topics import TopicPlan

if TYPE_CHECKING:
    from irassay.settings import Execution
    from irassay.studies.power.settings import Power

Columns = dict[str, list[Any]]
Array = NDArray[np.float64]
Tested = tuple[str, str, PairTests]  # measure, test
NOTE = "Per comparison at alpha, not corrected. estimated_difference is the largest over pairs: enough for every pair."


def power_result(study: Power, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    for alpha in study.alphas:
        rank_of(alpha, study.resamples)  # before any work
    check_histogram(study)
    data = subjects(study, qrels, runs, execution)
    jobs = (execution.jobs if execution else None) or cores()
    plan = TopicPlan(study.seed, len(data.topics), study.resamples)
    tested, warnings = compared(data.subjects, "use --unpaired") if "paired" in study.tests else ({}, [])
    pairs = [_pair(study, data, subject) for subject in data.subjects] if study.histogram else []
    emit(warnings)
    found: list[Tested] = []
    for test in study.tests:
        if test == "paired":
            counts = plan.counts()
            for name, values in track("paired tests", list(tested.items())):
                found.append((name, test, paired(values, counts, study.alphas, jobs=jobs)))
        else:
            positions = plan.unpaired()
            for subject in track("unpaired tests", data.subjects):
                tests = unpaired(subject.values, positions, study.alphas, jobs=jobs, **subject.kind)
                found.append((subject.name, test, tests))
    tables = [_power(found, data), _pairs(found, data), _means(data), _bars(found), _curves(found, study)]
    figures = _figures(study)
    if study.histogram:
        shown, one = _histogram(data, pairs, plan.counts())
        tables += [shown, one]
        figures = (*figures, _histogram_figure(one))
    made = {**data.provenance, "alpha": list(study.alphas), "tests": list(study.tests)}
    return Result("power", tuple(tables), (*data.warnings, *warnings), made, figures)


def check_histogram(study: Power) -> None:
    """Options that need each other, before any work."""
    if study.histogram and "paired" not in study.tests:
        raise InputError("the histogram is of the paired test's statistic", hint="add --paired")
    if study.pair and not study.histogram:
        raise InputError("--pair says which pair the histogram shows", hint="add --histogram")
    if study.pair and (isinstance(study.pair, str) or len(study.pair) != 2):
        raise InputError("a pair is two systems", hint="give --pair twice, one system each")
    if study.pair and study.pair[0] == study.pair[1]:
        raise InputError(f"{study.pair[0]} cannot be compared with itself", hint="give --pair two different systems")


def _power(found: list[Tested], data: Subjects) -> Table:
    rows: list[dict[str, Any]] = []
    for name, test, tests in found:
        for a, alpha in enumerate(tests.alphas):
            significant = int((tests.asl < alpha).sum())
            need = tests.required[:, a]
            rows.append(
                {
                    "measure": name, "test": test, "alpha": alpha, "topics": len(data.topics),
                    "resamples": tests.samples, "significant": significant, "pairs": len(need),
                    "discriminative_power": significant / len(need), "estimated_difference": float(need.max()),
                    "ed_median": float(np.median(need)), "ed_p95": float(np.percentile(need, 95)),
                }
            )  # fmt: skip
    order = list(found[0][2].alphas)
    rows.sort(key=lambda row: (row["test"], order.index(row["alpha"]), -row["discriminative_power"]))
    digits = {"alpha": 2, "discriminative_power": 3, "estimated_difference": 2, "ed_median": 2, "ed_p95": 2}
    return Table("power", columns(rows), f"Discriminative power. {NOTE}", digits)


def _pairs(found: list[Tested], data: Subjects) -> Table:
    out: Columns = {k: [] for k in ("measure", "test", "system_x", "system_y", "mean_difference", "statistic", "asl")}
    for name, test, tests in found:
        n = len(tests.first)
        out["measure"] += [name] * n
        out["test"] += [test] * n
        out["system_x"] += [data.systems[i] for i in tests.first.tolist()]
        out["system_y"] += [data.systems[i] for i in tests.second.tolist()]
        out["mean_difference"] += tests.difference.tolist()
        out["statistic"] += tests.statistic.tolist()
        out["asl"] += tests.asl.tolist()
    return Table("pairs", out, "Every test: difference x - y, its statistic and achieved significance level")


def _means(data: Subjects) -> Table:
    rows = []
    for subject in data.subjects:
        means = subject.means()
        for i in np.argsort(-means, kind="stable").tolist():
            rows.append({"measure": subject.name, "system": data.systems[i], "mean": float(means[i])})
    errors = [float(s.values.std(axis=1, ddof=1).min()) / len(data.topics) ** 0.5 for s in data.subjects]
    digits = {"mean": max(map(decimals, errors))}
    return Table("system_means", columns(rows), "Systems by their scores over all topics", digits)


def _bars(found: list[Tested]) -> Table:
    rows = []
    for name, test, tests in found:
        for alpha in tests.alphas:
            share = float((tests.asl < alpha).mean())
            rows.append({"measure": name, "bar": f"{test}, alpha {alpha:g}", "discriminative_power": share})
    return Table("power_bars", columns(rows), "Discriminative power by test and level")


def _curves(found: list[Tested], study: Power) -> Table:
    rows = []
    for name, test, tests in found:
        curve = f"{name}, {test}" if len(study.tests) > 1 else name
        for rank, asl in enumerate(np.sort(tests.asl).tolist(), start=1):
            rows.append({"measure": name, "test": test, "curve": curve, "pair": rank, "asl": asl})
    return Table("asl_curves", columns(rows), "Achieved significance levels of all pairs, sorted")


def _histogram(data: Subjects, pairs: list[tuple[int, int]], counts: NDArray[np.int32]) -> tuple[Table, Table]:
    """The statistic of one pair under H0 (Figs 4 and 5) in 30 bins a measure, and its test."""
    rows: list[dict[str, Any]] = []
    one: list[dict[str, Any]] = []
    for subject, (x, y) in zip(data.subjects, pairs, strict=True):
        name, values = subject.tested()
        if any(row["measure"] == name for row in one):  # GM and its AG
            continue
        tests = paired(np.ascontiguousarray(values[[x, y]]), counts)
        t, asl = float(tests.statistic[0]), float(tests.asl[0])
        star = resampled_t(values[x] - values[y], counts.astype(np.float64))
        finite = star[np.isfinite(star)]
        height, edges = np.histogram(finite, bins=30) if len(finite) else (np.zeros(1, int), np.zeros(2))
        both = {"measure": name, "system_x": data.systems[x], "system_y": data.systems[y]}
        for low, high, n in zip(edges[:-1].tolist(), edges[1:].tolist(), height.tolist(), strict=True):
            rows.append({**both, "bin_low": low, "bin_high": high, "samples": n, "t": t, "asl": asl})
        one.append({**both, "mean_difference": float(tests.difference[0]), "t": t, "asl": asl})
    caption = "One pair: its difference x - y, the paired statistic and the achieved significance level"
    digits = {"mean_difference": 4, "t": 2, "asl": decimals(1 / len(counts))}
    return (
        Table("histogram", columns(rows), "One pair's statistic under H0; t is the observed one"),
        Table("pair", columns(one), caption, digits),
    )


def _pair(study: Power, data: Subjects, subject: Subject) -> tuple[int, int]:
    if study.pair:
        x, y = (place_of(name, data.systems) for name in study.pair)
        return x, y
    order = np.argsort(-subject.means(), kind="stable")
    return int(order[0]), int(order[len(order) // 2])


def _figures(study: Power) -> tuple[Figure, ...]:
    return (
        Figure(
            name="asl_curves", kind="curve", table="asl_curves", x="pair", y="asl", series="curve",
            labels={"x": "system pair, sorted by ASL", "y": "achieved significance level"},
            caption="ASL curves: the lower a measure's curve, the more pairs it tells apart",
            alt="Curves of achieved significance levels over system pairs, one per measure and test",
            marks=tuple(Mark("y", alpha, f"alpha {alpha:g}") for alpha in study.alphas),
        ),
        Figure(
            name="power", kind="bars", table="power_bars", x="measure", y="discriminative_power", series="bar",
            labels={"x": "measure", "y": "discriminative power"},
            caption="Discriminative power at each significance level, per comparison, not corrected",
            alt="Bars of the share of significantly different pairs, one per measure, test and level",
        ),
        Figure(
            name="system_means", kind="points", table="system_means", x="system", y="mean", series="measure",
            labels={"x": "system, sorted", "y": "score"}, caption="Systems by their scores",
            alt="Scores of all systems in falling order, one line per measure",
        ),
    )  # fmt: skip


def _histogram_figure(pair: Table) -> Figure:
    observed = [(str(row[0]), float(str(row[4]))) for row in pair.rows()]
    return Figure(
        name="histogram", kind="histogram", table="histogram", x="bin_low", y="samples", facet="measure",
        labels={"x": "t*", "y": "samples"}, caption="The statistic of one pair under H0, and the observed one",
        alt="Histogram of bootstrap statistics with the observed one",
        marks=tuple(Mark("x", t, f"t = {t:.2f}", name) for name, t in observed if np.isfinite(t)),
    )  # fmt: skip
