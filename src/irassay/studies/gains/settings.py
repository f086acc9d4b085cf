"""`irassay gains`: does the choice of gains matter (sakai2007one, Tables 5 and 6)?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from irassay.errors import InputError, IrassayWarning, emit
from irassay.settings import Execution, Resampling, option
from irassay.studies.execution import managed_run

if TYPE_CHECKING:
    from irassay.measures import Measure
    from irassay.result import Result
    from irassay.studies.inputs import PanelInput


@dataclass(frozen=True, kw_only=True)
class Gains(Resampling):
    """Other gains: for every scheme the agreement with the first one, and the discriminative power.

    \b
    irassay gains qrels.txt runs/ -m "O PMeasure PPlus Q" --schemes "{1:1,2:2,3:3} {1:1,2:1,3:1} {1:1,2:5,3:10}"
    """

    measures: tuple[str, ...] = option(
        ("O PMeasure PPlus Q nDCG@10",), "graded measures", flag="-m", many=True, metavar="LIST"
    )
    schemes: str = option(
        "{1:1,2:2,3:3} {1:10,2:20,3:30} {1:0.1,2:0.2,3:0.3} {1:1,2:1,3:1} {1:1,2:5,3:10}",
        "gains of each grade, one {…} a scheme; the first is the one compared with",
        metavar="LIST",
    )
    alpha: float = option(0.05, "significance level", low=0, metavar="A")

    @managed_run
    def run(self, qrels: Any = None, runs: Any = None, *, execution: Execution | None = None) -> Result:
        """Table: `gains`."""
        from irassay.ask.significance import rank_of
        from irassay.measures import parse
        from irassay.result import Result, Table
        from irassay.studies.inputs import is_missing, load_panel
        from irassay.studies.tables import columns

        rank_of(self.alpha, self.resamples)
        if self.scores or is_missing(qrels) or is_missing(runs):
            raise InputError("other gains need judgments and runs", hint="give QRELS and runs, not --scores")
        measures = parse(self.measures)
        for measure in measures:
            if measure.binary or measure.gains is not None or measure.summary is not None:
                hint = "name graded measures without gains=, rel= and summaries, such as Q or nDCG@10"
                raise InputError(f"{measure} does not take other gains", hint=hint)
        schemes = parse_schemes(self.schemes)
        if self.gains is not None:
            raise InputError("--gains and --schemes say different things", hint="give all gains with --schemes")
        data = load_panel(self, qrels, runs, execution, comparison=True)
        rows, systems, fewer = _rows(self, data, measures, schemes)
        caption = (
            f"Other gains: tau with the ranking by {next(iter(schemes))}; power at alpha {self.alpha:g}, per "
            "comparison, not corrected. estimated_difference is the largest over pairs: enough for every pair."
        )
        digits = {"tau_with_default": 3, "discriminative_power": 3, "estimated_difference": 2}
        provenance = data.provenance | {
            "measures": [str(measure) for measure in measures],
            "systems": systems,
            "schemes": list(schemes),
            "alpha": self.alpha,
            "resamples": self.resamples,
            "seed": self.seed,
        }
        table = Table("gains", columns(rows), caption, digits)
        return Result("gains", (table,), (*data.warnings, *fewer), provenance)


def _rows(
    study: Gains, data: PanelInput, measures: Sequence[Measure], schemes: Mapping[str, Mapping[int, float]]
) -> tuple[list[dict[str, Any]], list[str], list[IrassayWarning]]:
    """The rows of the table, the systems compared, and warnings about their selection."""
    from irassay.ask.agreement import tau
    from irassay.ask.significance import paired
    from irassay.compute.progress import track
    from irassay.measures import parse
    from irassay.studies.inputs import check_size
    from irassay.studies.selection import select_systems
    from irassay.vary.topics import TopicPlan

    panel = data.panel
    with_gains = {}
    for text, scheme in schemes.items():
        gains = ("gains", _gain_table(text, scheme, panel.grades))
        for measure in measures:
            (parsed,) = parse(str(replace(measure, params=(*measure.params, gains))))
            with_gains[measure, text] = parsed
    default = next(iter(schemes))
    scores = panel.score(list(dict.fromkeys(with_gains.values())), jobs=data.jobs)
    means = {str(measure): scores[str(with_gains[measure, default])].means() for measure in measures}
    kept, fewer = select_systems(study, panel.systems, means)
    check_size(kept, panel.topics)
    emit(fewer)
    counts = TopicPlan(study.seed, len(panel.topics), study.resamples).counts()
    rows = []
    for measure, text in track("gains", [(measure, text) for measure in measures for text in schemes]):
        values = scores[str(with_gains[measure, text])].values[kept]
        tests = paired(values, counts, (study.alpha,), jobs=data.jobs)
        significant = int((tests.asl < study.alpha).sum())
        rows.append(
            {
                "measure": str(measure),
                "scheme": text,
                "tau_with_default": tau(means[str(measure)][kept], values.mean(axis=1)),
                "significant": significant,
                "pairs": len(tests.asl),
                "discriminative_power": significant / len(tests.asl),
                "estimated_difference": float(tests.required[:, 0].max()),
            }
        )
    return rows, [panel.systems[place] for place in kept], fewer


def parse_schemes(text: str) -> dict[str, dict[int, float]]:
    """Schemes by their text without spaces: `{1:1,2:3} {1:1,2:1}`."""
    hint = "write {1:1,2:3} {1:1,2:1}: a gain for each grade, one {…} a scheme"
    schemes: dict[str, dict[int, float]] = {}
    if not re.fullmatch(r"\s*(\{[^{}]*\}[\s,;]*)+", text):
        raise InputError(f"schemes are {text!r}", hint=hint)
    for inside in re.findall(r"\{([^{}]*)\}", text):
        scheme = "{" + "".join(inside.split()) + "}"
        try:
            pairs = [item.split(":") for item in scheme[1:-1].split(",")]
            table = {int(grade): float(gain) for grade, gain in pairs}
        except ValueError:
            raise InputError(f"{scheme} is no gain scheme", hint=hint) from None
        if len(table) < len(pairs) or not all(g >= 1 and 0 <= v < float("inf") for g, v in table.items()):
            raise InputError(f"{scheme} is no gain scheme", hint="grades are 1 or more, each once; gains are 0 or more")
        schemes[scheme] = table
    return schemes


def _gain_table(text: str, scheme: Mapping[int, float], grades: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """A scheme as a measure's table; grades that do not occur are left out."""
    missing = [grade for grade in grades if grade not in scheme]
    if missing:
        hint = f"the judgments have the grades {', '.join(map(str, grades))}: give each a gain with --schemes"
        raise InputError(f"{text} has no gain for grade {missing[0]}", hint=hint)
    return tuple(sorted((grade, gain) for grade, gain in scheme.items() if grade in grades))
