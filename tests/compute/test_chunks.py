"""Chunked work: merged in the order of its parts whoever works on them, and named by what it holds."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irassay.compute.digest import digest
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


def late(part: int) -> int:
    return 3 * part


def other(part: int) -> int:
    return 3 * part


@dataclass
class Inner:
    values: Any
    name: str = "a"
    derived: int = field(init=False, default=0)
    carried: int = field(compare=False, default=0)


@dataclass
class Outer:
    inner: Inner
    table: dict[str, float]
    function: Callable[..., Any]


def held(values: Any = (1.0, 2.0)) -> Outer:
    return Outer(Inner(np.array(values)), {"x": 0.5}, partial(late, part=3))


OTHERS = {
    "a number": lambda: held((1.0, np.nextafter(2.0, 3.0))),
    "a sign": lambda: held((1.0, -2.0)),
    "a type": lambda: held(np.array([1.0, 2.0], dtype=np.float32)),
    "a shape": lambda: held([[1.0, 2.0]]),
    "a text": lambda: replace(held(), inner=Inner(np.array([1.0, 2.0]), "b")),
    "a key": lambda: replace(held(), table={"y": 0.5}),
    "a value": lambda: replace(held(), table={"x": 0.25}),
    "a function": lambda: replace(held(), function=partial(other, part=3)),
    "an argument": lambda: replace(held(), function=partial(late, part=4)),
    "an integer for a float": lambda: replace(held(), table={"x": 0}),
}


@pytest.mark.parametrize("what", OTHERS)
def test_other_work_has_another_digest(what: str) -> None:
    assert digest(OTHERS[what]()) != digest(held())


def test_equal_work_has_one_digest_in_every_process() -> None:
    equal = held()
    equal.inner.derived = equal.inner.carried = 7  # these follow from the rest
    equal.inner.values.setflags(write=False)
    assert digest(equal) == digest(held())
    code = "from tests.compute.test_chunks import digest, held; print(digest(held()))"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=True, text=True)
    assert done.stdout.strip() == digest(held())


def test_neighbours_do_not_run_into_each_other() -> None:
    assert digest(("ab", "c")) != digest(("a", "bc"))
    assert digest(((1, 2), 3)) != digest((1, (2, 3)))
    assert digest(np.zeros(2)) != digest((np.zeros(1), np.zeros(1)))


def test_what_has_no_lasting_name_is_refused() -> None:
    with pytest.raises(TypeError, match="holds no set"):
        digest({1, 2})


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
