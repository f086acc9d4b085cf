"""Orders of tied documents: the same draws by hand, all orders of small lists, and what moves no draw."""

from __future__ import annotations

import itertools
import math
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irassay
from irassay import streams
from irassay.compute.digest import digest
from irassay.compute.philox import words
from irassay.measures import parse
from irassay.panel.grades import POOLED
from irassay.scoring.hits import plain as hits_of_lists
from irassay.vary.ties import TieOrders
from tests.helpers import plain
from tests.helpers.scored_collections import collection

SEED = 3
MEASURES = "AP nDCG@10 Q RR ERR RBP(p=0.8) P@5 Rprec nDCG(rel=2) Bpref infAP AP' Q' nDCG'(rel=2) Judged@10 RBPRes"


def panel_of(qrels: Any, runs: Any, **policy: Any) -> irassay.Panel:
    return irassay.align(qrels, runs, keep_scores=True, **policy)


def tied_collection() -> tuple[dict[str, Any], dict[str, Any]]:
    """Two topics with ties and two without; one run ties all that it retrieves, one all but a little."""
    qrels, runs = collection(systems=2)
    runs["constant"] = {t: dict.fromkeys(scores, 1.0) for t, scores in runs["s0"].items()}
    runs["coarse"] = {t: {d: float(round(s)) for d, s in scores.items()} for t, scores in runs["s1"].items()}
    return qrels, runs


def orders(panel: irassay.Panel, measures: str = MEASURES, **options: Any) -> TieOrders:
    return TieOrders.of(panel, measures, **{"seed": SEED, "samples": 300, **options})


def order_by_hand(scores: list[float], grades: list[int], key: int, sample: int, stream: int) -> list[int]:
    """Which document of a list stands at each place: judged and pooled ones of a tied group draw theirs."""
    order = list(range(len(scores)))
    start = 0
    for _, tied in itertools.groupby(range(len(scores)), key=lambda i: scores[i]):
        group = list(tied)
        drawing = sorted((i for i in group if grades[i] >= POOLED), key=lambda i: -grades[i])
        places, new = list(group), {}
        for k, i in enumerate(drawing):
            (word,) = words(1, seed=key, stream=stream, replicate=sample, position=start + k).tolist()
            pick = k + (word * (len(group) - k) >> 32)
            new[places[pick]] = i
            places[pick] = places[k]
        others = iter([i for i in group if grades[i] < POOLED])
        for place in group:
            order[place] = new[place] if place in new else next(others)
        start += len(group)
    return order


def reordered(panel: irassay.Panel, plan: TieOrders, sample: int, stream: int = streams.TIE_ORDERS) -> irassay.Panel:
    """The panel with every list in the order of a sample."""
    assert panel.scores is not None
    codes = panel.codes.copy()
    for t, s in itertools.product(range(len(panel.topics)), range(len(panel.systems))):
        inside = slice(panel.offsets[t, s], panel.offsets[t, s + 1])
        grades = panel.grade[panel.pool[t] : panel.pool[t + 1]][panel.codes[inside]].tolist()
        key = int(plan.lists.key[t * len(panel.systems) + s])
        codes[inside] = panel.codes[inside][order_by_hand(panel.scores[inside].tolist(), grades, key, sample, stream)]
    return replace(panel, codes=codes, document_names=None)


@pytest.mark.parametrize("order", ["trec", "file"])
def test_every_sample_scores_exactly_like_the_list_put_in_its_order_by_hand(order: str) -> None:
    panel = panel_of(*tied_collection(), order=order)
    plan = orders(panel)
    values = plan.values(40, 60)
    for sample in (40, 47, 59):
        expected = reordered(panel, plan, sample).score(MEASURES).values
        assert np.array_equal(values[..., sample - 40].transpose(0, 2, 1), expected)
    assert not np.array_equal(values[..., 0], values[..., 1])


@pytest.mark.parametrize("low", [-1, 0, 1, 2])
def test_whole_and_condensed_hits_are_those_of_the_list_in_its_order(low: int) -> None:
    panel = panel_of(*tied_collection())
    plan = orders(panel)
    systems = len(panel.systems)
    for sample in (0, 7):
        changed = reordered(panel, plan, sample)
        arrays = (changed.codes, changed.offsets, changed.pool, changed.grade, 0, len(panel.topics))
        whole, judged = hits_of_lists(*arrays, low=low)
        assert judged is not None
        for expected, condensed in ((whole, False), (judged, True)):
            for q in range(len(panel.topics) * systems):
                hits, _ = plan.hits(np.array([q]), sample, sample + 3, (low, condensed))
                ours, theirs = slice(hits.start[0], hits.stop[0]), slice(expected.start[q], expected.stop[q])
                assert hits.rank[ours].tolist() == expected.rank[theirs].tolist()
                assert hits.grade[ours].tolist() == expected.grade[theirs].tolist()
                assert hits.size.tolist() == [expected.size[q]] * 3


