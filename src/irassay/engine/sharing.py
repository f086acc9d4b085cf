"""Work shared out among threads; kernels hold no lock, so threads are enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

Part = TypeVar("Part")


def share_out(work: Callable[[Part], None], parts: Sequence[Part], jobs: int) -> None:
    """Do the work on all parts, a few long turns for each thread: waking one up costs as much as a small part.

    After an error, or Ctrl-C, parts that are being worked on are finished and no others begun.
    """
    if jobs == 1:
        for part in parts:
            work(part)
        return
    turns = min(len(parts), 4 * jobs)
    over = Event()

    def turn(first: int) -> None:
        for part in parts[first::turns]:
            if over.is_set():
                break
            work(part)

    with ThreadPoolExecutor(max_workers=jobs) as workers:
        try:
            for _ in workers.map(turn, range(turns)):
                pass
        except BaseException:
            over.set()
            raise
