"""Parallel work on threads."""

from __future__ import annotations

import multiprocessing
import sys
import threading
import time

import pytest

from irassay.compute.threads import parallel_for


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("parts", [0, 1, 3, 100])
def test_every_part_is_done_once(jobs: int, parts: int) -> None:
    done: list[int] = []
    parallel_for(done.append, range(parts), jobs)
    assert sorted(done) == list(range(parts))


def test_as_many_threads_as_jobs_work_at_the_same_time() -> None:
    together = threading.Barrier(3)
    parallel_for(lambda _: together.wait(timeout=30), range(3), 3)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_an_error_in_any_part_reaches_the_caller(jobs: int) -> None:
    def work(part: int) -> None:
        if part == 7:
            raise ValueError("part 7")

    with pytest.raises(ValueError, match="part 7"):
        parallel_for(work, range(20), jobs)


def test_work_may_start_parallel_work_itself() -> None:
    done: list[int] = []
    parallel_for(lambda part: parallel_for(done.append, range(10 * part, 10 * part + 10), 4), range(10), 4)
    assert sorted(done) == list(range(100))


def test_parts_inside_parts_have_no_more_threads_than_the_outermost() -> None:
    lock, threads, most = threading.Lock(), 0, 0

    def work(_: int) -> None:
        nonlocal threads, most
        with lock:
            threads += 1
            most = max(most, threads)
        time.sleep(0.002)
        with lock:
            threads -= 1

    parallel_for(lambda _: parallel_for(work, range(10), 8), range(6), 3)
    assert 2 <= most <= 4  # one more where a thread that waited has just come back


def test_an_error_outside_ends_the_work_inside_other_parts() -> None:
    other, inner = threading.Event(), threading.Event()
    done: list[int] = []

    def inside(part: int) -> None:
        inner.set()
        time.sleep(0.001)
        done.append(part)

    def outside(part: int) -> None:
        if part == 1:
            other.set()
            assert inner.wait(timeout=30)
            raise ValueError("part 1")
        assert other.wait(timeout=30)
        parallel_for(inside, range(5000), 2)

    with pytest.raises(ValueError, match="part 1"):
        parallel_for(outside, range(2), 2)
    assert len(done) < 5000


@pytest.mark.parametrize("jobs", [2, 3, 7])
def test_parts_begin_only_when_they_are_ready(jobs: int) -> None:
    ended: set[int] = set()
    early: list[int] = []

    def work(part: int) -> None:
        if not set(range(part - 3)) <= ended:
            early.append(part)
        time.sleep((5 * part % 7) / 2000)
        ended.add(part)

    def ready(part: int) -> bool:
        return set(range(part - 3)) <= ended

    parallel_for(work, range(60), jobs, ready=ready)
    assert ended == set(range(60))
    assert not early


def _in_a_child() -> None:
    done: list[int] = []
    parallel_for(done.append, range(10), 3)
    sys.exit(0 if sorted(done) == list(range(10)) else 1)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes do not fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    parallel_for(lambda part: None, range(10), 3)
    child = multiprocessing.get_context("fork").Process(target=_in_a_child)
    child.start()
    child.join(timeout=60)
    assert child.exitcode == 0
