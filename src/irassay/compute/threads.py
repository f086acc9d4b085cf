"""Work shared out among threads; kernels hold no lock, so threads are enough."""

import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

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


def parallel_for(work: Callable[[Part], object], parts: Iterable[Part], jobs: int, name: str = "") -> None:
    """Do the work on all parts, each as a thread comes free for it. The caller works too: it is awake already.

    Work with a name reports how much of it is done.
    """
    left = deque(parts)
    if name:
        work = counted(name, work, len(left))

    def turn() -> None:
        while True:
            try:
                part = left.popleft()
            except IndexError:
                return
            work(part)

    helping = [_helpers().submit(turn) for _ in range(min(jobs, len(left)) - 1)]
    try:
        turn()
    finally:
        left.clear()  # after an error nobody need go on
        for helper in helping:
            if not helper.cancel():
                helper.result()
