"""The order of a list: every named order, ties, and the merge sort that makes them."""

from __future__ import annotations

import random
import warnings
from collections import Counter
from collections.abc import Callable
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from irassay import align, read_qrels, read_runs
from irassay.errors import InputError, IrassayWarning
from irassay.panel.panel import Panel

Lines = list[tuple[str, str, int, float]]  # topic, document, rank, score: a file from top to bottom
TINY = 2.0**-30  # lost in a 32-bit float next to 1


def panel_of(folder: Path, lines: Lines, judged: str = "1 0 judged 1\n", **policy: Any) -> Panel:
    (folder / "qrels").write_text(judged)
    text = "".join(f"{t} Q0 {d} {r} {s!r} tag\n" for t, d, r, s in lines)
    (folder / "run").write_bytes(text.encode("utf-8", "surrogateescape"))
    return align(read_qrels(folder / "qrels"), read_runs(folder / "run"), **policy)


def as_trec_eval(lines: Lines, topic: str = "1") -> list[str]:
    """Score, then the bytes of the id, both descending."""
    mine = [line for line in lines if line[0] == topic]
    return [d for _, d, _, _ in sorted(mine, key=lambda line: (line[3], line[1].encode()), reverse=True)]


EXAMPLE: Lines = [("1", "b", 2, 1.0), ("1", "a", 1, 1.0 + TINY), ("1", "c", 4, 2.0), ("1", "d", 3, 1.0)]


@pytest.mark.parametrize(
    ("order", "expected"),
    [("trec", "cadb"), ("trec9", "cdba"), ("rank", "abdc"), ("file", "bacd"), (None, "cadb")],
)
def test_each_order_is_what_its_name_says(tmp_path: Path, order: str | None, expected: str) -> None:
    panel = panel_of(tmp_path, EXAMPLE, "1 0 a 1\n", order=order)
    assert panel.ranking("tag", "1") == tuple(expected)
    assert panel.policy["order"] == (order or "trec")


@pytest.mark.parametrize("judged", ["1 a L1\n", "1 A a 1\n"])
def test_ntcir_judgments_default_to_file_order(tmp_path: Path, judged: str) -> None:
    assert panel_of(tmp_path, EXAMPLE, judged).ranking("tag", "1") == tuple("bacd")
    assert panel_of(tmp_path, EXAMPLE, judged, order="trec").ranking("tag", "1") == tuple("cadb")


def test_scores_beyond_32_bits_tie_at_infinity_in_trec9_without_a_complaint(tmp_path: Path) -> None:
    lines: Lines = [("1", "a", 1, 1e300), ("1", "b", 2, 1e200), ("1", "judged", 3, float("-inf"))]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert panel_of(tmp_path, lines, order="trec9").ranking("tag", "1") == ("b", "a", "judged")
    assert panel_of(tmp_path, lines).ranking("tag", "1") == ("a", "b", "judged")


def test_equal_ranks_keep_the_order_of_the_file(tmp_path: Path) -> None:
    lines: Lines = [("1", "b", 2, 1.0), ("1", "z", 1, 1.0), ("1", "a", 2, 9.0), ("1", "judged", 1, 5.0)]
    assert panel_of(tmp_path, lines, order="rank").ranking("tag", "1") == ("z", "judged", "b", "a")


