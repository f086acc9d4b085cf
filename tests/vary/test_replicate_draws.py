"""Replicates are the same wherever they are made, and move with nothing but what they depend on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.ask.replicates import Replicates
from irassay.compute import checkpoint
from irassay.compute.checkpoint import Checkpoint
from irassay.compute.executor import open_executor
from irassay.vary.blocks import replicate_chunk
from irassay.vary.documents import Documents, active_documents
from irassay.vary.gains import Gains
from irassay.vary.judgments import Judgments
from irassay.vary.pools import Pools
from irassay.vary.replicates import replicates
from irassay.vary.simulation import Simulation
from irassay.vary.ties import Ties
from irassay.vary.topics import Topics
from irassay.vary.variation import Variation
from tests.helpers.varied_panels import MEASURES, aligned, files, observe, observed, whole_panel

NUMBER = 300  # more than the 256 of a part
Options = dict[str, Any]
DRAWN: dict[str, tuple[Callable[..., Variation], Options]] = {
    "topics": (Topics, {}),
    "topics halves": (Topics, {"halves": True}),
    "documents": (Documents, {"corpus_size": 300}),
    "judgments": (Judgments, {}),
    "simulation": (Simulation, {}),
    "simulation kde": (Simulation, {"model": "kde"}),
    "ties": (Ties, {}),
}
WITH_TOPICS = ("documents", "judgments", "simulation", "ties")
CASES = [*((name, False) for name in DRAWN), *((name, True) for name in WITH_TOPICS)]
ARRAYS = ("observed", "means", "verdicts", "better", "worse", "changed", "p_values", "topic_covariance")


def variation(name: str, **options: Any) -> Variation:
    make, own = DRAWN[name]
    return make(**{"seed": 4, "replicates": NUMBER, **own, **options})


def assert_equal(one: Replicates, other: Replicates) -> None:
    """To the last bit."""
    for name in ARRAYS:
        a, b = getattr(one, name), getattr(other, name)
        assert (a is None) == (b is None)
        if a is not None:
            np.testing.assert_array_equal(a, b, err_msg=name)


@pytest.mark.parametrize(("name", "with_topics"), CASES)
def test_any_number_of_threads_makes_the_same_replicates(name: str, with_topics: bool) -> None:
    one, two, three = (
        replicates(variation(name), observed(), with_topics=with_topics, jobs=jobs) for jobs in (1, 2, 3)
    )
    assert_equal(one, two)
    assert_equal(one, three)


@pytest.mark.parametrize("listed", [Pools(depths="3,10,25"), Gains()])
def test_any_number_of_threads_makes_the_same_scenarios(listed: Variation) -> None:
    assert_equal(replicates(listed, observed()), replicates(listed, observed(), jobs=3))


def test_workers_of_a_cluster_make_the_same_replicates() -> None:
    pytest.importorskip("distributed")
    with open_executor(cluster="local:2"):
        there = {case: replicates(variation(case[0]), observed(), with_topics=case[1]) for case in CASES}
    for (name, with_topics), result in there.items():
        assert_equal(result, replicates(variation(name), observed(), with_topics=with_topics))


class Stopped(Exception):  # noqa: N818
    """Raised where a process would be killed."""


@pytest.mark.parametrize(("name", "with_topics"), CASES)
def test_interrupted_replicates_go_on_and_end_with_the_same_numbers(
    name: str, with_topics: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    monkeypatch.setattr(checkpoint, "SHARE", float("inf"))
    save = Checkpoint.save

    def stopping(self: Checkpoint, *arguments: Any) -> None:
        save(self, *arguments)
        raise Stopped

    def saved() -> Checkpoint:
        return Checkpoint(tmp_path / "checkpoint", {"study": "replicates"}, {})

    with monkeypatch.context() as patched, open_executor(checkpoint=saved()):
        patched.setattr(Checkpoint, "save", stopping)
        with pytest.raises(Stopped):
            replicates(variation(name), observed(), with_topics=with_topics)
    parts: list[range] = []
    plan = type(variation(name).plan(observed()))
    block = plan.block

    def counted(self: Any, part: range, jobs: int) -> Any:
        parts.append(part)
        return block(self, part, jobs)

    monkeypatch.setattr(plan, "block", counted)
    with open_executor(checkpoint=saved()):
        result = replicates(variation(name), observed(), with_topics=with_topics)
    assert parts == [range(256, 300)]  # what was saved is not made again
    assert_equal(result, replicates(variation(name), observed(), with_topics=with_topics))


@pytest.mark.parametrize(("name", "with_topics"), CASES)
def test_the_second_set_of_replicates_is_another_one_with_the_same_distribution(name: str, with_topics: bool) -> None:
    # seed 4; both means of 300 replicates estimate one number: 5 standard errors of their difference, and the
    # correlation of independent sets is 0 with a standard error of 1/sqrt(300): 5 of these
    first, second = (
        replicates(variation(name), observed(), with_topics=with_topics, independent=independent)
        for independent in (0, 1)
    )
    np.testing.assert_array_equal(first.observed, second.observed)
    for a, b in zip(first.means[0].T, second.means[0].T, strict=True):
        assert not np.array_equal(a, b)
        if a.std() > 1e-12:
            assert abs(np.corrcoef(a, b)[0, 1]) < 5 / np.sqrt(NUMBER)
            assert abs(a.mean() - b.mean()) < 5 * np.hypot(a.std(ddof=1), b.std(ddof=1)) / np.sqrt(NUMBER)


@pytest.mark.parametrize(("name", "with_topics"), CASES)
def test_another_seed_makes_other_replicates_and_more_of_them_add_to_the_first(name: str, with_topics: bool) -> None:
    made = {
        key: replicates(variation(name, **options), observed(), with_topics=with_topics).means
        for key, options in {"here": {}, "seed": {"seed": 5}, "fewer": {"replicates": 40}}.items()
    }
    assert not np.array_equal(made["here"], made["seed"])
    np.testing.assert_allclose(made["here"][:, :40], made["fewer"], rtol=0, atol=1e-15)


def with_another_run() -> irassay.Panel:
    qrels, runs = files()
    runs["new"] = {t: {d: -s for d, s in lists.items()} | {"only-here": 1e6} for t, lists in runs["s0"].items()}
    return aligned(qrels, runs)


@pytest.mark.parametrize(("name", "with_topics"), CASES)
def test_another_run_moves_nothing_but_bootstrap_corpora(name: str, with_topics: bool) -> None:
    more = with_another_run()
    before = replicates(variation(name, replicates=40), observed(), with_topics=with_topics)
    wider = observe(more, systems=(*observed().scores.systems, "new"))
    after = replicates(variation(name, replicates=40), wider, with_topics=with_topics)
    same = np.array_equal(after.means[:, :, :5], before.means)
    if name == "documents":  # they depend on the active documents, and a run makes more of them active
        assert active_documents(more) > active_documents(whole_panel())
        assert not same
    else:
        np.testing.assert_allclose(after.means[:, :, :5], before.means, rtol=0, atol=1e-15)
        pairs = [k for k, (_, y) in enumerate(zip(*np.triu_indices(6, 1), strict=True)) if y < 5]
        np.testing.assert_array_equal(after.better[:, pairs], before.better)
        np.testing.assert_array_equal(after.worse[:, pairs], before.worse)


@pytest.mark.parametrize(("name", "with_topics"), CASES)
def test_another_measure_and_a_system_left_out_move_nothing(name: str, with_topics: bool) -> None:
    whole = replicates(variation(name, replicates=40), observed(), with_topics=with_topics)
    few = observe(whole_panel(), "RR GM(AP)", systems=("s0", "s3", "copy"))
    part = replicates(variation(name, replicates=40), few, with_topics=with_topics)
    places = [MEASURES.split().index(measure) for measure in ("RR", "GM(AP)")]
    systems = [observed().scores.systems.index(system) for system in few.scores.systems]
    np.testing.assert_allclose(part.means, whole.means[places][:, :, systems], rtol=0, atol=1e-15)


def test_two_orders_of_the_systems_give_the_same_replicates() -> None:
    other = replace(observed(), scores=observed().scores.select(systems=observed().scores.systems[::-1]))
    for name in DRAWN:
        one, two = (replicates(variation(name, replicates=40), seen) for seen in (observed(), other))
        np.testing.assert_allclose(two.means[:, :, ::-1], one.means, rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", ["documents", "judgments", "simulation", "ties"])
def test_smaller_blocks_make_the_same_replicates(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = replicates(variation(name), observed())
    monkeypatch.setattr("irassay.vary.blocks.BLOCK_BYTES", 1)
    assert variation(name).plan(observed()).chunk == 32
    small = replicates(variation(name), observed())
    for array in ("means", "better", "worse", "changed"):
        assert np.array_equal(getattr(whole, array), getattr(small, array)), array
    if whole.topic_covariance is not None:
        assert small.topic_covariance is not None
        np.testing.assert_allclose(whole.topic_covariance, small.topic_covariance, rtol=1e-12, atol=1e-18)


def test_a_block_of_many_topics_stays_below_a_gigabyte() -> None:
    assert replicate_chunk(5, 50, 129) == 256  # TREC-8
    assert 8 * 5 * 6980 * 50 * replicate_chunk(5, 6980, 50) < 2**30  # MS MARCO's development topics
