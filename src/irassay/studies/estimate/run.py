"""The work of `irassay estimate`."""

from typing import Any

import numpy as np
from scipy import stats

from irassay._version import __version__
from irassay.ask.corrections import holm
from irassay.ask.pairs import against, all_pairs
from irassay.errors import IrassayWarning, emit
from irassay.panel.coverage import first_few
from irassay.result import Result, Table, figures_of
from irassay.settings import Execution
from irassay.studies.compare.settings import baselines
from irassay.studies.estimate.data import TRUSTED, TwoJudges, load_judges
from irassay.studies.estimate.figures import FIGURES
from irassay.studies.estimate.settings import Estimate
from irassay.studies.estimate.tables import estimate_tables
from irassay.studies.phrases import join
from irassay.studies.selection import check_selection, place_of, select_systems, with_names
from irassay.studies.tables import Rows, records

UNLIKE = 0.05  # corrected p-value from which down topics of both kinds differ


def run(study: Estimate, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `gain`, what the cheap judge adds; `estimates`, one row a measure, system and method; `differences`;
    `cheap`, the bias of the cheap judge; `parts`, whether both kinds of topics look alike.
    """
    study.check()
    check_selection(study)
    two = load_judges(study, qrels, runs, execution, study.cheap, drop=study.unanswerable == "drop")
    study = with_names(study, two.systems.panel)
    systems, fewer, restrictions = _selected(study, two)
    data, renamed = two.by_measure(systems)
    bases = [systems.index(name) for name in baselines(study.baseline)]
    pairs = against(len(systems), bases) if bases else all_pairs(len(systems))
    tables = estimate_tables(data, two, systems, pairs, study.alpha, study.digits)
    warnings = [*two.warnings, *fewer, *renamed, *_missing(two, systems)]
    if two.shares is None:
        warnings += _unlike(next(table for table in tables if table.name == "parts"))
    emit(warnings)
    provenance = _provenance(study, two, systems, len(pairs[0])) | {"measures": list(data)}
    provenance["restrictions"] = restrictions
    return Result("estimate", tables, (*warnings, *two.systems.panel.warnings), provenance, figures_of(tables, FIGURES))


def _selected(study: Estimate, two: TwoJudges) -> tuple[tuple[str, ...], list[IrassayWarning], list[str]]:
    """The systems to estimate, best by the trusted topics; baselines stay."""
    names = two.systems.panel.systems
    means = {one.name: one.means() for one in two.scores(TRUSTED, two.common).by_measure()}
    selected = select_systems(study, names, means, aliases=two.systems.panel.aliases)
    places = sorted({*selected.places, *(place_of(name, names) for name in baselines(study.baseline))})
    return tuple(names[place] for place in places), selected.warnings, selected.restrictions


def _unlike(parts: Table) -> list[IrassayWarning]:
    """In what the topics that both judged differ from the others, more than a random sample would."""
    rows: Rows = records(**parts.columns)
    corrected = holm(np.array([row["p_value"] for row in rows]))
    differ = [
        f"{row['quantity']} ({row['judged_by_both']:.3g} against {row['cheap_only']:.3g})"
        for row, p in zip(rows, corrected.tolist(), strict=True)
        if p < UNLIKE
    ]
    if not differ:
        return []
    what = (
        f"the topics that both judged differ from the others in: {join(differ)}; estimates hold for a random sample of "
        "topics, judged to the same depth"
    )
    return [IrassayWarning("unlike-topics", what)]


def _missing(two: TwoJudges, systems: tuple[str, ...]) -> list[IrassayWarning]:
    """Which systems have no lists for topics of one kind more often than for those of the other."""
    both, others = two.missing(two.common), two.missing(two.others)
    sizes = len(two.common), len(two.others)
    names = two.systems.panel.systems
    some = [s for s, name in enumerate(names) if name in set(systems) and both[s] + others[s]]
    tables = [[[both[s], sizes[0] - both[s]], [others[s], sizes[1] - others[s]]] for s in some]
    p = holm(np.array([stats.fisher_exact(table).pvalue for table in tables]))
    differ = [
        f"{names[s]} ({both[s]} of {sizes[0]} and {others[s]} of {sizes[1]})"
        for s, level in zip(some, p.tolist(), strict=True)
        if level < UNLIKE
    ]
    if not differ:
        return []
    what = f"runs without lists for topics that both judged, and for others, unequally often: {first_few(differ, 5)}"
    return [IrassayWarning("unlike-runs", what)]


def _provenance(study: Estimate, two: TwoJudges, systems: tuple[str, ...], comparisons: int) -> dict[str, object]:
    """How the result came about: inputs, and all policies."""
    trusted, cheap = (judge.qrels.path for judge in two.labels.judges)
    panel = two.systems.panel
    return {
        "irassay": __version__,
        "qrels": trusted,
        "cheap": cheap,
        **panel.policy,
        "gains": panel.gains,
        "map": list(study.map),
        "scale": [0, two.labels.highest],
        "systems": list(systems),
        "topics": list(two.common),
        "cheap_topics": list(two.others),
        "probabilities": study.probabilities,
        "baseline": list(baselines(study.baseline)),
        "comparisons": comparisons,
        "alpha": study.alpha,
        "seed": study.seed,
    }
