"""Images of a corpus: D draws with replacement from D documents, counted (zobel2020corpus).

Only active documents, those in a run or a judgment, need a multiplicity. How many of the D draws hit one of the A
active documents is Binomial(D, A/D); each such draw is uniform among them: together exactly the multinomial.
Draw i of an image is word i of the stream, mapped to a document by its product with A (Lemire's method); a word in the
rejected remainder is replaced by the word of the same position in the next stream, so draws do not depend on each
other and any part of an image can be made anywhere.
"""

import math

import numpy as np
from numpy.typing import NDArray

from irassay.compute.kernel import PLAIN, helper, kernel
from irassay.compute.philox import HALF, LOW, four_words
from irassay.scoring.lanes import LANES

if PLAIN:
    from irassay.scoring._plain_rows import turn_rows
else:
    from irassay.scoring._row_intrinsics import turn_rows

BUFFER = 1024  # counter steps at a time


def binomial_table(draws: int, share: float) -> tuple[int, NDArray[np.float64]]:
    """The smallest number of hits that matters, and P(hits <= that number, the next, ...) of Binomial(draws, share).

    By ratios of neighbouring probabilities from the mode on, so that only +, * and / are used: the same on any machine.
    Left out on either side is less than 1e-18 in all.
    """
    if share >= 1.0:
        return draws, np.ones(1)
    odds = share / (1.0 - share)
    mode = min(draws, int((draws + 1) * share))
    up, down = [1.0], []
    k = mode
    while k < draws and up[-1] > 1e-22:
        up.append(up[-1] * ((draws - k) / (k + 1)) * odds)
        k += 1
    k, value = mode, 1.0
    while k > 0 and value > 1e-22:
        value *= k / ((draws - k + 1) * odds)
        down.append(value)
        k -= 1
    pmf = down[::-1] + up
    cdf = np.cumsum(np.array(pmf) / math.fsum(pmf))
    cdf[-1] = 1.0
    return k, cdf


def totals(first: int, count: int, low: int, cdf: NDArray[np.float64], *, seed: int, stream: int) -> NDArray[np.int64]:
    """How many draws of each image hit active documents: the CDF inverted at one 53-bit number."""
    uniforms = np.empty(count)
    fill_uniform(uniforms, np.uint64(seed), np.uint64(first), np.uint32(stream))
    return low + np.searchsorted(cdf, uniforms, side="right")


@kernel
def fill_uniform(out, seed, first, stream):
    """`out[i]`, in [0, 1) with 53 bits, from the first two words of replicate first + i."""
    for i in range(out.shape[0]):
        a, b, _, _ = four_words(0, first + np.uint64(i), stream, seed)
        out[i] = (float(a >> 5) * 67108864.0 + float(b >> 6)) / 9007199254740992.0


@helper
def fill_steps(buffer, count, first, replicate, stream, seed):
    """`buffer[w, s]` = word w of counter step first + s: apart, so that several steps are computed at a time."""
    for s in range(count):
        a, b, c, d = four_words(first + s, replicate, stream, seed)
        buffer[0, s] = a
        buffer[1, s] = b
        buffer[2, s] = c
        buffer[3, s] = d


@helper
def find_documents(buffer, word, wanted, size, bound):
    """Puts documents in place of words, `size` where one is rejected; returns how many are."""
    rejected = np.uint32(0)
    for s in range(wanted):
        product = np.uint64(buffer[word, s]) * size
        out = (product & LOW) < bound
        buffer[word, s] = np.uint32(size) if out else np.uint32(product >> HALF)
        rejected = np.uint32(rejected + np.uint32(out))
    return np.int64(rejected)


@kernel
def draw_documents(counts, total, buffer, rejected, seed, replicate, stream):
    """Adds the documents of an image's first words to `counts`, which has one cell more, for words that are rejected.

    Returns how many these are, their positions in `rejected`.
    """
    size = np.uint64(counts.shape[0] - 1)
    bound = np.uint64(2**32) % size
    n = np.int64(0)
    steps = (total + 3) >> 2
    first = np.int64(0)
    while first < steps:
        here = min(buffer.shape[1], steps - first)
        fill_steps(buffer, here, first, replicate, stream, seed)
        for word in range(4):
            # the last step may be needed in part
            wanted = here - 1 if first + here == steps and 4 * (steps - 1) + word >= total else here
            out = find_documents(buffer, word, wanted, size, bound)
            for s in range(wanted):  # nothing else here: these additions take most of the time
                counts[buffer[word, s]] += np.uint8(1)
            for s in range(wanted if out > 0 else 0):
                if buffer[word, s] == size:
                    rejected[n] = 4 * (first + s) + word
                    n += 1
        first += here
    return n


@kernel
def redraw_documents(counts, rejected, seed, replicate, stream):
    """The documents of positions whose word was rejected: their words in the streams that follow."""
    # not in `draw`: with a second call of Philox there, the compiler no longer takes several steps at a time
    size = np.uint64(counts.shape[0] - 1)
    bound = np.uint64(2**32) % size
    for k in range(rejected.shape[0]):
        next_stream = stream
        while True:
            next_stream = np.uint32(next_stream + np.uint32(1))
            four = four_words(rejected[k] >> 2, replicate, next_stream, seed)
            product = np.uint64(four[rejected[k] & 3]) * size
            if (product & LOW) >= bound:
                break
        counts[product >> HALF] += np.uint8(1)


@kernel
def count_draws(counts):
    """How many draws documents have: less than there were where a count has passed 255 and begun at 0 again."""
    total = np.uint64(0)
    for d in range(np.uint64(counts.shape[0] - 1)):
        total += np.uint64(counts[d])
    return total


@kernel
def side_by_side(counts, rows):
    """[images, documents], documents next to each other, to [documents, images]."""
    documents = counts.shape[1]
    whole = documents // LANES * LANES
    for first in range(0, whole, LANES):
        turn_rows(counts, first, rows)
    for d in range(whole, documents):
        for lane in range(LANES):
            rows[d * LANES + lane] = counts[lane, d]
