"""Images are exactly multinomial draws: totals, moments, joint counts, and every word where plain Python puts it."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy import stats

from irassay import InputError
from irassay.compute.philox import words
from irassay.streams import CORPUS_DRAWS, CORPUS_TOTALS
from irassay.vary._image_draws import (
    BUFFER,
    binomial_table,
    count_draws,
    draw_documents,
    redraw_documents,
    totals,
)
from irassay.vary.documents import ImagePlan

SEED = 5


@pytest.mark.parametrize(
    ("draws", "share"), [(1, 0.5), (10, 0.3), (528_155, 0.66), (528_155, 1e-5), (2_000_000, 0.999), (40, 39 / 40)]
)
def test_the_binomial_table_is_scipys_binomial_distribution(draws: int, share: float) -> None:
    low, cdf = binomial_table(draws, share)
    hits = np.arange(low, low + len(cdf))
    assert hits[0] >= 0
    assert hits[-1] <= draws
    np.testing.assert_allclose(cdf, stats.binom.cdf(hits, draws, share), rtol=0, atol=1e-10)
    assert stats.binom.cdf(low - 1, draws, share) + stats.binom.sf(hits[-1], draws, share) < 1e-18
    assert cdf[-1] == 1.0


@pytest.mark.parametrize(("corpus", "active"), [(50, 12), (4000, 1500), (528_155, 3)])
def test_an_image_holds_exactly_as_many_active_documents_as_its_binomial_total(corpus: int, active: int) -> None:
    plan = ImagePlan(SEED, corpus, active, 40)
    result = plan.multiplicities(3, 37).sum(axis=1, dtype=np.int64)
    low, cdf = binomial_table(corpus, active / corpus)
    assert result.tolist() == totals(3, 37, low, cdf, seed=SEED, stream=CORPUS_TOTALS).tolist()
    for image, total in enumerate(result.tolist(), 3):
        high, rest = words(2, seed=SEED, stream=CORPUS_TOTALS, replicate=image).tolist()
        u = (high * 2**32 + rest) / 2**64  # the table takes the first 53 bits
        assert stats.binom.cdf(total - 1, corpus, active / corpus) <= u + 1e-9
        assert u <= stats.binom.cdf(total, corpus, active / corpus) + 1e-9


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_corpus_whose_documents_are_all_active_gives_images_of_exactly_its_size(size: int) -> None:
    result = ImagePlan(SEED, size, size, 33).multiplicities(0, 33)
    assert (result.sum(axis=1, dtype=np.int64) == size).all()


def test_totals_are_binomially_distributed() -> None:
    corpus, active, images = 30, 10, 4000
    result = ImagePlan(SEED, corpus, active, images).multiplicities(0, images).sum(axis=1)
    expected = stats.binom.pmf(np.arange(31), corpus, active / corpus) * images
    observed = np.bincount(result.astype(np.int64), minlength=31)
    common = expected >= 5
    rest = [observed[~common].sum()], [expected[~common].sum()]
    assert stats.chisquare([*observed[common], *rest[0]], [*expected[common], *rest[1]]).pvalue > 0.001


def test_multiplicities_have_the_moments_of_the_multinomial() -> None:
    corpus, active, images = 200, 80, 6000
    result = ImagePlan(SEED, corpus, active, images).multiplicities(0, images).astype(float)
    error = 1 / math.sqrt(images * active)
    assert result.mean() == pytest.approx(1, abs=5 * error)
    assert result.var() == pytest.approx(1 - 1 / corpus, abs=5 * math.sqrt(2.5) * error)
    covariance = np.cov(result.T)
    apart = covariance[~np.eye(active, dtype=bool)]
    # each is -1/D, and their mean is known far better than any of them
    assert apart.mean() == pytest.approx(-1 / corpus, abs=5 / math.sqrt(images) / active)
    assert np.abs(apart + 1 / corpus).max() < 6 / math.sqrt(images)


def test_joint_counts_of_a_small_corpus_are_those_of_the_exact_multinomial() -> None:
    corpus, active, images = 4, 2, 20_000
    result = Counter(map(tuple, ImagePlan(SEED, corpus, active, images).multiplicities(0, images).tolist()))
    exact = {
        (a, b): math.factorial(4)
        / math.prod(map(math.factorial, (a, b, 4 - a - b)))
        * 0.25 ** (a + b)
        * 0.5 ** (4 - a - b)
        for a, b in product(range(5), repeat=2)
        if a + b <= 4
    }
    assert math.fsum(exact.values()) == pytest.approx(1)
    assert set(result) <= set(exact)
    cells = sorted(exact)
    assert stats.chisquare([result[c] for c in cells], [images * exact[c] for c in cells]).pvalue > 0.001


def test_images_and_documents_are_independent_of_their_neighbours() -> None:
    result = ImagePlan(SEED, 1000, 1000, 600).multiplicities(0, 600).astype(float) - 1
    for a, b in ((result[:-1], result[1:]), (result[:, :-1], result[:, 1:])):
        assert abs((a * b).mean()) < 5 / math.sqrt(a.size)


def plain_image(size: int, total: int, image: int) -> tuple[list[int], int]:
    """Multiplicities by Lemire's method, word by word, and how many words were rejected."""
    counts, rejected = [0] * size, 0
    first = words(total, seed=SEED, stream=CORPUS_DRAWS, replicate=image).tolist()
    for position, word in enumerate(first):
        stream = CORPUS_DRAWS
        while word * size % 2**32 < 2**32 % size:
            rejected += 1
            stream += 1
            (word,) = words(1, seed=SEED, stream=stream, replicate=image, position=position).tolist()
        counts[word * size >> 32] += 1
    return counts, rejected


