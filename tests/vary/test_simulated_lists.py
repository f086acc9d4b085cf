"""Simulated lists: the same draws sorted by hand, plain simulations in NumPy and scipy, and what is never drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irassay
from irassay import streams
from irassay.compute.philox import words
from irassay.measures import parse
from irassay.scoring import fold
from irassay.scoring.hits import Hits
from irassay.scoring.score_panel import View, prepare
from irassay.vary import _density as density
from irassay.vary import _density_draws as density_draws
from irassay.vary import _simulated_lists as simulated
from irassay.vary._simulated_lists import Scratch, SimulatedLists
from irassay.vary.sampled_lists import HitsAndCounts
from irassay.vary.scores import ScorePlan
from tests.helpers import plain
from tests.helpers.golden import golden
from tests.helpers.scored_collections import collection

GOLDEN = golden("methods")["yang"]["simulation"]
RELEVANT = "AP nDCG@10 Q RR ERR RBP(p=0.8) P@5 Rprec nDCG(rel=2)"  # measures that look at relevant documents alone
OTHERS = "Bpref infAP AP' Q' Judged@10 RBPRes NumRet"
SAMPLES = 64
List = list[tuple[float, int]]  # (score, grade); -2 in no pool


def panel_of(qrels: Any, runs: Any) -> irassay.Panel:
    return irassay.align(qrels, runs, keep_scores=True)


def values(lists: SimulatedLists, q: int, measure: str, make: Any, panel: irassay.Panel, first: int = 0) -> list[float]:
    (parsed,) = parse(measure)
    view, rel, recipe = prepare(parsed, grades=panel.grades, longest=2000, most=4000)
    hits, judged_counts = make(lists, q, first, view, Scratch(SAMPLES))
    if rel > 1:
        judged_counts = np.concatenate(
            [judged_counts[:, :rel].sum(axis=1, keepdims=True), judged_counts[:, 1:]], axis=1
        )
        judged_counts[:, 1:rel] = 0
    return [float(value) for value in fold.value(hits, judged_counts, recipe)]


def parts(lists: SimulatedLists, q: int) -> tuple[List, List]:
    """The relevant and the nonrelevant documents of a list."""
    inside = slice(lists.relevant[q], lists.relevant[q + 1])
    other = slice(lists.other[q], lists.other[q + 1])
    return (
        list(zip(lists.relevant_score[inside].tolist(), lists.relevant_grade[inside].tolist(), strict=True)),
        list(zip(lists.other_score[other].tolist(), lists.other_grade[other].tolist(), strict=True)),
    )


def scored(
    measure: str, drawn: Sequence[tuple[float, int]], lists: SimulatedLists, q: int, *, judged_too: bool
) -> float:
    """By the definitions: sort by score, nonrelevant first among equals; unretrieved judged documents stay."""
    ranked = [g for _, g in sorted(drawn, key=lambda entry: (-entry[0], entry[1] >= 1))]
    missed = [g for g, count in enumerate(lists.missed[q].tolist()) for _ in range(count)]
    if not judged_too:
        missed = [g for g in missed if g] + [0] * int(lists.whole[q, 0])
    judged = missed + [g for g in ranked if g >= (0 if judged_too else 1)]
    (parsed,) = parse(measure)
    return plain.score(parsed, [None if g == -2 else g for g in ranked], judged, collection=(1, 2))


def copies_by_hand(key: int, sample: int, r: int) -> list[int]:
    """Poisson(1) by inversion of scipy's distribution, in 32-bit steps."""
    bounds = np.round(stats.poisson.cdf(np.arange(40), 1.0) * 2**32)
    word = words(r, seed=key, stream=streams.SIMULATED_COPIES, replicate=sample)
    return [int(np.count_nonzero(w >= bounds)) for w in word.astype(np.float64)]


def bounded(key: int, sample: int, stream: int, place: int, size: int) -> int:
    high, low = (int(w) for w in words(2, seed=key, stream=stream, replicate=sample, position=2 * place))
    return (high << 32 | low) * size >> 64


