"""`irassay corpus`: what it says is what its images say, for any number of threads, any memory and any company."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import irassay
from irassay import InputError, IrassayWarning, Result, demo
from irassay.ask.spread import Histogram
from irassay.compute.executor import CHUNK
from irassay.measures import parse
from irassay.studies.corpus.accumulate import CorpusStatistics, corpus_statistics
from irassay.studies.corpus.memory import MemoryBudget
from irassay.vary.documents import ImagePlan
from irassay.vary.lane_scores import LaneScores
from irassay.vary.topics import TopicPlan

MODEL = demo.Model(systems=6, groups=2, null_pairs=1, depth=50, documents=2500, pool_depth=25, seed=4)
TOPICS = 9
MEASURES = "AP nDCG@10 RR RBP'(p=0.9)"
SUMMARISED = "AP GM(AP) AG(AP) AREA(AP) AREA(RR,k=3) GM(AP,variant='trec') NumRelRet"
SYSTEMS = "measure system root_score mean bias sd q2.5 q25 q50 q75 q97.5 rank_root rank_q2.5 rank_q50 rank_q97.5"
CONTRACT = {
    "systems": SYSTEMS,
    "topics": "measure system topic root_score mean sd q25 q50 q75",
    "topic_sd": "measure topic sd_p95",
    "triples": "measure mean_sd sd_sd",
    "interval": "measure interval below inside above",
    "pools": "image measure depth mean_difference p_value",
    "pool_topics": "image measure depth topic difference",
}


@cache
def collection() -> tuple[Any, Any]:
    panel = demo.panel_of(MODEL, range(TOPICS))
    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {name: {} for name in panel.systems}
    for t, topic in enumerate(panel.topics):
        grades = panel.grade[panel.pool[t] : panel.pool[t + 1]].tolist()
        qrels[topic] = {d: g for d, g in zip(panel.documents(topic), grades, strict=True) if g >= -1}
        for name in panel.systems:
            runs[name][topic] = {d: -float(r) for r, d in enumerate(panel.ranking(name, topic))}
    return irassay.read_qrels(qrels), irassay.read_runs(runs)


@cache
def panel() -> irassay.Panel:
    return irassay.align(*collection(), unanswerable="drop")


def study(**settings: Any) -> Result:
    given = {"corpus_size": MODEL.documents, "measures": MEASURES, "images": 40, **settings}
    return irassay.corpus(*collection(), **given)


def corpus_scores(images: int, measures: str = MEASURES, systems: Sequence[int] = range(6)) -> LaneScores:
    bases = list(dict.fromkeys(measure.base for measure in parse(measures)))
    plan = ImagePlan(0, MODEL.documents, int(panel().document.max()) + 1, images)
    return LaneScores(panel(), list(systems), bases, plan, 1000)


def statistics(
    images: int,
    measures: str = MEASURES,
    *,
    jobs: int = 1,
    memory_limit: int = 2**30,
    kinds: Sequence[str] = ("normal",),
    systems: Sequence[int] = range(6),
    topics: bool = False,
) -> CorpusStatistics:
    scores = corpus_scores(images, measures, systems)
    root = panel().score(list(scores.measures))
    return corpus_statistics(
        scores,
        list(parse(measures)),
        {m: np.ascontiguousarray(root[str(m)].values[list(systems)]) for m in scores.measures},
        memory_limit=memory_limit,
        intervals=kinds,
        weights=TopicPlan(0, len(panel().topics), images).counts() if topics else None,
        jobs=jobs,
    )


def memory_of_topics(images: int, topics: int, *, exact: bool, summaries: int = 4) -> int:
    """The memory that so many topics take."""
    budget = MemoryBudget(2**30, 4, summaries, 6, images)
    return budget.limit - budget.left + topics * budget.per_topic(exact=exact)


def same(one: CorpusStatistics, other: CorpusStatistics, but: tuple[str, ...] = ("groups",)) -> bool:
    """Bit for bit."""
    for name in set(vars(one)) - set(but):
        a, b = getattr(one, name), getattr(other, name)
        pairs = [(a[key], b[key]) for key in a] if isinstance(a, dict) else [(a, b)]
        if not all(np.array_equal(x, y, equal_nan=True) for x, y in pairs):
            return False
    return True


def blocks(measures: str, images: int) -> NDArray[np.float64]:
    """Scores of all images [measures, topics, images, systems], straight from the plan."""
    scores = corpus_scores(images, measures)
    out = np.empty((len(scores.measures), len(panel().topics), -(-images // 32) * 32, 6))
    for first in range(0, images, 32):
        scores.score(first, range(len(panel().topics)), out[:, :, first : first + 32])
    return out[:, :, :images]


# the promise (ARCHITECTURE, decision 3)


@pytest.mark.parametrize("images", [1, 31, 32, 33, CHUNK + 1, 300])
def test_threads_and_memory_change_no_bit(images: int) -> None:
    kinds = ("normal", "prediction", "percentile")
    whole = statistics(images, kinds=kinds, topics=True)
    assert whole.exact
    assert whole.groups == 1
    for jobs in (2, 3):
        assert same(whole, statistics(images, kinds=kinds, topics=True, jobs=jobs))
    few = memory_of_topics(images, 2, exact=True, summaries=8)
    for jobs in (1, 3):
        small = statistics(images, kinds=kinds, topics=True, jobs=jobs, memory_limit=few)
        assert small.exact
        assert small.groups == -(-len(panel().topics) // 2)
        assert same(whole, small)


def test_the_whole_study_is_the_same_for_any_number_of_threads() -> None:
    settings = {
        "pair": ("sys1", "sys2"),
        "also_topics": True,
        "images": 70,
        "measures": f"{MEASURES} GM(AP) AREA(AP)",
    }
    one, three = (study(jobs=jobs, **settings) for jobs in (1, 3))
    assert [table.name for table in one.tables] == [table.name for table in three.tables]
    for table in one.tables:
        assert list(table.rows()) == list(three[table.name].rows())


def test_the_first_images_of_many_are_the_images_of_few() -> None:
    many, few = (statistics(n, f"{MEASURES} AREA(AP) AG(RR)", topics=True) for n in (300, 100))
    for measure in many.scores:
        assert np.array_equal(many.scores[measure][:100], few.scores[measure])
        assert np.array_equal(many.both[measure][:100], few.both[measure])


def test_one_more_measure_changes_no_number_of_the_others() -> None:
    alone = statistics(300)
    for more in ("Q", "P@3 Bpref infAP DCG@5", "RBP(p=0.5) INSQ"):
        company = statistics(300, f"{more} {MEASURES} ERR")
        for measure in alone.scores:
            assert np.array_equal(alone.scores[measure], company.scores[measure])
            for part in ("mean", "sd", "quartiles", "triples"):
                assert np.array_equal(getattr(alone, part)[measure], getattr(company, part)[measure])


def test_fewer_systems_see_the_same_images() -> None:
    whole, some = statistics(50), statistics(50, systems=(4, 1))
    for measure in whole.scores:
        assert np.array_equal(whole.scores[measure][:, [4, 1]], some.scores[measure])
        assert np.array_equal(whole.sd[measure][[4, 1]], some.sd[measure])
    full, top = study(), study(top=3)
    kept = set(top["systems"]["system"])
    assert len(kept) == 3
    for name, columns in (("systems", 11), ("topics", 9)):
        rows = [row[:columns] for row in full[name].rows() if row[1] in kept]
        assert rows == [row[:columns] for row in top[name].rows()]


def test_another_seed_or_corpus_or_run_means_other_images() -> None:
    first = list(study()["systems"]["mean"])
    assert first == list(study(seed=0)["systems"]["mean"])
    assert first != list(study(seed=1)["systems"]["mean"])
    assert first != list(study(corpus_size=90_000)["systems"]["mean"])


# what is told


def test_tables_have_the_columns_of_the_contract_and_figures_their_tables() -> None:
    result = study(pair=("sys1", "sys2"), pool_depths="3,8")
    for name, columns in CONTRACT.items():
        assert list(result[name].columns) == columns.split()
    assert {figure.name for figure in result.figures} == {
        "topic_sd", "topic_scores", "system_scores", "system_sd", "system_ranks", "pools", "pool_topics",
    }  # fmt: skip
    assert set(result["pools"]["depth"]) == {"3", "8", "full"}
    assert sorted(set(result["pools"]["image"])) == list(range(41))


def test_the_line_of_a_pair_counts_what_its_images_say() -> None:
    result = study(pair=("sys1", "sys4"), pool_depths="3", measures="RR AP", images=60)
    rows = list(result["pools"].rows())
    assert len(rows) == 2 * 2 * 61
    for measure, depth, root, p_value, mean, low, high, significant, turned in result["pair"].rows():
        own: dict[Any, Any] = {row[0]: row[3:] for row in rows if row[1:3] == (measure, depth)}
        differences, p = np.array([own[image] for image in range(1, 61)], dtype=float).T
        assert (root, p_value) == own[0]
        assert (mean, low, high) == pytest.approx((differences.mean(), *np.quantile(differences, [0.025, 0.975])))
        assert (significant, turned) == ((p < 0.05).mean(), (np.sign(differences) == -np.sign(own[0][0])).mean())
    found = np.array([row[7:9] for row in result["pair"].rows()], dtype=float)
    assert ((found > 0) & (found < 1)).any(axis=0).all()


@pytest.mark.parametrize("measure", SUMMARISED.split())
def test_every_summary_is_that_of_the_topics_of_each_image(measure: str) -> None:
    (asked,) = parse(measure)
    scores = blocks(str(asked.base), 40)[0]
    by_image = np.array([[asked.summarise(scores[:, i, s]) for s in range(6)] for i in range(40)])
    table = study(measures=measure)["systems"]
    found = {name: np.array(table[name], dtype=float) for name in ("root_score", "mean", "bias", "sd", "q2.5", "q50")}
    root = panel().score(measure)[measure].means()
    np.testing.assert_allclose(found["root_score"], root, rtol=0, atol=1e-15)
    np.testing.assert_allclose(found["mean"], by_image.mean(axis=0), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found["bias"], by_image.mean(axis=0) - root, rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(found["sd"], by_image.std(axis=0, ddof=1), rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(found["q2.5"], np.quantile(by_image, 0.025, axis=0), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found["q50"], np.quantile(by_image, 0.5, axis=0), rtol=1e-12, atol=1e-14)


def test_topics_have_the_numbers_of_their_images() -> None:
    scores = blocks("AP", 40)[0]
    result = study(measures="AP")
    rows = list(result["topics"].rows())
    for s, system in enumerate(panel().systems):
        for t, topic in enumerate(panel().topics):
            (row,) = (r for r in rows if r[1:3] == (system, topic))
            values = scores[t, :, s]
            expected = [panel().score("AP")["AP"].values[s, t], values.mean(), values.std(ddof=1)]
            assert list(row[3:]) == pytest.approx([*expected, *np.quantile(values, [0.25, 0.5, 0.75])], abs=1e-9)
    x, y = np.triu_indices(6, 1)
    deviations = (scores[:, :, x] - scores[:, :, y]).std(axis=1, ddof=1)
    ((_, mean, sd),) = result["triples"].rows()
    assert (mean, sd) == pytest.approx((deviations.mean(), deviations.std(ddof=1)), abs=1e-9)
    ((_, count, skewness),) = result["sd_skewness"].rows()
    assert count == scores.std(axis=1).size
    assert skewness == pytest.approx(stats.skew(scores.std(axis=1, ddof=1), axis=None), rel=1e-9)
    p95 = np.percentile(scores.std(axis=1, ddof=1), 95, axis=1)
    assert list(result["topic_sd"]["sd_p95"]) == pytest.approx(p95.tolist(), abs=1e-9)


def test_a_system_that_is_shown_has_the_tails_of_its_images() -> None:
    scores = blocks("AP", 40)[0]
    result = study(measures="AP", show="sys4")
    s = panel().systems.index("sys4")
    for t, row in enumerate(result["topic_scores"].rows()):
        assert row[:3] == ("AP", "sys4", panel().topics[t])
        five = np.quantile(scores[t, :, s], [0.025, 0.25, 0.5, 0.75, 0.975])
        assert list(row[3:]) == pytest.approx(five.tolist(), abs=1e-9)
    figure = next(figure for figure in result.figures if figure.name == "topic_scores")
    assert (figure.kind, figure.low, figure.high) == ("boxes", "q2.5", "q97.5")


def test_intervals_that_are_apart_are_counted_with_their_t_tests() -> None:
    result = study(measures="AP GM(RR)")
    for measure in ("AP", "GM(RR)"):
        (asked,) = parse(measure)
        assert asked.paired is not None
        tested = asked.paired.forward(panel().score(str(asked.base))[str(asked.base)].values)
        spread: list[Any] = [row for row in result["systems"].rows() if row[0] == measure]
        counts: dict[str, list[bool]] = {}
        for x, y in itertools.combinations(range(6), 2):
            significant = bool(stats.ttest_rel(tested[x], tested[y]).pvalue < 0.05)
            (low_x, high_x), (low_y, high_y) = ((float(spread[s][6]), float(spread[s][10])) for s in (x, y))
            apart = high_x < low_y or high_y < low_x
            counts.setdefault("intervals apart" if apart else "intervals overlap", []).append(significant)
            root_x, root_y = (float(spread[s][2]) for s in (x, y))
            outside = not low_y <= root_x <= high_y and not low_x <= root_y <= high_x
            name = "each score outside the other interval" if outside else "a score inside the other interval"
            counts.setdefault(name, []).append(significant)
        for _, relation, pairs, share in (row for row in result["apart"].rows() if row[0] == measure):
            cases = counts.get(str(relation), [])
            assert pairs == len(cases)
            assert share == (pytest.approx(np.mean(cases)) if cases else None)


def test_all_pairs_have_the_numbers_of_each_pair_alone() -> None:
    result = study(measures="AP RR", all_pairs=True, pool_depths="3")
    names = ("sys2", "sys5")
    alone = study(measures="AP RR", pair=names, pool_depths="3")
    own = [row[2:] for row in result["all_pairs"].rows() if row[:2] == names]
    assert own == list(alone["pair"].rows())
    rows = {row[:4]: row[4:] for row in result["all_pairs"].rows()}
    pairs = list(itertools.combinations(panel().systems, 2))
    assert len(rows) == 2 * 2 * len(pairs)
    for measure, depth, count, ratio, smaller, significant, images, turned in result["all_pairs_summary"].rows():
        here, full = (np.array([rows[*pair, measure, d] for pair in pairs], dtype=float) for d in (depth, "full"))
        assert count == len(pairs)
        differ = full[:, 0] != 0
        assert ratio == pytest.approx(np.median(np.abs(here[differ, 0] / full[differ, 0])))
        assert significant == pytest.approx((here[:, 1] < 0.05).mean())
        assert images == pytest.approx(here[:, 5].mean())
        if depth != "full":
            assert smaller == pytest.approx((here[:, 1] < full[:, 1]).mean())
            assert turned == pytest.approx((here[:, 0] * full[:, 0] < 0).mean())


@pytest.mark.parametrize("measure", ["AP", "GM(AP)", "AREA(AP)", "NumRelRet"])
def test_other_topics_are_those_that_every_study_draws(measure: str) -> None:
    (asked,) = parse(measure)
    root = panel().score(str(asked.base))[str(asked.base)].values
    images = blocks(str(asked.base), 40)[0]
    topics, both = [], []
    for i, counts in enumerate(TopicPlan(0, len(panel().topics), 40).counts()):
        drawn = np.repeat(np.arange(len(counts)), counts)
        topics.append(asked.summarise(root[:, drawn]))
        both.append(asked.summarise(images[drawn, i].T))
    table = study(measures=measure, also_topics=True)["variation"]
    np.testing.assert_allclose(np.array(table["sd_topics"], dtype=float), np.std(topics, axis=0, ddof=1), rtol=1e-9)
    np.testing.assert_allclose(np.array(table["sd_both"], dtype=float), np.std(both, axis=0, ddof=1), rtol=1e-9)
    assert list(table["sd_corpus"]) == list(study(measures=measure)["systems"]["sd"])


# little to go by


def test_one_system_one_image_and_one_topic_have_answers() -> None:
    qrels, runs = collection()
    alone = irassay.corpus(qrels, {"a": dict(_lists(runs, "sys1"))}, corpus_size=2500, measures="AP", images=20)
    assert {"triples", "interval", "ranks"}.isdisjoint(table.name for table in alone.tables)
    ((*_, first, low, middle, high),) = alone["systems"].rows()
    assert (first, low, middle, high) == (1, 1, 1, 1)
    once = study(images=1, pair=("sys1", "sys2"))
    assert np.isnan(np.array(once["systems"]["sd"], dtype=float)).all()
    assert "interval" not in [table.name for table in once.tables]
    topic = study(topics=panel().topics[0], pair=("sys1", "sys2"), also_topics=True)
    assert set(topic["topics"]["topic"]) == {panel().topics[0]}
    assert np.isnan(np.array(topic["pools"]["p_value"], dtype=float)).all()
    assert max(topic["variation"]["sd_topics"]) < 1e-14


def _lists(runs: Any, name: str) -> dict[str, dict[str, float]]:
    whole = irassay.align(collection()[0], runs)
    return {t: {d: -float(r) for r, d in enumerate(whole.ranking(name, t))} for t in whole.topics}


def test_a_topic_whose_relevant_documents_nobody_finds_scores_0_and_is_no_error() -> None:
    qrels = {"1": {"d1": 1}, "2": {"unseen": 1, "d1": 0}}
    runs = {name: {"1": {"d1": 1.0, "d2": 0.5}, "2": {"d1": 1.0, "d3": 0.1}} for name in ("a", "b")}
    result = irassay.corpus(qrels, runs, corpus_size=40, measures="AP RR", images=200, pair=("a", "b"))
    rows = [row for row in result["topics"].rows() if row[2] == "2"]
    assert all(set(row[3:]) == {0.0} for row in rows)
    # about a third of the images lack the one relevant document of a topic: they score 0, and are counted
    counts = {str(topic): images for topic, images in result["unanswered"].rows()}
    plan = ImagePlan(0, 40, 4, 200)
    copies = plan.multiplicities(0, 200)
    assert counts == {"1": int((copies[:, 0] == 0).sum()), "2": int((copies[:, 3] == 0).sum())}
    assert set(result["pools"]["p_value"]) == {1.0}


def test_without_a_corpus_size_the_documents_seen_are_taken_with_a_warning() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = study(corpus_size=None)
    active = int(panel().document.max()) + 1
    said = [w.message for w in caught if isinstance(w.message, IrassayWarning)]
    assert [w.code for w in said] == ["corpus-size"]
    assert str(active) in said[0].what
    assert result["data"]["corpus_size"][0] == active


# memory


def test_beyond_the_memory_limit_quartiles_come_from_histograms_and_the_caption_says_so() -> None:
    images = 4 * CHUNK
    exact = statistics(images)
    memory = memory_of_topics(images, 1, exact=False)
    assert memory < memory_of_topics(images, 1, exact=True)
    rough = statistics(images, memory_limit=memory)
    assert not rough.exact
    assert rough.groups > 1
    assert same(exact, rough, but=("groups", "exact", "quartiles", "tails"))
    scores = blocks(MEASURES, images)
    for k, measure in enumerate(exact.mean):
        first = scores[k, :, :CHUNK]
        width = 3 * np.maximum(np.ptp(first, axis=1), 1e-9) / Histogram.BINS
        for name in ("quartiles", "tails"):
            difference = np.abs(getattr(exact, name)[measure] - getattr(rough, name)[measure])
            assert (difference <= width.T * (1 + 1e-9)).all()
    told = study(images=images, memory=f"{memory // 1024 + 1}k")
    assert "histograms" in told["topics"].caption
    assert told.provenance["quartiles_of_topics"] == "from histograms"


def test_a_memory_that_is_too_small_is_an_error_that_names_what_is_needed() -> None:
    with pytest.raises(InputError, match=r"40 images of 6 systems need 1 MB at least") as caught:
        study(memory="1k")
    needed = caught.value.hint.split()[2].rstrip(",")
    study(memory=needed)
    with pytest.raises(InputError, match="percentile intervals need") as caught:
        study(memory="600k", images=2000, interval=("percentile",))
    study(memory=caught.value.hint.split()[2].rstrip(","), images=2000, interval=("percentile",))
    with pytest.raises(InputError, match="takes all topics at once") as caught:
        study(memory="200k", images=600, measures="AREA(AP)")
    study(memory=caught.value.hint.split()[2].rstrip(","), images=600, measures="AREA(AP)")