# of 3 million documents every 2,200th word is rejected or so; of a power of two none is
@pytest.mark.parametrize(
    ("size", "total", "rejects"), [(3_000_001, 30_011, True), (2**21, 5_000, False), (7, 1, False), (10, 0, False)]
)
def test_every_word_finds_its_document_as_in_plain_python(size: int, total: int, rejects: bool) -> None:
    counts = np.zeros(size + 1, dtype=np.uint8)
    rejected = np.empty(total, dtype=np.int64)
    key = np.uint64(SEED), np.uint64(11), np.uint32(CORPUS_DRAWS)
    n = draw_documents(counts, total, np.empty((4, BUFFER), dtype=np.uint32), rejected, *key)
    redraw_documents(counts, rejected[:n], *key)
    expected, again = plain_image(size, total, 11)
    assert counts[:-1].tolist() == expected
    assert counts[-1] == n % 256
    assert count_draws(counts) == total
    assert (n > 0) == rejects
    assert n <= again


def test_words_rejected_twice_are_drawn_again_until_one_is_taken() -> None:
    """`redraw` on every position of an image: among so many words some are rejected there too."""
    size, total = 3_000_001, 20_000
    counts = np.zeros(size + 1, dtype=np.uint8)
    redraw_documents(counts, np.arange(total, dtype=np.int64), np.uint64(SEED), np.uint64(2), np.uint32(CORPUS_DRAWS))
    expected = np.zeros(size, dtype=np.int64)
    twice = 0
    later = words(total, seed=SEED, stream=CORPUS_DRAWS + 1, replicate=2).tolist()
    for position, word in enumerate(later):
        stream = CORPUS_DRAWS + 1
        while word * size % 2**32 < 2**32 % size:
            twice += 1
            stream += 1
            (word,) = words(1, seed=SEED, stream=stream, replicate=2, position=position).tolist()
        expected[word * size >> 32] += 1
    assert twice > 0
    assert np.array_equal(counts[:-1], expected)


def test_a_count_past_255_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = ImagePlan(SEED, 2, 2, 10)
    monkeypatch.setattr("irassay.vary.documents.totals", lambda *_, **__: np.array([200]))
    assert plan.multiplicities(3, 1).sum() == 200
    monkeypatch.setattr("irassay.vary.documents.totals", lambda *_, **__: np.array([1000]))
    with pytest.raises(OverflowError, match="image 3 holds a document more than 255 times"):
        plan.multiplicities(3, 1)


@pytest.mark.parametrize("size", [1, BUFFER, 3 * BUFFER + 5])
def test_draws_that_are_counted_are_those_that_documents_have(size: int) -> None:
    counts = np.random.default_rng(1).integers(0, 256, size=size + 1).astype(np.uint8)
    assert count_draws(counts) == int(counts[:-1].sum(dtype=np.int64))


def test_images_depend_on_their_number_and_never_on_what_is_requested_with_them() -> None:
    plan = ImagePlan(SEED, 5000, 2000, 300)
    whole = plan.multiplicities(0, 70)
    assert np.array_equal(whole[64:70], plan.multiplicities(64, 6))
    assert np.array_equal(whole[32:64].T.ravel(), plan.rows(32))
    assert np.array_equal(whole, ImagePlan(SEED, 5000, 2000, 7).multiplicities(0, 70))
    for other in (ImagePlan(6, 5000, 2000, 300), ImagePlan(SEED, 9000, 2000, 300), ImagePlan(SEED, 5000, 2001, 300)):
        assert not np.array_equal(whole, other.multiplicities(0, 70)[:, :2000])


@pytest.mark.parametrize(
    ("seed", "corpus", "active", "images", "message"),
    [
        (-1, 9, 9, 1, "seed is -1"),
        (2**64, 9, 9, 1, "seed is"),
        (0, 9, 9, 0, "0 images"),
        (0, 9, 0, 1, "no document"),
        (0, 8, 9, 1, "corpus of 8 documents, and 9 are"),
        (0, 2**32, 9, 1, "too large"),
    ],
)
def test_plans_that_mean_nothing_are_refused(seed: int, corpus: int, active: int, images: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ImagePlan(seed, corpus, active, images)
