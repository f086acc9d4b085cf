"""`irassay stability`: how often other topics put two systems in the other order (sakai2007bootstrap)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irassay.errors import InputError
from irassay.settings import Execution, Resampling, numbers, option
from irassay.studies.execution import managed_run
from irassay.tolerance import WHOLE

if TYPE_CHECKING:
    from irassay.result import Result

_RANGE = re.compile(r"\s*[0-9.]+\s*-\s*[0-9.]+\s*")


@dataclass(frozen=True, kw_only=True)
class Stability(Resampling):
    """Stability method: minority rate and proportion of ties, for differences within a margin called ties.

    For every fuzziness f a difference below f times the better score is a tie. A measure is the better the lower both
    the minority rate (samples that contradict the majority) and the proportion of ties are.

    \b
    irassay stability qrels.txt runs/ -m "AP nDCG@10 RR"
    """

    fuzziness: str | float | Sequence[float] = option(
        "0.01-0.20", "margins: 0.01,0.05,0.1 or a range in steps of 0.01", metavar="LIST"
    )

    @property
    def margins(self) -> tuple[float, ...]:
        hint = "margins lie from 0 to 1: write 0.01,0.05 or 0.01-0.20"
        if isinstance(self.fuzziness, str) and _RANGE.fullmatch(self.fuzziness):
            low, high = (numbers(text, "fuzziness", hint)[0] for text in self.fuzziness.split("-"))
            margins = tuple(k / 100 for k in range(round(low * 100), round(min(high, 2.0) * 100) + 1))
            if any(abs(end * 100 - round(end * 100)) > WHOLE for end in (low, high)):
                raise InputError(f"fuzziness is {self.fuzziness}: a range has steps of 0.01", hint=hint)
        else:
            margins = numbers(self.fuzziness, "fuzziness", hint)
        if not margins or not all(0 <= f <= 1 for f in margins):
            raise InputError(f"fuzziness is {self.fuzziness}", hint=hint)
        return margins

    @managed_run
    def run(self, qrels: Any = None, runs: Any = None, *, execution: Execution | None = None) -> Result:
        """Table: `stability`."""
        from irassay.ask.stability import stability
        from irassay.compute.progress import track
        from irassay.result import Figure, Result, Table
        from irassay.studies.inputs import load_scores, refuse_unbounded
        from irassay.studies.tables import columns, records
        from irassay.vary.topics import TopicPlan

        margins = self.margins
        data = load_scores(self, qrels, runs, execution)
        refuse_unbounded(data.scores, "margins")
        counts = TopicPlan(self.seed, len(data.topics), self.resamples).counts()
        rows = []
        for scores in track("stability", data.scores.by_measure()):
            rates = stability(scores.resampled(counts), margins, jobs=data.jobs)
            rows += records(
                measure=[scores.name] * len(margins),
                fuzziness=margins,
                minority_rate=rates.minority_rate,
                proportion_of_ties=rates.proportion_of_ties,
            )
        caption = "Minority rate and proportion of ties: the lower both the better"
        digits = {"fuzziness": 2, "minority_rate": 4, "proportion_of_ties": 4}
        figure = Figure(
            name="stability",
            kind="curve",
            table="stability",
            x="minority_rate",
            y="proportion_of_ties",
            series="measure",
            labels={"x": "minority rate", "y": "proportion of ties"},
            caption="MR-PT curves: the nearer to 0 the better",
            alt="Curves of proportion of ties against minority rate, one per measure",
        )
        table = Table("stability", columns(rows), caption, digits)
        return Result("stability", (table,), data.warnings, data.provenance, (figure,))