@pytest.mark.parametrize("measure", [*RELEVANT.split(), *OTHERS.split()])
def test_resampled_lists_score_like_the_same_draws_sorted_by_hand(measure: str) -> None:
    panel = panel_of(*collection())
    lists = ScorePlan(seed=3).lists(panel)
    for q in range(len(lists)):
        relevant, others = parts(lists, q)
        key = int(lists.key[q])
        scratch = Scratch(SAMPLES)
        edges = lists.above[lists.relevant[q] : lists.relevant[q + 1]].tolist()
        mass = np.diff(edges, prepend=0, append=len(others))
        _, copies, cells = simulated.copies_and_cells(lists, q, 0, mass, np.repeat(np.arange(len(mass)), mass), scratch)
        result = values(lists, q, measure, simulated.resampled_hits, panel)
        for sample in range(0, SAMPLES, 9):
            times = copies_by_hand(key, sample, len(relevant))
            assert copies[: len(relevant), sample].tolist() == times
            drawn = [entry for entry, c in zip(relevant, times, strict=True) for _ in range(c)]
            place, begin = 0, 0
            for end, count in zip([*edges, len(others)], cells[: len(mass), sample].tolist(), strict=True):
                # nonrelevant documents of one score stay in the order of the list
                within = sorted(
                    bounded(key, sample, streams.SIMULATED_WITHIN, place + i, end - begin) for i in range(count)
                )
                drawn += [others[begin + position] for position in within]
                place, begin = place + count, end
            assert len(drawn) == lists.length[q]
            expected = scored(measure, drawn, lists, q, judged_too=measure in OTHERS.split())
            assert result[sample] == pytest.approx(expected, rel=1e-12, abs=1e-14), (q, sample)


def test_a_list_from_given_picks_and_normals_matches_golden() -> None:
    rel, other = np.array(GOLDEN["rel_scores"]), np.array(GOLDEN["nonrel_scores"])
    plan = ScorePlan(seed=0, model="kde")
    assert plan.width(rel) == pytest.approx(GOLDEN["bandwidth_rel"], rel=1e-12)
    assert plan.width(other) == pytest.approx(GOLDEN["bandwidth_nonrel"], rel=1e-12)
    view, _, recipe = prepare(parse("AP")[0], grades=(1,), longest=20, most=20)
    for model, wide in (("BST", (0.0, 0.0)), ("KDE", (plan.width(rel), plan.width(other)))):
        one = rel[GOLDEN["rel_picks"]] + wide[0] * np.array(GOLDEN["rel_normals"])
        two = other[GOLDEN["nonrel_picks"]] + wide[1] * np.array(GOLDEN["nonrel_normals"])
        assert one == pytest.approx(GOLDEN[f"{model}_rel"], rel=1e-12)
        assert two == pytest.approx(GOLDEN[f"{model}_nonrel"], rel=1e-12)
        grades = np.array([[0] * len(two) + [1] * len(one)], dtype=np.int8)
        missed = np.array([0, GOLDEN["R"] - GOLDEN["r"]])
        hits, judged_counts = density_draws.sorted_hits(
            -np.concatenate([two, one])[None], grades, np.array([grades.size]), missed, view
        )
        assert fold.value(hits, judged_counts, recipe)[0] == pytest.approx(GOLDEN[f"{model}_AP(R-r+rs)"], rel=1e-12)


def test_resampled_golden_picks_need_no_sort() -> None:
    qrels = {"1": {**{f"r{i}": 1 for i in range(4)}, "u0": 1, "u1": 1}}
    run = {f"r{i}": s for i, s in enumerate(GOLDEN["rel_scores"])}
    run |= {f"n{i}": s for i, s in enumerate(GOLDEN["nonrel_scores"])}
    lists = ScorePlan(seed=0).lists(panel_of(qrels, {"s": {"1": run}}))
    picked = np.bincount(GOLDEN["nonrel_picks"], minlength=8)
    ends = [*lists.above.tolist(), 8]
    assert ends == [0, 2, 5, 6, 8]  # 7.25 of a nonrelevant document stands before 7.25 of a relevant one
    cells = np.array([[picked[a:b].sum()] for a, b in zip([0, *ends[:-1]], ends, strict=True)], dtype=np.int32)
    copies = np.bincount(GOLDEN["rel_picks"], minlength=4)[:, None].astype(np.int32)
    rank, grade = np.empty(9, dtype=np.int32), np.empty(9, dtype=np.int8)
    start, judged_counts = np.empty(2, dtype=np.int64), lists.missed[:1].copy()
    n = simulated._relevant_hits(copies, cells, lists.relevant_grade, 1, 0, rank, grade, start, judged_counts)
    _, _, recipe = prepare(parse("AP")[0], grades=(1,), longest=20, most=20)
    hits = Hits(rank[:n], grade[:n], start, np.array([12]))
    assert fold.value(hits, judged_counts, recipe)[0] == pytest.approx(GOLDEN["BST_AP(R-r+rs)"], rel=1e-12)


