"""`irassay stability`: how often other topics put two systems in the other order (sakai2007bootstrap)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irassay.errors import InputError
from irassay.settings import Execution, Resampling, option

if TYPE_CHECKING:
    from irassay.result import Result


@dataclass(frozen=True, kw_only=True)
class Stability(Resampling):
    """Stability method: minority rate and proportion of ties, for differences within a margin called ties.

    For every fuzziness f a difference below f times the better score is a tie. A measure is the better the lower both
    the minority rate (samples that contradict the majority) and the proportion of ties are.

    \b
    irassay stability qrels.txt runs/ -m "AP nDCG@10 RR"
    """

    fuzziness: str = option("0.01-0.20", "margins: 0.01,0.05,0.1 or a range in steps of .01", metavar="LIST")

    @property
    def margins(self) -> tuple[float, ...]:
        try:
            low, dash, high = self.fuzziness.partition("-")
            if dash:
                first, last = round(float(low) * 100), round(float(high) * 100)
                return tuple(k / 100 for k in range(first, last + 1))
            return tuple(float(text) for text in self.fuzziness.split(","))
        except ValueError:
            raise InputError(f"fuzziness is {self.fuzziness!r}", hint="write 0.01,0.05 or 0.01-0.20") from None

    def run(self, qrels: Any = None, runs: Any = None, *, execution: Execution | None = None) -> Result:
        """Table: `stability`."""
        from irassay.ask.stability import stability
        from irassay.progress import following
        from irassay.read.runs import cores
        from irassay.result import Figure, Result, Table
        from irassay.studies.powering import columns
        from irassay.studies.subjects import refuse_unbounded, subjects
        from irassay.vary.topics import TopicPlan

        margins = self.margins
        data = subjects(self, qrels, runs, execution)
        refuse_unbounded(data, "margins")
        counts = TopicPlan(self.seed, len(data.topics), self.resamples).counts()
        rows = []
        for subject in following("stability", data.subjects):
            jobs = (execution.jobs if execution else None) or cores()
            found = stability(subject.sampled(counts), margins, jobs=jobs)
            for f, rate, ties in zip(
                margins, found.minority_rate.tolist(), found.proportion_of_ties.tolist(), strict=True
            ):
                rows.append(
                    {"measure": subject.name, "fuzziness": f, "minority_rate": rate, "proportion_of_ties": ties}
                )
        table = Table(
            "stability", columns(rows), "Minority rate and proportion of ties",
            {"fuzziness": 2, "minority_rate": 4, "proportion_of_ties": 4},
        )  # fmt: skip
        figure = Figure(
            name="stability", kind="curve", table="stability", x="minority_rate", y="proportion_of_ties",
            series="measure", labels={"x": "minority rate", "y": "proportion of ties"},
            caption="MR-PT curves: the nearer to 0 the better",
            alt="Curves of proportion of ties against minority rate, one per measure",
        )  # fmt: skip
        return Result("stability", (table,), data.warnings, data.provenance, (figure,))
