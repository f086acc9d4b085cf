"""The work of `irassay uncertainty`: replicates of every variation, and every question about them."""

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from irassay.ask.replicates import Replicates
from irassay.errors import InputError, IrassayWarning, emit
from irassay.panel.panel import Panel
from irassay.panel.pool_depth import pool_depth
from irassay.read.groups import read_groups
from irassay.report.parquet import available
from irassay.result import Result
from irassay.scoring.scores import Scores
from irassay.settings import Execution
from irassay.studies.inputs import check_size, load_scores, refuse_unbounded
from irassay.studies.phrases import restrictions_of
from irassay.studies.uncertainty.details import detail_tables
from irassay.studies.uncertainty.export import export
from irassay.studies.uncertainty.figures import budget_table, figures
from irassay.studies.uncertainty.grid import check_questions, variation_class
from irassay.studies.uncertainty.leaderboard import judged_shares, leaderboard
from irassay.studies.uncertainty.settings import Uncertainty
from irassay.studies.uncertainty.tables import Answers, Varied
from irassay.vary.documents import active_documents
from irassay.vary.pools import LeftOut
from irassay.vary.replicates import replicates
from irassay.vary.variation import Observed, Variation

FEW_REPLICATES = 1000  # below, Monte-Carlo errors are large: said