def many(lists: SimulatedLists, q: int, make: Any, panel: irassay.Panel, samples: int, measure: str = "AP") -> Any:
    return np.array([v for first in range(0, samples, SAMPLES) for v in values(lists, q, measure, make, panel, first)])


def fitted_hits(lists: SimulatedLists, q: int, first: int, view: View, scratch: Scratch) -> HitsAndCounts:
    return density.fitted_lists(lists, np.array([q]), density.tables_of(lists), first, view[0], scratch)


def by_numpy(lists: SimulatedLists, q: int, samples: int, rng: Any) -> Any:
    """Poisson, choice or gaussian_kde.resample, argsort, AP: as one would write it."""
    relevant, others = (np.array([s for s, _ in part]) for part in parts(lists, q))
    fits = [
        stats.gaussian_kde(part, bw_method=float(width) / part.std(ddof=1)) if width > 0 else None
        for part, width in ((relevant, lists.relevant_width[q]), (others, lists.other_width[q]))
    ]

    def draw(scores: Any, fit: Any, n: int) -> Any:
        if n == 0:
            return np.empty(0)
        return rng.choice(scores, n) if fit is None else fit.resample(n, seed=rng)[0]

    out = []
    for _ in range(samples):
        n = min(rng.poisson(len(relevant)), int(lists.length[q]))
        score = np.concatenate([draw(others, fits[1], int(lists.length[q]) - n), draw(relevant, fits[0], n)])
        hit = (np.arange(len(score)) >= len(score) - n)[np.argsort(-score, kind="stable")]
        total = int(lists.missed[q, 1:].sum()) + n
        out.append(float((np.cumsum(hit) / np.arange(1, len(hit) + 1))[hit].sum()) / total if total else 0.0)
    return np.array(out)


@pytest.mark.parametrize(
    ("model", "make"),
    [("bst", simulated.resampled_hits), ("kde", fitted_hits), ("kde", density_draws.drawn_hits)],
    ids=["bst", "kde", "kde-exact"],
)
def test_simulated_scores_have_the_mean_and_sd_of_a_plain_numpy_simulation(model: str, make: Any) -> None:
    # seeds 3 and 7; five standard errors of each difference: 8 comparisons, wrong once in 10^5 tries
    panel = panel_of(*collection())
    lists = ScorePlan(seed=3, model=model).lists(panel)
    rng = np.random.default_rng(7)
    for q in range(0, len(lists), 2):
        ours, theirs = many(lists, q, make, panel, 4096), by_numpy(lists, q, 1024, rng)
        spread = math.sqrt(ours.var() / len(ours) + theirs.var() / len(theirs))
        assert abs(ours.mean() - theirs.mean()) < 5 * spread
        fourth = np.mean((ours - ours.mean()) ** 4) / ours.var() ** 2
        assert abs(ours.std() / theirs.std() - 1) < 5 * math.sqrt((fourth - 1) / 4 * (1 / len(ours) + 1 / len(theirs)))


def test_gaps_are_counted_as_a_multinomial_sample() -> None:
    # chi-square of the counts over 20 equal cells, seed 11: p above 1e-6
    panel = panel_of({"1": {"r": 1}}, {"s": {"1": {"r": 1e6, **{f"n{i}": -float(i) for i in range(300)}}}})
    lists = ScorePlan(seed=11).lists(panel)
    mass, total = np.full(20, 15), np.zeros(20)
    squares = 0.0
    for first in range(0, 2048, SAMPLES):
        scratch = Scratch(SAMPLES)
        _, _, cells = simulated.copies_and_cells(lists, 0, first, mass, np.repeat(np.arange(20), 15), scratch)
        counts = cells[:20, :SAMPLES]
        assert (counts.sum(axis=0) == 301 - scratch.total).all()
        total += counts.sum(axis=1)
        expected = counts.sum(axis=0) / 20
        squares += float(((counts - expected) ** 2 / expected).sum())
    assert stats.chisquare(total).pvalue > 1e-6
    assert 1e-6 < stats.chi2.cdf(squares, 19 * 2048) < 1 - 1e-6


