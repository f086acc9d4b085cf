"""`irassay gains`: does the choice of gains matter (sakai2007one, Tables 5 and 6)?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from irassay.errors import InputError
from irassay.settings import Execution, Resampling, option

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

    def run(self, qrels: Any = None, runs: Any = None, *, execution: Execution | None = None) -> Result:
        """Table: `gains`."""
        from irassay.alignment import align
        from irassay.ask.agreement import tau
        from irassay.ask.significance import paired, rank_of
        from irassay.measures import parse
        from irassay.progress import following
        from irassay.read import Qrels, Runs, read_qrels, read_runs
        from irassay.read.runs import cores
        from irassay.result import Result, Table
        from irassay.studies.powering import columns
        from irassay.studies.provenance import provenance
        from irassay.vary.topics import TopicPlan

        rank_of(self.alpha, self.resamples)
        if self.scores or qrels is None or not runs:
            raise InputError("gains need judgments and runs", hint="give QRELS and runs")
        asked = parse(self.measures)
        for measure in asked:
            if not measure.record.graded or measure.gains is not None or measure.binary:
                raise InputError(f"{measure} does not go by gains", hint="name graded measures without gains= and rel=")
        jobs = (execution.jobs if execution else None) or cores()
        qrels = qrels if isinstance(qrels, Qrels) else read_qrels(qrels, duplicates=self.duplicates)
        runs = runs if isinstance(runs, Runs) else read_runs(runs, names=self.names, jobs=jobs)
        panel = align(qrels, runs, jobs=jobs, **self.alignment())
        counts = TopicPlan(self.seed, len(panel.topics), self.resamples).counts()
        if len(panel.systems) < 2 or len(panel.topics) < 2:
            raise InputError("a comparison needs at least two systems and two topics")
        rows = []
        schemes = self.schemes.split()
        for measure in following("gains", asked):
            first = None
            for scheme in schemes:
                (valued,) = parse(
                    str(replace(measure, params=(*measure.params, ("gains", _table(scheme, panel.grades)))))
                )
                matrix = panel.score([valued], jobs=jobs).matrices[0]
                first = matrix.means() if first is None else first
                tests = paired(matrix.values, counts, (self.alpha,), jobs=jobs)
                significant = int((tests.asl < self.alpha).sum())
                rows.append(
                    {
                        "measure": str(measure), "scheme": scheme, "tau_with_default": tau(first, matrix.means()),
                        "significant": significant, "pairs": len(tests.asl),
                        "discriminative_power": significant / len(tests.asl),
                        "estimated_difference": float(tests.required[:, 0].max()),
                    }
                )  # fmt: skip
        caption = f"Gain schemes: agreement with {schemes[0]}, and power at alpha {self.alpha:g}, per comparison"
        digits = {"tau_with_default": 3, "discriminative_power": 3, "estimated_difference": 2}
        made = {**provenance(qrels, runs, panel), "resamples": self.resamples, "seed": self.seed}
        return Result("gains", (Table("gains", columns(rows), caption, digits),), panel.warnings, made)


def _table(scheme: str, grades: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """A scheme as a measure's table; grades that do not occur are left out."""
    try:
        if scheme[0] + scheme[-1] != "{}":
            raise ValueError
        pairs = [item.split(":") for item in scheme[1:-1].split(",")]
        found = {int(grade): float(gain) for grade, gain in pairs}
    except (ValueError, IndexError):
        raise InputError(f"{scheme!r} is no gain scheme", hint="write {1:1,2:3}, without spaces inside") from None
    return tuple(sorted((g, v) for g, v in found.items() if g in grades))
