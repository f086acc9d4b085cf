"""`irassay swap`: how large a difference must be so that other topics rarely reverse it (sakai2007bootstrap)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irassay.errors import InputError
from irassay.settings import Execution, Resampling, option
from irassay.studies.execution import managed_run

if TYPE_CHECKING:
    from irassay.result import Figure, Result


@dataclass(frozen=True, kw_only=True)
class Swap(Resampling):
    """Swap method: the difference from which on other topics swap at most 5 of 100 pairs of systems.

    Two independent sets of topic samples; a swap is a pair that changes order between them. With --disjoint the sets
    are halves of the topics without a common one (Voorhees & Buckley): the answer then holds for half as many topics.

    \b
    irassay swap qrels.txt runs/ -m "AP nDCG@10"
    """

    swap_rate: float = option(0.05, "the largest swap rate that is low enough", low=0, metavar="RATE")
    bin_width: float = option(0.01, "width of the bins of differences", low=0, metavar="W")
    bins: int = option(21, "number of bins, the last one open", low=1, metavar="N")
    disjoint: bool = option(False, "disjoint halves of the topics instead of samples with replacement")

    @managed_run
    def run(self, qrels: Any = None, runs: Any = None, *, execution: Execution | None = None) -> Result:
        """Tables: `swap`, one row a measure, and `swap_bins`."""
        from irassay.ask.swap import swap
        from irassay.compute.progress import track
        from irassay.result import Result, Table
        from irassay.studies.inputs import load_scores, refuse_unbounded
        from irassay.studies.tables import columns, records
        from irassay.vary.topics import TopicPlan

        if not 0 <= self.swap_rate <= 1:
            raise InputError(f"the swap rate is {self.swap_rate:g}", hint="it is a share from 0 to 1, such as 0.05")
        if not 1e-9 < self.bin_width <= 1:
            raise InputError(f"the bin width is {self.bin_width:g}", hint="scores lie in [0, 1]: 0.01 is usual")
        if self.bins < 1:
            raise InputError(f"there are {self.bins} bins", hint="21 is usual")
        data = load_scores(self, qrels, runs, execution)
        refuse_unbounded(data.scores, "bins of differences")
        plan = TopicPlan(self.seed, len(data.topics), self.resamples)
        first, second = plan.halves() if self.disjoint else (plan.counts(), plan.counts(second=True))
        options: dict[str, Any] = {"bin_width": self.bin_width, "bins": self.bins, "rate": self.swap_rate}
        rows, bins = [], []
        for scores in track("swap", data.scores.by_measure()):
            swaps = swap(scores.resampled(first), scores.resampled(second), jobs=data.jobs, **options)
            rows.append(
                {
                    "measure": scores.name,
                    "required_difference": swaps.required_difference,
                    "max_score": swaps.max_score,
                    "ratio": swaps.ratio,
                    "share_satisfied": swaps.share_satisfied,
                }
            )
            bins += records(
                measure=[scores.name] * self.bins,
                bin_low=swaps.bin_low,
                comparisons=swaps.comparisons,
                swaps=swaps.swaps,
                swap_rate=swaps.rates,
            )
        held = len(data.topics) // 2 if self.disjoint else len(data.topics)
        caption = f"The difference from which on at most {self.swap_rate:g} of comparisons are swaps. "
        caption += f"Holds for {held} topic{'s' * (held != 1)}"
        caption += ": the halves are disjoint." if self.disjoint else "."
        digits = {"required_difference": 2, "max_score": 4, "ratio": 3, "share_satisfied": 3}
        tables = (
            Table("swap", columns(rows), caption, digits),
            Table("swap_bins", columns(bins), "Swap rates by difference"),
        )
        provenance = {**data.provenance, "disjoint": self.disjoint, "holds_for_topics": held}
        return Result("swap", tables, data.warnings, provenance, _figures())


def _figures() -> tuple[Figure, ...]:
    from irassay.result import Figure

    return (
        Figure(
            name="swap",
            kind="bars",
            table="swap",
            x="measure",
            y="share_satisfied",
            labels={"x": "measure", "y": "share of comparisons that reach the required difference"},
            caption="Swap method: how many comparisons a measure decides",
            alt="Bars, one per measure",
        ),
        Figure(
            name="swap_rates",
            kind="curve",
            table="swap_bins",
            x="bin_low",
            y="swap_rate",
            series="measure",
            labels={"x": "difference", "y": "swap rate"},
            caption="Swap rates by the size of the difference",
            alt="Falling curves of swap rates, one per measure",
        ),
    )
