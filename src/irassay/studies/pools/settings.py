"""`irassay pools`: what shallower pools, and pools that a system never contributed to, do to its scores."""

from dataclasses import dataclass

from irassay.settings import ROWS, SAMPLES, Inputs, depths, option


@dataclass(frozen=True, kw_only=True)
class Pools(Inputs):
    """Other pools: judgments restricted to shallow pools, and each system or group left out of the pool.

    What only the one left out contributed becomes unjudged: its score, rank and verdicts before and after show how fair
    the collection would be to a system that comes later. Without --pooled all runs contributed. With --teams also what
    fewer teams' pools would have left, the smaller sets of teams inside the larger ones.

    \b
    irassay pools qrels.txt runs/ --depths 5,10,20 --pool-depth 100 --groups groups.txt
    """

    measures: tuple[str, ...] = option(("AP P@10 RBP(p=0.95) AP'",), "measures", flag="-m", many=True, metavar="LIST")
    depths: str = option("5,10,20,50,100", "depths of shallower pools", metavar="LIST")
    pool_depth: int | None = option(
        None, "depth to which runs were pooled [default: as the judgments show it, else 100]", low=1, metavar="K"
    )
    pooled: str | None = option(
        None, "which runs contributed: a file with lines 'system' or 'system depth'", metavar="FILE", path=True
    )
    groups: str | None = option(
        None, "leave out whole groups: a file with 'system group' lines", metavar="FILE", path=True
    )
    teams: str = option(
        "", "also pools of so many groups (systems, without --groups), drawn at random: 1,2,4", metavar="LIST"
    )
    trials: int = option(1, "independent draws of the groups for --teams", low=1, metavar="N", **ROWS)
    resamples: int = option(1000, "samples of topics for the tests", low=1, metavar="B", **SAMPLES)
    alpha: float = option(0.05, "significance level", low=0, metavar="A")
    seed: int = option(0, "seed of all random numbers", low=0, metavar="N")
    unanswerable: str = option(
        "drop", "topics without a relevant document: score 0, or drop them", choices=("zero", "drop")
    )

    @property
    def team_counts(self) -> tuple[int, ...]:
        return depths(self.teams, "teams", "write 1,2,4: whole numbers from 1") if self.teams else ()

    @property
    def levels(self) -> tuple[int, ...]:
        return depths(self.depths, "depths", "write 5,10,20: whole numbers from 1")
