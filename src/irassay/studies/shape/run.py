"""The work of `irassay shape`."""

from itertools import product

import numpy as np

from irassay.errors import InputError
from irassay.measures import Measure, parse
from irassay.result import Figure, Result, Table
from irassay.scoring import fold
from irassay.scoring.hits import Hits
from irassay.scoring.score_panel import prepare
from irassay.settings import Execution
from irassay.studies.phrases import few, percent, rows_of, safe
from irassay.studies.shape.settings import Shape
from irassay.studies.tables import columns


def run(study: Shape, execution: Execution | None) -> Result:
    """Tables: `shape`, a relevant document at each rank, and `ideal`, lists that begin with all relevant ones."""
    sizes = study.sizes
    measures = parse(study.measures)
    for measure in measures:
        if measure.record.hits != "relevant":
            raise InputError(f"{measure} is not about relevant documents alone", hint="name another measure")
    rows, ideal = [], []
    for measure, relevant in product(measures, sizes):
        *by_rank, whole = _scores(measure, relevant, study.ranks)
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


def findings(result: Result) -> list[str]:
    rows = rows_of(result["shape"])
    sizes = {row["R"] for row in rows}
    relevant = 10 if 10 in sizes else min(sizes)
    last = min(10, max(row["rank"] for row in rows))
    scores = {(row["measure"], row["rank"]): row["score"] for row in rows if row["R"] == relevant}
    worth = {
        measure: scores[measure, last] / scores[measure, 1]
        for measure in dict.fromkeys(row["measure"] for row in rows)
        if scores[measure, 1] > 0
    }
    if last == 1 or not worth:
        return ["There are no two ranks at which a relevant document could be compared."]
    parts = [f"{safe(measure)} {percent(worth[measure])}" for measure in sorted(worth, key=lambda one: worth[one])]
    return [
        f"A relevant document at rank {last} is worth this share of one at rank 1 (R = {relevant}): {few(parts)}. "
        "The less, the more top-heavy."
    ]
