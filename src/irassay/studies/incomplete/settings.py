"""`irassay incomplete`: what fewer judgments do to measures (sakai2008incomplete)."""

from dataclasses import dataclass

from irassay.errors import InputError
from irassay.settings import ROWS, SAMPLES, Inputs, option

PRESET = "AP Q nDCG(dcg='jk')@1000 RBP(p=0.5) RBP(p=0.8) RBP(p=0.95) BprefR AP' Q' nDCG'(dcg='jk')@1000"  # of the paper


@dataclass(frozen=True, kw_only=True)
class Incomplete(Inputs):
    """Fewer judgments: scores, discriminative power and the order of systems as judgments are taken away at random.

    At each rate a random part of each topic's relevant and nonrelevant documents stays judged (at least 1 and 10), the
    smaller sets inside the larger ones. Power can be measured on one system per group, and tau with the full ranking on
    a sample of systems; the two are drawn independently.

    \b
    irassay incomplete qrels.txt runs/ --rates 90,70,50,30,10 --trials 5
    """

    measures: tuple[str, ...] = option((PRESET,), "measures", flag="-m", many=True, metavar="LIST")
    rates: str = option("90,70,50,30,10", "per cent of the judgments that remain", metavar="LIST")
    trials: int = option(1, "independent reductions", low=1, metavar="N", **ROWS)
    resamples: int = option(1000, "samples of topics for the tests", low=1, metavar="B", **SAMPLES)
    alpha: float = option(0.05, "significance level", low=0, metavar="A")
    seed: int = option(0, "seed of all random numbers", low=0, metavar="N")
    groups: str | None = option(
        None, "groups of the systems: a file with 'system group' lines", metavar="FILE", path=True
    )
    one_per_group: bool = option(False, "measure power on one random system of each group")
    sample_systems: int | None = option(None, "measure tau on so many random systems", low=2, metavar="N")
    write_qrels: str | None = option(
        None, "write the reduced judgments into this new folder", metavar="DIR", path=True, output=True
    )
    unanswerable: str = option(
        "drop", "topics without a relevant document: score 0, or drop them", choices=("zero", "drop")
    )

    @property
    def percents(self) -> tuple[int, ...]:
        try:
            percents = tuple(int(text) for text in self.rates.split(","))
        except ValueError:
            percents = ()
        if not percents or min(percents) < 1 or max(percents) > 99 or len(set(percents)) < len(percents):
            raise InputError(f"rates is {self.rates!r}", hint="write 90,70,50: different whole per cents from 1 to 99")
        return percents