def test_ties_are_neighbours_with_equal_scores_where_the_order_goes_by_rank() -> None:
    # the scores 2 of b and c are neighbours, the scores 1 of a and d are not
    qrels = {"1": {"a": 1, "b": 1, "d": 0}}
    panel = panel_of(qrels, {"s": {"1": {"a": 1.0, "b": 2.0, "c": 2.0, "d": 1.0}}}, order="file")
    plan = orders(panel, "P@1 P@2 P@3")
    assert plan.lists.group.tolist() == [0, 1, 3]
    assert plan.lists.size.tolist() == [1, 2, 1]
    one, two, three = plan.values(0, 300)[:, 0, 0]
    assert (one == 1).all()
    assert set(two) == {0.5, 1.0}
    assert (three == 2 / 3).all()


def test_scores_are_tied_as_the_order_compares_them() -> None:
    qrels, run = {"1": {"a": 1}}, {"s": {"1": {"a": 1.0, "b": 1.0 + 1e-12}}}
    by_order = {
        order: orders(panel_of(qrels, run, order=order), "RR").values(0, 64)[0, 0, 0] for order in ("trec", "trec9")
    }
    assert set(by_order["trec"]) == {0.5}
    assert set(by_order["trec9"]) == {0.5, 1.0}


# (score, grade); None in no judgment
SMALL = [(9, 0), (8, 1), (8, None), (8, 0), (7, 2), (7, -1), (6, 1), (6, 2), (6, None), (6, 0), (5, 1)]
UNRETRIEVED = [1, 2, 0]
SAMPLES = 20_000


def every_order() -> list[list[int | None]]:
    groups = [[g for _, g in tied] for _, tied in itertools.groupby(SMALL, key=lambda entry: entry[0])]
    choices = [list(itertools.permutations(group)) for group in groups]
    return [list(itertools.chain(*chosen)) for chosen in itertools.product(*choices)]


def small_panel() -> irassay.Panel:
    qrels = {f"d{i}": grade for i, (_, grade) in enumerate(SMALL) if grade is not None}
    qrels |= {f"u{i}": grade for i, grade in enumerate(UNRETRIEVED)}
    return panel_of({"1": qrels}, {"s": {"1": {f"d{i}": float(score) for i, (score, _) in enumerate(SMALL)}}})


@pytest.mark.parametrize("measure", ["AP", "nDCG@5", "RR", "P@3", "Bpref", "infAP", "AP'", "Q'", "Judged@3"])
def test_the_mean_over_samples_is_the_mean_over_all_orders(measure: str) -> None:
    # seed 3; five standard errors, the deviation that of all 288 orders: 9 comparisons, wrong once in 10^5 tries
    (parsed,) = parse(measure)
    judged = [g for _, g in SMALL if g is not None] + UNRETRIEVED
    exact = np.array([plain.score(parsed, ranked, judged) for ranked in every_order()])
    values = orders(small_panel(), measure).values(0, SAMPLES)[0, 0, 0]
    assert exact.std() > 0
    assert abs(values.mean() - exact.mean()) < 5 * exact.std() / math.sqrt(SAMPLES)
    assert values.min() == pytest.approx(exact.min(), rel=1e-12)
    assert values.max() == pytest.approx(exact.max(), rel=1e-12)


def test_every_order_of_a_group_is_equally_likely() -> None:
    # 4 judged documents of 5, 120 orders; chi-square at seed 3: p above 1e-6
    panel = panel_of({"1": {"a": 4, "b": 3, "c": 2, "d": 1}}, {"s": {"1": dict.fromkeys("abcde", 1.0)}})
    hits, _ = orders(panel, "nDCG").hits(np.array([0]), 0, SAMPLES, (1, False))
    seen, counts = np.unique((hits.rank * 10 + hits.grade).reshape(SAMPLES, 4), axis=0, return_counts=True)
    assert len(seen) == 120
    assert stats.chisquare(counts).pvalue > 1e-6


def test_lists_whose_ties_change_nothing_are_not_put_in_order() -> None:
    qrels = {
        "alike": {"a": 1, "b": 1, "c": 0, "d": 0},  # the tied are of one grade
        "unjudged": {"a": 1, "x": 0},  # a judged document among tied unjudged ones
        "below": {"a": 1, "b": 0, "c": 2},  # relevant for rel=1 alone
        "none": {"a": 1, "x": 1},
    }
    runs = {
        "alike": {"a": 2.0, "b": 2.0, "c": 1.0, "d": 1.0},
        "unjudged": {"a": 1.0, "b": 1.0, "c": 1.0},
        "below": {"c": 2.0, "a": 1.0, "b": 1.0},
        "none": {"a": 1.0, "b": 0.5},
    }
    plan = orders(panel_of(qrels, {"s": runs}))
    assert dict(zip(sorted(runs), plan.varies((1, False)).tolist(), strict=True)) == {
        "alike": False,
        "below": True,
        "none": False,
        "unjudged": True,
    }
    assert plan.varies((1, True)).tolist() == [False, True, False, False]
    assert plan.varies((2, False)).tolist() == [False, False, False, False]


