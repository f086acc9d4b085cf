"""Progress: studies report how far they are; a listener decides whether to show it."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Listener(Protocol):
    """Is called with how much of some work is done; from any thread, and as often as there is something to report."""

    def __call__(self, what: str, done: int, total: int, item: str = "") -> None:
        """So many of all are done, and `item` is worked on; work inside other work is reported in between."""


listener: ContextVar[Listener | None] = ContextVar("listener", default=None)
tell: list[Callable[[str], None]] = []  # who shows notices, from any thread


def notify(message: str) -> None:
    """What a user who waits should know, said where somebody shows it."""
    for show in tell:
        show(message)


def track(
    name: str, items: Iterable[Item], label: Callable[[Item], str] = lambda item: "", total: int | None = None
) -> Iterator[Item]:
    """The items, one after the other, each reported before it is worked on, and the end of them all.

    `label` is what a reader sees of an item. Where items are made one by one, `total` says how many will come.
    """
    report = listener.get()
    if report is None:
        yield from items
        return
    if total is None:
        items = list(items)
        total = len(items)
    report(name, 0, total)
    try:
        for done, item in enumerate(items):
            report(name, done, total, label(item))
            yield item
    finally:  # also of work that is left early
        report(name, total, total)


def counted(name: str, work: Callable[[Item], object], total: int) -> Callable[[Item], object]:
    """The same work, which reports how many parts of it are done; several threads may share it."""
    report = listener.get()  # threads have no context of their own
    if report is None:
        return work
    lock, done = threading.Lock(), 0

    def count(item: Item) -> object:
        nonlocal done
        result = work(item)
        with lock:
            done += 1
            report(name, done, total)
        return result

    report(name, 0, total)
    return count
