"""The work of `irassay power`: tests, then tables and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.significance import PairTests, paired, rank_of, unpaired
from irassay.errors import InputError, IrassayWarning, emit
from irassay.progress import following
from irassay.read.runs import cores
from irassay.result import Figure, Result, Table, decimals
from irassay.studies.subjects import Subject, Subjects, subjects
from irassay.vary.topics import TopicPlan

if TYPE_CHECKING:
    from irassay.settings import Execution
    from irassay.studies.power import Power

Columns = dict[str, list[Any]]
NOTE = "Per comparison at alpha, not corrected. estimated_difference is the largest over pairs: enough for every pair."


def power_result(study: Power, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    for alpha in study.alphas:
        rank_of(alpha, study.resamples)  # before any work
    data = subjects(study, qrels, runs, execution)
    jobs = (execution.jobs if execution else None) or cores()
    plan = TopicPlan(study.seed, len(data.topics), study.resamples)
    found: list[tuple[str, str, Subject, PairTests]] = []
    warnings = list(data.warnings)
    for test in study.tests:
        samples = plan.counts() if test == "paired" else plan.unpaired()
        for subject in following(f"{test} tests", data.subjects):
            if test == "paired":
                name, values = subject.tested()
                if name != subject.name:
                    what = f"a paired test of {subject.name} is one of {name}: the logarithms are compared"
                    warnings.append(IrassayWarning("tested-as", what))
                found.append((name, test, subject, paired(values, samples, study.alphas, jobs=jobs)))
            else:
                tests = unpaired(subject.values, samples, study.alphas, jobs=jobs, **subject.kind)
                found.append((subject.name, test, subject, tests))
    emit(warnings[len(data.warnings) :])
    tables = [_power(found, data), _pairs(found, data), _means(data), _curves(found)]
    if study.histogram:
        tables.append(_histogram(study, data, plan))
    return Result("power", tuple(tables), tuple(warnings), data.provenance, _figures(study, data))


def _power(found: list[tuple[str, str, Subject, PairTests]], data: Subjects) -> Table:
    rows: list[dict[str, Any]] = []
    for name, test, _, tests in found:
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
    rows.sort(key=lambda row: (row["test"], row["alpha"], -row["discriminative_power"]))
    digits = {"alpha": 2, "discriminative_power": 3, "estimated_difference": 2, "ed_median": 2, "ed_p95": 2}
    return Table("power", columns(rows), f"Discriminative power. {NOTE}", digits)


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def _pairs(found: list[tuple[str, str, Subject, PairTests]], data: Subjects) -> Table:
    out: Columns = {k: [] for k in ("measure", "test", "system_x", "system_y", "mean_difference", "statistic", "asl")}
    for name, test, _, tests in found:
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
    digits = max(decimals(float(s.values.std(axis=1, ddof=1).min() / np.sqrt(len(data.topics)))) for s in data.subjects)
    return Table("system_means", columns(rows), "Systems by their scores over all topics", {"mean": digits})


def _curves(found: list[tuple[str, str, Subject, PairTests]]) -> Table:
    rows = []
    for name, test, _, tests in found:
        for rank, asl in enumerate(np.sort(tests.asl).tolist(), start=1):
            rows.append({"measure": name, "test": test, "pair": rank, "asl": asl})
    return Table("asl_curves", columns(rows), "Achieved significance levels of all pairs, sorted")


def _histogram(study: Power, data: Subjects, plan: TopicPlan) -> Table:
    """The statistic of one pair under H0 (Figs 4 and 5), 30 bins a measure."""
    rows = []
    counts = plan.counts().astype(np.float64)
    for subject in data.subjects:
        name, values = subject.tested()
        x, y = _pair(study, data, subject)
        t, star = statistics(values[x] - values[y], counts)
        finite = star[np.isfinite(star)]
        asl = float((np.abs(star) >= abs(t)).mean())
        height, edges = np.histogram(finite, bins=30) if len(finite) else (np.zeros(1, int), np.zeros(2))
        for low, high, n in zip(edges[:-1].tolist(), edges[1:].tolist(), height.tolist(), strict=True):
            rows.append(
                {
                    "measure": name, "system_x": data.systems[x], "system_y": data.systems[y], "bin_low": low,
                    "bin_high": high, "samples": n, "t": t, "asl": asl,
                }
            )  # fmt: skip
    return Table("histogram", columns(rows), "One pair's statistic under H0; t is the observed one")


def statistics(z: NDArray[np.float64], counts: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    """t of the differences, and t* of every sample of them under H0."""
    n = len(z)
    w = z - z.mean()
    mean = counts @ w / n
    spread = np.maximum(counts @ (w * w) / n - mean * mean, 0.0) * n / (n - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        star = np.where(spread > 0, mean / np.sqrt(spread / n), np.where(mean == 0, 0.0, np.copysign(np.inf, mean)))
        t = (
            z.mean() / (z.std(ddof=1) / np.sqrt(n))
            if z.std() > 0
            else np.copysign(np.inf, z.mean())
            if z.mean()
            else 0.0
        )
    return float(t), star


def _pair(study: Power, data: Subjects, subject: Subject) -> tuple[int, int]:
    if study.pair:
        if len(study.pair) != 2:
            raise InputError("a pair is two systems", hint="give --pair twice")
        for name in study.pair:
            if name not in data.systems:
                raise InputError(f"there is no system {name!r}", hint=f"the first is {data.systems[0]}")
        return data.systems.index(study.pair[0]), data.systems.index(study.pair[1])
    order = np.argsort(-subject.means(), kind="stable")
    return int(order[0]), int(order[len(order) // 2])


def _figures(study: Power, data: Subjects) -> tuple[Figure, ...]:
    found = [
        Figure(
            name="asl_curves", kind="curve", table="asl_curves", x="pair", y="asl", series="measure",
            labels={"x": "system pair, sorted by ASL", "y": "achieved significance level"},
            caption="ASL curves: the lower a measure's curve, the more pairs it tells apart",
            alt="Curves of achieved significance levels over system pairs, one per measure",
        ),
        Figure(
            name="power", kind="bars", table="power", x="measure", y="discriminative_power", series="test",
            labels={"x": "measure", "y": "discriminative power"},
            caption="Discriminative power at each significance level",
            alt="Bars of the share of significantly different pairs, one per measure",
        ),
        Figure(
            name="system_means", kind="points", table="system_means", x="system", y="mean", series="measure",
            labels={"x": "system, sorted", "y": "score"}, caption="Systems by their scores",
            alt="Scores of all systems in falling order, one line per measure",
        ),
    ]  # fmt: skip
    if study.histogram:
        found.append(
            Figure(
                name="histogram", kind="histogram", table="histogram", x="bin_low", y="samples", series="measure",
                labels={"x": "t*", "y": "samples"}, caption="The statistic of one pair under H0",
                alt="Histogram of bootstrap statistics with the observed one",
            )
        )  # fmt: skip
    return tuple(found)
