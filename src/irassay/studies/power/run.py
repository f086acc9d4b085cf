"""The work of `irassay power`: the tests of every measure."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.one_tailed import one_tailed
from irassay.ask.significance import PairTests, paired, rank_of
from irassay.ask.t_statistic import resampled_t
from irassay.ask.unpaired import unpaired
from irassay.errors import InputError, emit
from irassay.measures import Measure
from irassay.panel.topics import select
from irassay.progress import track
from irassay.report.text import undefined
from irassay.result import Result
from irassay.scoring.scores import Array, Scores
from irassay.settings import Execution
from irassay.studies.inputs import ScoreInput, load_scores, paired_values
from irassay.studies.phrases import FEWEST_PAIRS, extremes, per_comparison, percent, rows_of, safe, too_few_pairs
from irassay.studies.power.pair_tests import MeasureTests, announce, test_pairs
from irassay.studies.power.settings import Power
from irassay.studies.power.tables import Rows, other_tests, tables_and_figures
from irassay.studies.selection import place_of, with_names
from irassay.studies.tables import records
from irassay.vary.topics import TopicPlan


def run(study: Power, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `power`, `pairs`, `system_means`, `power_bars` and `asl_curves` for the figures.

    With a histogram also `histogram` and `pair`; with other tests `other_tests`; of more pairs than a table in memory
    holds also `best_pairs`.
    """
    beside = study.beside
    for alpha in study.alphas:
        rank_of(alpha, study.resamples)  # before any work
    check_options(study)
    data = load_scores(study, qrels, runs, execution)
    study = with_names(study, data.panel)
    plan = TopicPlan(study.seed, len(data.topics), study.resamples)
    values, warnings = paired_values(data.scores, "use --unpaired") if "paired" in study.tests else ({}, [])
    pairs = _pairs(study, data.scores) if study.histogram else {}
    emit(warnings)
    _announce(study, data, values, execution)
    results = []
    histogram: Rows = []
    tested_pairs: Rows = []
    if "paired" in study.tests:
        counts = plan.counts(jobs=data.jobs)
        for name, tested in track("paired tests", list(values.items())):
            test = partial(one_tailed if study.one_tailed else paired, tested, counts, study.alphas, jobs=data.jobs)
            results.append(_tests(study, name, "paired", data.systems, test))
        for name, (x, y) in pairs.items():
            start = {"measure": name, "system_x": data.systems[x], "system_y": data.systems[y]}
            observed, bins = _histogram(values[name][[x, y]], counts)
            tested_pairs.append(start | observed)
            histogram += [{**start, **row, "t": observed["t"], "asl": observed["asl"]} for row in bins]
    if "unpaired" in study.tests:
        results += _unpaired_tests(study, data.scores, data.jobs)
    tables, figures = tables_and_figures(study, data.scores, results, histogram, tested_pairs)
    if beside:
        tables = (*tables, other_tests(values, beside, study.alphas))
    return Result(
        "power",
        tables,
        (*data.warnings, *warnings),
        {**data.provenance, "alpha": list(study.alphas), "tests": list(study.tests)},
        figures,
    )


def _tests(
    study: Power, measure: str, name: str, systems: Sequence[str], test: Callable[..., PairTests]
) -> MeasureTests:
    """The test of all pairs; `test` takes some."""
    return test_pairs(measure, name, len(systems), lambda pairs: test(pairs=pairs), study.resamples, study.alphas)


def _announce(study: Power, data: ScoreInput, values: dict[str, Array], execution: Execution | None) -> None:
    tests = len(values) + len(data.scores.by_measure()) * ("unpaired" in study.tests)
    sizes = len(data.systems), len(data.topics), study.resamples
    announce(*sizes, tests, len(study.alphas), data.jobs, execution.out if execution else None)


def _unpaired_tests(study: Power, scores: Scores, jobs: int) -> list[MeasureTests]:
    """All measures; with `--second-topics` the second system of each pair answers those, the first one the others."""
    n = len(scores.topics)
    second = np.zeros(n, dtype=np.bool_)
    if study.second_topics is not None:
        second = np.isin(scores.topics, select(scores.topics, study.second_topics))
        if second.all():
            raise InputError("--second-topics takes all topics", hint="leave some for the first system of each pair")
    sizes = n - int(second.sum()), int(second.sum()) or None
    positions = TopicPlan(study.seed, sizes[0], study.resamples).unpaired(sizes[1])
    results = []
    for one in track("unpaired tests", scores.by_measure()):
        functions: dict[str, Any] = _summary_functions(one.measure)
        test = partial(
            unpaired,
            np.ascontiguousarray(one.values[:, ~second]),
            positions,
            study.alphas,
            other=np.ascontiguousarray(one.values[:, second]) if sizes[1] else None,
            one_tailed=study.one_tailed,
            names=scores.systems,
            jobs=jobs,
            **functions,
        )
        results.append(_tests(study, one.name, "unpaired", scores.systems, test))
    return results


