"""Chunked work: merged in the order of its parts whoever works on them."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from irassay.compute import device
from irassay.compute.executor import State, accumulate, threads

PARTS = list(range(40))


def late(part: int) -> int:
    """Work that ends in another order than it begins."""
    time.sleep((7 * part % 5) / 2000)
    return 3 * part


def listed(state: State, part: int, value: int) -> None:
    done = int(state["done"][0])
    state["order"][done], state["value"][done] = part, value
    state["done"][0] += 1


def fresh() -> State:
    return {"done": np.zeros(1, dtype=int), "order": np.full(len(PARTS), -1), "value": np.full(len(PARTS), -1)}


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_parts_are_merged_in_their_order_however_long_each_takes(jobs: int) -> None:
    state = fresh()
    accumulate("parts", late, PARTS, state, listed, jobs=jobs)
    assert state["order"].tolist() == PARTS
    assert state["value"].tolist() == [3 * part for part in PARTS]


def test_several_threads_work_on_the_parts_and_one_at_a_time_merges() -> None:
    workers, merging = set(), threading.Lock()

    def work(part: int) -> int:
        workers.add(threading.get_ident())
        return late(part)

    def add(state: State, part: int, value: int) -> None:
        assert merging.acquire(blocking=False)
        listed(state, part, value)
        merging.release()

    accumulate("parts", work, PARTS, fresh(), add, jobs=3)
    assert len(workers) > 1


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_error_in_a_part_ends_the_work(jobs: int) -> None:
    def work(part: int) -> int:
        if part == 11:
            raise ArithmeticError("part 11")
        return late(part)

    state = fresh()
    with pytest.raises(ArithmeticError, match="part 11"):
        accumulate("parts", work, PARTS, state, listed, jobs=jobs)
    assert 11 not in state["order"]


def test_what_was_accumulated_cannot_be_changed_any_more() -> None:
    state = fresh()
    accumulate("parts", late, PARTS, state, listed)
    with pytest.raises(ValueError, match="read-only"):
        state["value"][0] = 1


def test_the_inside_of_coarse_parts_may_use_all_threads_and_that_of_others_one() -> None:
    found: dict[bool, list[int]] = {True: [], False: []}

    def add(state: State, part: bool, value: int) -> None:
        found[part].append(value)

    for coarse in found:
        accumulate("parts", lambda _: threads(), [coarse] * 3, fresh(), add, jobs=4, coarse=coarse)
    assert found == {True: [4, 4, 4], False: [1, 1, 1]}
    assert threads() == 1


def test_where_a_gpu_is_used_it_makes_the_state_at_once() -> None:
    def work(part: int) -> int:
        raise AssertionError("the processor was asked")

    state = fresh()
    token = device._device.set("cuda")
    try:
        accumulate("parts", work, PARTS, state, listed, gpu=lambda: {"value": np.arange(len(PARTS))})
    finally:
        device._device.reset(token)
    assert state["value"].tolist() == PARTS


def test_only_what_finishing_leaves_is_kept() -> None:
    found = accumulate(
        "parts", late, PARTS, fresh(), listed, finish=lambda state: {"sum": state["value"].sum(keepdims=True)}
    )
    assert {name: array.tolist() for name, array in found.items()} == {"sum": [3 * sum(PARTS)]}
