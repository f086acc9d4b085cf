"""`irassay shape`: what a measure rewards, with no data (sakai2008incomplete, Fig 1 and Table 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from irassay.errors import InputError
from irassay.settings import Execution, option
from irassay.studies.execution import described_run

if TYPE_CHECKING:
    from irassay.measures import Measure
    from irassay.result import Result


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
    ranks: int = option(20, "ranks to show", low=1, metavar="N")

    @property
    def sizes(self) -> tuple[int, ...]:
        try:
            sizes = tuple(int(text) for text in self.relevant.split(","))
        except ValueError:
            sizes = ()
        if not sizes or min(sizes) < 1:
            raise InputError(f"relevant is {self.relevant!r}", hint="write 10,100: whole numbers from 1")
        return sizes

    @described_run
    def run(self, *, execution: Execution | None = None) -> Result:
        """Tables: `shape`, a relevant document at each rank, and `ideal`, lists that begin with all relevant ones."""
        from irassay.measures import parse
        from irassay.result import Figure, Result, Table
        from irassay.studies.tables import columns

        sizes = self.sizes
        measures = parse(self.measures)
        for measure in measures:
            if measure.record.hits != "relevant":
                raise InputError(f"{measure} is not about relevant documents alone", hint="name another measure")
        rows, ideal = [], []
        for measure in measures:
            for relevant in sizes:
                *by_rank, whole = _scores(measure, relevant, self.ranks)
                start = {"measure": str(measure), "R": relevant}
                rows += [{**start, "rank": rank, "score": score} for rank, score in enumerate(by_rank, start=1)]
                ideal.append({**start, "score": whole})
        figure = Figure(
            name="shape",
            kind="curve",
            table="shape",
            x="rank",
            y="score",
            series="measure",
            facet="R",
            labels={"x": "rank of the one relevant document", "y": "score", "facet": "R"},
            caption="Top-heaviness: the steeper a curve, the more the first ranks count",
            alt="Falling curves of scores over ranks, one per measure, in a small figure for each R",
        )
        tables = (
            Table("shape", columns(rows), "One relevant document at a rank", {"score": 4}),
            Table("ideal", columns(ideal), "Lists that begin with all R relevant documents", {"score": 4}),
        )
        return Result("shape", tables, (), {"measures": list(map(str, measures)), "R": list(sizes)}, (figure,))


def _scores(measure: Measure, relevant: int, ranks: int) -> list[float]:
    """Scores of lists with one relevant document, at the ranks 1, 2, …, and of the ideal list."""
    import numpy as np

    from irassay.scoring import fold
    from irassay.scoring.hits import Hits
    from irassay.scoring.score_panel import prepare

    (low, _), _, recipe = prepare(measure, grades=(1,), longest=max(ranks, relevant), most=relevant)
    if low > 1:
        raise InputError(f"{measure} has no relevant documents here", hint="leave out rel=")
    width = len(recipe.best) + 1 if recipe.flat else len(recipe.gain)
    judged_counts = np.zeros((ranks + 1, max(width, 2)), dtype=np.int64)
    judged_counts[:, 1] = relevant
    rank = np.concatenate([np.arange(1, ranks + 1), np.arange(1, relevant + 1)]).astype(np.int32)
    start = np.concatenate([np.arange(ranks + 1), [ranks + relevant]]).astype(np.int64)
    size = np.concatenate([np.full(ranks, ranks), [relevant]]).astype(np.int64)
    hits = Hits(rank, np.ones(len(rank), dtype=np.int8), start, size)
    scores: list[float] = measure.forward(fold.value(hits, judged_counts, recipe)).tolist()
    return scores