def test_rank_order_needs_ranks(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 3 t\n1 Q0 b x 2 t\n")
    with pytest.raises(InputError, match=r"run:2: the rank is not a whole number"):
        align(tmp_path / "qrels", tmp_path / "run", order="rank")
    with pytest.raises(InputError, match="has no ranks"):
        align({"1": {"a": 1}}, {"1": {"a": 1.0}}, order="rank")


names = st.text(st.sampled_from("aAzé\U0001f600-9\udcff"), min_size=1, max_size=5).flatmap(
    lambda end: st.sampled_from([0, 7, 8, 15, 16, 22, 23, 24, 25, 40]).map(lambda n: "x" * n + end)
)


@given(st.lists(names, min_size=2, max_size=12, unique=True))
@settings(max_examples=60, deadline=None)
def test_tied_documents_stand_in_descending_order_of_their_bytes(documents: list[str]) -> None:
    panel = align({"1": {documents[0]: 1}}, {"1": dict.fromkeys(documents, 0.0)})
    by_bytes = sorted(documents, key=lambda d: d.encode("utf-8", "surrogateescape"), reverse=True)
    assert panel.ranking("run", "1") == tuple(by_bytes)


SIZES = [1, 2, 11, 12, 13, 24, 25, 37, 100, 1000, 3000]


@pytest.mark.parametrize("shape", ["random", "ties", "falling", "rising", "constant", "nearly", "tied tail"])
def test_sorting_agrees_with_python(shape: str) -> None:
    rng = random.Random(shape)
    make: Callable[[int, int], float] = {
        "random": lambda i, n: rng.random(),
        "ties": lambda i, n: float(rng.randint(0, 5)),
        "falling": lambda i, n: float(n - i),
        "rising": lambda i, n: float(i),
        "constant": lambda i, n: 1.0,
        "nearly": lambda i, n: float(n - i + (3 if rng.random() < 0.05 else 0)),
        "tied tail": lambda i, n: float(max(n - i, n // 2)),
    }[shape]
    lists = {}
    for n in SIZES:
        documents = rng.sample(range(10**6), n)
        lists[str(n)] = {f"{'long' * (d % 3 * 4)}{d}": make(i, n) for i, d in enumerate(documents)}
    panel = align({topic: {"x": 1} for topic in lists}, lists, keep_scores=True)
    assert panel.scores is not None
    for t, (topic, scores) in enumerate(zip(panel.topics, (lists[t] for t in panel.topics), strict=True)):
        expected = sorted(scores, key=lambda d: (scores[d], d), reverse=True)
        assert panel.ranking("run", topic) == tuple(expected)
        assert panel.scores[panel.offsets[t, 0] : panel.offsets[t, 1]].tolist() == [scores[d] for d in expected]
    # without scores to keep, lists are copied where they stand in order
    assert align({topic: {"x": 1} for topic in lists}, lists).codes.tolist() == panel.codes.tolist()


@pytest.mark.parametrize("depth", [1, 2, 3, None])
def test_a_cut_inside_a_tie_keeps_the_documents_that_names_put_first(tmp_path: Path, depth: int | None) -> None:
    lines: Lines = [("1", "x", 1, 2.0), ("1", "a", 2, 1.0), ("1", "c", 3, 1.0), ("1", "b", 4, 1.0), ("1", "d", 5, 0.0)]
    assert panel_of(tmp_path, lines, depth=depth).ranking("tag", "1") == tuple("xcbad")[:depth]
    assert panel_of(tmp_path, lines, depth=depth, order="file").ranking("tag", "1") == tuple("xacbd")[:depth]


@pytest.mark.parametrize("depth", [7, None])
@pytest.mark.parametrize("order", ["trec", "trec9", "rank", "file"])
def test_every_topic_of_a_run_is_in_order_whatever_the_others_are(
    tmp_path: Path, order: str, depth: int | None
) -> None:
    rng = random.Random(order)
    falling = sorted((float(rng.randint(0, 9)) for _ in range(30)), reverse=True)
    scores = {"1": falling, "2": rng.sample(falling, 30), "3": [1.0] * 30, "4": falling[:15]}
    lines: Lines = [
        (topic, f"d{rng.randint(0, 10**9)}", rank, score)
        for topic, listed in [*scores.items(), ("5", falling), ("4", falling[15:])]  # topic 4 stands in two places
        for rank, score in enumerate(listed, 1 if topic < "5" else 2)
    ]
    judged = "".join(f"{topic} 0 x 1\n" for topic in "42135")
    for jobs in (1, 3):
        panel = panel_of(tmp_path, lines, judged, order=order, depth=depth, jobs=jobs)
        for topic in "12345":
            mine = [line for line in lines if line[0] == topic]
            by_rank = [line[1] for line in sorted(mine, key=lambda line: line[2])]
            in_file = [line[1] for line in mine]
            expected = {"rank": by_rank, "file": in_file}.get(order, as_trec_eval(lines, topic))
            assert panel.ranking("tag", topic) == tuple(expected[:depth])


@pytest.mark.parametrize("order", ["trec", "rank", "file"])
def test_topics_that_are_not_contiguous_are_ordered_as_if_they_were(tmp_path: Path, order: str) -> None:
    rng = random.Random(7)
    lines: Lines = [
        (str(rng.randint(1, 2)), f"d{n}", rank, float(rng.randint(0, 9)))
        for n, rank in enumerate(rng.sample(range(500), 500))
    ]
    panel = panel_of(tmp_path, lines, "1 0 x 1\n2 0 x 1\n", order=order)
    for topic in ("1", "2"):
        mine = [line for line in lines if line[0] == topic]
        by_rank = [line[1] for line in sorted(mine, key=lambda line: line[2])]
        expected = {"trec": as_trec_eval(lines, topic), "rank": by_rank, "file": [line[1] for line in mine]}
        assert panel.ranking("tag", topic) == tuple(expected[order])


@pytest.mark.parametrize(("order", "kept"), [("trec", "bca"), ("trec9", "bca"), ("rank", "acb"), ("file", "acb")])
def test_the_better_ranked_of_two_equal_documents_is_kept_in_every_order(tmp_path: Path, order: str, kept: str) -> None:
    lines: Lines = [("1", "a", 1, 1.0), ("1", "c", 2, 5.0), ("1", "b", 3, 2.0), ("1", "b", 4, 9.0), ("1", "a", 5, 0.5)]
    with pytest.warns(IrassayWarning, match="dropped 2 repeated documents"):
        panel = panel_of(tmp_path, lines, "1 0 a 1\n", order=order, duplicates="first")
    assert panel.ranking("tag", "1") == tuple(kept)
    with pytest.warns(IrassayWarning, match="repeated"):
        cut = panel_of(tmp_path, lines, "1 0 a 1\n", order=order, duplicates="first", depth=2)
    assert cut.ranking("tag", "1") == tuple(kept)[:2]


def tied_orders(documents: dict[str, float]) -> list[list[str]]:
    """Every order of a list that its scores allow."""
    groups = [
        [d for d in documents if documents[d] == score] for score in sorted(set(documents.values()), reverse=True)
    ]
    return [[d for part in parts for d in part] for parts in product(*(list(permutations(g)) for g in groups))]


@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 2).map(float), min_size=2, max_size=7).filter(
        lambda scores: max(Counter(scores.values()).values()) <= 4
    ),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-1, 2), min_size=1),
    st.sampled_from([None, 2, 3]),
)
@example({"a": 0.0, "b": 0.0, "c": 0.0, "d": 0.0}, {"a": 0, "b": -1, "d": 0}, None)  # judged or not, none relevant
@settings(max_examples=25, deadline=None)
def test_best_and_worst_are_the_extremes_over_all_orders_of_tied_documents(
    scores: dict[str, float], judged: dict[str, int], depth: int | None
) -> None:
    measures = "AP P@1 P@3 nDCG@3 Q Bpref Judged@2 AP' P'@2"
    qrels = {"1": {**judged, "unretrieved": 2}}
    orders = tied_orders(scores)
    systems = {str(i): {"1": {d: -float(r) for r, d in enumerate(o)}} for i, o in enumerate(orders)}
    every = align(qrels, systems, depth=depth).score(measures).values[:, :, 0]
    for ties, extreme in (("best", every.max(axis=1)), ("worst", every.min(axis=1))):
        scored = align(qrels, {"1": scores}, ties=ties, depth=depth).score(measures).values[:, 0, 0]
        np.testing.assert_allclose(scored, extreme, rtol=0, atol=1e-12)


def test_best_and_worst_are_the_list_itself_where_nothing_ties() -> None:
    qrels, run = {"1": {"a": 1, "c": 2}}, {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}
    for ties in ("name", "best", "worst"):
        assert align(qrels, run, ties=ties).ranking("run", "1") == ("a", "b", "c")
