"""Many samples of counts at once: Poisson copies, and multinomial counts of cells, samples side by side.

Independent Poisson counts of cells are multinomial given their sum, so a sample of n draws over cells is made of
Poisson counts with a slightly smaller mean; single uniform draws are then added up to n, or taken away: both leave a
multinomial count. No draw is looked at on its own but those few. A Poisson count is an inverted table of 32-bit
thresholds: its distribution is exact to 2^-32.

Rows are cells, columns are samples; every word is a function of (key, sample, place, stream).
"""

import math

import numpy as np

from irassay.compute._draws import below
from irassay.compute.kernel import helper, kernel
from irassay.compute.philox import four_words
from irassay.streams import SIMULATED_CAP, SIMULATED_CELLS, SIMULATED_COPIES, SIMULATED_REST

TWO32 = 4294967296.0
DEVIATIONS = 1.0  # how far below n the Poisson total is aimed: an addition is cheaper than a removal


@helper
def poisson_table(mean, table):
    """Thresholds of a Poisson count: it is `low` + how many of the first `width` are <= a 32-bit word.

    `low` and `width` leave out what a word cannot tell apart, chances below 2^-32. Returns (low, width).
    """
    mode = np.int64(mean)
    # the chance of the mode, then outwards by ratios: exp(-mean) itself would underflow for long lists
    top = math.exp(mode * math.log(mean) - mean - math.lgamma(mode + 1.0)) if mean > 0.0 else 1.0
    low = mode
    p = top
    while low > 0:
        p *= low / mean
        if p < 1e-13:
            break
        low -= 1
    # upwards from `low`, so that small chances are added first
    cumulated = 0.0
    p = top
    for k in range(mode, low, -1):
        p *= k / mean
    width = np.int64(0)
    k = low
    while True:
        cumulated += p
        bound = math.floor(cumulated * TWO32 + 0.5)
        if bound >= TWO32 or width == table.shape[0]:
            break
        table[width] = np.uint32(bound)
        width += 1
        k += 1
        p *= mean / k
        if p < 1e-13 and k > mean:
            break
    return low, width


@kernel
def one_table(mean, table):
    """The same, from Python."""
    return poisson_table(mean, table)


@helper
def words_of(step, key, first, stream, words):
    """Four rows of words of one counter step, a column for each sample."""
    for i in range(words.shape[1]):
        a, b, c, d = four_words(step, np.uint64(first) + np.uint64(i), stream, key)
        words[0, i] = a
        words[1, i] = b
        words[2, i] = c
        words[3, i] = d


@helper
def poisson_counts(word, table, low, width, out):
    """out[i] = the Poisson count of word[i]."""
    n = word.shape[0]
    out[:] = low
    for k in range(width):
        bound = table[k]
        for i in range(n):
            out[i] += np.int32(word[i] >= bound)


@helper
def poisson_rows(mass, unit, key, first, stream, table, words, out, total):
    """out[j] = Poisson(unit * mass[j]) for all samples; `total` gets the sums over rows."""
    n = words.shape[1]
    total[:] = 0
    last = np.int64(-1)
    low = np.int64(0)
    width = np.int64(0)
    for j in range(mass.shape[0]):
        if j & 3 == 0:
            words_of(j >> 2, key, first, stream, words)
        if mass[j] != last:
            last = mass[j]
            low, width = poisson_table(unit * last, table)
        row = out[j]
        poisson_counts(words[j & 3], table, low, width, row[:n])
        for i in range(n):
            total[i] += row[i]


@helper
def pair_of(place, key, sample, stream):
    """Two words at a place of a sample: one bounded draw."""
    a, b, c, d = four_words(place >> 1, sample, stream, key)
    if place & 1:
        return c, d
    return a, b


@helper
def take_away(out, i, have, want, key, sample, stream):
    """Remove draws of sample i, each equally likely, until `want` of `have` remain."""
    place = np.int64(0)
    while have > want:
        a, b = pair_of(place, key, sample, stream)
        left = below(a, b, have)
        j = 0
        while left >= out[j, i]:
            left -= out[j, i]
            j += 1
        out[j, i] -= 1
        have -= 1
        place += 1


@helper
def draw_copies(ones, most, key, first, table, words, copies, total):
    """Poisson(1) copies of each document and their sum, at most `most`: a Poisson(r) sample drawn with replacement."""
    poisson_rows(ones, 1.0, key, first, np.uint32(SIMULATED_COPIES), table, words, copies, total)
    for i in range(words.shape[1]):
        if total[i] > most:
            take_away(copies, i, np.int64(total[i]), most, key, np.uint64(first + i), SIMULATED_CAP)
            total[i] = most


@helper
def draw_cells(mass, cell_of, mean, wanted, key, first, table, words, cells, total):
    """Multinomial counts: wanted[i] draws of sample i over cells of these masses (`cell_of[unit of mass]`).

    `mean` is about what is wanted: it says with how many Poisson draws to begin, and nothing else.
    """
    whole = cell_of.shape[0]
    unit = max(0.0, mean - DEVIATIONS * math.sqrt(mean)) / whole
    poisson_rows(mass, unit, key, first, np.uint32(SIMULATED_CELLS), table, words, cells, total)
    for i in range(words.shape[1]):
        sample = np.uint64(first + i)
        have = np.int64(total[i])
        want = np.int64(wanted[i])
        if have > want:
            take_away(cells, i, have, want, key, sample, SIMULATED_REST)
        place = np.int64(0)
        while have + place < want:
            a, b, c, d = four_words(place >> 1, sample, SIMULATED_REST, key)
            cells[cell_of[below(a, b, whole)], i] += 1
            if have + place + 1 < want:
                cells[cell_of[below(c, d, whole)], i] += 1
            place += 2
