"""Hits to numbers without kernels: what `_folds` does, for small collections, with the measures' own functions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.scoring.hits import Hits
from irassay.scoring.recipes import NO_CUT, PER_CUT, PER_IDEAL, PER_MIN, PER_R, PER_SIZE, Recipe

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


def divisor(per: int, relevant: int, cut: int) -> float:
    """What all lists of a topic are divided by, as far as it does not depend on the measure or the list."""
    return float({PER_R: relevant, PER_MIN: min(relevant, cut), PER_CUT: cut}.get(per, 1))


def divisors(
    judged_counts: Counts, best: Counts, gain: Floats, weight: Floats, cut: int, per: int, scale: Floats
) -> None:
    """What the lists of each context are divided by; 0 where no document is relevant."""
    for c, counts in enumerate(judged_counts[:, best]):
        relevant = int(counts.sum())
        value = divisor(per, relevant, cut)
        if per == PER_IDEAL:
            gains = np.repeat(gain[best], counts)[:cut]
            value = np.cumsum(gains * weight[1 : len(gains) + 1])[-1] if len(gains) else 0.0
        scale[c] = value if relevant > 0 else 0.0


def weigh(
    rank: Any, grade: Any, start: Counts, stop: Counts, size: Counts, gain: Floats, weight: Floats, cut: int,
    sized: Counts, scale: Floats, out: Floats,
) -> None:  # fmt: skip
    """Up to four weights of the hits of each list."""
    of_list = np.repeat(np.arange(len(start)), stop - start)
    hit = np.arange(len(of_list)) + np.repeat(start - np.cumsum(stop - start) + (stop - start), stop - start)
    within = rank[hit] <= cut
    of_list, hit = of_list[within], hit[within]
    contexts = scale.shape[1]
    for k in range(len(out)):
        terms = gain[grade[hit], k] * weight[rank[hit], k]
        out[k] = np.bincount(of_list, terms, minlength=len(start))  # adds in the order of the hits
        by = np.repeat(scale[k], len(start) // contexts)
        if sized[k] > 0:
            by = np.where(by > 0.0, np.minimum(size, sized[k]), by)
        out[k] = np.divide(out[k], by, out=np.zeros(len(start)), where=by > 0.0)


def drive(hits: Hits, judged_counts: Counts, recipe: Recipe, out: Floats) -> None:
    """The fold's value of each list. Lists and numbers of Python: indexing them is what takes the time."""
    assert recipe.fold is not None
    assert recipe.par is not None
    fold, par, cut, per = recipe.fold, recipe.par.tolist(), recipe.cut, recipe.per
    ideal_read = recipe.ideal or per == PER_IDEAL
    best, gain = recipe.best.tolist(), recipe.gain.tolist()
    bounds = np.stack([hits.start, _within(hits, cut), hits.size], axis=1).tolist()
    lists = len(bounds) // len(judged_counts)
    for c, counts in enumerate(judged_counts.tolist()):
        grades = [1 if recipe.flat else g for g in best for _ in range(counts[g])]
        relevant = len(grades)
        ideal = [0.0]
        for g in grades if ideal_read else ():
            ideal.append(ideal[-1] + gain[g])
        judged = [counts[0], relevant] if recipe.flat else counts
        scale = divisor(per, relevant, cut)
        if per == PER_IDEAL:
            n = min(relevant, cut)
            scale = fold(range(1, n + 1), grades[:n], n, gain, ideal, judged, n, par)
        for i in range(c * lists, (c + 1) * lists):
            first, last, size = bounds[i]
            length = min(size, cut)
            if per == PER_SIZE:
                scale = float(length)
            value = 0.0
            if (relevant > 0 or recipe.empty) and scale > 0.0:
                n = last - first
                seen = [1] * n if recipe.flat else hits.grade[first:last].tolist()
                # behind its end the ideal list adds nothing more
                best_gains = ideal + [ideal[-1]] * (length - relevant) if ideal_read else []
                value = fold(hits.rank[first:last].tolist(), seen, n, gain, best_gains, judged, length, par) / scale
            out[i] = value


def _within(hits: Hits, cut: int) -> Counts:
    """Where the hits with a rank up to the cut stop."""
    if cut == NO_CUT:
        return hits.stop
    above = np.append(0, np.cumsum(hits.rank > cut))
    return hits.stop - (above[hits.stop] - above[hits.start])
