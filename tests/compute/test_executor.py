"""Chunked work: merged in the order of its parts whoever works on them."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

import numpy as np
import pytest

from irassay.compute.executor import Accumulator, Executor, Plan, Rows, State, Sums, execute, using

PARTS = list(range(40))


@dataclass
class Late(Plan):
    """Triples its units; parts end in another order than they begin."""

    chunk: int = 1
    threads_inside: bool = False
    fail_at: int = -1
    threads: set[int] = field(default_factory=set, init=False)

    @property
    def units(self) -> int:
        return len(PARTS)

    def block(self, part: range, jobs: int) -> State:
        self.threads.add(threading.get_ident())
        if self.fail_at in part:
            raise ArithmeticError(f"part {self.fail_at}")
        time.sleep((7 * part.start % 5) / 2000)
        return {"unit": np.array(part), "value": 3 * np.array(part), "jobs": np.full(len(part), jobs)}


class Merged(Accumulator):
    """Parts in the order in which they are merged, one at a time."""

    def __init__(self) -> None:
        self.merging = threading.Lock()
        self.starts: list[int] = []

    def add(self, part: range, block: State, jobs: int) -> State:
        return block

    def merge(self, state: State, part: range, other: State, jobs: int) -> None:
        assert self.merging.acquire(blocking=False)
        self.starts.append(part.start)
        state["value"] = np.concatenate([state["value"], other["value"]]) if state else other["value"]
        self.merging.release()


@pytest.mark.parametrize("chunk", [1, 7])
@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_parts_are_merged_in_their_order_however_long_each_takes(jobs: int, chunk: int) -> None:
    accumulator = Merged()
    state = execute("parts", Late(chunk), accumulator, jobs=jobs)
    assert accumulator.starts == PARTS[::chunk]
    assert state["value"].tolist() == [3 * part for part in PARTS]


def test_several_threads_work_on_the_parts_and_one_at_a_time_merges() -> None:
    plan = Late()
    execute("parts", plan, Merged(), jobs=3)
    assert len(plan.threads) > 1


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_error_in_a_part_ends_the_work(jobs: int) -> None:
    accumulator = Merged()
    with pytest.raises(ArithmeticError, match="part 11"):
        execute("parts", Late(fail_at=11), accumulator, jobs=jobs)
    assert 11 not in accumulator.starts


def test_what_was_accumulated_cannot_be_changed_any_more() -> None:
    state = execute("parts", Late(), Rows(len(PARTS)))
    with pytest.raises(ValueError, match="read-only"):
        state["value"][0] = 1


def test_rows_are_put_below_each_other_and_sums_added() -> None:
    rows = execute("parts", Late(7), Rows(len(PARTS)), jobs=3)
    assert rows["unit"].tolist() == PARTS
    assert rows["value"].tolist() == [3 * part for part in PARTS]
    assert execute("parts", Late(10), Sums(), jobs=3)["unit"].tolist() == [60 + 4 * i for i in range(10)]


def test_threads_share_the_inside_of_a_part_or_the_parts() -> None:
    for inside, jobs in ((True, 4), (False, 1)):
        state = execute("parts", Late(threads_inside=inside), Rows(len(PARTS)), jobs=4)
        assert set(state["jobs"].tolist()) == {jobs}


@dataclass
class Counted(Late):
    """Notes how far ahead of the merged ones its parts begin, and merges slowly."""

    accumulator: Merged | None = None
    ahead: int = field(default=0, init=False)

    def block(self, part: range, jobs: int) -> State:
        assert self.accumulator is not None
        self.ahead = max(self.ahead, part.start // self.chunk + 1 - len(self.accumulator.starts))
        return super().block(part, jobs)


class Slow(Merged):
    def merge(self, state: State, part: range, other: State, jobs: int) -> None:
        time.sleep(0.003)
        super().merge(state, part, other, jobs)


@pytest.mark.parametrize("inside", [False, True])
def test_parts_begin_no_further_ahead_of_the_merged_ones_than_the_plan_says(inside: bool) -> None:
    plan = Counted(chunk=1, threads_inside=inside, accumulator=Slow())
    assert plan.accumulator is not None
    execute("parts", plan, plan.accumulator, jobs=2)
    assert plan.accumulator.starts == PARTS
    # a part that is being merged is not noted yet
    assert 1 < plan.ahead <= plan.under_way(2) + 1


def test_threads_go_on_while_one_of_them_merges() -> None:
    merging, going_on = threading.Event(), threading.Event()

    class Waits(Merged):
        def merge(self, state: State, part: range, other: State, jobs: int) -> None:
            merging.set()
            assert going_on.wait(timeout=30)
            super().merge(state, part, other, jobs)

    class GoesOn(Late):
        def block(self, part: range, jobs: int) -> State:
            if merging.is_set():
                going_on.set()
            return super().block(part, jobs)

    accumulator = Waits()
    execute("parts", GoesOn(), accumulator, jobs=2)
    assert accumulator.starts == PARTS


class OnGpu(Late):
    gpu = True

    def block(self, part: range, jobs: int) -> State:
        raise AssertionError("the CPU was asked")

    def gpu_block(self, part: range, jobs: int) -> State:
        return {"value": np.array(part), "parts": np.full(len(part), len(part))}


def test_where_a_gpu_is_used_it_makes_all_units_at_once() -> None:
    with using(Executor(device="cuda")):
        state = execute("parts", OnGpu(), Rows(len(PARTS)))
    assert state["value"].tolist() == PARTS
    assert set(state["parts"].tolist()) == {len(PARTS)}


class Total(Sums):
    def finish(self, state: State, jobs: int) -> State:
        return {"sum": state["value"].sum(keepdims=True)}


def test_only_what_finishing_leaves_is_kept() -> None:
    state = execute("parts", Late(), Total())
    assert {name: array.tolist() for name, array in state.items()} == {"sum": [3 * sum(PARTS)]}
