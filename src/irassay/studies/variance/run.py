"""The work of `irassay variance`: one aligned panel, its lists simulated chunk after chunk."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.significance import rank_of
from irassay.ask.t_statistic import critical
from irassay.choices import RELEVANT, check_choice
from irassay.compute.executor import execute
from irassay.errors import InputError, IrassayWarning, emit
from irassay.measures import parse
from irassay.panel.panel import Panel
from irassay.read.runs import Runs
from irassay.result import Result
from irassay.scoring.scores import Scores
from irassay.settings import Execution
from irassay.studies.check.problems import rank_derived_scores
from irassay.studies.inputs import check_size, load_panel, refuse_unbounded
from irassay.studies.phrases import FEWEST_PAIRS, percent, rows_of, safe, too_few_pairs
from irassay.studies.selection import select_systems, with_names
from irassay.studies.variance.settings import Variance
from irassay.studies.variance.statistics import SimulatedStatistics
from irassay.studies.variance.tables import Simulated, Unusable, figures, tables
from irassay.vary.sampled_lists import lists_with_infinite_scores
from irassay.vary.scores import ScorePlan, SimulatedScores

Array = NDArray[np.float64]
INFINITE = "infinite-scores"
MODELS = {
    "bst": "resampled from their own scores (bst)",
    "kde": "drawn from densities fitted to their scores (kde)",
}


def run(study: Variance, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `variance`, `error_rate`, `topics`; `swap`, `stability`, `ranks`, `spread`; `pairs` and more."""
    models, length, bandwidth, measures = (study.models, study.documents, study.width, parse(study.measures))
    check_choice("rule for relevant documents", study.relevant, RELEVANT)
    rank_of(study.alpha, study.samples)
    data = load_panel(study, qrels, runs, execution, keep_scores=True, comparison=True, files=True)
    panel, jobs = data.panel, data.jobs
    study = with_names(study, panel)
    critical(len(panel.topics), study.alpha)
    scores = panel.score(measures, jobs=jobs)
    unusable = _unusable(data.runs, panel)
    by_model, warnings, restrictions = _systems(study, panel, unusable, {m: scores[m].means() for m in scores})
    kept = sorted(set().union(*by_model.values()))
    scores = scores.select(systems=_names(panel, kept))
    for one in scores.by_measure():
        one.tested()  # refuses what has no value per topic
    refuse_unbounded(scores, "bins of differences")
    short = _short(panel, kept, length)
    shown = _shown(study.show, scores.by_measure()[0], short, [_names(panel, systems) for systems in by_model.values()])
    warnings += _warnings(panel, kept, length, short)
    emit(warnings)

    simulated: list[Simulated] = []
    for model in models:
        simulation = ScorePlan(study.seed, model, length, bandwidth).simulation(
            panel,
            measures,
            samples=study.samples,
            systems=by_model[model],
            exact=study.exact,
            relevant=study.relevant,
        )
        of_model = scores.select(systems=_names(panel, by_model[model])).by_measure()
        simulated += simulate(simulation, model, of_model, study.alpha, jobs)
    source = data.provenance | {
        "measures": list(scores.measures),
        "systems": list(scores.systems),
        "restrictions": [*data.restrictions, *restrictions],
        "seed": study.seed,
        "resamples": study.samples,
        "models": list(models),
        "length": study.length,
        "relevant": study.relevant,
        "bandwidth": study.bandwidth,
        "exact": study.exact,
        "alpha": study.alpha,
        "left_out": {
            model: [u.system for u in unusable if panel.systems.index(u.system) not in systems]
            for model, systems in by_model.items()
        },
    }
    listed = tables(simulated, panel.topics, study.alpha, shown, unusable, short, jobs)
    return Result("variance", listed, (*panel.warnings, *warnings), source, figures(scores.measures, models, shown))


def simulate(
    simulation: SimulatedScores, model: str, scores: Sequence[Scores], alpha: float, jobs: int
) -> list[Simulated]:
    """All samples in fixed chunks, merged in order; only means of systems and sums stay."""
    samples = simulation.samples
    kept = SimulatedStatistics(simulation.measures, simulation.systems, simulation.topics, samples, alpha)
    state = execute(f"samples of {model}", simulation, kept, jobs=jobs)
    parts = zip(scores, state["means"], state["mean"], kept.deviations(state), strict=True)
    return [Simulated(model, *part, kept.rejections(state, k, samples).result()) for k, part in enumerate(parts)]


def _unusable(runs: Runs, panel: Panel) -> list[Unusable]:
    """Runs whose scores say no more than the rank, or are not numbers to fit anything to."""
    unusable: list[Unusable] = []
    infinite = np.any(lists_with_infinite_scores(panel), axis=0)
    for s, (run, name) in enumerate(zip(runs, panel.systems, strict=True)):
        if infinite[s]:
            unusable.append(Unusable(name, INFINITE, "a score is not a finite number"))
        else:
            unusable += [Unusable(name, code, what) for code, _, what in rank_derived_scores(run)]
    return unusable


def _names(panel: Panel, systems: Sequence[int]) -> tuple[str, ...]:
    return tuple(panel.systems[s] for s in systems)


