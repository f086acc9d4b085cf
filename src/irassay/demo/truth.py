"""What a system truly scores: its mean over the population of topics, with complete judgments.

For one system alone the nonrelevant scores of a topic are independent standard normals, so the ranks of the relevant
documents can be drawn without making the others (`one_list`): the same distribution as the lists of
`answer`, at a hundredth of the cost.
"""

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.compute.threads import cores
from irassay.demo._kernels import one_list
from irassay.demo.model import Model, System
from irassay.errors import InputError
from irassay.measures import Measure, parse
from irassay.panel.grades import from_grade
from irassay.scoring import fold
from irassay.scoring.hits import Hits, narrowed
from irassay.scoring.score_panel import prepare
from irassay.streams import DEMO_TRUTH

BLOCK = 1000
GRADES = (1, 2)
FIRST = 1 << 40  # the truth's topics are far from those that anybody asks for


class Truth(NamedTuple):
    """A mean over the population and its Monte-Carlo error (one standard deviation)."""

    mean: float
    error: float
    topics: int


def true_mean(
    model: Model, measure: str | Measure, system: str, *, topics: int = 100_000, jobs: int | None = None
) -> Truth:
    """The mean of a measure over the topics of the population, for complete judgments."""
    (measure,) = parse(measure)
    if measure.record.hits != "relevant" or measure.record.summary != "mean" or measure.summary is not None:
        raise InputError(
            f"{measure} has no true mean here", hint="it is known for means of measures of relevant documents"
        )
    if topics < 2:
        raise InputError("a mean and its error need two topics")
    chosen = model.system(system)
    bounds = [(a, min(a + BLOCK, topics)) for a in range(0, topics, BLOCK)]
    with ThreadPoolExecutor(max_workers=jobs or cores()) as pool:
        values = np.concatenate(list(pool.map(lambda b: _block(model, measure, chosen, *b), bounds)))
    return Truth(float(values.mean()), float(values.std(ddof=1) / math.sqrt(topics)), topics)


def _block(model: Model, measure: Measure, system: System, first: int, last: int) -> NDArray[np.float64]:
    hits, judged_counts = sampled(model, system, range(FIRST + first, FIRST + last))
    most = int(judged_counts[:, 1:].sum(axis=1).max())
    (low, _), rel, recipe = prepare(measure, grades=GRADES, longest=model.depth, most=most)
    return fold.value(hits if low <= min(GRADES) else narrowed(hits, low), from_grade(judged_counts, rel), recipe)


def sampled(model: Model, system: System, topics: Sequence[int]) -> tuple[Hits, NDArray[np.int64]]:
    """Hits of one system's lists for some topics, and the judged documents by grade."""
    ranks: list[NDArray[np.int32]] = []
    grades: list[NDArray[np.int8]] = []
    counts = np.zeros(len(topics) + 1, dtype=np.int64)
    judged_counts = np.zeros((len(topics), max(GRADES) + 1), dtype=np.int64)
    for place, number in enumerate(topics):
        topic = model.topic(number)
        score = model.edge(system, topic) + model.noise(system, topic)
        order = np.argsort(-score, kind="stable")
        rank, grade = np.empty(len(score), dtype=np.int32), np.empty(len(score), dtype=np.int8)
        draws = (np.uint64(model.seed), np.uint64(number), np.uint32(DEMO_TRUTH + system.number))
        others = model.size - len(score)
        hits = one_list(score[order], topic.grades[order], others, model.depth, system.step, *draws, rank, grade)
        ranks.append(rank[:hits])
        grades.append(grade[:hits])
        counts[place + 1] = hits
        judged_counts[place] = others, *np.bincount(topic.grades, minlength=3)[1:]
    size = np.full(len(topics), model.depth, dtype=np.int64)
    return Hits(np.concatenate(ranks), np.concatenate(grades), np.cumsum(counts), size), judged_counts
