"""`irassay shape`: what a measure rewards, with no data (sakai2008incomplete, Fig 1 and Table 1)."""

from dataclasses import dataclass

from irassay.errors import InputError
from irassay.settings import ROWS, depths, option

LARGEST = 100_000  # relevant documents: an ideal list has them all
MOST_SIZES = 100  # each is a small figure


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What a measure rewards: the score of one relevant document at each rank, and of an ideal list.

    Binary relevance; R is the number of relevant documents that the judgments have. Needs no data.

    \b
    irassay shape -m "AP Q nDCG(dcg='jk')@1000 RBP(p=0.95)" --relevant 10,100
    """

    measures: tuple[str, ...] = option(
        ("AP Q nDCG(dcg='jk')@1000 RBP(p=0.5) RBP(p=0.8) RBP(p=0.95)",),
        'measures, such as "AP nDCG@10 RBP(p=0.95)"',
        flag="-m",
        many=True,
        metavar="LIST",
    )
    relevant: str = option("1,10,100,1000", "numbers of relevant documents R", metavar="LIST")
    ranks: int = option(20, "ranks to show", low=1, metavar="N", **ROWS)

    @property
    def sizes(self) -> tuple[int, ...]:
        hint = f"write 10,100: up to {MOST_SIZES} whole numbers from 1 to {LARGEST:,}"
        sizes = depths(self.relevant, "--relevant", hint)
        if max(sizes) > LARGEST or len(sizes) > MOST_SIZES:
            raise InputError(f"--relevant is {self.relevant!r}", hint=hint)
        return sizes