def check_options(study: Power) -> None:
    """Options that need each other, before any work."""
    if study.second_topics is not None and "unpaired" not in study.tests:
        raise InputError("--second-topics is for the unpaired test", hint="add --unpaired")
    if study.beside and "paired" not in study.tests:
        raise InputError("--other-tests are paired tests", hint="add --paired")
    if study.one_tailed and (study.beside or study.histogram):
        raise InputError("--other-tests and --histogram are two-tailed", hint="leave out --one-tailed")
    if study.histogram and "paired" not in study.tests:
        raise InputError("the histogram is of the paired test's statistic", hint="add --paired")
    if study.pair and not study.histogram:
        raise InputError("--pair says which pair the histogram shows", hint="add --histogram")
    if study.pair and (isinstance(study.pair, str) or len(study.pair) != 2):
        raise InputError("a pair is two systems", hint="give --pair twice, one system each")
    if study.pair and study.pair[0] == study.pair[1]:
        raise InputError(f"{study.pair[0]} cannot be compared with itself", hint="give --pair two different systems")


def _pairs(study: Power, scores: Scores) -> dict[str, tuple[int, int]]:
    """The places of the two systems whose histogram is shown, by what is tested."""
    pairs: dict[str, tuple[int, int]] = {}
    for one in scores.by_measure():
        order = np.argsort(-one.means(), kind="stable").tolist()
        names = study.pair or (scores.systems[order[0]], scores.systems[order[len(order) // 2]])
        x, y = (place_of(name, scores.systems) for name in names)
        pairs.setdefault(one.tested()[0], (x, y))  # GM and its AG are one
    return pairs


def _summary_functions(measure: Measure | None) -> dict[str, Callable[..., Array] | None]:
    """The summary as a transform around the mean, or as a function of all topics."""
    if measure is None:
        return {}
    summary, params = measure.summary_with_params()
    functions = {"forward": summary.forward, "inverse": summary.inverse, "whole": summary.whole}
    # no lambda, which could not be sent; and as it comes: on a GPU it takes an array of the GPU's
    return {name: function and partial(function, **params) for name, function in functions.items()}


def _histogram(values: Array, counts: NDArray[np.int32]) -> tuple[dict[str, float], Rows]:
    """The paired test of two systems, and their statistic under H0 (Figs 4 and 5) in 30 bins."""
    tests = paired(values, counts)
    star = resampled_t(values[0] - values[1], counts.astype(np.float64))
    finite = star[np.isfinite(star)]
    heights, edges = np.histogram(finite, bins=30) if len(finite) else (np.zeros(1, int), np.zeros(2))
    (test,) = records(mean_difference=tests.difference, t=tests.statistic, asl=tests.asl)
    return test, records(bin_low=edges[:-1], bin_high=edges[1:], samples=heights)


def findings(result: Result) -> list[str]:
    rows = rows_of(result["power"])
    alpha = max(row["alpha"] for row in rows)
    test = "paired" if any(row["test"] == "paired" for row in rows) else rows[0]["test"]
    rows = [row for row in rows if row["alpha"] == alpha and row["test"] == test]
    pairs, topics = rows[0]["pairs"], rows[0]["topics"]
    if pairs < FEWEST_PAIRS:
        return [too_few_pairs(pairs)]
    best, worst, measures = ends = extremes(rows, lambda row: float(row["discriminative_power"]))
    share = percent(best["discriminative_power"])
    if worst is None:
        names = ends.by[0].upper() + ends.by[1:] if measures > 1 else ends.by
        told = f"{names} {'tell' if measures > 1 else 'tells'} {share} of the {pairs:,} pairs of systems apart."
    else:
        told = (
            f"{ends.by} tells most pairs of systems apart, {share} of {pairs:,}, and {safe(worst['measure'])} fewest, "
            f"{percent(worst['discriminative_power'])}.{ends.table('power')}"
        )
    sentences = [
        told,
        f"Every pair is tested on its own ({per_comparison(alpha, test)}, {topics:,} topics).",
    ]
    if not undefined(best["estimated_difference"]):
        sentences.append(
            f"To be told apart by {safe(best['measure'])} a pair needs a difference of about {best['ed_median']:.2f} "
            f"in the median case, and of {best['estimated_difference']:.2f} at most (estimated differences: largest "
            "over pairs, alpha per comparison)."
        )
    return sentences