@pytest.mark.parametrize("bandwidth", ["scott", "silverman", 0.05, 2.0])
def test_the_table_of_the_nonrelevant_density_is_scipys_to_a_millionth(bandwidth: Any) -> None:
    rng = np.random.default_rng(2)
    for scores in (rng.normal(size=500), rng.lognormal(size=60), np.array([1.0, 1.0, 1.0, 2.0]), 1e6 + rng.random(9)):
        qrels = {"1": {"r": 1}}
        run = {"r": 99.0, **{f"n{i}": float(s) for i, s in enumerate(scores)}}
        lists = ScorePlan(seed=0, model="kde", bandwidth=bandwidth).lists(panel_of(qrels, {"s": {"1": run}}))
        fit = stats.gaussian_kde(scores, bw_method=bandwidth)
        assert lists.other_width[0] == pytest.approx(math.sqrt(fit.covariance[0, 0]), rel=1e-12)
        (nodes,), (origin,) = density.tables_of(lists)
        above, slope, before = np.empty(nodes), np.empty(nodes), np.empty(nodes, dtype=np.int64)
        width = float(lists.other_width[0])
        density.tabulate(lists.other_score, width, origin, above, slope, before, *density.kernel_rows())
        x = np.linspace(scores.min() - 8 * lists.other_width[0], scores.max() + 8 * lists.other_width[0], 997)
        result = np.empty(len(x))
        density.chances(x, origin, density.STEPS / width, above, slope, result)
        assert result == pytest.approx([fit.integrate_box_1d(at, np.inf) for at in x], rel=0, abs=density.ERROR)


def test_fitted_lists_rank_like_the_same_draws_placed_by_hand() -> None:
    panel = panel_of(*collection())
    lists = ScorePlan(seed=3, model="kde").lists(panel)
    for q in range(len(lists)):
        relevant, others = parts(lists, q)
        key, r = int(lists.key[q]), len(relevant)
        scratch = Scratch(SAMPLES)
        count = simulated.CELLS
        _, _, cells = simulated.copies_and_cells(lists, q, 0, np.ones(count, dtype=np.int64), np.arange(count), scratch)
        cells = cells[:count, :SAMPLES].copy()
        (parsed,) = parse("AP")
        view, _, _ = prepare(parsed, grades=panel.grades, longest=100, most=100)
        result = fitted_hits(lists, q, 0, view, Scratch(SAMPLES))
        fit = stats.gaussian_kde([s for s, _ in others])
        for sample in range(0, SAMPLES, 11):
            times = copies_by_hand(key, sample, r)
            word = words(4 * sum(times) + 4, seed=key, stream=streams.DENSITY_JITTER, replicate=sample)
            half = (word.astype(np.float64) + 0.5) / 2**32
            radius, angle = np.sqrt(-2 * np.log(half[0::2])), 2 * math.pi * half[1::2]
            normal = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()
            centres = [entry for entry, c in zip(relevant, times, strict=True) for _ in range(c)]
            scores = [s + lists.relevant_width[q] * z for (s, _), z in zip(centres, normal, strict=False)]
            places = [fit.integrate_box_1d(s, np.inf) * count for s in scores]
            occupied = {min(int(p), count - 1) for p in places}
            inner = iter((words(400, seed=key, stream=streams.DENSITY_PLACES, replicate=sample) + 0.5) / 2**32)
            drawn = [
                (k + (next(inner) if k in occupied else 0.5), 0, 0.0)
                for k in range(count)
                for _ in range(cells[k, sample])
            ]
            drawn += [(p, g, -s) for p, (_, g), s in zip(places, centres, scores, strict=True)]
            drawn.sort(key=lambda entry: (entry[0], entry[1] > 0, entry[2]))
            expected = [(i, g) for i, (_, g, _) in enumerate(drawn, 1) if g > 0]
            hits = result[0]
            inside = slice(int(hits.start[sample]), int(hits.start[sample]) + len(expected))
            assert list(zip(hits.rank[inside].tolist(), hits.grade[inside].tolist(), strict=True)) == expected
