"""The work of `irassay unjudged`."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from irassay.ask.pairs import Array, all_pairs
from irassay.ask.ranks import ranks
from irassay.ask.replicates import Replicates
from irassay.ask.reversals import RATE, reversals
from irassay.errors import InputError, IrassayWarning, emit
from irassay.measures import Measure, parse
from irassay.panel.panel import Panel
from irassay.read.vocabulary import raw
from irassay.report.write import write
from irassay.result import Result, Table, figures_of
from irassay.settings import Execution
from irassay.studies.inputs import check_size, load_panel
from irassay.studies.selection import place_of, select_systems, with_names
from irassay.studies.unjudged.figures import FIGURES
from irassay.studies.unjudged.settings import Unjudged as Settings
from irassay.studies.unjudged.tables import tables
from irassay.vary.relevance import Model
from irassay.vary.replicates import replicates
from irassay.vary.unjudged import Missing, Unjudged
from irassay.vary.unjudged_bounds import BoundedScores
from irassay.vary.unjudged_effects import Effects, Next
from irassay.vary.variation import Observed

CHOSEN = (
    "judgments chosen by what they are worth are no random sample: keep them apart from those that probabilities are "
    "learned from"
)


class ToJudge(NamedTuple):
    """Documents to judge next: for which measure, for which pairs, and which they are."""

    measure: str
    pairs: str
    documents: Next


@dataclass(frozen=True, eq=False)
class Asked:
    """What the tables are made of."""

    settings: Settings
    observed: Observed
    variation: Unjudged
    jobs: int

    @property
    def panel(self) -> Panel:
        return self.observed.lists

    @property
    def systems(self) -> tuple[str, ...]:
        return self.observed.scores.systems

    @property
    def measures(self) -> Sequence[Measure]:
        return [measure for measure in self.observed.scores.known if measure is not None]

    @cached_property
    def model(self) -> tuple[Model, tuple[str, ...]] | None:
        """What the judgments say, and the names of the groups; None where probabilities are given."""
        return None if self.settings.probabilities else self.variation.model(self.panel, self.jobs)

    @cached_property
    def missing(self) -> Missing:
        return self.variation.missing(self.panel, self.jobs)

    @cached_property
    def drawn(self) -> Replicates:
        return replicates(self.variation, self.observed, jobs=self.jobs)

    @cached_property
    def bounded(self) -> BoundedScores:
        return BoundedScores(self.panel, self.observed.systems, self.measures, self.observed.topics, self.jobs)

    @cached_property
    def judged(self) -> Array:
        """Judged@10 of each system."""
        judged = self.panel.score("Judged@10", jobs=self.jobs)
        return np.asarray(judged.select(systems=self.systems, topics=self.observed.scores.topics).means()[0])

    def wanted_pairs(self, m: int) -> tuple[Array, str]:
        """Which pairs judgments are for [system, system], and what they are called."""
        out = np.zeros((len(self.systems), len(self.systems)))
        if self.settings.pairs:
            one, other = (place_of(name, self.systems) for name in self.settings.pairs)
            out[one, other] = out[other, one] = 1.0
            return out, "pair"
        x, y = all_pairs(len(self.systems))
        rate = np.nan_to_num(reversals(self.drawn.observed[m], self.drawn.means[m]).rate)
        chosen, name = rate > RATE, "open"
        if not chosen.any():
            place = ranks(self.drawn.observed[m])
            chosen, name = np.abs(place[x] - place[y]) <= 1, "neighbours"
        out[x[chosen], y[chosen]] = out[y[chosen], x[chosen]] = 1.0
        return out, name

    @cached_property
    def next(self) -> ToJudge:
        """What to judge next, for the first measure to which any unjudged document matters."""
        effects = Effects(self.bounded, self.missing)
        for m, measure in enumerate(self.measures):
            pairs, name = self.wanted_pairs(m)
            chosen = ToJudge(str(measure), name, effects.worth(m, pairs))
            if len(chosen.documents.entries):
                break
        return chosen


def run(study: Settings, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `summary` and `bounds`; `depths`, what is missing, by rank; `judge_next`; `pairs`, the differences.

    With learned probabilities also `checks` of them on judgments that were hidden, `calibration`, `coefficients`, and
    with groups `groups`, each left out.
    """
    if study.judge_next is not None and not Path(study.judge_next).parent.is_dir():
        folder = Path(study.judge_next).parent
        raise InputError("cannot write: there is no such folder", study.judge_next, f"make the folder {folder} first")
    measures = list(parse(study.measures))
    data = load_panel(study, qrels, runs, execution)
    panel = data.panel
    study = with_names(study, panel)
    for name in study.pairs:
        place_of(name, panel.systems)
    best = parse(study.by) if study.by else ()
    scores = panel.score(list(dict.fromkeys((*measures, *best))), jobs=data.jobs)
    selected = select_systems(
        study, panel.systems, {one.name: one.means() for one in scores.by_measure()}, aliases=panel.aliases
    )
    kept = sorted({*selected.places, *(place_of(name, panel.systems) for name in study.pairs)})
    check_size(kept, panel.topics)
    emit(selected.warnings)
    scores = panel.score(measures, jobs=data.jobs).select(systems=[panel.systems[s] for s in kept])
    variation = Unjudged(
        seed=study.seed,
        replicates=study.replicates,
        probabilities=study.probabilities,
        groups=study.groups,
        judged_depth=study.judged_depth,
    )
    observed = Observed(scores, panel)
    if reason := variation.unusable(observed):
        raise InputError(reason, hint="there is nothing to draw: leave this study out")
    asked = Asked(study, observed, variation, data.jobs)
    listed = tables(asked)
    warnings = [*selected.warnings]
    if study.judge_next is not None:
        warnings.append(IrassayWarning("chosen-judgments", CHOSEN, study.judge_next))
        write(_to_judge(listed), Path(study.judge_next))
    emit(warnings[len(selected.warnings) :])
    provenance = data.provenance | {
        "restrictions": selected.restrictions,
        "measures": list(scores.measures),
        "systems": list(scores.systems),
        "replicates": study.replicates,
        "seed": study.seed,
        "groups": None if study.groups is None else str(study.groups),
        "probabilities": None if study.probabilities is None else str(study.probabilities),
        "judged_depth": None if asked.model is None else asked.model[0].pool_depth,
        "to_judge": {"measure": asked.next.measure, "pairs": asked.next.pairs},
    }
    return Result("unjudged", listed, (*panel.warnings, *warnings), provenance, figures_of(listed, FIGURES))


def _to_judge(listed: Sequence[Table]) -> bytes:
    """A line for each document to judge: its topic and its name."""
    table = next(table for table in listed if table.name == "judge_next")
    rows = zip(table["topic"], table["document"], strict=True)
    return b"".join(b"%s %s\n" % (raw(str(topic)), raw(str(document))) for topic, document in rows)
