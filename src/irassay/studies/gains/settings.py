"""`irassay gains`: does the choice of gains matter (sakai2007one, Tables 5 and 6)?"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from irassay.errors import InputError
from irassay.settings import Execution, Resampling, option
from irassay.studies.execution import managed_run

if TYPE_CHECKING:
    from irassay.result import Result


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
        "gains of each grade, one {…} a scheme; the first is the one compared with", metavar="LIST",
    )  # fmt: skip
    alpha: float = option(0.05, "significance level", low=0, metavar="A")

    @managed_run
    def run(self, qrels: Any = None, runs: Any = None, *, execution: Execution | None = None) -> Result:
        """Table: `gains`."""
        from irassay.ask.agreement import tau
        from irassay.ask.significance import paired, rank_of
        from irassay.compute.progress import track
        from irassay.compute.threads import cores
        from irassay.errors import emit
        from irassay.measures import parse
        from irassay.result import Result, Table
        from irassay.studies.loading import aligned
        from irassay.studies.provenance import provenance
        from irassay.studies.selection import check_selection, selected
        from irassay.studies.subjects import enough
        from irassay.studies.tables import columns
        from irassay.vary.topics import TopicPlan

        rank_of(self.alpha, self.resamples)
        check_selection(self)
        if self.scores or qrels is None or not runs:
            raise InputError("other gains need judgments and runs", hint="give QRELS and runs, not --scores")
        asked = parse(self.measures)
        for measure in asked:
            if measure.binary or measure.gains is not None or measure.summary is not None:
                hint = "name graded measures without gains=, rel= and summaries, such as Q or nDCG@10"
                raise InputError(f"{measure} does not take other gains", hint=hint)
        schemes = parsed_schemes(self.schemes)
        if self.gains is not None:
            raise InputError("--gains and --schemes say different things", hint="give all gains with --schemes")
        jobs = (execution.jobs if execution else None) or cores()
        qrels, runs, panel = aligned(self, qrels, runs, jobs)
        enough(len(panel.systems), len(panel.topics))
        counts = TopicPlan(self.seed, len(panel.topics), self.resamples).counts()
        tables = {text: _table(text, scheme, panel.grades) for text, scheme in schemes.items()}
        valued = {
            (measure, text): parse(str(replace(measure, params=(*measure.params, ("gains", table)))))[0]
            for measure in asked
            for text, table in tables.items()
        }
        default = next(iter(tables))
        scores = panel.score(list(dict.fromkeys(valued.values())), jobs=jobs)
        means = {str(measure): scores[str(valued[measure, default])].means for measure in asked}
        kept, said = selected(self, panel.systems, means)
        enough(len(kept), len(panel.topics))
        emit(said)
        rows = []
        for (measure, text), other in track("gains", list(valued.items())):
            values = scores[str(other)].values[kept]
            first = scores[str(valued[measure, default])].means()[kept]
            tests = paired(values, counts, (self.alpha,), jobs=jobs)
            significant = int((tests.asl < self.alpha).sum())
            rows.append(
                {
                    "measure": str(measure), "scheme": text, "tau_with_default": tau(first, values.mean(axis=1)),
                    "significant": significant, "pairs": len(tests.asl),
                    "discriminative_power": significant / len(tests.asl),
                    "estimated_difference": float(tests.required[:, 0].max()),
                }
            )  # fmt: skip
        caption = (
            f"Other gains: tau with the ranking by {default}; power at alpha {self.alpha:g}, per comparison, not "
            "corrected. estimated_difference is the largest over pairs: enough for every pair."
        )
        digits = {"tau_with_default": 3, "discriminative_power": 3, "estimated_difference": 2}
        names = [panel.systems[i] for i in kept]
        made = {**provenance(qrels, runs, panel), "measures": [str(m) for m in asked], "systems": names}
        made |= {"schemes": list(schemes), "alpha": self.alpha, "resamples": self.resamples, "seed": self.seed}
        warnings = (*panel.warnings, *said)
        return Result("gains", (Table("gains", columns(rows), caption, digits),), warnings, made)


def parsed_schemes(text: str) -> dict[str, dict[int, float]]:
    """Schemes by their text without spaces: `{1:1,2:3} {1:1,2:1}`."""
    hint = "write {1:1,2:3} {1:1,2:1}: a gain for each grade, one {…} a scheme"
    found: dict[str, dict[int, float]] = {}
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
        found[scheme] = table
    return found


def _table(text: str, scheme: dict[int, float], grades: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """A scheme as a measure's table; grades that do not occur are left out."""
    missing = [grade for grade in grades if grade not in scheme]
    if missing:
        hint = f"the judgments have the grades {', '.join(map(str, grades))}: give each a gain with --schemes"
        raise InputError(f"{text} has no gain for grade {missing[0]}", hint=hint)
    return tuple(sorted((grade, gain) for grade, gain in scheme.items() if grade in grades))
