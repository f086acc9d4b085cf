"""`irassay gains`: does the choice of gains matter (sakai2007one, Tables 5 and 6)?"""

from dataclasses import dataclass

from irassay.settings import Resampling, option


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
