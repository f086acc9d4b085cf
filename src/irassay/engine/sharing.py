"""Work shared out among threads; kernels hold no lock, so threads are enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Part = TypeVar("Part")


def share_out(work: Callable[[Part], None], parts: Sequence[Part], jobs: int) -> None:
    """Do the work on all parts, a few long turns for each thread: waking one up costs as much as a small part."""
    if jobs == 1:
        for part in parts:
            work(part)
        return
    turns = min(len(parts), 4 * jobs)

    def turn(first: int) -> None:
        for part in parts[first::turns]:
            work(part)

    with ThreadPoolExecutor(max_workers=jobs) as workers:
        for _ in workers.map(turn, range(turns)):
            pass
