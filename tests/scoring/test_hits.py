"""A document may stand in a list several times, as in an image of the corpus: measures must not care.

Lists with copies go through the engine's own maker of hits and its folds, with the judged_counts of judged documents
counted in copies, and are compared with the plain definition on the list written out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irassay.panel.grades import UNPOOLED
from irassay.scoring import fold
from irassay.scoring.hits import narrowed
from irassay.scoring.hits import plain as hits_of
from irassay.scoring.score_panel import prepare
from tests.helpers import plain
from tests.helpers.measures import ALL

GRADES = (1, 2, 3)  # those of the whole judgments, whatever an image keeps of them


@dataclass(frozen=True)
class Image:
    """A topic: the grade of each document of its pool, how often it occurs, and two lists of documents."""

    grades: list[int]
    copies: list[int]
    lists: list[list[int]]

    def written_out(self, ranking: list[int]) -> list[int | None]:
        return [None if (g := self.grades[d]) == UNPOOLED else g for d in self.expanded(ranking)]

    def expanded(self, ranking: list[int]) -> list[int]:
        return [document for document in ranking for _ in range(self.copies[document])]

    @property
    def judged(self) -> list[int]:
        return [g for g, times in zip(self.grades, self.copies, strict=True) for _ in range(times) if g >= 0]


@st.composite
def images(draw: st.DrawFn) -> Image:
    grades = draw(st.lists(st.integers(UNPOOLED, 3), min_size=1, max_size=12))
    copies = draw(st.lists(st.integers(0, 4), min_size=len(grades), max_size=len(grades)))
    orders = [draw(st.permutations(range(len(grades)))) for _ in range(2)]
    return Image(grades, copies, [order[: draw(st.integers(0, len(grades)))] for order in orders])


@settings(max_examples=60, deadline=None)
@given(st.lists(images(), min_size=1, max_size=3))
def test_every_measure_scores_lists_with_copies_as_the_lists_written_out(topics: list[Image]) -> None:
    expanded = [[topic.expanded(ranking) for ranking in topic.lists] for topic in topics]
    lengths = [[0, *(len(ranking) for ranking in lists)] for lists in expanded]
    offsets = np.cumsum(np.array(lengths, dtype=np.int64).ravel()).reshape(len(topics), 3)
    codes = np.array([code for lists in expanded for ranking in lists for code in ranking], dtype=np.uint16)
    pool = np.cumsum([0, *(len(topic.grades) for topic in topics)])
    grade = np.array([g for topic in topics for g in topic.grades], dtype=np.int8)
    counts = np.array([np.bincount(topic.judged, minlength=4) for topic in topics], dtype=np.int64)
    for measure in ALL:
        (low, condensed), rel, recipe = prepare(
            measure,
            grades=GRADES,
            longest=max(len(ranking) for lists in expanded for ranking in lists),
            most=max(len(topic.judged) for topic in topics),
        )
        judged_counts = counts.copy()
        judged_counts[:, 0] = counts[:, :rel].sum(axis=1)
        judged_counts[:, 1:rel] = 0
        both = [hits_of(codes, offsets, pool, grade, 0, len(topics), low=lowest)[condensed] for lowest in (low, -2)]
        for hits in both:  # made for this grade, and narrowed from those of all entries
            assert hits is not None
            again = fold.value(narrowed(hits, low), judged_counts, recipe)
        assert both[0] is not None
        result = fold.value(both[0], judged_counts, recipe)
        assert result.tolist() == again.tolist()
        expected = [
            plain.score(measure, topic.written_out(ranking), topic.judged, collection=GRADES)
            for topic in topics
            for ranking in topic.lists
        ]
        assert result.tolist() == pytest.approx(expected, abs=1e-12, rel=1e-12), measure
