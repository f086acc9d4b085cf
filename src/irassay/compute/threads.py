"""Work shared out among threads; kernels hold no lock, so threads are enough."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import takewhile
from typing import Any, TypeVar

from irassay.progress import counted

Part = TypeVar("Part")
MOST = 256  # helping threads; they start only when they are first needed


@cache
def _helpers() -> ThreadPoolExecutor:
    """Threads that stay: starting and ending one costs as much as scoring a run."""
    return ThreadPoolExecutor(max_workers=MOST, thread_name_prefix="irassay")


if hasattr(os, "register_at_fork"):  # a forked child has none of its parent's threads
    os.register_at_fork(after_in_child=_helpers.cache_clear)


def cores() -> int:
    """The cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def parallel_for(
    work: Callable[[Part], object],
    parts: Iterable[Part],
    jobs: int,
    name: str = "",
    ready: Callable[[Part], bool] | None = None,
) -> None:
    """Do the work on all parts, each as a thread comes free for it. The caller works too: it is awake already.

    Work with a name reports how much of it is done. Parts may start parallel work themselves: all of it together has
    `jobs` threads, of the outermost, and parts inside are taken before new ones outside. `ready` says whether the next
    part may be begun; it is asked again whenever a part has ended.
    """
    left = deque(parts)
    if name:
        work = counted(name, work, len(left))
    if jobs == 1 or len(left) < 2:
        while left:
            work(left.popleft())
        return
    team = getattr(_here, "team", None) or _Team(jobs)
    team.run(_Loop(work, left, ready, team.lock))


class _Loop:
    """The parts of one `parallel_for`."""

    def __init__(
        self, work: Callable[[Any], object], left: deque[Any], ready: Callable[[Any], bool] | None, lock: threading.Lock
    ) -> None:
        self.work, self.left, self.ready = work, left, ready
        self.running: set[int] = set()  # the threads that are at a part of it
        self.error: BaseException | None = None
        self.ended = threading.Condition(lock)  # a part, where its caller waits for it

    @property
    def open(self) -> int:
        """How many parts can be begun."""
        return len(self.left) if self.ready is None else sum(1 for _ in takewhile(self.ready, self.left))

    def fail(self, problem: BaseException) -> None:
        """After an error nobody need go on."""
        self.error = self.error or problem
        self.left.clear()


class _StoppedError(Exception):
    """The work that this is a part of has failed elsewhere."""


class _Team:
    """Threads at work on a `parallel_for`, and on those that its parts start; `lock` is held but for the work itself.

    A thread that waits for parts of its own which others work on is no member meanwhile: another takes its place.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs, self.members = jobs, 1
        self.lock = threading.Lock()
        self.loops: list[_Loop] = []  # the outermost first
        self.failed = False

    def run(self, loop: _Loop) -> None:
        """The caller's turn: its own parts only, so that none of another makes it late."""
        before, _here.team = getattr(_here, "team", None), self
        with self.lock:
            if self.failed:
                loop.fail(_StoppedError())
            self.loops.append(loop)
            self._call(1)
            try:
                while loop.left or loop.running:
                    if loop.open:
                        self._do_next(loop)
                    else:
                        self._wait(loop)
            except BaseException as problem:  # an interrupt while it waits
                loop.running.discard(threading.get_ident())
                self._fail(loop, problem)
                while loop.running:
                    loop.ended.wait()
            self.loops.remove(loop)
        _here.team = before
        if loop.error is not None:
            raise loop.error

    def _wait(self, loop: _Loop) -> None:
        self.members -= 1
        try:
            self._call(0)
            loop.ended.wait()
        finally:
            self.members += 1

    def _call(self, busy: int) -> None:
        """Helpers for the parts that can be begun, but for those that so many threads are about to take."""
        for _ in range(min(self.jobs - self.members, sum(loop.open for loop in self.loops) - busy)):
            self.members += 1
            _helpers().submit(self._help)

    def _help(self) -> None:
        _here.team = self
        with self.lock:
            # whoever had to wait is back, and there are too many now
            while self.members <= self.jobs and (loop := self._first_open()) is not None:
                self._do_next(loop)
            self.members -= 1
        _here.team = None

    def _first_open(self) -> _Loop | None:
        """The oldest inner loop with parts to begin; the outermost comes last."""
        return next((loop for loop in (*self.loops[1:], *self.loops[:1]) if loop.open), None)

    def _do_next(self, loop: _Loop) -> None:
        part = loop.left.popleft()
        loop.running.add(threading.get_ident())
        self.lock.release()
        try:
            loop.work(part)
        except BaseException as error:
            problem: BaseException | None = error
        else:
            problem = None
        finally:
            self.lock.acquire()
            loop.running.discard(threading.get_ident())
        if problem is not None:
            self._fail(loop, problem)
        if loop.ready is not None:
            self._call(1)
        if loop.ready is not None or not loop.running:
            loop.ended.notify()

    def _fail(self, loop: _Loop, problem: BaseException) -> None:
        loop.fail(problem)
        if loop is self.loops[0]:
            self.failed = True
            for inner in self.loops[1:]:
                inner.fail(_StoppedError())


_here = threading.local()  # the team that this thread works in