def test_ties_behind_the_cut_of_every_measure_are_left_as_they_are() -> None:
    qrels, runs = tied_collection()
    panel = panel_of(qrels, runs)
    for measures in ("P@3", "Judged@2 RBPRes@7", "nDCG@4 RR@6 AP'@5 Q'@2"):
        alone, together = (orders(panel, m).values(0, 64) for m in (measures, f"{measures} {MEASURES}"))
        assert np.array_equal(alone, together[: len(alone)])
    # the first of three places is tied with none
    plan = orders(panel_of({"1": {"a": 1, "b": 1}}, {"s": {"1": {"a": 2.0, "b": 1.0, "c": 1.0}}}))
    assert [plan.varies((1, False), cut).tolist() for cut in (1, 2)] == [[False], [True]]


def test_lists_without_ties_keep_their_scores_in_every_sample() -> None:
    panel = panel_of(*collection())
    plan = orders(panel)
    untied = ~plan.varies((0, False)).reshape(4, 2)
    assert untied.tolist() == [[False, False], [False, False], [True, True], [True, True]]
    observed = panel.score(MEASURES).values.transpose(0, 2, 1)
    assert (plan.values(0, 9)[:, untied] == observed[:, untied][..., None]).all()


def test_orders_depend_on_names_and_sample_alone() -> None:
    qrels, runs = tied_collection()
    plan = orders(panel_of(qrels, runs), "AP")
    every = plan.values(0, 300)[0]
    assert np.array_equal(plan.values(90, 120, jobs=3)[0], every[:, :, 90:120])
    assert np.array_equal(np.concatenate([plan.values(k, k + 1)[0] for k in range(5)], axis=2), every[:, :, :5])
    # other runs, other topics, other measures
    fewer = panel_of({t: qrels[t] for t in ("1", "3")}, {"coarse": {t: runs["coarse"][t] for t in ("1", "3")}})
    more = orders(fewer, "Bpref AP nDCG' infAP").values(0, 300)[1]
    place = panel_of(qrels, runs).systems.index("coarse")
    assert np.array_equal(more[:, 0], every[[1, 3], place])
    chosen = orders(panel_of(qrels, runs), "AP", systems=[place, 0]).values(0, 300)[0]
    assert np.array_equal(chosen, every[:, [place, 0]])


def test_systems_break_the_same_ties_on_their_own() -> None:
    qrels, runs = tied_collection()
    panel = panel_of(qrels, {"a": runs["constant"], "b": runs["constant"]})
    one, two = orders(panel, "AP").values(0, 64)[0].transpose(1, 0, 2)
    assert (one != two).any(axis=1).all()


def test_the_independent_set_of_samples_is_another_one() -> None:
    panel = panel_of(*tied_collection())
    plan = orders(panel, independent=1)
    expected = reordered(panel, plan, 5, streams.SECOND_TIE_ORDERS).score(MEASURES).values
    assert np.array_equal(plan.values(5, 6)[..., 0].transpose(0, 2, 1), expected)
    assert not np.array_equal(plan.values(0, 64), replace(plan, independent=0).values(0, 64))
    with pytest.raises(irassay.InputError, match="independent is 2"):
        orders(panel, independent=2)


def test_a_pickled_plan_makes_the_same_blocks() -> None:
    plan = orders(panel_of(*tied_collection()))
    here = plan.block(range(256, 300), 2)
    there = pickle.loads(pickle.dumps(plan))
    assert np.array_equal(there.block(range(256, 300), 1).scores, here.scores)
    assert digest(there) == digest(plan)  # so that a checkpoint is found again


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_an_unanswered_topic_scores_0() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    panel = panel_of(qrels, {"s": {t: {"a": 1.0, "b": 1.0} for t in qrels}, "t": {"1": {"a": 1.0, "b": 1.0}}})
    values = orders(panel, "AP").values(0, 32)[0]
    assert (values[1, 1] == 0).all()
    assert set(values[1, 0]) == {0.5, 1.0}


def test_scores_lie_between_those_of_the_worst_and_the_best_order() -> None:
    qrels, runs = tied_collection()
    worst, best = (
        panel_of(qrels, runs, ties=side).score("AP nDCG RR").values.transpose(0, 2, 1) for side in ("worst", "best")
    )
    values = orders(panel_of(qrels, runs), "AP nDCG RR").values(0, 300)
    # rounding: the orders sum the same terms in another order
    assert (values >= worst[..., None] - 1e-12).all()
    assert (values <= best[..., None] + 1e-12).all()


def test_a_panel_without_scores_is_refused() -> None:
    with pytest.raises(irassay.InputError, match="without retrieval scores"):
        orders(irassay.align(*collection()))
