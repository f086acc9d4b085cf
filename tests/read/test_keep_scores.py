"""Runs read without their retrieval scores: less memory, the same lists."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import irassay
from irassay.read import tokens

QRELS = {"1": {"a": 1, "c": 0}, "2": {"b": 2}}


def write(folder: Path, name: str, lines: list[str]) -> Path:
    (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return folder / name


def in_order(folder: Path) -> Path:
    lines = [
        f"{t} Q0 {d} {r} {s} tag"
        for t in (1, 2)
        for r, (d, s) in enumerate(zip("abcde", (9, 7, 7, 3, 1), strict=True), 1)
    ]
    return write(folder, "in-order.txt", lines)


def test_scores_of_a_file_that_stands_in_order_are_let_go_and_its_lists_stay_the_same(tmp_path: Path) -> None:
    path = in_order(tmp_path)
    (run,) = irassay.read_runs(path, keep_scores=False)
    assert len(run.score) == 0
    for order in ("trec", "rank", "file"):
        kept = irassay.align(QRELS, irassay.read_runs(path), order=order)
        gone = irassay.align(QRELS, irassay.read_runs(path, keep_scores=False), order=order)
        assert gone.ranking("tag", "1") == kept.ranking("tag", "1")
    assert irassay.align(QRELS, irassay.read_runs(path)).ranking("tag", "1") == ("a", "c", "b", "d", "e")


def test_scores_of_a_file_that_must_be_sorted_are_kept(tmp_path: Path) -> None:
    path = write(tmp_path, "rises.txt", ["1 Q0 a 1 1.0 t", "1 Q0 b 2 2.0 t"])
    (run,) = irassay.read_runs(path, keep_scores=False)
    assert run.score.tolist() == [1.0, 2.0]
    split = write(tmp_path, "split.txt", ["1 Q0 a 1 2 s", "2 Q0 b 1 2 s", "1 Q0 c 2 1 s"])
    (run,) = irassay.read_runs(split, keep_scores=False)
    assert run.score.tolist() == [2.0, 2.0, 1.0]


@pytest.mark.parametrize("policy", [{"order": "trec9"}, {"keep_scores": True}, {"residual": {"1": {"c": 0}}}])
def test_a_policy_that_needs_scores_says_so_where_they_are_gone(tmp_path: Path, policy: dict[str, object]) -> None:
    runs = irassay.read_runs(in_order(tmp_path), keep_scores=False)
    with pytest.raises(irassay.InputError, match="without its retrieval scores") as caught:
        irassay.align(QRELS, runs, **policy)  # type: ignore[arg-type]
    assert caught.value.hint == "read it with keep_scores=True"
    again = irassay.align(QRELS, in_order(tmp_path), **policy)  # type: ignore[arg-type]
    assert len(again.codes) >= 8


def test_kept_scores_stand_beside_their_documents_in_any_order(tmp_path: Path) -> None:
    run = irassay.align(QRELS, in_order(tmp_path), keep_scores=True)
    assert run.scores is not None
    assert run.scores.tolist() == [9, 7, 7, 3, 1] * 2
    path = write(tmp_path, "rises.txt", ["1 Q0 a 1 1.0 t", "1 Q0 b 2 2.0 t", "2 Q0 a 1 5 t", "2 Q0 b 2 4 t"])
    mixed = irassay.align(QRELS, [path, in_order(tmp_path)], keep_scores=True, jobs=2)
    assert mixed.scores is not None
    assert mixed.scores.tolist() == [2, 1, 9, 7, 7, 3, 1, 5, 4, 9, 7, 7, 3, 1]
    assert mixed.ranking("t", "1") == ("b", "a")


def test_a_list_that_goes_on_in_the_next_block_of_its_file_is_one_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "long.txt", [f"{t} Q0 d{r:03} {r} {500 - r} tag" for t in (1, 2) for r in range(1, 101)])
    (whole,) = irassay.read_runs(path)
    monkeypatch.setattr(tokens, "BLOCK", 700)
    for keep in (True, False):
        (pieces,) = irassay.read_runs(path, keep_scores=keep, jobs=2)
        assert pieces.rank is None
        assert pieces.segment_row.tolist() == whole.segment_row.tolist() == [0, 100, 200]
        assert np.array_equal(pieces.entry, whole.entry)
        assert len(pieces.score) == (200 if keep else 0)


def test_ranks_that_start_again_where_a_block_ends_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"1 Q0 d{r:03} {r % 50} {500 - r} tag" for r in range(1, 101)]
    monkeypatch.setattr(tokens, "BLOCK", len(lines[0]) * 49)
    (run,) = irassay.read_runs(write(tmp_path, "again.txt", lines))
    assert run.rank is not None
    assert run.rank.tolist() == [r % 50 for r in range(1, 101)]