def run(study: Uncertainty, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `budget` and `scenarios`, and what answers the questions.

    spread: `pairs`. ranks: `systems`, `scenario_systems`. order: `order`, `between_measures`. reversals: `reversals`.
    verdicts: `verdicts`, `pairs`. `swap` and `stability` as named. `left_out` says what could not vary, and why.
    Beside them the `leaderboard` of all systems, and of the best ones `topic_scores` and `top_documents`.
    `budget_figure` is what the figure of the budget draws.
    """
    chosen = [(_variation(name, study), with_topics) for name, with_topics in study.variations]
    questions = study.questions
    if study.ask is not None:
        check_questions([variation.name for variation, _ in chosen], questions)
    if study.export is not None:
        _check_export(study.export)  # before any work
    from_runs = not study.scores and not isinstance(qrels, Panel | Scores)
    keep = from_runs and any(variation.needs == "retrieval_scores" for variation, _ in chosen)
    data = load_scores(study, qrels, runs, execution, keep_scores=keep)
    refuse_unbounded(data.scores, "differences and their reversals")
    observed = Observed(data.scores, data.panel)
    usable, reasons = _usable(study, chosen, observed)
    given = len(observed.scores.systems)
    observed, warnings = _common_systems([variation for variation, _ in usable], observed)
    kept = len(observed.scores.systems)
    cannot = [f"Of {given:,} systems {given - kept:,} are left out, because not all variations can take them."]
    warnings += _warnings(study, [variation for variation, _ in usable], observed)
    with_pools = any(variation.name == "pools" for variation, _ in usable)
    depth = pool_depth(observed.lists, study.pool_depth) if with_pools else None
    warnings += depth.warnings if depth else []
    emit(warnings)
    varied = [
        Varied(
            variation,
            replicates(variation, observed, with_topics=with_topics, jobs=data.jobs),
            variation.scenarios(observed),
            _second(variation, observed, with_topics, questions, data.jobs),
        )
        for variation, with_topics in usable
    ]
    left_out = _left_out(study, observed, depth.depth, data.jobs) if depth else None
    if study.export is not None:
        export([one.replicates for one in varied], study.export)
    provenance = data.provenance | {
        "systems": list(observed.scores.systems),
        "restrictions": restrictions_of(data.provenance) + (cannot if kept < given else []),
        "vary": [one.replicates.variation for one in varied],
        "ask": list(questions),
        "replicates": study.replicates,
        **({"pool_depth": depth.depth, "pool_depth_origin": depth.origin} if depth else {}),
    }
    if study.groups:
        groups = read_groups(Path(study.groups), data.panel.aliases if data.panel is not None else {})
        provenance["groups"] = len({groups[name] for name in observed.scores.systems if name in groups})
    judged = None if data.panel is None else judged_shares(data.panel, observed.scores.systems, data.topics, data.jobs)
    sampled = next((one.replicates for one in varied if one.variation.name == "topics"), None)
    listed = (
        *Answers(varied, left_out, reasons, data.jobs).tables(questions),
        leaderboard(observed.scores, varied[0].replicates, sampled, judged),
        *detail_tables(observed.scores, data.panel, study.details),
    )
    listed += budget_table(listed, varied)
    return Result("uncertainty", listed, (*data.warnings, *warnings), provenance, figures(listed, varied))


def _check_export(path: str) -> None:
    folder = Path(path).parent
    if not folder.is_dir():
        raise InputError("cannot write: there is no such folder", path, f"make the folder {folder} first")
    if path.endswith(".parquet"):
        available()


def _variation(name: str, study: Uncertainty) -> Variation:
    """The variation of that name, its fields taken from the options of the same names."""
    variation = variation_class(name)
    return variation(**{f.name: getattr(study, f.name) for f in fields(variation) if hasattr(study, f.name)})


def _usable(
    study: Uncertainty, chosen: Sequence[tuple[Variation, bool]], observed: Observed
) -> tuple[list[tuple[Variation, bool]], dict[str, str]]:
    """The variations that the data allow, and why not the others; an error where one was asked for by name."""
    usable, reasons = [], {}
    for variation, with_topics in chosen:
        reason = _reason(variation, observed)
        if not reason:
            usable.append((variation, with_topics))
        elif study.vary is not None:
            raise InputError(f"{variation.name} cannot vary: {reason}", hint="leave it out of --vary")
        else:
            reasons[variation.name] = reason
    return usable, reasons


def _reason(variation: Variation, observed: Observed) -> str:
    if variation.needs != "scores" and observed.panel is None:
        return "it needs judgments and runs, and scores were given"
    if variation.needs == "retrieval_scores" and observed.lists.scores is None:
        return "it needs the retrieval scores of the runs: align with keep_scores=True"
    return variation.unusable(observed)


def _common_systems(variations: Sequence[Variation], observed: Observed) -> tuple[Observed, list[IrassayWarning]]:
    """The systems that all variations can take: rows of one budget are about the same systems."""
    warnings, left = [], set()
    for variation in variations:
        for system, reason in variation.left_out(observed).items():
            left.add(system)
            warnings.append(
                IrassayWarning(
                    "system-left-out", f"{system} is left out, because {variation.name} cannot take it: {reason}"
                )
            )
    kept = [name for name in observed.scores.systems if name not in left]
    check_size(kept, observed.scores.topics)
    return replace(observed, scores=observed.scores.select(systems=kept)) if left else observed, warnings


def _warnings(study: Uncertainty, variations: Sequence[Variation], observed: Observed) -> list[IrassayWarning]:
    warnings = []
    if any(one.name == "documents" for one in variations) and study.corpus_size is None:
        active = active_documents(observed.lists)
        message = f"the corpus is taken to be the {active} documents seen; --corpus-size gives its size"
        warnings.append(IrassayWarning("corpus-size", message))
    for one in observed.scores.by_measure():
        if one.pairable and (name := one.tested()[0]) != one.name:
            message = f"verdicts on {one.name} are those of {name}: the logarithms are compared"
            warnings.append(IrassayWarning("tested-as", message))
    if study.replicates < FEW_REPLICATES:
        message = f"{study.replicates} replicates are few: look at the Monte-Carlo errors (the columns ±), or take 1000"
        warnings.append(IrassayWarning("few-replicates", message))
    if len(observed.scores.systems) < 5:
        message = (
            f"{len(observed.scores.systems)} systems are too few for shares of pairs: the table pairs has what is known"
        )
        warnings.append(IrassayWarning("few-systems", message))
    return warnings


def _second(
    variation: Variation, observed: Observed, with_topics: bool, questions: Sequence[str], jobs: int
) -> Replicates | None:
    """A second, independent set of replicates, where a question compares two."""
    if not variation.random or not {"swap", "stability"} & set(questions):
        return None
    return replicates(variation, observed, with_topics=with_topics, independent=1, jobs=jobs)


def _left_out(study: Uncertainty, observed: Observed, depth: int, jobs: int) -> Varied:
    """Every system when its own group had not contributed to the pool."""
    groups = read_groups(Path(study.groups), observed.lists.aliases) if study.groups else {}
    members: dict[str, list[str]] = {}
    for name in observed.scores.systems:
        members.setdefault(groups.get(name, name), []).append(name)
    variation = LeftOut(seed=study.seed, pool_depth=depth, members=members)
    return Varied(variation, replicates(variation, observed, jobs=jobs), variation.scenarios(observed), None)
