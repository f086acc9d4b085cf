"""Patterns of signs and permuted labels, written out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irassay.ask import _permutations as kernels
from irassay.compute.philox import words
from irassay.streams import SIGNS


@pytest.mark.parametrize("topics", [1, 2, 3, 6])
@pytest.mark.parametrize("chunk", [1, 3, 4, 100])
def test_patterns_are_all_signs_with_a_plus_at_the_end_in_chunks(topics: int, chunk: int) -> None:
    chunks = list(kernels.patterns(topics, chunk))
    every = [tuple(row) for rows in chunks for row in rows.tolist()]
    assert len(every) == len(set(every))
    assert set(every) == {(*signs, 1) for signs in itertools.product((1, -1), repeat=topics - 1)}
    assert [len(rows) for rows in chunks[:-1]] == [chunk] * (len(chunks) - 1)
    assert 0 < len(chunks[-1]) <= chunk


@pytest.mark.parametrize("topics", [1, 31, 32, 33, 64, 97, 128, 129, 300])
def test_signs_are_bits_of_random_words_one_topic_each(topics: int) -> None:
    out = np.zeros((3, topics), dtype=np.int16)
    kernels.draw_signs(out, np.uint64(5), np.uint32(SIGNS), np.int64(7))
    for b, signs in enumerate(out.tolist()):
        row = words(4 * ((topics + 127) // 128), seed=5, stream=SIGNS, replicate=7 + b)
        assert signs == [1 - 2 * (int(row[t // 32]) >> (t % 32) & 1) for t in range(topics)]


@pytest.mark.parametrize("columns", [1, 3, 8])
def test_flips_are_counted_where_the_signed_sum_reaches_the_bound(columns: int) -> None:
    z = np.array([[1.0, 2.0, 3.0], [0.0, 0.5, 0.5], [0.0, 0.0, 0.5]])
    signs = np.array([[1, 1, 1], [-1, 1, 1], [1, -1, 1], [-1, -1, 1]], dtype=np.int16)  # 6, 4, 2, 0 and 1, 1, 0, 0
    bound, hits = np.array([16.0, 1.0, 1.0]), np.full(3, 100)
    kernels.count_flips(z, bound, signs, np.zeros((4, columns)), np.empty((3, columns)), hits)
    assert hits.tolist() == [102, 102, 100]
