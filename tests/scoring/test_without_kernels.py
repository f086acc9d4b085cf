"""Small collections are aligned, scored and sampled without kernels, and every number is what kernels give."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irassay
from irassay.compute import compilation
from irassay.compute.draws import random_counts, random_indices, sums_of_samples
from irassay.measures import records
from irassay.scoring import fold
from tests.helpers.compilation import both_ways, equal
from tests.helpers.measures import ALL, TOPICS
from tests.helpers.panels import panel_of
from tests.helpers.random_collections import random_collection

TOLERANCE = 1e-12  # of a value: logarithms and powers are the C library's in both


def values(panel: irassay.Panel) -> Any:
    return panel.score(ALL).values


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_every_measure_has_the_same_values(seed: int) -> None:
    collection = random_collection(seed)
    plain, compiled = both_ways(lambda: values(irassay.align(collection.qrels, collection.runs)))
    assert isinstance(plain, np.ndarray)
    np.testing.assert_allclose(plain, compiled, rtol=0, atol=TOLERANCE)


@given(topic=TOPICS)
def test_every_measure_has_the_same_value_for_any_list(topic: Any) -> None:
    panel = panel_of({"1": topic})
    plain, compiled = both_ways(lambda: values(panel))
    assert isinstance(plain, np.ndarray)
    np.testing.assert_allclose(plain, compiled, rtol=1e-12, atol=TOLERANCE)


POLICIES: list[dict[str, Any]] = [
    {"order": order, "ties": ties, "depth": depth, "duplicates": "first"}
    for order, ties, depth in product(("trec", "trec9", "rank", "file"), ("name", "best", "worst"), (None, 3))
]
POLICIES += [{"negative": "nonrelevant"}, {"unanswerable": "drop"}, {"topics": "401-403"}, {"gains": "1=1,2=5,3=9"}]
POLICIES += [{"keep_scores": True}, {"keep_scores": True, "order": "trec9"}, {"drop_self": True}]


@pytest.mark.parametrize("policy", POLICIES, ids=str)
@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_every_policy_aligns_alike(policy: dict[str, Any], tmp_path: Path) -> None:
    qrels, runs = random_collection(7).write(tmp_path)
    run = next(runs.iterdir())
    lines = run.read_text().splitlines(keepends=True)
    if "duplicates" in policy:  # a document again, and a list in two places
        lines = [*lines[3:], *lines[:5]]
    lines.append(f"{lines[0].split()[0]} Q0 {lines[0].split()[0]} 999 -9 {run.stem}\n")
    run.write_text("".join(lines))

    def aligned() -> Any:
        panel = irassay.align(qrels, runs, **policy)
        names = [panel.documents(topic) for topic in panel.topics]
        arrays = (panel.offsets, panel.codes, panel.pool, panel.grade, panel.document, panel.judged_counts())
        return [*arrays, panel.scores, names, panel.topics, [str(one) for one in panel.warnings], values(panel)]

    plain, compiled = both_ways(aligned)
    assert len(plain) == 11
    assert equal(plain[:-1], compiled[:-1])
    np.testing.assert_allclose(plain[-1], compiled[-1], rtol=0, atol=TOLERANCE)


def test_residual_judgments_are_left_out_alike(tmp_path: Path) -> None:
    qrels, runs = random_collection(7).write(tmp_path)
    known = tmp_path / "known"
    known.write_text("".join(qrels.read_text().splitlines(keepends=True)[::3]))
    plain, compiled = both_ways(lambda: list(vars(irassay.align(qrels, runs, residual=known)).values())[2:7])
    assert equal(plain, compiled)


@given(
    size=st.integers(1, 300), replicates=st.integers(1, 20), seed=st.integers(0, 2**64 - 1), first=st.integers(0, 2**40)
)
def test_samples_of_topics_and_their_sums_are_the_same(size: int, replicates: int, seed: int, first: int) -> None:
    def sampled() -> Any:
        where = {"seed": seed, "stream": 3, "first": first}
        counts = random_counts(replicates, size, size, **where)
        scores = np.random.default_rng(replicates).normal(size=(size, 3))
        return random_indices(replicates, size, size, **where), counts, sums_of_samples(scores, counts)

    plain, compiled = both_ways(sampled)
    assert equal(plain, compiled)


def test_measures_of_a_user_are_always_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRASSAY_COMPILE", "never")

    def own(rank: Any, grade: Any, n: Any, gain: Any, ideal: Any, judged: Any, size: Any, par: Any) -> float:
        return float(n)

    assert fold.interpreted(records()["AP"].function)
    assert not fold.interpreted(own)


def test_kernels_are_taken_after_so_many_lines_of_one_kind_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("IRASSAY_COMPILE", raising=False)
    monkeypatch.setattr(compilation, "sys", type("Nothing", (), {"modules": {}}))
    monkeypatch.setattr(compilation, "_done", type(compilation._done)())
    assert not compilation.compiled("read", 60_000)
    assert not compilation.compiled("score", 60_000)
    assert not compilation.compiled("read", 40_000)
    assert compilation.compiled("read", 1)
    assert compilation.compiled("score")


@pytest.mark.parametrize(("choice", "expected"), [("always", True), ("never", False)])
def test_a_user_can_say_whether_kernels_are_compiled(
    choice: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRASSAY_COMPILE", choice)
    assert compilation.compiled("read", 10**9) is expected