def _systems(
    study: Variance, panel: Panel, unusable: list[Unusable], means: dict[str, Array]
) -> tuple[dict[str, list[int]], list[IrassayWarning], list[str]]:
    """The systems that each model simulates, of those that the options select among the ones with usable scores.

    And warnings, and sentences on what is left out. Resampling needs only the order of scores, densities need the
    scores themselves.
    """
    infinite = {u.system for u in unusable if u.code == INFINITE}
    left = {"bst": infinite, "kde": infinite if study.keep_unusable else {u.system for u in unusable}}
    usable = [s for s, name in enumerate(panel.systems) if any(name not in left[model] for model in study.models)]
    if len(usable) < 2:
        raise _too_few(usable, panel, unusable)
    chosen, fewer, restrictions = select_systems(
        study, _names(panel, usable), {name: mean[usable] for name, mean in means.items()}, aliases=panel.aliases
    )
    check_size(chosen, panel.topics)
    kept = [usable[i] for i in chosen]
    by_model = {model: [s for s in kept if panel.systems[s] not in left[model]] for model in study.models}
    warnings = []
    for model, systems in by_model.items():
        if len(systems) < 2:
            raise _too_few(systems, panel, unusable)
        if left[model]:
            names = ", ".join(sorted(left[model]))
            message = (
                f"{len(left[model])} of {len(panel.systems)} systems have scores that cannot be simulated by {model} "
                f"and are left out of it: {names}"
            )
            warnings.append(IrassayWarning("unusable-scores", message))
    candidates = len(kept) if restrictions else len(panel.systems)
    restrictions += [
        f"The model {model} simulates {len(systems):,} of {'these ' if restrictions else ''}{candidates:,} systems, "
        "because it cannot use the scores of the others."
        for model, systems in by_model.items()
        if len(systems) < candidates
    ]
    return by_model, warnings + fewer, restrictions


def _too_few(usable: Sequence[int], panel: Panel, unusable: list[Unusable]) -> InputError:
    return InputError(
        f"{len(usable)} of {len(panel.systems)} systems have scores that can be simulated"
        + (f"; the first without is {unusable[0].system}: {unusable[0].reason}" if unusable else ""),
        hint="--model bst needs only the order of scores; --keep-unusable fits densities to scores made of ranks",
    )


def _shown(
    names: Sequence[str], scores: Scores, short: list[dict[str, Any]], by_model: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """The systems whose topics are drawn: those asked for, else the best with full lists that all models simulate."""
    names = (names,) if isinstance(names, str) else names
    for name in names:
        if name not in scores.systems:
            raise InputError(f"--show {name}: no such system was simulated", hint=f"one is {scores.systems[0]}")
    if names:
        return tuple(dict.fromkeys(names))
    short_lists = Counter(row["system"] for row in short)
    means = dict(zip(scores.systems, scores.means().tolist(), strict=True))
    everywhere = [name for name in scores.systems if all(name in systems for systems in by_model)]
    return (min(everywhere, key=lambda name: (short_lists[name], -means[name])),)


def _short(panel: Panel, kept: list[int], length: int | None) -> list[dict[str, Any]]:
    """Lists that are filled up to the length asked for."""
    if length is None:
        return []
    sizes = np.diff(panel.offsets, axis=1)[:, kept].T
    return [
        {"system": panel.systems[kept[s]], "topic": panel.topics[t], "retrieved": int(sizes[s, t])}
        for s, t in np.argwhere((sizes > 0) & (sizes < length)).tolist()
    ]


def _warnings(panel: Panel, kept: list[int], length: int | None, short: list[dict[str, Any]]) -> list[IrassayWarning]:
    warnings = []
    if short:
        systems = list(dict.fromkeys(row["system"] for row in short))
        warnings.append(
            IrassayWarning(
                "short-lists",
                f"{len(short)} lists of {len(systems)} systems are shorter than {length}: drawing nonrelevant "
                f"documents up to {length} dilutes them, and their scores fall (table short_lists; --length run "
                "does not)",
            )
        )
    assert panel.scores is not None
    against = 0
    for t in range(len(panel.topics)):
        for s in kept:
            score = panel.scores[panel.offsets[t, s] : panel.offsets[t, s + 1]]
            against += bool((score[1:] > score[:-1]).any())
    if against:
        warnings.append(
            IrassayWarning(
                "score-order",
                f"{against} lists are not in the order of their scores, which is the order of simulated lists: raw and "
                "simulated values are not alike there (--order trec goes by scores)",
            )
        )
    return warnings


def findings(result: Result) -> list[str]:
    pairs = len(set(zip(result["pairs"]["system_x"], result["pairs"]["system_y"], strict=True)))
    if pairs < FEWEST_PAIRS:
        return [too_few_pairs(pairs)]
    return [
        f"With lists {MODELS.get(row['model'], safe(row['model']))} the ranking of systems agrees with the observed one"
        f"{_measure(row)} at a tau of {row['krcc']:.2f}. Then {percent(row['mean_rejection_rate'])} of pairs are told "
        f"apart on average, and {percent(row['raw_significant_share'])} by the observed scores (paired t test, not "
        "corrected)."
        for row in rows_of(result["variance"], "mean_rejection_rate")
    ]


def _measure(row: dict[str, Any]) -> str:
    """The measure, where there are several."""
    return f" by {safe(row['measure'])}" if "measure" in row else ""
